//! Paired permutation test: could the two runs' labels be exchanged?
//!
//! If two runs do not differ, it is chance which of them gave which rates of a source sentence. So the rates of every
//! sentence are exchanged or not by the throw of a coin, all items and languages of a sentence together, and a
//! difference is compared with those that come about so (Good 2005, §3.2; sign flips of clusters).
//!
//! p = (1 + permutations with a difference at least as large) / (1 + permutations), two-sided, from 1/(1 + B) to 1.
//! Degenerate cases: equal runs give p = 1; a handful of sentences has few exchanges (4 sentences: 16), so p cannot be
//! small.

use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;
use rayon::prelude::*;
use stereometer_core::{Average, Seed, StereotypeId};

use crate::{Means, Profile, Rates, SourceIndex};

/// Which sources are exchanged in which permutation.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Exchange {
    permutations: usize,
    counts: Vec<usize>,
    /// Per stereotype, `[permutation][source]`.
    flips: Vec<Vec<bool>>,
}

impl Exchange {
    /// Draws all permutations, each stereotype from a stream of its own.
    pub fn new(index: &SourceIndex, permutations: usize, seed: Seed) -> Self {
        let counts: Vec<usize> = StereotypeId::all().map(|id| index.count(id)).collect();
        let flips = StereotypeId::all()
            .map(|id| {
                let n = counts[id.index()];
                let stream_seed = seed.stream(&format!("exchange/stereotype-{id}"));
                let mut flips = vec![false; n * permutations];
                if n > 0 {
                    flips.par_chunks_mut(n).enumerate().for_each(|(permutation, flips)| {
                        let mut rng = ChaCha8Rng::seed_from_u64(stream_seed);
                        rng.set_stream(permutation as u64);
                        flips.fill_with(|| rng.random());
                    });
                }
                flips
            })
            .collect();
        Self { permutations, counts, flips }
    }

    /// The statistics of both runs in every permutation. Both must have the same sources.
    pub fn profiles(&self, runs: [&Rates; 2], average: Average) -> Vec<[Profile; 2]> {
        (0..self.permutations)
            .into_par_iter()
            .map(|permutation| self.exchanged(runs, permutation, average))
            .collect()
    }

    fn exchanged(&self, [a, b]: [&Rates; 2], permutation: usize, average: Average) -> [Profile; 2] {
        let mut means = [Means::default(), Means::default()];
        for (stratum, (a, b)) in a.strata().iter().zip(b.strata()).enumerate() {
            let flips = &self.flips[stratum][permutation * self.counts[stratum]..];
            let flipped =
                |swap: bool| a.iter().zip(b).map(move |(a, b)| if flips[a.source] == swap { *b } else { *a });
            means[0].set(stratum, flipped(true).map(|cluster| (1.0, cluster)));
            means[1].set(stratum, flipped(false).map(|cluster| (1.0, cluster)));
        }
        means.map(|means| Profile::new(&means, average))
    }
}

/// Two-sided p of an observed difference among permuted ones; `None` when none of these exists.
pub fn permutation_p(observed: f64, permuted: &[Option<f64>]) -> Option<f64> {
    // Exchanges that change nothing must count as equal, whatever the order of summation did to the last digit.
    let least = observed.abs() * (1.0 - 1e-9) - 1e-12;
    let n = permuted.iter().flatten().count();
    let hits = permuted.iter().flatten().filter(|value| value.abs() >= least).count();
    (n > 0).then(|| (1 + hits) as f64 / (1 + n) as f64)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rates(values: &[f64]) -> Rates {
        let mut rates = Rates::default();
        let id = StereotypeId::all().next().unwrap();
        for (source, &ln) in values.iter().enumerate() {
            rates.add(id, source, ln.exp(), ln);
        }
        rates
    }

    fn p(a: &[f64], b: &[f64]) -> f64 {
        let names: Vec<String> = (0..a.len()).map(|place| format!("{place:02}")).collect();
        let id = StereotypeId::all().next().unwrap();
        let index = SourceIndex::new(names.iter().map(|name| (id, name.as_str())));
        let exchange = Exchange::new(&index, 20_000, Seed(3));
        let statistic = |profile: &Profile| profile.q[0].map(f64::ln);
        let (a, b) = (rates(a), rates(b));
        let difference = |[a, b]: &[Profile; 2]| Some(statistic(b)? - statistic(a)?);
        let observed = difference(&[a.profile(Average::Geometric), b.profile(Average::Geometric)]).unwrap();
        let permuted: Vec<Option<f64>> =
            exchange.profiles([&a, &b], Average::Geometric).iter().map(difference).collect();
        permutation_p(observed, &permuted).unwrap()
    }

    #[test]
    fn agrees_with_scipys_paired_permutation_test() {
        // scipy.stats.permutation_test((a, b), lambda a, b, axis: (b - a).mean(axis=axis), permutation_type="samples",
        // n_resamples=inf): p = 0.015625 (exact over 2^10 exchanges), SciPy 1.17.1
        let a = [-0.9, -0.7, -0.8, -0.6, -0.75, -0.65, -0.7, -0.85, -0.5, -0.95];
        let b = [-0.7, -0.72, -0.6, -0.5, -0.6, -0.7, -0.5, -0.8, -0.45, -0.7];
        let p = p(&a, &b);
        assert!((p - 0.015_625).abs() < 0.005, "{p}");
    }

    #[test]
    fn equal_runs_cannot_be_told_apart_and_few_sentences_neither() {
        let a = [-0.9, -0.7, -0.8, -0.6];
        assert_eq!(p(&a, &a), 1.0);
        let far = a.map(|value| value + 5.0);
        assert!((p(&a, &far) - 0.125).abs() < 0.01, "2 of 16 exchanges");
    }
}
