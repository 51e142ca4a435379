//! What an interval says about a neutral point.

use crate::Estimate;

/// On which side of its neutral point an estimate lies, as far as its interval tells.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Verdict {
    /// The whole interval lies above.
    Above,
    /// The whole interval lies below.
    Below,
    /// The interval holds the neutral point: the data cannot tell.
    Open,
    /// There is no interval.
    Unknown,
}

/// Rounding in the last digits is not a leaning.
const ROUNDING: f64 = 1e-9;

impl Verdict {
    /// The verdict on an estimate.
    pub fn of(estimate: &Estimate, neutral: f64) -> Self {
        match estimate.interval() {
            None => Self::Unknown,
            Some(interval) if interval.low > neutral + ROUNDING => Self::Above,
            Some(interval) if interval.high < neutral - ROUNDING => Self::Below,
            Some(_) => Self::Open,
        }
    }

    /// Whether two intervals say different things; without an interval nothing is said.
    pub fn contradicts(self, other: Self) -> bool {
        self != other && self != Self::Unknown && other != Self::Unknown
    }

    /// A sign for it that needs no colour.
    pub fn sign(self) -> &'static str {
        match self {
            Self::Above => "▲",
            Self::Below => "▼",
            Self::Open => "○",
            Self::Unknown => "?",
        }
    }

    /// The word that tables use for a verdict on g_s.
    pub fn word(self) -> &'static str {
        match self {
            Self::Above => "stereotypical",
            Self::Below => "anti-stereotypical",
            Self::Open => "cannot tell",
            Self::Unknown => "no interval",
        }
    }

    /// The last part of CSS class names.
    pub fn class(self) -> &'static str {
        match self {
            Self::Above => "above",
            Self::Below => "below",
            Self::Open => "open",
            Self::Unknown => "unknown",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Interval;

    #[test]
    fn the_interval_decides_and_not_the_value() {
        let with = |low, high| Estimate {
            percentile: Some(Interval { low, high }),
            ..Estimate::without_interval(1.2, 20)
        };
        assert_eq!(Verdict::of(&with(1.1, 1.3), 1.0), Verdict::Above);
        assert_eq!(Verdict::of(&with(0.9, 1.3), 1.0), Verdict::Open);
        assert_eq!(Verdict::of(&with(0.8, 0.9), 1.0), Verdict::Below);
        assert_eq!(Verdict::of(&with(1.0 + 1e-15, 1.0 + 1e-15), 1.0), Verdict::Open);
        assert_eq!(Verdict::of(&Estimate::without_interval(1.2, 1), 1.0), Verdict::Unknown);
        assert!(Verdict::Above.contradicts(Verdict::Open) && Verdict::Below.contradicts(Verdict::Above));
        assert!(!Verdict::Above.contradicts(Verdict::Above) && !Verdict::Unknown.contradicts(Verdict::Open));
    }
}
