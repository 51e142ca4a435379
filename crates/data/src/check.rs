//! What a set holds, and everything that is wrong or doubtful about it: for `set info` and `set check`.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use stereometer_core::{Language, StereotypeId, Warning};

use crate::catalogue::read;
use crate::note::grouped;
use crate::{DataError, Origin, Packs, Problem, StereotypeSet, Text};

/// How much of a set is in one language.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LanguageInfo {
    /// The language.
    pub language: Language,
    /// Neutral sentences by stereotype; see [`StereotypeId::index`].
    pub neutral: [usize; 16],
    /// Gendered pairs by stereotype.
    pub gendered: [usize; 16],
}

/// How much of everything a set has.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Info {
    /// Language by language, in order.
    pub languages: Vec<LanguageInfo>,
    /// The language that the others were translated from; the totals leave it out.
    pub source_language: Option<Language>,
}

impl Info {
    /// Counts the sentences of a set.
    pub fn of(set: &StereotypeSet) -> Self {
        let mut languages: Vec<LanguageInfo> = Vec::new();
        for sentence in set.sentences() {
            if languages.last().is_none_or(|last| last.language != sentence.language) {
                let language = sentence.language.clone();
                languages.push(LanguageInfo { language, neutral: [0; 16], gendered: [0; 16] });
            }
            let Some(last) = languages.last_mut() else { continue };
            let counts = match sentence.text {
                Text::Neutral(_) => &mut last.neutral,
                Text::Gendered { .. } => &mut last.gendered,
            };
            counts[sentence.stereotype.index()] += 1;
        }
        Self { languages, source_language: set.source_language().cloned() }
    }

    /// Neutral sentences, and the number of languages that have any, the source language apart.
    pub fn neutral(&self) -> (usize, usize) {
        self.total(|language| &language.neutral)
    }

    /// Gendered pairs, and the number of languages that have any.
    pub fn gendered(&self) -> (usize, usize) {
        self.total(|language| &language.gendered)
    }

    fn total(&self, counts: impl Fn(&LanguageInfo) -> &[usize; 16]) -> (usize, usize) {
        let translated =
            self.languages.iter().filter(|info| self.source_language.as_ref() != Some(&info.language));
        let totals = translated.map(|language| counts(language).iter().sum::<usize>());
        totals.fold((0, 0), |(sum, languages), n| (sum + n, languages + usize::from(n > 0)))
    }

    /// The totals in a sentence.
    pub fn summary(&self) -> String {
        let counted = |n: usize, one: &str| format!("{} {one}{}", grouped(n), if n == 1 { "" } else { "s" });
        let ((neutral, neutral_in), (gendered, gendered_in)) = (self.neutral(), self.gendered());
        let source = if self.source_language.is_some() { " (+ the English source)" } else { "" };
        format!(
            "{} in {}{source} and {} in {}",
            counted(neutral, "neutral sentence"),
            counted(neutral_in, "language"),
            counted(gendered, "gendered pair"),
            counted(gendered_in, "language"),
        )
    }
}

/// All that `set check` found.
#[derive(Debug, Clone, PartialEq)]
pub struct Report {
    /// What could be read.
    pub set: StereotypeSet,
    /// How much that is.
    pub info: Info,
    /// What is wrong, in the order of the files. A set with problems does not open.
    pub problems: Vec<Problem>,
    /// Problems beyond those that are listed.
    pub more_problems: usize,
    /// What was repaired while reading, and what is doubtful.
    pub notes: Vec<Warning>,
}

/// Reads a set as [`crate::open`] does, but collects its problems instead of stopping at them. The error is for a set of which
/// nothing can be read.
pub fn check(name_or_path: &str, pulled: Option<&Path>, packs: &Packs) -> Result<Report, DataError> {
    let (set, problems) = read(name_or_path, pulled, packs)?;
    let notes = set.notes().iter().cloned().chain(doubts(&set, packs)).collect();
    Ok(Report { info: Info::of(&set), problems: problems.list, more_problems: problems.more, notes, set })
}

/// What is allowed, and yet is seldom meant.
fn doubts(set: &StereotypeSet, packs: &Packs) -> Vec<Warning> {
    let mut found: BTreeMap<(&Language, &str), (usize, &Origin)> = BTreeMap::new();
    let mut texts: BTreeSet<(&Language, &str)> = BTreeSet::new();
    let mut stereotypes: BTreeMap<&Language, BTreeSet<StereotypeId>> = BTreeMap::new();
    for sentence in set.sentences() {
        let language = &sentence.language;
        let mut doubt = |what| found.entry((language, what)).or_insert((0, &sentence.origin)).0 += 1;
        let text = match &sentence.text {
            Text::Neutral(text) => text,
            Text::Gendered { masculine, feminine } => {
                if masculine == feminine {
                    doubt("pairs whose two sentences are the same, which get no score");
                }
                if packs.get(language).is_some_and(crate::LanguagePack::genderless_first_person) {
                    doubt("gendered pairs, although the first person has no gender in this language");
                }
                masculine
            }
        };
        if !texts.insert((language, text)) {
            doubt("sentences that another row has as well");
        }
        stereotypes.entry(language).or_default().insert(sentence.stereotype);
    }
    let counted = found
        .into_iter()
        .map(|((language, what), (n, first))| format!("{language}: {what}: {} (first: {first})", grouped(n)));
    let missing = stereotypes.into_iter().filter_map(|(language, there)| {
        let missing: Vec<String> =
            StereotypeId::all().filter(|id| !there.contains(id)).map(|id| id.to_string()).collect();
        (!missing.is_empty())
            .then(|| format!("{language}: no sentence for stereotypes {}", missing.join(", ")))
    });
    counted.chain(missing).map(|detail| Warning::Data { detail }).collect()
}
