//! What holds over several models: a trend with size, and whether stereotypes are ranked alike.

use stereometer_core::{Seed, StereotypeId, Tuning};
use stereometer_record::{ComparedRun, RankAgreement, RankConcordance, Results, Trend};
use stereometer_stats::{kendall_tau_b, kendall_w, mean_ranks, spearman, tau_permutation_p};

/// Permutations where all orders are too many.
const PERMUTATIONS: usize = 10_000;

/// Mean g_s against the number of parameters, for every family and tuning with at least two sizes.
pub(super) fn trends(runs: &[ComparedRun], seed: Seed) -> Vec<Trend> {
    let mut groups: Vec<(&str, Option<Tuning>, Vec<usize>)> = Vec::new();
    for (place, run) in runs.iter().enumerate() {
        let Some(family) = run.family.as_deref() else { continue };
        if run.results.mean_g_s.is_none() {
            continue;
        }
        match groups.iter_mut().find(|group| (group.0, group.1) == (family, run.tuning)) {
            Some(group) => group.2.push(place),
            None => groups.push((family, run.tuning, vec![place])),
        }
    }
    let size = |place: usize| runs[place].spec.identity.model.parameters;
    groups
        .into_iter()
        .filter_map(|(family, tuning, mut places)| {
            places.sort_by_key(|&place| size(place));
            let sizes = places.chunk_by(|&a, &b| size(a) == size(b)).count();
            let points: Vec<(f64, f64)> = places
                .iter()
                .filter_map(|&place| Some((size(place) as f64, runs[place].results.mean_g_s.as_ref()?.value)))
                .collect();
            (sizes > 1).then(|| Trend {
                family: family.to_owned(),
                tuning,
                runs: places,
                tau: kendall_tau_b(&points),
                p: tau_permutation_p(&points, PERMUTATIONS, seed),
            })
        })
        .collect()
}

/// Kendall's W over the languages of a run that have every stereotype; absent with fewer than two of them.
pub(super) fn concordance(results: &Results) -> Option<RankConcordance> {
    let all = results.stereotypes.len();
    let (whole, partial): (Vec<_>, Vec<_>) =
        results.languages.iter().partition(|language| language.stereotypes.len() == all);
    let q = whole.iter().map(|language| language.stereotypes.iter().map(|one| one.q.value).collect());
    let rows: Vec<Vec<f64>> = q.collect();
    let found = kendall_w(&rows, PERMUTATIONS, results.seed)?;
    Some(RankConcordance {
        w: found.w,
        languages: whole.len(),
        stereotypes: all,
        left_out: partial.iter().map(|language| language.language.clone()).collect(),
        p: found.p_permutation,
    })
}

/// Spearman's ρ between every two runs.
pub(super) fn rank_agreement(runs: &[ComparedRun]) -> Vec<RankAgreement> {
    let ranks: Vec<Vec<Option<f64>>> = runs.iter().map(|run| mean_rank(&run.results)).collect();
    let pairs = (0..runs.len()).flat_map(|first| (first + 1..runs.len()).map(move |second| (first, second)));
    pairs
        .map(|(first, second)| {
            let both = ranks[first].iter().zip(&ranks[second]);
            let points: Vec<(f64, f64)> = both.filter_map(|(a, b)| Some(((*a)?, (*b)?))).collect();
            RankAgreement { first, second, rho: spearman(&points), stereotypes: points.len() }
        })
        .collect()
}

/// Mean over the languages of each stereotype's rank, ranked again.
fn mean_rank(results: &Results) -> Vec<Option<f64>> {
    let means: Vec<Option<f64>> = StereotypeId::all()
        .map(|id| {
            let cells = results.languages.iter().flat_map(|language| &language.stereotypes);
            let ranks: Vec<f64> =
                cells.filter(|cell| cell.stereotype == id).map(|cell| cell.rank.value).collect();
            // `mean_ranks` puts the highest first, and rank 1 is the most masculine.
            (!ranks.is_empty()).then(|| -ranks.iter().sum::<f64>() / ranks.len() as f64)
        })
        .collect();
    mean_ranks(&means)
}
