//! Intervals from resampled values.
//!
//! Percentile and bias-corrected accelerated (BCa) intervals after Efron (1987) and Davison & Hinkley (1997), §5.3;
//! the acceleration for stratified samples is their eq. 5.28. Quantiles are R's type 7.
//!
//! Where few sentences stand behind a statistic its resampled tails are too short: the level of a tail is therefore
//! Φ(t), with t Student's quantile (Hesterberg's 2015 expanded intervals; n − 1 of n draws already widen the rest), and
//! degrees of freedom after Satterthwaite (1946) from each stratum's part of the variance.
//!
//! Simulated (`tests/coverage.rs`), every interval holds the truth in 93 to 96 of 100 data sets from twelve sentences a
//! stereotype on. With four it is 93 to 95 for what all stereotypes make up, g_s and the default masculine rate, and 85
//! to 92 for a single stereotype's q_i and inclination: resampled means never leave the range of four rates. Ranks are
//! not smooth: see `rank_interval.rs`.
//!
//! Degenerate cases: fewer than 20 resampled values give no interval; if all are equal the interval is that point;
//! BCa is undefined (percentile is used) when the estimate lies outside the resampled values or the adjusted level
//! does not exist; degrees of freedom are unknown, and tails plain, when nothing varies.

use statrs::distribution::{Continuous, ContinuousCDF, Normal, StudentsT};
use stereometer_core::Interval;

/// Confidence level of every interval.
pub const LEVEL: f64 = 0.95;

pub(crate) const MIN_VALUES: usize = 20;

/// Percentile interval of sorted resampled values; `influence` as for [`bca`], or empty for a statistic without any.
pub fn percentile(sorted: &[f64], influence: &[Vec<f64>]) -> Option<Interval> {
    let tail = tail(influence);
    (sorted.len() >= MIN_VALUES)
        .then(|| Interval { low: quantile(sorted, tail), high: quantile(sorted, 1.0 - tail) })
}

/// BCa interval of sorted resampled values around an estimate.
///
/// `influence` holds the empirical influence of each cluster, by stratum and already divided by its stratum's size.
pub fn bca(sorted: &[f64], estimate: f64, influence: &[Vec<f64>]) -> Option<Interval> {
    if sorted.len() < MIN_VALUES {
        return None;
    }
    let below = sorted.iter().filter(|&&value| value < estimate).count() as f64;
    let equal = sorted.iter().filter(|&&value| value == estimate).count() as f64;
    let share = (below + equal / 2.0) / sorted.len() as f64;
    let square: f64 = influence.iter().flatten().map(|u| u * u).sum();
    if share <= 0.0 || share >= 1.0 || square <= 0.0 {
        return None;
    }
    let cube: f64 = influence.iter().flatten().map(|u| u * u * u).sum();
    let acceleration = cube / (6.0 * square.powf(1.5));
    let normal = Normal::standard();
    let bias = normal.inverse_cdf(share);
    let adjusted = |end: f64| {
        let z = bias + end;
        let denominator = 1.0 - acceleration * z;
        (denominator > 0.0).then(|| normal.cdf(bias + z / denominator))
    };
    // By their places, not their levels: of two sentences the tail is too thin for a number near 1.
    let end = student_end(influence).unwrap_or_else(|| normal.inverse_cdf(TAIL));
    let (low, high) = (adjusted(end)?, adjusted(-end)?);
    Some(Interval { low: quantile(sorted, low), high: quantile(sorted, high) })
}

/// Degrees of freedom of a statistic's variance, from the influence of every cluster by stratum; `None` when nothing
/// varies.
pub(crate) fn freedom(influence: &[Vec<f64>]) -> Option<f64> {
    let (mut variance, mut doubt) = (0.0, 0.0);
    for stratum in influence {
        let part: f64 = stratum.iter().map(|u| u * u).sum();
        if part > 0.0 {
            variance += part;
            doubt += part * part / (stratum.len() - 1) as f64;
        }
    }
    Some(variance * variance / doubt).filter(|freedom| freedom.is_finite() && *freedom > 0.0)
}

/// Level of either tail without Student's widening.
const TAIL: f64 = (1.0 - LEVEL) / 2.0;

/// Where the lower tail of a standardised statistic ends, below 0; `None` for normal tails.
fn student_end(influence: &[Vec<f64>]) -> Option<f64> {
    freedom(influence).and_then(student).and_then(|student| lower_quantile(&student, TAIL))
}

/// Level of each tail.
fn tail(influence: &[Vec<f64>]) -> f64 {
    student_end(influence).map_or(TAIL, |end| Normal::standard().cdf(end))
}

fn student(freedom: f64) -> Option<StudentsT> {
    StudentsT::new(0.0, 1.0, freedom).ok()
}

/// Where a tail of this level ends, below 0: `inverse_cdf` of statrs 0.19 is off in the fourth digit for many degrees of
/// freedom, so two of Newton's steps follow.
fn lower_quantile(student: &StudentsT, level: f64) -> Option<f64> {
    let step = |t: f64| t - (student.cdf(t) - level) / student.pdf(t);
    Some(step(step(student.inverse_cdf(level)))).filter(|quantile| quantile.is_finite())
}

