//! Doubts, each said once with what can be done about it; unscored items; how well the model knows the languages.

use stereometer_core::{Language, Warning};
use stereometer_record::Results;

use super::folded;
use crate::html::with_code;
use crate::words::{count, list, plural};
use crate::{ReportInput, tables};

/// One kind of doubt, over all the languages that share it.
struct Doubt {
    /// Equal for warnings that are told together.
    key: String,
    languages: Vec<Language>,
    /// Sentences or items behind it, where they are counted.
    amount: usize,
    first: Warning,
}

/// The section.
pub fn caveats(input: &ReportInput<'_>) -> String {
    let results = input.results;
    let doubts: String = gather(input)
        .iter()
        .map(|doubt| {
            let (what, advice) = (with_code(&sentence(doubt, results)), with_code(doubt.first.advice()));
            format!("<li>{what} <span class=\"advice\">What to do: {advice}.</span></li>\n")
        })
        .collect();
    let doubts = if doubts.is_empty() {
        "<p>The run gave no warning.</p>\n".to_owned()
    } else {
        format!("<ul>\n{doubts}</ul>\n")
    };
    let unscored: usize = results.unscored.iter().map(|row| row.count).sum();
    let unscored = if unscored == 0 {
        "<p>Every item has a score.</p>\n".to_owned()
    } else {
        folded(&format!("{} without a score", plural(unscored, "item")), &tables::unscored(results))
    };
    format!(
        "<section id=\"caveats\">\n<h2>Caveats</h2>\n{doubts}{unscored}{}{}</section>\n",
        chance(results),
        folded("How well the model predicts each language", &tables::fit(results)),
    )
}

fn chance(results: &Results) -> String {
    let n = results.languages.iter().filter(|language| language.g_s.is_some()).count();
    if n < 2 {
        return String::new();
    }
    let share = 1.0 - results.level;
    format!(
        "<p>The intervals are not adjusted for their number: of languages without any stereotyping, {:.0} % would seem to \
         lean one way or the other by chance ({:.1} of {n}).</p>\n",
        100.0 * share,
        share * n as f64
    )
}

fn gather(input: &ReportInput<'_>) -> Vec<Doubt> {
    let mut doubts: Vec<Doubt> = Vec::new();
    let mut seen: Vec<&Warning> = Vec::new();
    for warning in input.spec.warnings.iter().chain(&input.results.warnings) {
        if seen.contains(&warning) {
            continue;
        }
        seen.push(warning);
        let (key, language, amount) = parts(warning);
        let place = doubts.iter().position(|doubt| doubt.key == key).unwrap_or_else(|| {
            doubts.push(Doubt { key, languages: Vec::new(), amount: 0, first: warning.clone() });
            doubts.len() - 1
        });
        doubts[place].amount += amount;
        if let Some(language) = language
            && !doubts[place].languages.contains(language)
        {
            doubts[place].languages.push(language.clone());
        }
    }
    doubts
}

fn parts(warning: &Warning) -> (String, Option<&Language>, usize) {
    match warning {
        Warning::FewItems { language, stereotypes, min_items } => {
            (format!("few {min_items}"), Some(language), stereotypes.len())
        }
        Warning::MissingStereotypes { language, stereotypes } => {
            (format!("missing {stereotypes:?}"), Some(language), stereotypes.len())
        }
        Warning::NoTemplate { language, template, sentences } => {
            (format!("template {template}"), Some(language), *sentences)
        }
        Warning::Unscored { language, count, reason } => {
            (format!("unscored {reason}"), Some(language), *count)
        }
        Warning::WeakLanguage { detail, .. } => (format!("weak {detail}"), None, 0),
        Warning::Bos { detail } | Warning::Subset { detail } | Warning::Data { detail } => {
            (detail.clone(), None, 0)
        }
    }
}

fn sentence(doubt: &Doubt, results: &Results) -> String {
    let places = places(&doubt.languages, results);
    match &doubt.first {
        Warning::FewItems { min_items, .. } => {
            format!("{} with fewer than {min_items} items, in {places}.", cells(doubt.amount))
        }
        Warning::MissingStereotypes { stereotypes, .. } => {
            let names: Vec<String> =
                stereotypes.iter().map(|id| format!("{id} ({})", id.info().name)).collect();
            format!(
                "No scored sentence for stereotype {} in {places}; the aggregates leave it out.",
                list(&names)
            )
        }
        Warning::NoTemplate { template, .. } => format!(
            "No {template} template in {places}, so {} are left out.",
            plural(doubt.amount, "neutral sentence")
        ),
        Warning::Unscored { reason, .. } => {
            format!("{} unscored in {places}: {reason}.", plural(doubt.amount, "item"))
        }
        Warning::Subset { detail } => format!("Only a subset was scored: {detail}."),
        Warning::WeakLanguage { detail, .. } | Warning::Bos { detail } | Warning::Data { detail } => {
            upper_first(detail)
        }
    }
}

fn cells(n: usize) -> String {
    if n == 1 { "One stereotype".to_owned() } else { format!("{} cells (stereotype × language)", count(n)) }
}

fn places(languages: &[Language], results: &Results) -> String {
    if languages.len() > 1 && languages.len() == results.languages.len() {
        return format!("all {} languages", languages.len());
    }
    let names: Vec<&str> = languages
        .iter()
        .map(|tag| {
            results
                .languages
                .iter()
                .find(|one| one.language == *tag)
                .map_or(tag.as_str(), |one| one.name.as_str())
        })
        .collect();
    list(&names)
}

fn upper_first(text: &str) -> String {
    let text = text.trim_end_matches('.');
    let mut characters = text.chars();
    let first = characters.next().map(|first| first.to_uppercase().to_string()).unwrap_or_default();
    format!("{first}{}.", characters.as_str())
}
