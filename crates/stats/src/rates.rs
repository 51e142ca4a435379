//! Masculine rates of one language, gathered by stereotype and source sentence.

use stereometer_core::{Average, StereotypeId};

use crate::{Means, Profile, Resampling, SourceKey};

/// The items of one source sentence: the unit that is resampled.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Cluster {
    /// Place of the source among the sources of its stereotype.
    pub source: usize,
    /// Number of items.
    pub n: f64,
    /// Sum of their rates.
    pub sum: f64,
    /// Sum of the logarithms of their rates.
    pub sum_ln: f64,
}

/// All clusters of one language, by stereotype.
#[derive(Debug, Clone, PartialEq)]
pub struct Rates {
    strata: Vec<Vec<Cluster>>,
}

impl Default for Rates {
    fn default() -> Self {
        Self { strata: vec![Vec::new(); StereotypeId::all().len()] }
    }
}

impl Rates {
    /// Adds one item.
    pub fn add(&mut self, stereotype: StereotypeId, source: usize, rate: f64, ln_rate: f64) {
        let stratum = &mut self.strata[stereotype.index()];
        let place = stratum.binary_search_by_key(&source, |cluster| cluster.source).unwrap_or_else(|place| {
            stratum.insert(place, Cluster { source, n: 0.0, sum: 0.0, sum_ln: 0.0 });
            place
        });
        let cluster = &mut stratum[place];
        cluster.n += 1.0;
        cluster.sum += rate;
        cluster.sum_ln += ln_rate;
    }

    /// Clusters by place of the stereotype, each in order of the source.
    pub(crate) fn strata(&self) -> &[Vec<Cluster>] {
        &self.strata
    }

    /// Number of items of a stereotype.
    pub fn items(&self, stereotype: StereotypeId) -> usize {
        self.strata[stereotype.index()].iter().map(|cluster| cluster.n as usize).sum()
    }

    /// Number of items of the stereotypes at these places.
    pub fn items_of(&self, places: std::ops::Range<usize>) -> usize {
        self.strata[places].iter().flatten().map(|cluster| cluster.n as usize).sum()
    }

    /// Number of source sentences of a stereotype.
    pub fn sources(&self, stereotype: StereotypeId) -> usize {
        self.strata[stereotype.index()].len()
    }

    /// Number of source sentences of the stereotypes at these places.
    pub fn sources_of(&self, places: std::ops::Range<usize>) -> usize {
        self.strata[places].iter().map(Vec::len).sum()
    }

    /// Whether any stereotype has two sources, so that there is something to resample.
    pub fn can_resample(&self) -> bool {
        self.strata.iter().any(|stratum| stratum.len() > 1)
    }

    /// The statistics of the rates as they are.
    pub fn profile(&self, average: Average) -> Profile {
        Profile::new(&self.all_means(), average)
    }

    /// The means of all sources.
    pub fn all_means(&self) -> Means {
        self.means(|_, _| 1.0)
    }

    /// The statistics of one resample; `all` are [`Rates::all_means`].
    ///
    /// A stereotype with one source of its own is unknown in every resample, so that no statistic that rests on it gets
    /// an interval: nothing is known of its variation.
    pub fn resampled(
        &self,
        all: &Means,
        resampling: &Resampling,
        replicate: usize,
        average: Average,
    ) -> Profile {
        let drawn = self.means(|stratum, source| {
            if self.strata[stratum].len() > 1 { resampling.weight(stratum, replicate, source) } else { 0.0 }
        });
        Profile::resampled(&drawn, all, average)
    }

    /// The statistics without each source in turn (jackknife within stereotype).
    pub fn without_each(&self, average: Average) -> Vec<(SourceKey, Profile)> {
        let mut profiles = Vec::new();
        let all = self.all_means();
        for (index, stratum) in self.strata.iter().enumerate().filter(|(_, stratum)| stratum.len() > 1) {
            let mut means = all.clone();
            for left_out in stratum {
                let rest = stratum.iter().filter(|cluster| cluster.source != left_out.source);
                means.set(index, rest.map(|cluster| (1.0, *cluster)));
                profiles.push(((index, left_out.source), Profile::new(&means, average)));
            }
        }
        profiles
    }

    fn means(&self, weight: impl Fn(usize, usize) -> f64) -> Means {
        let mut means = Means::default();
        for (index, stratum) in self.strata.iter().enumerate() {
            means.set(index, stratum.iter().map(|cluster| (weight(index, cluster.source), *cluster)));
        }
        means
    }
}
