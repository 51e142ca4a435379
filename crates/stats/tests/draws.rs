//! The random draws against those of `golden/generators/recompute/draws.py`, which has ChaCha8, rand's seeding and rand's
//! integers written anew: the same seed gives the same resamples for whoever recomputes an analysis in another language.

#![allow(clippy::unwrap_used)] // a failed helper is a failed test

use rand::seq::SliceRandom;
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;
use serde::Deserialize;
use stereometer_core::{Seed, StereotypeId};
use stereometer_stats::{Resampling, SourceIndex};
use stereometer_testkit::golden;

#[derive(Deserialize)]
struct Recomputed {
    draws: Draws,
}

#[derive(Deserialize)]
struct Draws {
    stream_seed: String,
    weights: Vec<Vec<f64>>,
    integers: Vec<Integers>,
    flips: Vec<Vec<bool>>,
    shuffles_of_20: Vec<Vec<u8>>,
}

#[derive(Deserialize)]
struct Integers {
    below: usize,
    first: Vec<Vec<usize>>,
}

fn draws() -> Draws {
    let file = std::fs::read(golden("expected/recomputed.json")).unwrap();
    serde_json::from_slice::<Recomputed>(&file).unwrap().draws
}

fn stream(name: &str, number: usize) -> ChaCha8Rng {
    let mut rng = ChaCha8Rng::seed_from_u64(Seed::default().stream(name));
    rng.set_stream(number as u64);
    rng
}

#[test]
fn a_resample_holds_the_same_sources() {
    let draws = draws();
    assert_eq!(Seed::default().stream("bootstrap/stereotype-1").to_string(), draws.stream_seed);
    let id = StereotypeId::all().next().unwrap();
    let index = SourceIndex::new(["a", "b", "c", "d", "e", "f", "g"].map(|source| (id, source)).into_iter());
    let resampling = Resampling::new(&index, draws.weights.len(), Seed::default());
    for (replicate, expected) in draws.weights.iter().enumerate() {
        let ours: Vec<f64> = (0..7).map(|source| resampling.weight(0, replicate, source)).collect();
        assert_eq!(&ours, expected);
    }
}

/// Below 3,000,000,000 most integers need a second word.
#[test]
fn integers_coins_and_shuffles_are_the_same() {
    let draws = draws();
    for row in draws.integers {
        for (number, expected) in row.first.iter().enumerate() {
            let mut rng = stream("bootstrap/stereotype-1", number);
            let ours: Vec<usize> = expected.iter().map(|_| rng.random_range(0..row.below)).collect();
            assert_eq!(&ours, expected, "below {}", row.below);
        }
    }
    for (number, expected) in draws.flips.iter().enumerate() {
        let mut rng = stream("exchange/stereotype-1", number);
        let ours: Vec<bool> = expected.iter().map(|_| rng.random()).collect();
        assert_eq!(&ours, expected);
    }
    let (mut rng, mut row) = (stream("bootstrap/stereotype-1", 0), (0..20).collect::<Vec<u8>>());
    for expected in draws.shuffles_of_20 {
        row.shuffle(&mut rng);
        assert_eq!(row, expected);
    }
}
