//! What did not pass, as Markdown for a pull request or a release page.

use stereometer_audit::{Check, Gate, Outcome};

use super::sentence::sentence;
use super::summary;

/// Lines that are shown of one outcome; a run over many languages has hundreds of checks.
const SHOWN: usize = 50;

/// The file.
pub fn markdown(gate: &Gate) -> String {
    let parts = [
        part("Failed", gate, |outcome| *outcome == Outcome::Failed),
        part("Not judged", gate, |outcome| matches!(outcome, Outcome::Unjudged(_))),
        part("Undecided", gate, |outcome| *outcome == Outcome::Undecided),
        part("Excepted", gate, |outcome| matches!(outcome, Outcome::Excepted(_))),
    ];
    format!(
        "## {}\n{}\nIntervals are widened for the number of checks of one statistic (Bonferroni). A check fails only if its \
         whole interval lies outside what is allowed.\n",
        summary(gate),
        parts.concat()
    )
}

/// Empty where no check has the outcome.
fn part(title: &str, gate: &Gate, holds: fn(&Outcome) -> bool) -> String {
    let checks: Vec<&Check> = gate.checks.iter().filter(|check| holds(&check.outcome)).collect();
    let line = |check: &&Check| format!("- {}\n", escape(&sentence(check)));
    let lines: Vec<String> = checks.iter().take(SHOWN).map(line).collect();
    let more = match checks.len().saturating_sub(SHOWN) {
        0 => String::new(),
        more => format!("- and {more} more, in the JUnit file and on stdout\n"),
    };
    if checks.is_empty() { String::new() } else { format!("\n### {title}\n\n{}{more}", lines.concat()) }
}

fn escape(text: &str) -> String {
    let special = |c: char| "\\`*_{}[]<>#|".contains(c);
    text.chars().flat_map(|c| special(c).then_some('\\').into_iter().chain([c])).collect()
}
