//! May this language model be released? A run against limits, and against a baseline.
//!
//! A check fails only if its whole interval lies outside the allowed band, or if the whole interval of the difference
//! from the baseline lies above the allowed worsening. A value outside its band whose interval reaches inside is undecided
//! and passes, and is named. What has no interval could not be judged.
//!
//! Many checks are made at once, so intervals are widened for their number (Bonferroni): in a family of m checks of one
//! statistic the chance of failing any of them for no reason stays at 2.5 %. Each end is moved away from the estimate by
//! the ratio of Student's quantiles of 1 − 0.025/m and 0.975; with one check it is the interval of the tables.

mod checks;
mod limits;

use stereometer_core::{Estimate, Interval, Language, StereotypeId};
use stereometer_record::{Comparison, Results};
use stereometer_stats::widening;

pub use limits::{Band, Exception, Limits, Margins};

/// What a check is about.
#[derive(Debug, Clone, PartialEq)]
pub struct Scope {
    /// Name of the statistic: a section of the limits.
    pub statistic: &'static str,
    /// Tag and English name; absent: over the languages.
    pub language: Option<(Language, String)>,
    /// Which stereotype, where the statistic is of one.
    pub stereotype: Option<StereotypeId>,
}

/// What was asked of a number.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Demand {
    /// To lie in a band.
    Within(Band),
    /// To be greater than in the baseline by no more than this.
    NotWorseBy(f64),
}

/// What became of a check.
#[derive(Debug, Clone, PartialEq)]
pub enum Outcome {
    /// Within what is allowed.
    Passed,
    /// The value is outside its band, but its interval reaches inside.
    Undecided,
    /// The whole interval is outside.
    Failed,
    /// There is no interval to judge by, and why.
    Unjudged(String),
    /// Left out by the limits, and why.
    Excepted(String),
    /// Fewer sentences than the run's threshold: from so few, an interval this wide is not to be trusted.
    TooFew,
}

/// One check.
#[derive(Debug, Clone, PartialEq)]
pub struct Check {
    /// What it is about.
    pub scope: Scope,
    /// What was asked.
    pub demand: Demand,
    /// The number; under [`Demand::NotWorseBy`] the difference from the baseline. Absent where it does not exist.
    pub estimate: Option<Estimate>,
    /// Its interval, widened for the number of checks.
    pub interval: Option<Interval>,
    /// What became of it.
    pub outcome: Outcome,
}

/// All checks of a run.
#[derive(Debug, Clone, PartialEq)]
pub struct Gate {
    /// In order: the bands, then the baseline; languages in the order of the run.
    pub checks: Vec<Check>,
}

/// Judges a run; a check of fewer sentences than `min_items` of the results is left out. `baseline` is the comparison of the baseline (first) with the run (second).
pub fn judge(results: &Results, baseline: Option<&Comparison>, limits: &Limits) -> Gate {
    let mut checks = checks::within(results, limits);
    if let Some(comparison) = baseline {
        checks.extend(checks::not_worse(results, comparison, limits));
    }
    // A stereotype that neither run has is left out; one that the run alone has lost is not.
    let of_baseline = baseline.and_then(|comparison| comparison.runs.first()).map(|run| &run.results);
    let behind = |check: &Check| {
        let of_runs = [Some(results), of_baseline].into_iter().flatten();
        let there = of_runs.map(|results| checks::sentences(results, &check.scope)).max().unwrap_or(0);
        check.estimate.as_ref().map_or(there, |estimate| estimate.n)
    };
    for check in &mut checks {
        let exception = limits.exception.iter().find(|exception| covers(exception, &check.scope));
        if let Some(exception) = exception {
            check.outcome = Outcome::Excepted(exception.reason.clone());
        } else if check.scope.stereotype.is_some() && behind(check) < results.min_items {
            check.outcome = Outcome::TooFew;
        }
    }
    for place in 0..checks.len() {
        if !checks[place].is_left_out() {
            let family = checks.iter().filter(|other| is_one_family(other, &checks[place])).count();
            let (interval, outcome) = decide(&checks[place], family);
            (checks[place].interval, checks[place].outcome) = (interval, outcome);
        }
    }
    Gate { checks }
}

/// Exceptions that are about no check: misspelt, or of another run.
pub fn idle_exceptions<'a>(gate: &Gate, limits: &'a Limits) -> Vec<&'a Exception> {
    let is_idle = |exception: &&Exception| gate.checks.iter().all(|check| !covers(exception, &check.scope));
    limits.exception.iter().filter(is_idle).collect()
}

fn covers(exception: &Exception, scope: &Scope) -> bool {
    let language = scope.language.as_ref().map(|(tag, _)| tag);
    exception.language.as_ref().is_none_or(|wanted| language == Some(wanted))
        && exception.stereotype.is_none_or(|wanted| scope.stereotype == Some(wanted))
        && exception.statistic.as_ref().is_none_or(|wanted| scope.statistic == wanted)
}

/// Checks of one statistic with one kind of demand, as far as they can fail.
fn is_one_family(other: &Check, check: &Check) -> bool {
    other.scope.statistic == check.scope.statistic
        && std::mem::discriminant(&other.demand) == std::mem::discriminant(&check.demand)
        && !other.is_left_out()
        && other.estimate.as_ref().is_some_and(|estimate| estimate.interval().is_some())
}

fn decide(check: &Check, family: usize) -> (Option<Interval>, Outcome) {
    let Some(estimate) = &check.estimate else {
        return (None, check.outcome.clone());
    };
    let Some(narrow) = estimate.interval() else {
        let why =
            if estimate.n < 2 { "one sentence: no interval" } else { "too little to resample: no interval" };
        return (None, Outcome::Unjudged(why.to_owned()));
    };
    let value = estimate.value;
    let factor = estimate.freedom.map_or(1.0, |freedom| widening(family, freedom));
    let interval =
        Interval { low: value - (value - narrow.low) * factor, high: value + (narrow.high - value) * factor };
    // Half of all unchanged numbers come out a little higher than in the baseline: no news.
    let (low, high, is_band) = match check.demand {
        Demand::Within(band) => {
            (band.low.unwrap_or(f64::NEG_INFINITY), band.high.unwrap_or(f64::INFINITY), true)
        }
        Demand::NotWorseBy(margin) => (f64::NEG_INFINITY, margin, false),
    };
    let outcome = if interval.low > high + ROUNDING || interval.high < low - ROUNDING {
        Outcome::Failed
    } else if is_band && (value > high + ROUNDING || value < low - ROUNDING) {
        Outcome::Undecided
    } else {
        Outcome::Passed
    };
    (Some(interval), outcome)
}

/// Rounding in the last digits is no worsening.
const ROUNDING: f64 = 1e-9;

impl Check {
    /// Whether it was not to be judged.
    pub fn is_left_out(&self) -> bool {
        matches!(self.outcome, Outcome::Excepted(_) | Outcome::TooFew)
    }
}

impl Gate {
    /// How many checks have an outcome.
    pub fn count(&self, holds: impl Fn(&Outcome) -> bool) -> usize {
        self.checks.iter().filter(|check| holds(&check.outcome)).count()
    }
}
