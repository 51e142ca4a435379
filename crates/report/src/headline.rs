//! The answer in a sentence or two, for the terminal and the top of the page.

use std::fmt::Write as _;

use stereometer_core::{Estimate, Gender, Verdict};
use stereometer_record::{OverallStereotype, Results};

use crate::overall::{alpha, remaining, strongest};
use crate::words::{Kind, NEUTRAL, plural};

/// Which languages lean, how far on average, which stereotypes are strongest, and how sure that is.
pub fn headline(results: &Results) -> String {
    sentences(results).join(" ")
}

/// The same, the leaning first.
pub fn sentences(results: &Results) -> Vec<String> {
    let with: Vec<(&str, &Estimate)> = results
        .languages
        .iter()
        .filter_map(|language| Some((language.name.as_str(), language.g_s.as_ref()?)))
        .collect();
    let mut sentences = match with.as_slice() {
        [] => vec![
            "No language has a g_s: it needs scored sentences for at least one feminine and one masculine stereotype."
                .to_owned(),
        ],
        [(name, g_s)] => vec![one_language(name, g_s, results.level)],
        many => vec![many_languages(many) + &after_holm(results)],
    };
    if with.len() > 1
        && let Some(mean) = &results.mean_g_s
    {
        let mut shown = Kind::Ratio.sentence(mean, results.level).replace(')', " source sentences)");
        if Verdict::of(mean, 1.0) == Verdict::Open {
            shown = shown.replace(", n = ", ", which includes 1, n = ");
        }
        sentences.push(format!("Mean g_s over the languages: {shown}; {NEUTRAL}."));
    }
    sentences.extend(strongest_pair(results));
    sentences
}

fn one_language(name: &str, g_s: &Estimate, level: f64) -> String {
    let verdict = match Verdict::of(g_s, 1.0) {
        Verdict::Above => "the language model leans towards gender stereotypes",
        Verdict::Below => "the language model leans against gender stereotypes",
        Verdict::Open => "the data cannot tell whether the language model leans towards gender stereotypes",
        Verdict::Unknown => "there is too little data to say how sure the result is",
    };
    format!("In {name}, {verdict}: g_s = {}; {NEUTRAL}.", Kind::Ratio.sentence(g_s, level))
}

fn many_languages(with: &[(&str, &Estimate)]) -> String {
    let number = |verdict| with.iter().filter(|(_, g_s)| Verdict::of(g_s, 1.0) == verdict).count();
    let none_or = |n: usize| if n == 0 { "none".to_owned() } else { n.to_string() };
    let (above, below) = (number(Verdict::Above), number(Verdict::Below));
    let (open, unknown) = (number(Verdict::Open), number(Verdict::Unknown));
    let mut sentence = format!(
        "The language model leans towards gender stereotypes in {} of {} and against them in {}",
        none_or(above),
        plural(with.len(), "language"),
        none_or(below)
    );
    if open > 0 {
        let _ = write!(sentence, "; in {open} the data cannot tell, because the interval of g_s includes 1");
    }
    if unknown > 0 {
        let _ = write!(
            sentence,
            "; {unknown} {} too little data for an interval",
            if unknown == 1 { "has" } else { "have" }
        );
    }
    sentence + "."
}

/// How many of the leaning languages remain when the number of tests is counted.
fn after_holm(results: &Results) -> String {
    let tests = results.languages.iter().filter_map(|one| Some((one.g_s.as_ref()?, one.g_s_test.as_ref()?)));
    let n = tests.clone().count();
    let leaning = tests.filter(|(g_s, _)| matches!(Verdict::of(g_s, 1.0), Verdict::Above | Verdict::Below));
    let what = match remaining(results, leaning.map(|(_, test)| test)) {
        _ if n < 2 => return String::new(),
        (0, _) => return String::new(),
        (1, 0) => "it does not remain".to_owned(),
        (1, _) => "it remains".to_owned(),
        (_, 0) => "none of them remains".to_owned(),
        (2, 2) => "both remain".to_owned(),
        (all, some) if all == some => format!("all {all} remain"),
        (_, 1) => "1 of them remains".to_owned(),
        (_, some) => format!("{some} of them remain"),
    };
    format!(" After Holm's adjustment for {}, {what} (p below {:.2}).", plural(n, "test"), alpha(results))
}

/// The strongest stereotype of each side, if the interval of its mean inclination lies above 0.
fn strongest_pair(results: &Results) -> Option<String> {
    let sides = [Gender::Feminine, Gender::Masculine].map(|about| strongest(results, about));
    if sides.iter().all(Vec::is_empty) {
        return None;
    }
    let stands_out = |(_, mean): &&(_, &Estimate)| Verdict::of(mean, 0.0) == Verdict::Above;
    let found: Vec<_> = sides.iter().filter_map(|side| side.iter().find(stands_out)).collect();
    let named: Vec<String> = found.iter().map(|(best, mean)| describe(best, mean)).collect();
    let sentence = match named.as_slice() {
        [] => "No stereotype stands out".to_owned(),
        [one] => format!("Strongest stereotype: {one}"),
        more => format!("Strongest stereotypes: {}", more.join(", ")),
    };
    Some(format!("{sentence}{}.", few(results, &found)))
}

fn describe(best: &OverallStereotype, mean: &Estimate) -> String {
    let inclination = Kind::Difference.show(mean.value);
    let interval =
        mean.interval().map(|interval| format!(", interval {}", Kind::Difference.interval(interval)));
    let interval = interval.unwrap_or_default();
    let (kind, share) = match best.languages {
        1 => ("inclination", String::new()),
        n => {
            ("mean inclination", format!("; above 0 in {}, below 0 in {} of {n}", best.towards, best.against))
        }
    };
    format!("“{}” ({kind} {inclination}{interval}{share})", best.stereotype.phrase())
}

/// Says once that single intervals say little, where the cells behind the sentence (of the named stereotypes, or of all)
/// rest on few sentences.
fn few(results: &Results, named: &[&(&OverallStereotype, &Estimate)]) -> String {
    let cells = results.languages.iter().flat_map(|language| &language.stereotypes);
    let cells = cells
        .filter(|cell| named.is_empty() || named.iter().any(|(one, _)| one.stereotype == cell.stereotype));
    let (few, enough): (Vec<_>, Vec<_>) = cells.partition(|cell| cell.few);
    let share = match (few.len(), enough.len()) {
        (0, _) => return String::new(),
        (_, 0) => String::new(),
        (few, enough) => format!("{few} of {} ", few + enough),
    };
    let least = results.min_items;
    format!("; {share}cells rest on fewer than {least} sentences each, so single intervals say little")
}
