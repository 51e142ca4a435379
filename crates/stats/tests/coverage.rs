//! Does a 95 % interval hold the truth in 95 of 100 data sets? Simulated: 16 stereotypes of which none differs, so that
//! g_s is 1, with sentences whose log rates scatter.

#![allow(clippy::unwrap_used)] // a failed helper is a failed test

use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;
use rayon::prelude::*;
use stereometer_core::{Average, Seed, StereotypeId};
use stereometer_stats::{Estimator, Rates, Resampling, SourceIndex};

/// Share of data sets whose interval of g_s holds 1.
fn coverage(sentences: usize, data_sets: u64) -> f64 {
    let names: Vec<String> = (0..sentences).map(|sentence| sentence.to_string()).collect();
    let index = SourceIndex::new(
        StereotypeId::all().flat_map(|id| names.iter().map(move |name| (id, name.as_str()))),
    );
    let resampling = Resampling::new(&index, 400, Seed::default());
    let held = (0..data_sets)
        .into_par_iter()
        .filter(|&data_set| {
            let mut rng = ChaCha8Rng::seed_from_u64(data_set);
            let mut rates = Rates::default();
            for id in StereotypeId::all() {
                for source in 0..sentences {
                    // A sum of uniforms: near enough to normal, and the same on every machine.
                    let noise: f64 = (0..12).map(|_| rng.random::<f64>()).sum::<f64>() - 6.0;
                    let ln = -0.7 + 0.1 * noise;
                    rates.add(id, source, ln.exp(), ln);
                }
            }
            let estimator = Estimator::new(&rates, &resampling, Average::Geometric);
            let interval =
                estimator.estimate(16 * sentences, |profile| profile.g_s).unwrap().interval().unwrap();
            interval.low <= 1.0 && 1.0 <= interval.high
        })
        .count();
    held as f64 / data_sets as f64
}

#[test]
fn the_interval_of_g_s_covers_as_often_as_it_says() {
    for (sentences, low, high) in [(2, 0.90, 0.99), (4, 0.92, 0.98), (12, 0.93, 0.97)] {
        let coverage = coverage(sentences, 1000);
        println!("{sentences} sentences a stereotype: {coverage}");
        assert!((low..=high).contains(&coverage), "{sentences}: {coverage}");
    }
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
