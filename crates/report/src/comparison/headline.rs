//! The answer in a sentence or two: which pairs of runs differ, in which direction, by how much, and how sure that is.

use stereometer_core::Verdict;
use stereometer_record::{Comparison, Difference, RunPair};

use super::figures::forest::{ALPHA, is_found};
use super::runs::overall_g_s;
use crate::words::{Kind, count, list, percent, plural};

/// Pairs that are told one by one; more are counted.
const TOLD: usize = 3;

/// The answer, for the terminal.
pub fn headline(comparison: &Comparison) -> String {
    sentences(comparison).join(" ")
}

/// The same, the differences first.
pub fn sentences(comparison: &Comparison) -> Vec<String> {
    let all: Vec<(&RunPair, Option<&Difference>)> = comparison
        .pairs
        .iter()
        .enumerate()
        .map(|(place, pair)| (pair, overall_g_s(comparison, place)))
        .collect();
    let with: Vec<(&RunPair, &Difference)> =
        all.iter().filter_map(|(pair, difference)| Some((*pair, (*difference)?))).collect();
    let mut sentences = if with.len() <= TOLD {
        with.iter().map(|(pair, difference)| one(comparison, pair, difference)).collect()
    } else {
        many(comparison, &with)
    };
    let without: Vec<String> = all
        .iter()
        .filter(|(_, difference)| difference.is_none())
        .map(|(pair, _)| format!("{} and {}", name(comparison, pair.second), name(comparison, pair.first)))
        .collect();
    match without.as_slice() {
        [] => {}
        few if few.len() <= TOLD => sentences
            .push(format!("Too few scored items are shared for a difference in g_s between {}.", list(few))),
        many => sentences.push(format!(
            "For {} too few scored items are shared for a difference in g_s.",
            plural(many.len(), "pair")
        )),
    }
    sentences.push(strengths(comparison));
    sentences
}

fn name(comparison: &Comparison, run: usize) -> &str {
    &comparison.runs[run].label
}

fn one(comparison: &Comparison, pair: &RunPair, difference: &Difference) -> String {
    let (first, second) = (name(comparison, pair.first), name(comparison, pair.second));
    let estimate = Kind::Difference.sentence(&difference.difference, comparison.level);
    let estimate = estimate.trim_end_matches(')').to_owned();
    let p = difference.test.as_ref().map_or_else(
        || "; no test, because nothing differs)".to_owned(),
        |test| format!(" source sentences; p = {} after Holm)", Kind::P.show(test.holm)).replace("= <", "< "),
    );
    let numbers = format!("{estimate}{p}");
    match (is_found(difference), difference.difference.value > 0.0) {
        (true, true) => {
            format!(
                "{second} leans more towards gender stereotypes than {first}: mean g_s differs by {numbers}."
            )
        }
        (true, false) => {
            format!(
                "{second} leans less towards gender stereotypes than {first}: mean g_s differs by {numbers}."
            )
        }
        (false, _) => {
            // Few sentences can hardly be exchanged in many ways, whatever the interval says.
            let beyond = Verdict::of(&difference.difference, 0.0);
            let but = match beyond {
                Verdict::Above | Verdict::Below => ", too large a p although the interval leaves out 0",
                Verdict::Open | Verdict::Unknown => "",
            };
            format!("The data cannot tell {second} from {first}: mean g_s differs by {numbers}{but}.")
        }
    }
}

fn many(comparison: &Comparison, with: &[(&RunPair, &Difference)]) -> Vec<String> {
    let mut found: Vec<&(&RunPair, &Difference)> = with.iter().filter(|(_, one)| is_found(one)).collect();
    let more = found.iter().filter(|(_, one)| one.difference.value > 0.0).count();
    let less = found.len() - more;
    if found.is_empty() {
        return vec![format!(
            "The data cannot tell the runs of any of the {} apart: no difference in mean g_s has p < {ALPHA} after Holm.",
            plural(with.len(), "pair")
        )];
    }
    found.sort_by(|a, b| b.1.difference.value.abs().total_cmp(&a.1.difference.value.abs()));
    let (pair, largest) = found[0];
    let estimate = Kind::Difference.sentence(&largest.difference, comparison.level);
    vec![
        format!(
            "In {} of {} mean g_s differs (p < {ALPHA} after Holm): the second run leans more towards gender stereotypes \
             in {} and less in {}; in the others the data cannot tell the runs apart.",
            found.len(),
            plural(with.len(), "pair"),
            or_none(more),
            or_none(less)
        ),
        format!(
            "The largest difference is that of {} from {}: {estimate}.",
            name(comparison, pair.second),
            name(comparison, pair.first)
        ),
    ]
}

fn or_none(n: usize) -> String {
    if n == 0 { "none".to_owned() } else { count(n) }
}

/// What each run says by itself, in a sentence.
fn strengths(comparison: &Comparison) -> String {
    let with: Vec<_> =
        comparison.runs.iter().filter_map(|run| Some((run, run.results.mean_g_s.as_ref()?))).collect();
    if with.is_empty() {
        return "No run has a g_s by itself.".to_owned();
    }
    let verdicts = |wanted| {
        let n = with.iter().filter(|(_, g_s)| Verdict::of(g_s, 1.0) == wanted).count();
        if n == 0 { "none".to_owned() } else { n.to_string() }
    };
    let values: Vec<String> =
        with.iter().map(|(run, g_s)| format!("{} {}", run.label, Kind::Ratio.show(g_s.value))).collect();
    let values =
        if values.len() <= TOLD + 1 { format!(" (mean g_s: {})", list(&values)) } else { String::new() };
    format!(
        "Each by itself{values}: of {}, {} towards gender stereotypes and {} against them, judged by whether the {} interval \
         of mean g_s leaves out 1.",
        plural(with.len(), "run"),
        match verdicts(Verdict::Above).as_str() {
            one @ ("1" | "none") => format!("{one} leans"),
            n => format!("{n} lean"),
        },
        verdicts(Verdict::Below),
        percent(comparison.level)
    )
}
