//! A statistic with its resampled values: what differences, means and intervals are made from.
//!
//! Series of one resampling can be combined replicate by replicate, so that a difference between two language models, or
//! a mean over languages, counts what they share once: the same source sentences were drawn for both.
//!
//! Degenerate cases: no interval with fewer than two sources, without anything to resample, or where the statistic exists
//! in a minority of the resamples only (what is known there says little of the rest).

use std::collections::BTreeSet;

use stereometer_core::Estimate;

use crate::interval::{freedom, two_sided_p};
use crate::{bca, percentile, standard_deviation};

/// Resampled values that spread less, relative to the value or to 1, do not vary: their sums were rounded differently.
const ROUNDING: f64 = 1e-12;

/// Place of a stereotype, and of a source sentence among those of the stereotype.
pub type SourceKey = (usize, usize);

/// A statistic as it is, in every resample, and without each source.
#[derive(Debug, Clone, PartialEq)]
pub struct Series {
    n: usize,
    value: f64,
    replicates: Vec<Option<f64>>,
    /// In order of the keys.
    without: Vec<(SourceKey, Option<f64>)>,
}

impl Series {
    /// A statistic of `n` sources; `replicates` is empty where nothing can be resampled, `without` in order of its keys.
    pub fn new(
        n: usize,
        value: f64,
        replicates: Vec<Option<f64>>,
        without: Vec<(SourceKey, Option<f64>)>,
    ) -> Self {
        Self { n, value, replicates, without }
    }

    /// The statistic as it is.
    pub fn value(&self) -> f64 {
        self.value
    }

    /// Number of sources behind it.
    pub fn n(&self) -> usize {
        self.n
    }

    /// Its value in every resample, in order.
    pub fn replicates(&self) -> &[Option<f64>] {
        &self.replicates
    }

    /// A function of several statistics; `n` is the number of sources behind them together. `None` without parts, and
    /// where the function has no finite value.
    pub fn combine(n: usize, parts: &[&Self], of: impl Fn(&[f64]) -> f64) -> Option<Self> {
        let finite = |values: &[f64]| Some(of(values)).filter(|value| value.is_finite());
        let all = |values: Vec<Option<f64>>| values.into_iter().collect::<Option<Vec<f64>>>();
        if parts.is_empty() {
            return None;
        }
        let value = finite(&parts.iter().map(|part| part.value).collect::<Vec<_>>())?;
        let replicates = parts.iter().map(|part| part.replicates.len()).min().unwrap_or(0);
        let replicates = (0..replicates)
            .map(|replicate| all(parts.iter().map(|part| part.replicates[replicate]).collect()))
            .map(|values| values.and_then(|values| finite(&values)))
            .collect();
        let keys: BTreeSet<SourceKey> =
            parts.iter().flat_map(|part| part.without.iter().map(|entry| entry.0)).collect();
        let without_one = |key: &SourceKey| {
            all(parts.iter().map(|part| part.without(key)).collect()).and_then(|one| finite(&one))
        };
        let without = keys.iter().map(|key| (*key, without_one(key))).collect();
        Some(Self { n, value, replicates, without })
    }

    /// The estimate with standard error, percentile and BCa interval, both with Student's tails.
    pub fn estimate(&self) -> Estimate {
        let mut estimate = self.percentile_only();
        if estimate.percentile.is_some() {
            let (sorted, influence) = (self.sorted(), self.influence());
            estimate.freedom = freedom(&influence);
            estimate.percentile = percentile(&sorted, &influence);
            estimate.bca = bca(&sorted, self.value, &influence);
        }
        estimate
    }

    /// The same with plain tails and without BCa: for statistics that are not smooth.
    pub fn percentile_only(&self) -> Estimate {
        let sorted = self.sorted();
        if self.n < 2 || sorted.is_empty() || sorted.len() * 2 < self.replicates.len() {
            return Estimate::without_interval(self.value, self.n);
        }
        Estimate {
            std_error: standard_deviation(&sorted),
            percentile: percentile(&sorted, &[]),
            ..Estimate::without_interval(self.value, self.n)
        }
    }

    /// A source that the statistic does not rest on changes nothing.
    fn without(&self, key: &SourceKey) -> Option<f64> {
        let place = self.without.binary_search_by_key(key, |entry| entry.0);
        place.map_or(Some(self.value), |place| self.without[place].1)
    }