/// Student's quantile that a standard error is multiplied with for an interval of [`LEVEL`].
pub(crate) fn student_quantile(freedom: f64) -> Option<f64> {
    student(freedom).and_then(|student| lower_quantile(&student, TAIL)).map(f64::abs)
}

/// Two-sided p of a value so many standard errors from what is assumed.
pub(crate) fn two_sided_p(standardised: f64, freedom: f64) -> Option<f64> {
    student(freedom).map(|student| (2.0 * student.sf(standardised.abs())).clamp(0.0, 1.0))
}

/// How much wider than one interval of [`LEVEL`] each of `family` intervals has to be, so that together they hold at that
/// level (Bonferroni, by Student's quantiles): 1 for one; for thirty 1.60 with many degrees of freedom and 3.42 with
/// three.
pub fn widening(family: usize, freedom: f64) -> f64 {
    let Some(student) = student(freedom) else { return 1.0 };
    let quantile = |tails: f64| lower_quantile(&student, (1.0 - LEVEL) / tails);
    match (quantile(2.0 * family.max(1) as f64), quantile(2.0)) {
        (Some(many), Some(one)) => many / one,
        _ => 1.0,
    }
}

/// Standard deviation with n − 1; `None` for fewer than two values.
pub fn standard_deviation(values: &[f64]) -> Option<f64> {
    if values.len() < 2 {
        return None;
    }
    let mean = values.iter().sum::<f64>() / values.len() as f64;
    let square: f64 = values.iter().map(|value| (value - mean).powi(2)).sum();
    Some((square / (values.len() - 1) as f64).sqrt())
}

pub(crate) fn quantile(sorted: &[f64], level: f64) -> f64 {
    let place = level.clamp(0.0, 1.0) * (sorted.len() - 1) as f64;
    let (low, high) = (sorted[place.floor() as usize], sorted[place.ceil() as usize]);
    low + (high - low) * place.fract()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ramp() -> Vec<f64> {
        (0..=100).map(f64::from).collect()
    }

    #[test]
    fn the_percentile_interval_is_numpys_linear_quantile() {
        // numpy.quantile(range(101), [0.025, 0.975])
        let interval = percentile(&ramp(), &[]).unwrap();
        assert!((interval.low - 2.5).abs() < 1e-12 && (interval.high - 97.5).abs() < 1e-12);
    }

    #[test]
    fn without_bias_and_skewness_bca_is_the_percentile_interval() {
        let influence = [[1.0, -1.0].repeat(6)];
        let (a, b) = (bca(&ramp(), 50.0, &influence).unwrap(), percentile(&ramp(), &influence).unwrap());
        assert!((a.low - b.low).abs() < 1e-6 && (a.high - b.high).abs() < 1e-6, "{a:?} {b:?}");
    }

    #[test]
    fn students_quantile_is_scipys() {
        // scipy.stats.t.ppf(0.975, [1, 5, 600]), SciPy 1.17.1
        for (freedom, quantile) in
            [(1.0, 12.706_204_736_174_7), (5.0, 2.570_581_835_636_31), (600.0, 1.963_925_622_042_73)]
        {
            assert!((student_quantile(freedom).unwrap() / quantile - 1.0).abs() < 1e-9, "{freedom}");
        }
        assert_eq!((student_quantile(0.0), student_quantile(f64::NAN)), (None, None));
    }

    #[test]
    fn few_clusters_need_students_tails() {
        // scipy.stats.norm.cdf(scipy.stats.t.ppf(0.025, df)), SciPy 1.17.1, with df = 11 and (2 + 4)² / (2²/1 + 4²/3)
        assert!((tail(&[[1.0, -1.0].repeat(6)]) - 0.013_868_537_211).abs() < 1e-10);
        assert!((tail(&[vec![1.0, -1.0], [1.0, -1.0].repeat(2)]) - 0.002_420_153_532).abs() < 1e-10);
        assert_eq!(tail(&[vec![0.0; 3], vec![0.0]]), tail(&[]));
    }

    #[test]
    fn many_intervals_are_wider_than_one() {
        // scipy.stats.t.ppf(0.025 / m, df) / scipy.stats.t.ppf(0.025, df)
        for (family, freedom, factor) in [
            (0, 3.0, 1.0),
            (1, 3.0, 1.0),
            (30, 3.0, 3.415_229_308_4),
            (480, 3.0, 8.679_027_101_9),
            (480, 1e6, 1.979_978_510_9),
            (30, 41.7, 1.665_559_139_8),
        ] {
            let found = widening(family, freedom);
            assert!((found - factor).abs() < 1e-9, "{family}, {freedom}: {found}");
        }
    }

    #[test]
    fn equal_values_give_a_point_and_an_outlying_estimate_no_bca() {
        let interval = percentile(&[0.3; 50], &[]).unwrap();
        assert!(interval.low == 0.3 && interval.high == 0.3);
        assert_eq!(bca(&ramp(), -1.0, &[vec![1.0, -1.0]]), None);
        assert_eq!(bca(&ramp(), 50.0, &[vec![0.0, 0.0]]), None);
        assert_eq!(percentile(&[1.0; 5], &[]), None);
        assert_eq!(standard_deviation(&[1.0]), None);
    }
}
