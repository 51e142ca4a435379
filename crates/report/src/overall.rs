//! What holds over the languages: the order they are shown in, each stereotype's mean inclination, what remains of many
//! tests.

use std::cmp::Ordering;

use stereometer_core::{Estimate, Gender, Language, StereotypeId};
use stereometer_record::{LanguageResult, OverallStereotype, Results, StereotypeResult, Test};

/// Languages from the highest g_s to the lowest, those without one at the end: the order of every figure.
pub fn by_g_s(results: &Results) -> Vec<&LanguageResult> {
    let mut languages: Vec<&LanguageResult> = results.languages.iter().collect();
    languages.sort_by(|a, b| match (&a.g_s, &b.g_s) {
        (Some(a), Some(b)) => b.value.total_cmp(&a.value),
        (Some(_), None) => Ordering::Less,
        (None, Some(_)) => Ordering::Greater,
        (None, None) => Ordering::Equal,
    });
    languages
}

/// A stereotype's result in a language.
pub fn stereotype(language: &LanguageResult, id: StereotypeId) -> Option<&StereotypeResult> {
    language.stereotypes.iter().find(|result| result.stereotype == id)
}

/// The stereotypes of one side with a mean inclination, strongest first.
pub fn strongest(results: &Results, about: Gender) -> Vec<(&OverallStereotype, &Estimate)> {
    let own = results.stereotypes.iter().filter(|one| one.stereotype.info().about == about);
    let mut all: Vec<_> = own.filter_map(|one| Some((one, one.inclination.as_ref()?))).collect();
    all.sort_by(|a, b| b.1.value.total_cmp(&a.1.value));
    all
}

/// Names of these languages, as the run has them.
pub fn names<'a>(results: &'a Results, tags: &'a [Language]) -> Vec<&'a str> {
    let name = |tag: &'a Language| {
        let known = results.languages.iter().find(|one| one.language == *tag);
        known.map_or(tag.as_str(), |one| one.name.as_str())
    };
    tags.iter().map(name).collect()
}

/// The level of adjusted p values below which a result is said to remain.
pub fn alpha(results: &Results) -> f64 {
    // 1 − 0.95 is a little more than 0.05.
    ((1.0 - results.level) * 1e6).round() / 1e6
}

/// How many of these tests there are, and how many of them remain after Holm's adjustment.
pub fn remaining<'a>(results: &Results, tests: impl Iterator<Item = &'a Test>) -> (usize, usize) {
    tests
        .fold((0, 0), |(all, remaining), test| (all + 1, remaining + usize::from(test.holm < alpha(results))))
}
