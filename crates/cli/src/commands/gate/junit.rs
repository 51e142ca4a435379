//! All checks as JUnit XML, which continuous integration shows test by test.
//!
//! A failed check is a `failure`, one that could not be judged an `error`, an exception is `skipped`; what is undecided
//! passes with its sentence as output.

use stereometer_audit::{Check, Gate, Outcome};

use super::sentence::{about, sentence};

/// The file: one suite a statistic.
pub fn junit(gate: &Gate) -> String {
    let mut names: Vec<&str> = Vec::new();
    for check in &gate.checks {
        if !names.contains(&check.scope.statistic) {
            names.push(check.scope.statistic);
        }
    }
    let suites: Vec<String> = names
        .iter()
        .map(|name| {
            let checks: Vec<&Check> =
                gate.checks.iter().filter(|check| check.scope.statistic == *name).collect();
            suite(name, &checks)
        })
        .collect();
    format!(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites name=\"stereometer gate\" {}>\n{}</testsuites>\n",
        counts(&gate.checks.iter().collect::<Vec<_>>()),
        suites.concat()
    )
}

fn suite(name: &str, checks: &[&Check]) -> String {
    let cases: String = checks.iter().map(|check| case(name, check)).collect();
    format!("<testsuite name=\"{}\" {}>\n{cases}</testsuite>\n", escape(name), counts(checks))
}

fn counts(checks: &[&Check]) -> String {
    let count = |holds: fn(&Outcome) -> bool| checks.iter().filter(|check| holds(&check.outcome)).count();
    format!(
        "tests=\"{}\" failures=\"{}\" errors=\"{}\" skipped=\"{}\"",
        checks.len(),
        count(|outcome| *outcome == Outcome::Failed),
        count(|outcome| matches!(outcome, Outcome::Unjudged(_))),
        count(|outcome| matches!(outcome, Outcome::Excepted(_) | Outcome::TooFew))
    )
}

fn case(suite: &str, check: &Check) -> String {
    let kind = match check.demand {
        stereometer_audit::Demand::Within(_) => "limits",
        stereometer_audit::Demand::NotWorseBy(_) => "baseline",
    };
    let said = escape(&sentence(check));
    let inner = match &check.outcome {
        Outcome::Passed => String::new(),
        Outcome::Undecided => format!("<system-out>{said}</system-out>"),
        Outcome::Failed => format!("<failure message=\"{said}\"/>"),
        Outcome::Unjudged(_) => format!("<error message=\"{said}\"/>"),
        Outcome::Excepted(_) | Outcome::TooFew => format!("<skipped message=\"{said}\"/>"),
    };
    format!(
        "<testcase classname=\"stereometer.{}\" name=\"{} ({kind})\">{inner}</testcase>\n",
        escape(suite),
        escape(&about(&check.scope))
    )
}

/// Text inside an attribute or an element; what XML 1.0 does not allow is replaced.
fn escape(text: &str) -> String {
    text.chars()
        .map(|character| match character {
            '&' => "&amp;".to_owned(),
            '<' => "&lt;".to_owned(),
            '>' => "&gt;".to_owned(),
            '"' => "&quot;".to_owned(),
            '\n' | '\t' => " ".to_owned(),
            c if c.is_control() || c == '\u{fffe}' || c == '\u{ffff}' => '\u{fffd}'.to_string(),
            c => c.to_string(),
        })
        .collect()
}
