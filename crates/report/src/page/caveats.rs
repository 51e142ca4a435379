//! Doubts, each said once with what can be done about it; unscored items; how well the model knows the languages.

use stereometer_core::{Language, Warning};
use stereometer_record::Results;

use super::shell::folded;
use crate::html::with_code;
use crate::links::Links;
use crate::overall::{alpha, names, remaining};
use crate::words::{are, count, list, plural};
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
    let doubts: String = doubts(input).iter().map(|(what, advice)| point(what, advice)).collect();
    let doubts = if doubts.is_empty() {
        "<p>The run gave no warning.</p>\n".to_owned()
    } else {
        format!("<ul>\n{doubts}</ul>\n")
    };
    let unscored: usize = results.unscored.iter().map(|row| row.count).sum();
    let unscored = if unscored == 0 && input.is_unfinished() {
        let missing = input.spec.n_items - input.items.len();
        format!(
            "<p>The run is unfinished: {} not asked yet. All others have a score.</p>\n",
            are(missing, "item")
        )
    } else if unscored == 0 {
        "<p>Every item has a score.</p>\n".to_owned()
    } else {
        folded(
            &format!("{} without a score", plural(unscored, "item")),
            &tables::unscored(results),
            &Links::default(),
        )
    };
    format!(
        "<section id=\"caveats\">\n<h2>Caveats</h2>\n{doubts}{unscored}{}{}</section>\n",
        chance(results),
        fit(results),
    )
}

/// A run's doubts, each a sentence with its advice.
pub fn doubts(input: &ReportInput<'_>) -> Vec<(String, &'static str)> {
    gather(input).iter().map(|doubt| (sentence(doubt, input), advice(doubt, input))).collect()
}

/// A doubt in a list.
pub fn point(what: &str, advice: &str) -> String {
    let (what, advice) = (with_code(what), with_code(advice));
    format!("<li>{what} <span class=\"advice\">What to do: {advice}.</span></li>\n")
}

/// Empty where the method says nothing about whole texts.
fn fit(results: &Results) -> String {
    if results.languages.iter().all(|language| language.fit.is_none()) {
        return String::new();
    }
    folded("How well the model predicts each language", &tables::fit(results), &Links::default())
}

fn chance(results: &Results) -> String {
    let languages = results.languages.iter().filter_map(|language| language.g_s.as_ref());
    let cells = results.languages.iter().flat_map(|language| &language.stereotypes);
    let cells = cells.filter_map(|cell| cell.inclination.as_ref());
    let languages = languages.filter(|one| one.interval().is_some()).count();
    let cells = cells.filter(|one| one.interval().is_some()).count();
    let share = 1.0 - results.level;
    let least = |n: usize| format!("at least {:.1}", share * n as f64);
    let what = match (languages, cells) {
        (0 | 1, 0 | 1) => return String::new(),
        (0 | 1, _) => format!("{} of {} (stereotype × language)", least(cells), plural(cells, "cell")),
        (_, 0 | 1) => format!("{} of {}", least(languages), plural(languages, "language")),
        _ => format!(
            "{} of {} and {} of {} (stereotype × language)",
            least(languages),
            plural(languages, "language"),
            least(cells),
            plural(cells, "cell")
        ),
    };
    format!(
        "<p>The intervals are not adjusted for their number: without any stereotyping, {what} would seem to lean one way \
         or the other by chance; more when stereotypes have few sentences, because intervals from few sentences are too \
         narrow.{}</p>\n",
        adjusted(results)
    )
}

/// What remains when the tests are counted.
fn adjusted(results: &Results) -> String {
    let languages = results.languages.iter().filter_map(|language| language.g_s_test.as_ref());
    let cells = results.languages.iter().flat_map(|language| &language.stereotypes);
    let cells = cells.filter_map(|cell| cell.inclination_test.as_ref());
    let remain = |(all, some): (usize, usize), what: &str| match some {
        0 => format!("none of {}", plural(all, what)),
        some => format!("{} of {}", count(some), plural(all, what)),
    };
    let what = match (remaining(results, languages), remaining(results, cells)) {
        ((0 | 1, _), (0 | 1, _)) => return String::new(),
        ((0 | 1, _), cells) => remain(cells, "cell"),
        (languages, (0 | 1, _)) => remain(languages, "language"),
        (languages, cells) => format!("{} and {}", remain(languages, "language"), remain(cells, "cell")),
    };
    format!(
        " The tables of <a href=\"#g_s_by_language\">g_s</a> and \
         <a href=\"#inclination_by_stereotype\">inclination</a> carry p values adjusted for their number (columns Holm \
         and BH). What remains after Holm's adjustment (p below {:.2}): {what}. These p values are approximate, and too \
         small where few sentences are all there is.",
        alpha(results)
    )
}