    fn sorted(&self) -> Vec<f64> {
        let mut values: Vec<f64> = self.replicates.iter().flatten().copied().collect();
        values.sort_unstable_by(f64::total_cmp);
        values
    }

    /// Empirical influence of every source divided by its stratum's size, by stratum.
    fn influence(&self) -> Vec<Vec<f64>> {
        let without: Vec<(usize, f64)> =
            self.without.iter().filter_map(|&((stratum, _), value)| Some((stratum, value?))).collect();
        let strata = without.chunk_by(|a, b| a.0 == b.0);
        strata
            .map(|stratum| {
                let n = stratum.len() as f64;
                let mean = stratum.iter().map(|(_, value)| value).sum::<f64>() / n;
                stratum.iter().map(|(_, value)| (n - 1.0) * (mean - value) / n).collect()
            })
            .collect()
    }
}

/// Two-sided p value of “the statistic is `neutral`”, from its resampled standard error and Student's distribution:
/// approximate, and too small where a handful of sentences is all there is. `None` without a standard error, or when the
/// resamples do not vary.
pub fn p_value(estimate: &Estimate, neutral: f64) -> Option<f64> {
    let std_error = estimate.std_error.filter(|&one| one > ROUNDING * estimate.value.abs().max(1.0))?;
    two_sided_p((estimate.value - neutral) / std_error, estimate.freedom?)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn series(value: f64, shift: f64) -> Series {
        let replicates = (0..200).map(|place| Some(shift + f64::from(place) / 100.0)).collect();
        let without = (0..4).map(|source| ((0, source), Some(value + source as f64))).collect();
        Series::new(4, value, replicates, without)
    }

    #[test]
    fn a_difference_with_itself_is_zero_without_doubt() {
        let one = series(1.0, 0.0);
        let difference = Series::combine(4, &[&one, &one], |values| values[1] - values[0]).unwrap();
        let estimate = difference.estimate();
        assert_eq!((estimate.value, estimate.std_error), (0.0, Some(0.0)));
        assert_eq!(estimate.interval().map(|one| (one.low, one.high)), Some((0.0, 0.0)));
        assert_eq!(p_value(&estimate, 0.0), None);
    }

    #[test]
    fn what_has_no_finite_value_does_not_exist() {
        assert_eq!(Series::combine(4, &[&series(0.0, 0.0)], |values| 1.0 / values[0]), None);
        assert_eq!(Series::combine(0, &[], |_| 1.0), None);
        let mut hole = series(1.0, 0.0);
        hole.replicates[7] = None;
        let sum = Series::combine(4, &[&series(1.0, 0.0), &hole], |values| values[0] + values[1]).unwrap();
        assert_eq!((sum.replicates()[7], sum.replicates()[8]), (None, Some(0.16)));
    }

    #[test]
    fn a_source_that_a_part_lacks_changes_nothing_there() {
        let mut other = series(5.0, 0.0);
        other.without = vec![((3, 0), Some(4.0)), ((3, 1), Some(6.0))];
        let sum = Series::combine(6, &[&series(1.0, 0.0), &other], |values| values[0] + values[1]).unwrap();
        assert_eq!(sum.without(&(0, 2)), Some(8.0));
        assert_eq!(sum.without(&(3, 0)), Some(5.0));
    }

    #[test]
    fn the_p_value_is_that_of_a_t_test() {
        // 2 * scipy.stats.t.sf(1 / numpy.std(numpy.arange(200) / 100, ddof=1), 3): four sources of one stereotype
        let p = p_value(&series(1.0, 0.0).estimate(), 0.0).unwrap();
        assert!((p - 0.182_484_89).abs() < 1e-8, "{p}");
        assert!((p_value(&series(1.0, 0.0).estimate(), 1.0).unwrap() - 1.0).abs() < 1e-12);
    }

    /// 1 ± one unit in the last place would lie many standard errors from 1.
    #[test]
    fn rounding_is_no_evidence() {
        let replicates = (0..200).map(|place| Some(if place == 7 { 1.0 } else { 1.0 + f64::EPSILON }));
        let series = Series::new(4, 1.0 + f64::EPSILON, replicates.collect(), Vec::new());
        assert!(series.estimate().std_error.is_some_and(|one| one > 0.0));
        assert_eq!(p_value(&series.estimate(), 1.0), None);
    }
}
