//! Bootstrap by source sentence within stereotype.
//!
//! A source sentence and its translations stand or fall together, so the same resampled sources are used in every
//! language, rule and model: differences between them are paired. Items of one sentence (templates) stay together as
//! a cluster (naive errors are up to three times too small otherwise).
//!
//! Of the n sources of a stereotype, n − 1 are drawn (Rao & Wu 1988; Davison & Hinkley 1997, §3.8): drawing n would make
//! the variance of a mean too small by (n − 1)/n, a factor of two where a stereotype has two sentences.
//!
//! Each replicate of each stereotype has a random stream of its own (ChaCha8), so the numbers depend neither on the
//! number of threads nor on what else is analysed.

use std::collections::{BTreeMap, BTreeSet};

use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;
use rayon::prelude::*;
use stereometer_core::{Seed, StereotypeId};

/// The place of every source sentence among those of its stereotype, in order of id.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct SourceIndex {
    places: BTreeMap<(StereotypeId, String), usize>,
    counts: Vec<usize>,
}

impl SourceIndex {
    /// From all (stereotype, source) pairs of a run, in any order, repeats allowed.
    pub fn new<'a>(sources: impl Iterator<Item = (StereotypeId, &'a str)>) -> Self {
        let distinct: BTreeSet<(StereotypeId, String)> =
            sources.map(|(id, source)| (id, source.to_owned())).collect();
        let mut counts = vec![0; StereotypeId::all().len()];
        let places = distinct
            .into_iter()
            .map(|key| {
                let place = counts[key.0.index()];
                counts[key.0.index()] += 1;
                (key, place)
            })
            .collect();
        Self { places, counts }
    }

    /// Number of sources.
    pub fn len(&self) -> usize {
        self.places.len()
    }

    /// Number of sources of a stereotype.
    pub fn count(&self, stereotype: StereotypeId) -> usize {
        self.counts.get(stereotype.index()).copied().unwrap_or(0)
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.places.is_empty()
    }

    /// The place of a source, if the index was made with it.
    pub fn place(&self, stereotype: StereotypeId, source: &str) -> Option<usize> {
        self.places.get(&(stereotype, source.to_owned())).copied()
    }
}

/// How often each source was drawn in each replicate.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Resampling {
    replicates: usize,
    counts: Vec<usize>,
    /// Per stereotype, `[replicate][source]`.
    draws: Vec<Vec<u16>>,
}

impl Resampling {
    /// Draws all replicates.
    pub fn new(index: &SourceIndex, replicates: usize, seed: Seed) -> Self {
        let draws = StereotypeId::all()
            .map(|stereotype| {
                let n = index.counts[stereotype.index()];
                let stream_seed = seed.stream(&format!("bootstrap/stereotype-{stereotype}"));
                let mut draws = vec![0_u16; n * replicates];
                if n > 0 {
                    draws.par_chunks_mut(n).enumerate().for_each(|(replicate, counts)| {
                        let mut rng = ChaCha8Rng::seed_from_u64(stream_seed);
                        rng.set_stream(replicate as u64);
                        for _ in 1..n {
                            let source = rng.random_range(0..n);
                            counts[source] = counts[source].saturating_add(1);
                        }
                    });
                }
                draws
            })
            .collect();
        Self { replicates, counts: index.counts.clone(), draws }
    }

    /// Number of replicates.
    pub fn replicates(&self) -> usize {
        self.replicates
    }

    /// How often a source was drawn.
    pub fn weight(&self, stratum: usize, replicate: usize, source: usize) -> f64 {
        f64::from(self.draws[stratum][replicate * self.counts[stratum] + source])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn id(number: u16) -> StereotypeId {
        StereotypeId::try_from(number).unwrap()
    }

    #[test]
    fn every_replicate_draws_one_fewer_than_there_are() {
        let index = SourceIndex::new([(id(1), "b"), (id(1), "a"), (id(1), "a"), (id(9), "z")].into_iter());
        assert_eq!(index.place(id(1), "b"), Some(1));
        assert_eq!(index.place(id(2), "b"), None);
        let resampling = Resampling::new(&index, 50, Seed(7));
        for replicate in 0..50 {
            assert_eq!(resampling.weight(0, replicate, 0) + resampling.weight(0, replicate, 1), 1.0);
            assert_eq!(resampling.weight(8, replicate, 0), 0.0);
        }
    }

    #[test]
    fn threads_and_other_stereotypes_change_nothing() {
        let few = SourceIndex::new([(id(1), "a"), (id(1), "b"), (id(1), "c")].into_iter());
        let more = SourceIndex::new(
            [(id(1), "a"), (id(1), "b"), (id(1), "c"), (id(2), "x"), (id(2), "y")].into_iter(),
        );
        let one = rayon::ThreadPoolBuilder::new().num_threads(1).build().unwrap();
        let a = one.install(|| Resampling::new(&few, 20, Seed(7)));
        let b = Resampling::new(&more, 20, Seed(7));
        assert_eq!(a.draws[0], b.draws[0]);
        assert_ne!(a.draws[0], Resampling::new(&few, 20, Seed(8)).draws[0]);
    }
}
