//! From values to places, and the values that an axis names.

use crate::words::count;

/// An axis.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Scale {
    low: f64,
    high: f64,
    from: f64,
    to: f64,
    steps: Steps,
}

/// What equal distances mean, and which values may be named.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Steps {
    Linear,
    Logarithmic,
    /// Linear, whole numbers only.
    Whole,
}

impl Scale {
    /// A linear axis that shows all values, with a little room on either side.
    pub fn linear(values: impl IntoIterator<Item = f64>, place: (f64, f64)) -> Self {
        let (low, high) = range(values.into_iter());
        let room = ((high - low) * 0.04).max(0.004);
        Self { low: low - room, high: high + room, from: place.0, to: place.1, steps: Steps::Linear }
    }

    /// A logarithmic axis for positive values; others are passed over.
    pub fn logarithmic(values: impl IntoIterator<Item = f64>, place: (f64, f64)) -> Self {
        let logs = values.into_iter().filter(|&value| value > 0.0).map(f64::ln);
        let scale = Self::linear(logs, place);
        Self { low: scale.low.exp(), high: scale.high.exp(), steps: Steps::Logarithmic, ..scale }
    }

    /// An axis of counts: from 0 itself, so that lengths may be compared, to the largest.
    pub fn counts(values: impl IntoIterator<Item = usize>, place: (f64, f64)) -> Self {
        let most = values.into_iter().max().unwrap_or(0).max(1);
        Self { low: 0.0, high: most as f64, from: place.0, to: place.1, steps: Steps::Whole }
    }

    /// The same axis at another place, beginning there.
    pub fn moved(self, from: f64) -> Self {
        Self { from, to: self.to - self.from + from, ..self }
    }

    /// Where a value lies; values outside the axis lie at its end.
    pub fn place(&self, value: f64) -> f64 {
        let share = if self.steps == Steps::Logarithmic {
            (value.max(self.low).ln() - self.low.ln()) / (self.high.ln() - self.low.ln())
        } else {
            (value - self.low) / (self.high - self.low)
        };
        self.from + share.clamp(0.0, 1.0) * (self.to - self.from)
    }

    /// Both ends in pixels.
    pub fn ends(&self) -> (f64, f64) {
        (self.from, self.to)
    }

    /// Up to eight round values within the axis, each as its text says it.
    pub fn ticks(&self) -> Vec<(f64, String)> {
        if self.steps == Steps::Logarithmic && self.high / self.low > 8.0 {
            return self.decades();
        }
        // A label needs some forty pixels.
        let most = ((self.to - self.from).abs() / 42.0).clamp(2.0, 7.0);
        let rough = (self.high - self.low) / most;
        let step = if self.steps == Steps::Whole { round_step(rough.max(1.0)) } else { round_step(rough) };
        let decimals = (-step.log10().floor()).max(0.0) as usize;
        let first = (self.low / step).ceil() as i64;
        let last = (self.high / step).floor() as i64;
        (first..=last)
            .map(|multiple| {
                let value = multiple as f64 * step;
                let label = match self.steps {
                    Steps::Whole => count(value as usize),
                    Steps::Linear | Steps::Logarithmic => format!("{value:.decimals$}").replace('-', "−"),
                };
                (value, label)
            })
            .collect()
    }

    fn decades(&self) -> Vec<(f64, String)> {
        let (first, last) = (self.low.log10().floor() as i32, self.high.log10().ceil() as i32);
        let every = ((last - first) / 6).max(1);
        let within: &[f64] = if last - first <= 2 { &[1.0, 2.0, 5.0] } else { &[1.0] };
        (first..=last)
            .filter(|power| power.rem_euclid(every) == 0)
            .flat_map(|power| within.iter().map(move |digit| (digit * 10_f64.powi(power), power)))
            .filter(|(value, _)| (self.low..=self.high).contains(value))
            .map(|(value, power)| {
                (value, if (-3..5).contains(&power) { format!("{value}") } else { format!("1e{power}") })
            })
            .collect()
    }
}

fn range(values: impl Iterator<Item = f64>) -> (f64, f64) {
    let (low, high) = values
        .filter(|value| value.is_finite())
        .fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), value| (low.min(value), high.max(value)));
    if low <= high { (low, high) } else { (0.0, 1.0) }
}

/// The next of 1, 2, 5 times a power of ten that is not less than a positive number.
pub fn round_step(rough: f64) -> f64 {
    let power = 10_f64.powf(rough.log10().floor());
    let digit = rough / power;
    power
        * if digit <= 1.0 {
            1.0
        } else if digit <= 2.0 {
            2.0
        } else if digit <= 5.0 {
            5.0
        } else {
            10.0
        }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ratios_near_one_have_ticks_near_one() {
        let scale = Scale::logarithmic([0.93, 1.21, 1.0], (0.0, 300.0));
        let ticks: Vec<String> = scale.ticks().into_iter().map(|tick| tick.1).collect();
        assert_eq!(ticks, ["0.95", "1.00", "1.05", "1.10", "1.15", "1.20"]);
        assert!(scale.place(1.0) > 0.0 && scale.place(1e9) >= 300.0);
    }

    #[test]
    fn counts_start_at_nothing_and_stay_whole() {
        let labels = |most| -> Vec<String> {
            Scale::counts([most], (0.0, 300.0)).ticks().into_iter().map(|tick| tick.1).collect()
        };
        assert_eq!(labels(3), ["0", "1", "2", "3"]);
        assert_eq!(labels(3541), ["0", "1,000", "2,000", "3,000"]);
        assert_eq!(labels(0), ["0", "1"]);
        let scale = Scale::counts([4, 64], (100.0, 420.0));
        assert!((scale.place(0.0) - 100.0).abs() < 1e-9 && (scale.place(32.0) - 260.0).abs() < 1e-9);
    }

    #[test]
    fn many_decades_and_no_values_have_ticks_too() {
        let wide = Scale::logarithmic([1e-8, 1e12], (0.0, 300.0));
        assert!((3..=9).contains(&wide.ticks().len()), "{:?}", wide.ticks());
        let none = Scale::logarithmic([], (0.0, 300.0));
        assert!(!none.ticks().is_empty());
        let point = Scale::linear([0.5], (0.0, 300.0));
        assert!(point.place(0.5).is_finite() && !point.ticks().is_empty());
    }
}
