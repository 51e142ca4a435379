//! A mean of independent values with Student's interval.

use stereometer_core::Interval;

use crate::interval::{standard_deviation, student_quantile};

/// A mean and its doubt.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Mean {
    /// The mean; always finite for finite values.
    pub value: f64,
    /// Standard deviation (n − 1) over √n; unknown for one value.
    pub std_error: Option<f64>,
    /// Mean ± Student's quantile with n − 1 degrees of freedom × standard error, at [`crate::LEVEL`]; unknown for one value,
    /// and where all are equal: a spread that a sample does not show is not a spread of 0.
    pub interval: Option<Interval>,
}

/// The mean of independent values; `None` of none.
pub fn mean(values: &[f64]) -> Option<Mean> {
    if values.is_empty() {
        return None;
    }
    let n = values.len() as f64;
    let value = values.iter().sum::<f64>() / n;
    let std_error = standard_deviation(values).map(|deviation| deviation / n.sqrt());
    let interval = std_error.filter(|error| *error > 0.0).and_then(|error| {
        let half = student_quantile(n - 1.0)? * error;
        Some(Interval { low: value - half, high: value + half })
    });
    Some(Mean { value, std_error, interval })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn agrees_with_scipy() {
        // x = [25, 0, 3, 40, 12]; scipy.stats.sem(x); scipy.stats.t.interval(0.95, 4, numpy.mean(x), sem), SciPy 1.17.1
        let found = mean(&[25.0, 0.0, 3.0, 40.0, 12.0]).unwrap();
        let interval = found.interval.unwrap();
        for (found, expected) in [
            (found.value, 16.0),
            (found.std_error.unwrap(), 7.409_453_421_137_082),
            (interval.low, -4.571_940_683_307_094),
            (interval.high, 36.571_940_683_307_09),
        ] {
            assert!((found - expected).abs() < 1e-9, "{found} {expected}");
        }
    }

    #[test]
    fn one_value_and_equal_values_tell_no_interval() {
        assert_eq!(mean(&[]), None);
        assert_eq!(mean(&[3.0]), Some(Mean { value: 3.0, std_error: None, interval: None }));
        assert_eq!(mean(&[0.0; 5]), Some(Mean { value: 0.0, std_error: Some(0.0), interval: None }));
    }
}
