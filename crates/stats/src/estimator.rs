//! One language's statistics, each with its interval.

use rayon::prelude::*;
use stereometer_core::{Average, Estimate};

use crate::{Profile, Rates, Resampling, Series, SourceKey};

/// The profiles of a language's rates: as they are, of every resample, and without each source.
#[derive(Debug)]
pub struct Estimator {
    profile: Profile,
    replicates: Vec<Profile>,
    without_each: Vec<(SourceKey, Profile)>,
}

impl Estimator {
    /// Computes every profile once.
    pub fn new(rates: &Rates, resampling: &Resampling, average: Average) -> Self {
        let can_resample = rates.can_resample();
        let all = rates.all_means();
        let replicates = if can_resample { resampling.replicates() } else { 0 };
        Self {
            profile: rates.profile(average),
            replicates: (0..replicates)
                .into_par_iter()
                .map(|replicate| rates.resampled(&all, resampling, replicate, average))
                .collect(),
            without_each: if can_resample { rates.without_each(average) } else { Vec::new() },
        }
    }

    /// The statistics of the rates as they are.
    pub fn profile(&self) -> &Profile {
        &self.profile
    }

    /// A statistic's value in every resample, in order.
    pub(crate) fn replicates(&self, statistic: impl Fn(&Profile) -> Option<f64>) -> Vec<Option<f64>> {
        self.replicates.iter().map(statistic).collect()
    }

    /// A statistic with its resampled values; `n` is the number of source sentences behind it. `None` when the statistic
    /// does not exist.
    pub fn series(&self, n: usize, statistic: impl Fn(&Profile) -> Option<f64>) -> Option<Series> {
        let value = statistic(&self.profile)?;
        let replicates = self.replicates(&statistic);
        let without = self.without_each.iter().map(|(key, profile)| (*key, statistic(profile))).collect();
        Some(Series::new(n, value, replicates, without))
    }

    /// A statistic with standard error, percentile and BCa interval.
    pub fn estimate(&self, n: usize, statistic: impl Fn(&Profile) -> Option<f64>) -> Option<Estimate> {
        self.series(n, statistic).map(|series| series.estimate())
    }
}
