//! What holds over the languages of a run: means that are resampled together, so that shared sentences count once.
//!
//! A language without the statistic is left out of the mean, and named.

use stereometer_core::{Estimate, Language, StereotypeId, Verdict};
use stereometer_record::OverallStereotype;
use stereometer_stats::Series;

use crate::language::Analysed;

/// Mean of g_s over the languages that have one.
pub(crate) fn mean_g_s(analysed: &[Analysed]) -> Option<Estimate> {
    let parts: Vec<&Series> = analysed.iter().filter_map(|one| one.g_s.as_ref()).collect();
    mean(&parts).map(|series| series.estimate())
}

/// Every stereotype that any language has.
pub(crate) fn overall(analysed: &[Analysed]) -> Vec<OverallStereotype> {
    let stereotypes = StereotypeId::all().map(|id| stereotype(analysed, id));
    stereotypes.filter(|one| one.languages > 0).collect()
}

fn stereotype(analysed: &[Analysed], id: StereotypeId) -> OverallStereotype {
    let parts: Vec<&Series> =
        analysed.iter().filter_map(|one| one.inclinations[id.index()].as_ref()).collect();
    let without = analysed.iter().filter(|one| one.inclinations[id.index()].is_none());
    let missing: Vec<Language> = without.map(|one| one.result.language.clone()).collect();
    let count = |wanted: Verdict| {
        let cells =
            analysed.iter().flat_map(|one| &one.result.stereotypes).filter(|cell| cell.stereotype == id);
        let inclinations = cells.filter_map(|cell| cell.inclination.as_ref());
        inclinations.filter(|inclination| Verdict::of(inclination, 0.0) == wanted).count()
    };
    OverallStereotype {
        stereotype: id,
        languages: parts.len(),
        missing,
        inclination: mean(&parts).map(|series| series.estimate()),
        towards: count(Verdict::Above),
        against: count(Verdict::Below),
    }
}

/// Replicate by replicate; of the sources, those that the widest part has.
pub(crate) fn mean(parts: &[&Series]) -> Option<Series> {
    let n = parts.iter().map(|part| part.n()).max()?;
    Series::combine(n, parts, |values| values.iter().sum::<f64>() / values.len() as f64)
}
