//! Numbers and lists in words: the digits that are shown, and what is said where a number is missing.

use stereometer_core::{Estimate, Interval};

/// How the neutral point of g_s is explained, everywhere in the same words.
pub const NEUTRAL: &str = "1 = none on balance: opposite stereotypes cancel";

/// What `--average` does not change.
pub const GEOMETRIC: &str = "g_s stays the ratio of geometric means whatever the average; the ratio of arithmetic \
                             means is in the tables as g_s_arithmetic";

/// What a number is, which decides how it is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// A ratio with neutral point 1 (g_s).
    Ratio,
    /// A share with neutral point 0.5 (masculine rates).
    Rate,
    /// A difference with neutral point 0 (inclination, correlation).
    Difference,
    /// A rank from 1; halves come from ties.
    Rank,
    /// A p value.
    P,
}

impl Kind {
    /// The number as the report shows it; tables in CSV hold full precision.
    pub fn show(self, value: f64) -> String {
        match self {
            Self::Ratio => ratio(value),
            Self::Rate if value != 0.0 && value < 0.0005 => format!("{value:.1e}"),
            Self::Difference => signed(value),
            Self::Rank => rank(value),
            Self::P if value < 0.001 => "< 0.001".to_owned(),
            Self::Rate | Self::P => format!("{value:.3}"),
        }
    }

    /// “a to b”; a difference that is too small for the digits of both ends is not called zero.
    pub fn interval(self, interval: Interval) -> String {
        if self == Self::Difference && interval.low.abs().max(interval.high.abs()) < 0.0005 {
            return "within ±0.0005".to_owned();
        }
        format!("{} to {}", self.show(interval.low), self.show(interval.high))
    }

    /// “1.034 (interval 1.021 to 1.048, n = 64)”, where the level is said once for all.
    pub fn brief(self, estimate: &Estimate) -> String {
        let n = count(estimate.n);
        let value = self.show(estimate.value);
        match estimate.interval() {
            Some(interval) => format!("{value} (interval {}, n = {n})", self.interval(interval)),
            None => format!("{value} ({}, n = {n})", no_interval(estimate)),
        }
    }

    /// “1.034 (95 % interval 1.021 to 1.048, n = 64)”.
    pub fn sentence(self, estimate: &Estimate, level: f64) -> String {
        let n = count(estimate.n);
        match estimate.interval() {
            Some(interval) => format!(
                "{} ({} interval {}, n = {n})",
                self.show(estimate.value),
                percent(level),
                self.interval(interval)
            ),
            None => format!("{} ({}, n = {n})", self.show(estimate.value), no_interval(estimate)),
        }
    }
}

/// Why an estimate has no interval.
pub fn no_interval(estimate: &Estimate) -> &'static str {
    if estimate.n < 2 { "one sentence: no interval" } else { "too little to resample: no interval" }
}

/// The same where there is little room.
pub fn no_interval_in_brief(estimate: &Estimate) -> &'static str {
    let why = no_interval(estimate);
    why.split(':').next().unwrap_or(why)
}

/// “95 %”.
pub fn percent(level: f64) -> String {
    format!("{}\u{a0}%", level * 100.0)
}

/// A count with separators: 56,497.
pub fn count(n: usize) -> String {
    let digits = n.to_string();
    let mut shown = String::new();
    for (place, digit) in digits.chars().enumerate() {
        if place > 0 && (digits.len() - place).is_multiple_of(3) {
            shown.push(',');
        }
        shown.push(digit);
    }
    shown
}

/// “1 language”, “2 languages”.
pub fn plural(n: usize, one: &str) -> String {
    let ending = if n == 1 { "" } else { "s" };
    format!("{} {one}{ending}", count(n))
}

/// “1 language is”, “2 languages are”.
pub fn are(n: usize, one: &str) -> String {
    format!("{} {}", plural(n, one), if n == 1 { "is" } else { "are" })
}

/// “a”, “a and b”, “a, b and c”.
pub fn list<T: AsRef<str>>(parts: &[T]) -> String {
    match parts {
        [] => String::new(),
        [one] => one.as_ref().to_owned(),
        [most @ .., last] => {
            let most: Vec<&str> = most.iter().map(AsRef::as_ref).collect();
            format!("{} and {}", most.join(", "), last.as_ref())
        }
    }
}

/// The same, “none” without any.
pub fn list_or_none<T: AsRef<str>>(parts: &[T]) -> String {
    if parts.is_empty() { "none".to_owned() } else { list(parts) }
}

fn ratio(value: f64) -> String {
    match value {
        v if v >= 1e5 || (v < 0.001 && v > 0.0) => format!("{v:.1e}"),
        v if v >= 100.0 => format!("{v:.0}"),
        v if v >= 10.0 => format!("{v:.1}"),
        v => format!("{v:.3}"),
    }
}

fn signed(value: f64) -> String {
    let shown = format!("{:.3}", value.abs());
    match shown.as_str() {
        "0.000" => shown,
        _ if value < 0.0 => format!("−{shown}"),
        _ => format!("+{shown}"),
    }
}

fn rank(value: f64) -> String {
    if value.fract() == 0.0 { format!("{value:.0}") } else { format!("{value:.1}") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_carry_the_digits_that_the_style_asks_for() {
        assert_eq!(Kind::Ratio.show(1.0344), "1.034");
        assert_eq!(Kind::Ratio.show(123.4), "123");
        assert_eq!(Kind::Ratio.show(1e9), "1.0e9");
        assert_eq!(Kind::Difference.show(-0.0214), "−0.021");
        assert_eq!(Kind::Difference.show(-0.0001), "0.000");
        let interval = |low, high| Kind::Difference.interval(Interval { low, high });
        assert_eq!(interval(-0.0003, 0.0001), "within ±0.0005");
        assert_eq!(interval(-0.0006, 0.0001), "−0.001 to 0.000");
        assert_eq!(Kind::Rank.show(8.5), "8.5");
        assert_eq!(Kind::Rank.show(8.0), "8");
        assert_eq!(
            [0.0, 0.0009, 0.001, 0.049_96, 1.0].map(|p| Kind::P.show(p)),
            ["< 0.001", "< 0.001", "0.001", "0.050", "1.000"]
        );
        assert_eq!(Kind::Rate.show(0.5), "0.500");
        assert_eq!([0, 12, 999, 1000, 56_497, 1_234_567].map(count)[3..], ["1,000", "56,497", "1,234,567"]);
        assert_eq!(list(&["a", "b", "c"]), "a, b and c");
    }

    #[test]
    fn a_missing_interval_has_its_reason() {
        assert_eq!(
            Kind::Ratio.sentence(&Estimate::without_interval(1.2, 1), 0.95),
            "1.200 (one sentence: no interval, n = 1)"
        );
    }
}
