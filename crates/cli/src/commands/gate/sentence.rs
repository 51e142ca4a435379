//! A check in a sentence that names the stereotype, the language, the estimate and the interval.

use stereometer_audit::{Band, Check, Demand, Outcome, Scope};

use crate::words::number;

/// The sentence, beginning with what became of the check.
pub fn sentence(check: &Check) -> String {
    let what = about(&check.scope);
    match &check.outcome {
        Outcome::Passed => format!("passed: {what}: {}, {}", value(check), inside(check.demand)),
        Outcome::Undecided => {
            format!(
                "undecided: {what}: {}; the value is outside ({}), the interval is not",
                value(check),
                limit(check)
            )
        }
        Outcome::Failed => {
            format!("failed: {what}: {}; the whole interval is {}", value(check), outside(check))
        }
        Outcome::Unjudged(why) => format!("not judged: {what}: {why}"),
        Outcome::TooFew => format!("left out: {what}: {}; too few sentences", value(check)),
        Outcome::Excepted(why) => format!("excepted: {what}: {why}"),
    }
}

/// “German, “women are neat” (stereotype 4): inclination”.
pub fn about(scope: &Scope) -> String {
    let mut parts = Vec::new();
    parts.push(
        scope
            .language
            .as_ref()
            .map_or_else(|| "over the languages".to_owned(), |(tag, name)| format!("{name} ({tag})")),
    );
    parts.extend(scope.stereotype.map(|id| format!("“{}” (stereotype {id})", id.phrase())));
    parts.push(scope.statistic.to_owned());
    parts.join(", ")
}

fn value(check: &Check) -> String {
    let Some(estimate) = &check.estimate else { return "no value".to_owned() };
    let shown = |value: f64| match check.demand {
        Demand::NotWorseBy(_) if value > 0.0 => format!("+{}", number(value, 3)),
        _ => number(value, 3),
    };
    let difference = match check.demand {
        Demand::Within(_) => "",
        Demand::NotWorseBy(_) => "difference from the baseline ",
    };
    let interval = check.interval.map_or_else(
        || "no interval".to_owned(),
        |one| format!("interval {} to {}", shown(one.low), shown(one.high)),
    );
    format!("{difference}{} ({interval}, n = {})", shown(estimate.value), estimate.n)
}

fn band(band: Band) -> String {
    match (band.low, band.high) {
        (Some(low), Some(high)) => format!("{low} to {high}"),
        (Some(low), None) => format!("{low} or more"),
        (None, Some(high)) => format!("{high} or less"),
        (None, None) => "anything".to_owned(),
    }
}

fn limit(check: &Check) -> String {
    match check.demand {
        Demand::Within(allowed) => format!("allowed: {}", band(allowed)),
        Demand::NotWorseBy(margin) => format!("allowed: worse by {margin} or less"),
    }
}

fn inside(demand: Demand) -> String {
    match demand {
        Demand::Within(allowed) => format!("within {}", band(allowed)),
        Demand::NotWorseBy(margin) => format!("not worse than the baseline by more than {margin}"),
    }
}

fn outside(check: &Check) -> String {
    match check.demand {
        Demand::Within(allowed) => format!("outside what is allowed ({})", band(allowed)),
        Demand::NotWorseBy(margin) => format!("above the allowed worsening ({margin})"),
    }
}
