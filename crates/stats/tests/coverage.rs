//! Does a 95 % interval hold the truth in 95 of 100 data sets? Every interval, over 1,000 data sets drawn from populations
//! whose truth is known. All but the quick test of g_s:
//!
//! ```text
//! cargo test --release -p stereometer-stats --test coverage -- --ignored --nocapture
//! ```
//!
//! A share of 1,000 data sets has a standard error of 0.7 %; those of q_i, inclination and rank rest on 16,000 intervals.

#![allow(clippy::unwrap_used)] // a failed helper is a failed test

use std::collections::BTreeMap;
use std::ops::RangeInclusive;

use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;
use rayon::prelude::*;
use statrs::distribution::{ContinuousCDF, Normal};
use stereometer_core::{Average, Seed, StereotypeId};
use stereometer_stats::{Cluster, Estimator, Means, Profile, Rates, Resampling, SourceIndex, rank_intervals};

/// What data sets are drawn from.
struct Population {
    name: &'static str,
    /// Items of one source sentence, which share its part of the scatter.
    items: usize,
    /// Where a stereotype lies on the latent scale.
    centre: fn(usize) -> f64,
    /// Standard deviation between sources, and between the items of one.
    scatter: (f64, f64),
    /// From the latent scale to the logarithm of a rate.
    ln_rate: fn(f64) -> f64,
}

/// No stereotype differs: g_s is 1, and all share the rank 8.5.
const ALIKE: Population =
    Population { name: "alike", items: 1, centre: |_| -0.7, scatter: (0.1, 0.0), ln_rate: |x| x };

/// All differ, by a hundredth of the scatter.
const NEAR_TIES: Population =
    Population { name: "near ties", centre: |index| -0.7 - 0.001 * index as f64, ..ALIKE };

/// Neighbours lie two standard deviations apart. The order goes across the two sides.
const APART: Population = Population {
    name: "apart",
    centre: |index| -0.4 - 0.1 * ((index * 7) % 16) as f64,
    scatter: (0.05, 0.0),
    ..ALIKE
};

/// As measured: the difference of log-likelihoods scatters widely, so that log rates are skewed; two items a source.
const SKEWED: Population = Population {
    name: "skewed, in pairs",
    items: 2,
    centre: |index| 0.1 * ((index * 7) % 16) as f64 - 0.3,
    scatter: (0.8, 0.4),
    ln_rate: |difference| -(-difference).exp().ln_1p(),
};

type Held = Vec<(&'static str, bool)>;

impl Population {
    /// The truth, by the mean over 100,000 equally likely latent values.
    fn truth(&self) -> Profile {
        const STEPS: usize = 100_000;
        let scatter = self.scatter.0.hypot(self.scatter.1);
        let mut means = Means::default();
        for index in 0..16 {
            let mut all = Cluster { source: 0, n: STEPS as f64, sum: 0.0, sum_ln: 0.0 };
            for step in 0..STEPS {
                let level = (step as f64 + 0.5) / STEPS as f64;
                let ln = (self.ln_rate)((self.centre)(index) + scatter * normal(level));
                all.sum += ln.exp();
                all.sum_ln += ln;
            }
            means.set(index, std::iter::once((1.0, all)));
        }
        Profile::new(&means, Average::Geometric)
    }

    fn data_set(&self, sentences: usize, number: u64) -> Rates {
        let mut rng = ChaCha8Rng::seed_from_u64(number);
        let mut noise = || normal(rng.random::<f64>().max(1e-12));
        let mut rates = Rates::default();
        for id in StereotypeId::all() {
            for source in 0..sentences {
                let place = (self.centre)(id.index()) + self.scatter.0 * noise();
                for _ in 0..self.items {
                    let ln = (self.ln_rate)(place + self.scatter.1 * noise());
                    rates.add(id, source, ln.exp(), ln);
                }
            }
        }
        rates
    }

    /// Share of 1,000 data sets in which each interval holds the truth.
    fn coverage(
        &self,
        sentences: usize,
        replicates: usize,
        held: impl Fn(&Estimator, &Profile) -> Held + Sync,
    ) -> BTreeMap<&'static str, f64> {
        let names: Vec<String> = (0..sentences).map(|sentence| sentence.to_string()).collect();
        let index = SourceIndex::new(
            StereotypeId::all().flat_map(|id| names.iter().map(move |name| (id, name.as_str()))),
        );
        let truth = self.truth();
        let held: Held = (0..1000)
            .into_par_iter()
            .flat_map_iter(|number| {
                // Resamples of their own, or else the accidents of one draw would be in all data sets.
                let resampling = Resampling::new(&index, replicates, Seed(number));
                let rates = self.data_set(sentences, number);
                held(&Estimator::new(&rates, &resampling, Average::Geometric), &truth)
            })
            .collect();
        let mut shares: BTreeMap<&str, (f64, f64)> = BTreeMap::new();
        for (name, held) in held {
            let share = shares.entry(name).or_default();
            share.0 += f64::from(u8::from(held));
            share.1 += 1.0;
        }
        shares.into_iter().map(|(name, (held, all))| (name, held / all)).collect()
    }
}

