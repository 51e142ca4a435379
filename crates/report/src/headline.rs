//! The answer in a sentence or two, for the terminal and the top of the page.

use stereometer_core::{Estimate, Gender};
use stereometer_record::Results;

use crate::overall::{Overall, phrase, strongest};
use crate::verdict::Verdict;
use crate::words::{Kind, plural};

/// Which languages lean, how far on average, which stereotypes are strongest, and how sure that is.
pub fn headline(results: &Results) -> String {
    let with: Vec<(&str, &Estimate)> = results
        .languages
        .iter()
        .filter_map(|language| Some((language.name.as_str(), language.g_s.as_ref()?)))
        .collect();
    let leaning = match with.as_slice() {
        [] => {
            "No language has a g_s: it needs scored sentences for at least one feminine and one masculine stereotype."
                .to_owned()
        }
        [(name, g_s)] => one_language(name, g_s, results.level),
        many => many_languages(many, results),
    };
    [Some(leaning), strongest_pair(results)].into_iter().flatten().collect::<Vec<_>>().join(" ")
}

fn one_language(name: &str, g_s: &Estimate, level: f64) -> String {
    let verdict = match Verdict::of(g_s, 1.0) {
        Verdict::Above => "the language model leans towards gender stereotypes",
        Verdict::Below => "the language model leans against gender stereotypes",
        Verdict::Open => "the data cannot tell whether the language model leans towards gender stereotypes",
        Verdict::Unknown => "there is too little data to say how sure the result is",
    };
    format!("In {name}, {verdict}: g_s = {}; 1 means no stereotyping.", Kind::Ratio.sentence(g_s, level))
}

fn many_languages(with: &[(&str, &Estimate)], results: &Results) -> String {
    let number = |verdict| with.iter().filter(|(_, g_s)| Verdict::of(g_s, 1.0) == verdict).count();
    let (above, below) = (number(Verdict::Above), number(Verdict::Below));
    let (open, unknown) = (number(Verdict::Open), number(Verdict::Unknown));
    let mut sentence = format!(
        "The language model leans towards gender stereotypes in {above} of {} and against them in {below}",
        plural(with.len(), "language")
    );
    if open > 0 {
        sentence += &format!("; in {open} the interval of g_s includes 1, so the data cannot tell");
    }
    if unknown > 0 {
        sentence += &format!("; {unknown} have too little data for an interval");
    }
    sentence.push('.');
    if let Some(mean) = &results.mean_g_s {
        let mean = Kind::Ratio.sentence(mean, results.level).replace("n = ", "source sentences: ");
        sentence += &format!(" Mean g_s over the languages: {mean}; 1 means no stereotyping.");
    }
    sentence
}

fn strongest_pair(results: &Results) -> Option<String> {
    let found: Vec<String> = [Gender::Feminine, Gender::Masculine]
        .into_iter()
        .filter_map(|about| strongest(results, about).first().map(|best| describe(best, about)))
        .collect();
    (!found.is_empty()).then(|| format!("Strongest {}.", found.join("; strongest ")))
}

fn describe(best: &Overall, about: Gender) -> String {
    let towards = match best.n {
        1 => String::new(),
        n => format!(" on average, interval above 0 in {} of {}", best.towards, plural(n, "language")),
    };
    let doubt = if best.mean > 0.0 { "" } else { ", so none is favoured" };
    format!(
        "{about} stereotype: “{}” (inclination {}{towards}{doubt})",
        phrase(best.id),
        Kind::Difference.show(best.mean)
    )
}
