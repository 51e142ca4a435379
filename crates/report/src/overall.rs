//! What holds over the languages: the order they are shown in, and each stereotype's mean inclination.

use std::cmp::Ordering;

use stereometer_core::{Gender, StereotypeId, Verdict};
use stereometer_record::{LanguageResult, Results, StereotypeResult};

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

/// “women are emotional”.
pub fn phrase(id: StereotypeId) -> String {
    let info = id.info();
    let who = match info.about {
        Gender::Feminine => "women",
        Gender::Masculine => "men",
    };
    format!("{who} are {}", info.name)
}

/// One stereotype over the languages.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Overall {
    /// Which.
    pub id: StereotypeId,
    /// Mean inclination over the languages that have one.
    pub mean: f64,
    /// Number of these languages.
    pub n: usize,
    /// Languages whose whole interval lies above 0.
    pub towards: usize,
    /// Languages whose whole interval lies below 0.
    pub against: usize,
}

impl Overall {
    /// Whether more intervals lie above 0 than below, and the mean as well.
    pub fn stands_out(&self) -> bool {
        self.mean > 0.0 && self.towards > self.against
    }
}

/// The stereotypes of one side with an inclination in at least one language, strongest first.
pub fn strongest(results: &Results, about: Gender) -> Vec<Overall> {
    let mut all: Vec<Overall> = StereotypeId::all()
        .filter(|id| id.info().about == about)
        .filter_map(|id| overall(results, id))
        .collect();
    all.sort_by(|a, b| b.mean.total_cmp(&a.mean));
    all
}

fn overall(results: &Results, id: StereotypeId) -> Option<Overall> {
    let inclinations: Vec<_> = results
        .languages
        .iter()
        .filter_map(|language| stereotype(language, id)?.inclination.as_ref())
        .collect();
    let n = inclinations.len();
    if n == 0 {
        return None;
    }
    let verdicts = |wanted| inclinations.iter().filter(|one| Verdict::of(one, 0.0) == wanted).count();
    Some(Overall {
        id,
        mean: inclinations.iter().map(|one| one.value).sum::<f64>() / n as f64,
        n,
        towards: verdicts(Verdict::Above),
        against: verdicts(Verdict::Below),
    })
}