fn gather(input: &ReportInput<'_>) -> Vec<Doubt> {
    let mut doubts: Vec<Doubt> = Vec::new();
    let mut seen: Vec<&Warning> = Vec::new();
    for warning in input.spec.warnings.iter().chain(&input.results.warnings) {
        if seen.contains(&warning) || says_unfinished(warning) {
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

/// The notice at the top says it, and what to do about it.
fn says_unfinished(warning: &Warning) -> bool {
    matches!(warning, Warning::Subset { detail } if detail.starts_with("the run is not finished"))
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
        Warning::LostMarks { .. } => ("marks".to_owned(), None, 0),
        Warning::WeakLanguage { detail, .. } => (format!("weak {detail}"), None, 0),
        Warning::Bos { detail }
        | Warning::Subset { detail }
        | Warning::Data { detail }
        | Warning::Survey { detail } => (detail.clone(), None, 0),
        Warning::FewAnnotators { language, minimum, .. } => {
            (format!("annotators {language} {minimum}"), None, 0)
        }
        Warning::NoPeople { language } => ("no people".to_owned(), Some(language), 0),
        Warning::UnusedMonolingual { .. } | Warning::Unfinished { .. } => (warning.to_string(), None, 0),
    }
}

fn sentence(doubt: &Doubt, input: &ReportInput<'_>) -> String {
    let results = input.results;
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
        Warning::LostMarks { languages, written, read } => format!(
            "The tokenizer drops accents or vowel signs in {}: “{written}” becomes “{read}”.",
            self::places(languages, results)
        ),
        Warning::Subset { detail } => format!("Only a subset was scored: {detail}."),
        Warning::Data { detail } if names_another_language(detail, input) => {
            upper_first(&format!("{detail}, counted over all languages of the set"))
        }
        Warning::WeakLanguage { detail, .. }
        | Warning::Bos { detail }
        | Warning::Data { detail }
        | Warning::Survey { detail } => upper_first(detail),
        Warning::FewAnnotators { .. } => doubt.first.to_string(),
        Warning::NoPeople { .. } => format!("No cell has a human score in {places}: no predictor."),
        warning @ (Warning::UnusedMonolingual { .. } | Warning::Unfinished { .. }) => {
            format!("{}.", upper_first(&warning.to_string()))
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
    list(&names(results, languages))
}

/// Whether a remark on EuroGEST, whose columns are named after languages, points at a language outside the run.
fn names_another_language(detail: &str, input: &ReportInput<'_>) -> bool {
    if input.spec.identity.set.name != "eurogest" {
        return false;
    }
    let languages = &input.results.languages;
    let column = detail.split("column `").nth(1).and_then(|rest| rest.split('`').next());
    column.is_some_and(|column| {
        column.starts_with(char::is_uppercase) && languages.iter().all(|one| one.name != column)
    })
}

/// A sentence; a file name or a tag at its beginning stays as it is.
pub fn upper_first(text: &str) -> String {
    let text = text.trim_end_matches('.');
    let word = text.split_whitespace().next().unwrap_or_default();
    if word.contains(['.', '_', ':', '/']) {
        return format!("{text}.");
    }
    let mut characters = text.chars();
    let first = characters.next().map(|first| first.to_uppercase().to_string()).unwrap_or_default();
    format!("{first}{}.", characters.as_str())
}

/// The warning's advice, except that no set is advised in its own place.
fn advice(doubt: &Doubt, input: &ReportInput<'_>) -> &'static str {
    let identity = &input.spec.identity;
    match (&doubt.first, identity.set.name.as_str(), &identity.subset) {
        (Warning::FewItems { .. }, "eurogest", Some(_)) => {
            "read the interval, not the value; the whole set narrows it"
        }
        (Warning::FewItems { .. }, "eurogest", None) => "read the interval, not the value",
        (first, ..) => first.advice(),
    }
}
