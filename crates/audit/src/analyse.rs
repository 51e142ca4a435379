//! From rows to results: a pure function.

use rayon::prelude::*;
use stereometer_core::{Estimate, Language, Method, Warning};
use stereometer_record::{FORMAT_VERSION, ItemRecord, LanguageResult, Results, UnscoredRow};
use stereometer_stats::{LEVEL, Resampling, SourceIndex, percentile, standard_deviation};

use crate::Settings;
use crate::language::{Analysed, Context, analyse_language};

/// How far above the median cost of a character a language must lie to be called weak.
const WEAK_COST: f64 = 1.5;

/// What the rows of a run by a method say. `languages` gives the order and the English names.
pub fn analyse(
    records: &[ItemRecord],
    languages: &[(Language, String)],
    method: Method,
    settings: &Settings,
) -> Results {
    let index = SourceIndex::new(records.iter().map(|record| (record.stereotype, record.source.as_str())));
    let context = Context {
        resampling: &Resampling::new(&index, settings.resamples, settings.seed),
        index: &index,
        method,
        settings,
    };
    let analysed: Vec<Analysed> = languages
        .par_iter()
        .map(|(language, name)| {
            let own: Vec<&ItemRecord> =
                records.iter().filter(|record| record.language == *language).collect();
            analyse_language(&own, language, name, &context)
        })
        .collect();
    let mean_g_s = mean_over_languages(&analysed);
    let (results, rest): (Vec<LanguageResult>, Vec<_>) =
        analysed.into_iter().map(|one| (one.result, (one.unscored, one.warnings))).unzip();
    let (unscored, warnings): (Vec<Vec<UnscoredRow>>, Vec<Vec<Warning>>) = rest.into_iter().unzip();
    let mut warnings: Vec<Warning> = warnings.into_iter().flatten().collect();
    warnings.extend(weak_languages(&results));
    Results {
        format_version: FORMAT_VERSION,
        method,
        rule: settings.rule,
        average: settings.average,
        seed: settings.seed,
        resamples: settings.resamples,
        level: LEVEL,
        min_items: settings.min_items,
        languages: results,
        mean_g_s,
        unscored: unscored.into_iter().flatten().collect(),
        warnings,
    }
}

/// Mean of g_s over the languages that have one; resampled together, so that shared sentences count once.
fn mean_over_languages(analysed: &[Analysed]) -> Option<Estimate> {
    let values: Vec<f64> =
        analysed.iter().filter_map(|one| one.result.g_s.as_ref().map(|g_s| g_s.value)).collect();
    let mean = |values: &[f64]| values.iter().sum::<f64>() / values.len() as f64;
    if values.is_empty() {
        return None;
    }
    let with_g_s: Vec<&Analysed> = analysed.iter().filter(|one| one.result.g_s.is_some()).collect();
    let replicates = with_g_s.iter().map(|one| one.g_s_replicates.len()).min().unwrap_or(0);
    let mut means: Vec<f64> = (0..replicates)
        .filter_map(|replicate| {
            let all: Option<Vec<f64>> = with_g_s.iter().map(|one| one.g_s_replicates[replicate]).collect();
            all.map(|all| mean(&all))
        })
        .collect();
    means.sort_unstable_by(f64::total_cmp);
    let n = with_g_s.iter().map(|one| one.result.n_sources).max().unwrap_or(0);
    Some(Estimate {
        value: mean(&values),
        n,
        std_error: standard_deviation(&means),
        percentile: percentile(&means, &[]),
        bca: None,
    })
}

/// Languages whose text costs the model far more than the run's median language.
fn weak_languages(results: &[LanguageResult]) -> Vec<Warning> {
    let mut costs: Vec<f64> =
        results.iter().filter_map(|result| result.fit.map(|fit| fit.nats_per_character)).collect();
    costs.sort_unstable_by(f64::total_cmp);
    if costs.len() < 3 {
        return Vec::new();
    }
    let median = costs[costs.len() / 2];
    results
        .iter()
        .filter_map(|result| {
            let cost = result.fit?.nats_per_character;
            (cost > WEAK_COST * median).then(|| Warning::WeakLanguage {
                language: result.language.clone(),
                detail: format!(
                    "the model predicts {} text badly: {cost:.2} nats a character, {:.1} times the run's median",
                    result.name,
                    cost / median
                ),
            })
        })
        .collect()
}
