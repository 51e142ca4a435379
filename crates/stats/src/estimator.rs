//! One language's statistics, each with its interval.

use stereometer_core::{Average, Estimate};

use crate::{Profile, Rates, Resampling, bca, percentile, standard_deviation};

/// The profiles of a language's rates: as they are, of every resample, and without each source.
#[derive(Debug)]
pub struct Estimator {
    profile: Profile,
    replicates: Vec<Profile>,
    without_each: Vec<(usize, Profile)>,
    can_resample: bool,
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
                .map(|replicate| rates.resampled(&all, resampling, replicate, average))
                .collect(),
            without_each: if can_resample { rates.without_each(average) } else { Vec::new() },
            can_resample,
        }
    }

    /// The statistics of the rates as they are.
    pub fn profile(&self) -> &Profile {
        &self.profile
    }

    /// A statistic with standard error, percentile and BCa interval; `n` is the number of sentences behind it.
    ///
    /// `None` when the statistic does not exist. Replicates in which it does not exist are passed over.
    pub fn estimate(&self, n: usize, statistic: impl Fn(&Profile) -> Option<f64>) -> Option<Estimate> {
        let mut estimate = self.percentile_only(n, &statistic)?;
        if estimate.percentile.is_some() {
            let (sorted, influence) = (self.sorted(&statistic), self.influence(&statistic));
            estimate.percentile = percentile(&sorted, &influence);
            estimate.bca = bca(&sorted, estimate.value, &influence);
        }
        Some(estimate)
    }

    /// The same without BCa: for ranks, which are too coarse for it.
    pub fn percentile_only(&self, n: usize, statistic: impl Fn(&Profile) -> Option<f64>) -> Option<Estimate> {
        let value = statistic(&self.profile)?;
        if !self.can_resample || n < 2 {
            return Some(Estimate::without_interval(value, n));
        }
        let sorted = self.sorted(&statistic);
        // Known in a minority of resamples only: what is known there says little of the rest.
        if sorted.len() * 2 < self.replicates.len() {
            return Some(Estimate::without_interval(value, n));
        }
        Some(Estimate {
            value,
            n,
            std_error: standard_deviation(&sorted),
            percentile: percentile(&sorted, &[]),
            bca: None,
        })
    }

    /// The statistic's value in every replicate, in order.
    pub fn replicates(&self, statistic: impl Fn(&Profile) -> Option<f64>) -> Vec<Option<f64>> {
        self.replicates.iter().map(statistic).collect()
    }

    fn sorted(&self, statistic: &impl Fn(&Profile) -> Option<f64>) -> Vec<f64> {
        let mut values: Vec<f64> = self.replicates.iter().filter_map(statistic).collect();
        values.sort_unstable_by(f64::total_cmp);
        values
    }

    /// Empirical influence of every source divided by its stratum's size, by stratum.
    fn influence(&self, statistic: &impl Fn(&Profile) -> Option<f64>) -> Vec<Vec<f64>> {
        let strata = self.without_each.chunk_by(|a, b| a.0 == b.0);
        strata
            .map(|stratum| {
                let values: Vec<f64> = stratum.iter().filter_map(|(_, profile)| statistic(profile)).collect();
                let n = values.len() as f64;
                let mean = values.iter().sum::<f64>() / n;
                values.iter().map(|value| (n - 1.0) * (mean - value) / n).collect()
            })
            .collect()
    }
}
