//! Masculine rates of one language, gathered by stereotype and source sentence.

use stereometer_core::StereotypeId;

use crate::{Profile, Resampling};
use stereometer_core::Average;

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

    /// Number of items of a stereotype.
    pub fn items(&self, stereotype: StereotypeId) -> usize {
        self.strata[stereotype.index()].iter().map(|cluster| cluster.n as usize).sum()
    }

    /// Number of source sentences of a stereotype.
    pub fn sources(&self, stereotype: StereotypeId) -> usize {
        self.strata[stereotype.index()].len()
    }

    /// Whether any stereotype has two sources, so that there is something to resample.
    pub fn can_resample(&self) -> bool {
        self.strata.iter().any(|stratum| stratum.len() > 1)
    }

    /// The statistics of the rates as they are.
    pub fn profile(&self, average: Average) -> Profile {
        Profile::new(&self.means(|_, _| 1.0), average)
    }

    /// The statistics of one resample; a stereotype whose sources were all left out is missing there.
    pub fn resampled(&self, resampling: &Resampling, replicate: usize, average: Average) -> Profile {
        Profile::new(&self.means(|stratum, source| resampling.weight(stratum, replicate, source)), average)
    }

    /// For each statistic, the empirical influence of every source divided by its stratum's size, by leaving each
    /// source out in turn (jackknife within stereotype).
    pub fn influence(&self, average: Average, statistic: &impl Fn(&Profile) -> Option<f64>) -> Vec<f64> {
        let mut influence = Vec::new();
        let all = self.means(|_, _| 1.0);
        for (index, stratum) in self.strata.iter().enumerate().filter(|(_, stratum)| stratum.len() > 1) {
            let mut means = all.clone();
            let left_out: Vec<f64> = stratum
                .iter()
                .filter_map(|cluster| {
                    means.set(index, stratum, |source| if source == cluster.source { 0.0 } else { 1.0 });
                    statistic(&Profile::new(&means, average))
                })
                .collect();
            let n = left_out.len() as f64;
            let mean = left_out.iter().sum::<f64>() / n;
            influence.extend(left_out.iter().map(|value| (n - 1.0) * (mean - value) / n));
        }
        influence
    }

    fn means(&self, weight: impl Fn(usize, usize) -> f64) -> crate::Means {
        let mut means = crate::Means::default();
        for (index, stratum) in self.strata.iter().enumerate() {
            means.set(index, stratum, |source| weight(index, source));
        }
        means
    }
}
