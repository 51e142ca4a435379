//! A number with its doubt.

use serde::{Deserialize, Serialize};

/// A two-sided interval.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Interval {
    /// Lower end.
    pub low: f64,
    /// Upper end, never below `low`.
    pub high: f64,
}

/// An estimate, the number of sentences behind it, and its uncertainty where that can be known.
///
/// `std_error`, `percentile` and `bca` are absent when there is no variation to resample: a standard error for
/// n = 1 is unknown, not 0.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Estimate {
    /// The value computed from all sentences; always finite.
    pub value: f64,
    /// Number of sentences (clusters) behind it.
    pub n: usize,
    /// Standard deviation of the resampled values.
    pub std_error: Option<f64>,
    /// Percentile interval; of a rank, the ranks that the differences leave open.
    pub percentile: Option<Interval>,
    /// Bias-corrected and accelerated interval (Efron 1987).
    pub bca: Option<Interval>,
    /// Degrees of freedom of the standard error (Satterthwaite): how much the tails of the interval are Student's.
    #[serde(default)]
    pub freedom: Option<f64>,
}

impl Estimate {
    /// An estimate whose uncertainty is unknown.
    pub fn without_interval(value: f64, n: usize) -> Self {
        Self { value, n, std_error: None, percentile: None, bca: None, freedom: None }
    }

    /// The interval that tables and figures show: BCa, or percentile where BCa is undefined.
    pub fn interval(&self) -> Option<Interval> {
        self.bca.or(self.percentile)
    }
}