fn normal(level: f64) -> f64 {
    Normal::standard().inverse_cdf(level)
}

/// Whether each interval holds the truth.
fn every_interval(estimator: &Estimator, truth: &Profile) -> Held {
    let mut held = Vec::new();
    let ranks = rank_intervals(estimator);
    for id in StereotypeId::all() {
        held.push(("q_i", holds(estimator, truth, |profile| profile.q[id.index()])));
        held.push(("inclination", holds(estimator, truth, |profile| profile.inclination(id))));
        let rank = |profile: &Profile| profile.ranks()[id.index()];
        let true_rank = rank(truth).unwrap();
        let resampled = estimator.series(16, rank).unwrap().percentile_only().interval().unwrap();
        held.push(("rank by percentile", (resampled.low..=resampled.high).contains(&true_rank)));
        let interval = ranks[id.index()].unwrap();
        held.push(("rank", (interval.low..=interval.high).contains(&true_rank)));
    }
    held.push(("default masculine rate", holds(estimator, truth, |profile| profile.default_masculine_rate)));
    held.push(("g_s", holds(estimator, truth, |profile| profile.g_s)));
    held.push(("g_s_arithmetic", holds(estimator, truth, |profile| profile.g_s_arithmetic)));
    held
}

fn holds(estimator: &Estimator, truth: &Profile, statistic: impl Fn(&Profile) -> Option<f64>) -> bool {
    let interval = estimator.estimate(16, &statistic).unwrap().interval().unwrap();
    (interval.low..=interval.high).contains(&statistic(truth).unwrap())
}

/// What each interval truly does. Everything that is not said to differ holds the truth in 93 to 97 of 100.
fn expected(statistic: &str, sentences: usize) -> RangeInclusive<f64> {
    match (statistic, sentences) {
        // Bounds for all differences at once: more than 95 %, by construction.
        ("rank", _) => 0.95..=1.0,
        // Too few for near ties, 0.76 with four sentences: why `rank_intervals` exists.
        ("rank by percentile", _) => 0.75..=1.0,
        // Resampled means never leave the range of four rates.
        ("q_i" | "inclination", 4) => 0.84..=0.93,
        // Skewness is hard to tell from four sentences.
        (_, 4) => 0.91..=0.97,
        _ => 0.93..=0.97,
    }
}

fn check(sentences: usize) {
    let mut wrong = Vec::new();
    for population in [ALIKE, NEAR_TIES, APART, SKEWED] {
        for (statistic, share) in population.coverage(sentences, 1000, every_interval) {
            println!("{sentences} sentences, {}: {statistic} {share:.3}", population.name);
            if !expected(statistic, sentences).contains(&share) {
                wrong.push((population.name, statistic, share));
            }
        }
    }
    assert!(wrong.is_empty(), "{sentences} sentences: {wrong:?}");
}

#[test]
fn the_interval_of_g_s_covers_as_often_as_it_says() {
    for (sentences, low, high) in [(2, 0.90, 0.99), (4, 0.92, 0.98), (12, 0.93, 0.97)] {
        let g_s = |estimator: &Estimator, truth: &Profile| {
            vec![("g_s", holds(estimator, truth, |profile| profile.g_s))]
        };
        let coverage = ALIKE.coverage(sentences, 400, g_s)["g_s"];
        println!("{sentences} sentences a stereotype: {coverage}");
        assert!((low..=high).contains(&coverage), "{sentences}: {coverage}");
    }
}

#[test]
#[ignore = "slow: the command is in the head"]
fn every_interval_with_4_sentences_a_stereotype() {
    check(4);
}

#[test]
#[ignore = "slow: the command is in the head"]
fn every_interval_with_12_sentences_a_stereotype() {
    check(12);
}

#[test]
#[ignore = "slow: the command is in the head"]
fn every_interval_with_40_sentences_a_stereotype() {
    check(40);
}

#[test]
fn a_stereotype_with_one_sentence_leaves_no_false_certainty() {
    let names: Vec<String> = (0..30).map(|n| n.to_string()).collect();
    let index = SourceIndex::new(
        StereotypeId::all().flat_map(|id| names.iter().map(move |name| (id, name.as_str()))),
    );
    let mut rates = Rates::default();
    for id in StereotypeId::all() {
        for source in 0..if id.get() == 1 { 30 } else { 1 } {
            rates.add(id, source, 0.4, 0.4_f64.ln());
        }
    }
    let resampling = Resampling::new(&index, 200, Seed::default());
    let estimator = Estimator::new(&rates, &resampling, Average::Geometric);
    assert!(estimator.estimate(45, |profile| profile.g_s).unwrap().interval().is_none());
    assert!(estimator.estimate(30, |profile| profile.q[0]).unwrap().interval().is_some());
    assert!(estimator.estimate(1, |profile| profile.q[1]).unwrap().interval().is_none());
}
