//! The door of this folder: names become keys of the inventory, numbers are checked, and nothing enters twice.

use std::collections::{BTreeMap, HashMap};
use std::path::Path;
use std::sync::Arc;

use stereometer_core::{HumanCell, Language, Slug, Warning, near};

use super::fault::{SurveyFault, SurveyProblem, elsewhere};
use super::{Humans, HumansFormat, Rating, ReadFile, SCALE};
use crate::door::Listener;
use crate::fault::excerpt;
use crate::language::nfc;
use crate::note::{Note, grouped};
use crate::read::InputFile;
use crate::{DataError, Fault, Inventory, Place};

/// Problems beyond this number are counted, not kept.
const MAX_PROBLEMS: usize = 1_000;

/// Collects ratings, scores, problems and notes from any number of files.
pub(super) struct Intake<'a> {
    inventory: &'a Inventory,
    humans: Humans,
    problems: Vec<SurveyProblem>,
    more: usize,
    notes: BTreeMap<(usize, String), (usize, Place)>,
    annotators: HashMap<(Language, String), Place>,
    ratings: HashMap<(Language, Arc<str>, Slug, usize), Place>,
    /// Blocks of which one repeated rating was named already: the others would say the same.
    repeated: Vec<(Language, Arc<str>, Slug)>,
    scores: HashMap<(Language, Slug, Slug), Place>,
}

impl Listener for Intake<'_> {
    fn problem(&mut self, place: Place, fault: Fault) {
        self.refuse(place, fault);
    }

    fn note(&mut self, note: Note, place: &Place) {
        let words = match note {
            Note::BlankRecord => "blank rows skipped".to_owned(),
            note => note.words(1),
        };
        self.remark(words, place);
    }
}

impl<'a> Intake<'a> {
    pub fn new(inventory: &'a Inventory) -> Self {
        Self {
            inventory,
            humans: Humans::default(),
            problems: Vec::new(),
            more: 0,
            notes: BTreeMap::new(),
            annotators: HashMap::new(),
            ratings: HashMap::new(),
            repeated: Vec::new(),
            scores: HashMap::new(),
        }
    }

    pub fn inventory(&self) -> &'a Inventory {
        self.inventory
    }

    /// Begins a file: what is noted from here on belongs to it.
    pub fn begin(&mut self, file: &InputFile, format: HumansFormat) {
        self.humans.files.push(ReadFile { name: file.base_name().to_owned(), format });
    }

    pub fn refuse(&mut self, place: Place, fault: impl Into<SurveyFault>) {
        if self.problems.len() < MAX_PROBLEMS {
            self.problems.push(SurveyProblem { place, fault: fault.into() });
        } else {
            self.more += 1;
        }
    }

    pub fn unreadable(&mut self, path: &Path, error: &DataError) {
        let file: Arc<str> = Arc::from(path.to_string_lossy());
        let detail = match error {
            DataError::Io { source, .. } => format!("cannot read: {source}"),
            DataError::Data { first, .. } => first.fault.to_string(),
            other => other.to_string(),
        };
        self.refuse(Place::file(&file), SurveyFault::Unreadable { detail });
    }

    /// Something that was repaired or passed over; counted by its words.
    pub fn remark(&mut self, words: String, place: &Place) {
        let entry = self.notes.entry((self.humans.files.len(), words)).or_insert_with(|| (0, place.clone()));
        entry.0 += 1;
    }

    /// How many problems there are so far: whether a file added any.
    pub fn n_problems(&self) -> usize {
        self.problems.len() + self.more
    }

    /// The language of the inventory that a file's name states, by tag or name, as one of its words.
    pub fn language_in_name(&self, base_name: &str) -> Option<Language> {
        let words: Vec<String> =
            base_name.split(|c: char| !c.is_alphanumeric()).map(str::to_lowercase).collect();
        let stated = self.inventory.languages.iter().filter(|one| {
            words.iter().any(|word| {
                *word == one.language.as_str()
                    || *word == one.name.to_lowercase()
                    || *word == one.endonym.to_lowercase()
            })
        });
        let stated: Vec<&Language> = stated.map(|one| &one.language).collect();
        if let [one] = stated.as_slice() { Some((*one).clone()) } else { None }
    }

    /// The language that a cell states, by tag or by its name in the inventory.
    pub fn language(&mut self, name: &str, place: &Place) -> Option<Language> {
        let name = name.trim();
        let by_name = self.inventory.languages.iter().find(|one| one.name.eq_ignore_ascii_case(name));
        let found = by_name.map(|one| one.language.clone()).or_else(|| name.parse().ok());
        if found.is_none() {
            let fault = if name.is_empty() {
                Fault::EmptyCell.into()
            } else {
                SurveyFault::BadLanguage { name: excerpt(name) }
            };
            self.refuse(place.clone(), fault);
        }
        found
    }

    /// The group that a name means; an unknown one is a problem.
    pub fn group(&mut self, name: &str, place: &Place) -> Option<Slug> {
        let name = nfc(name.trim());
        let Some(group) = self.inventory.group_named(&name) else {
            let name = excerpt(&name);
            let near = near(&name, self.inventory.groups().iter().map(|group| group.name.as_str()));
            self.refuse(place.clone(), SurveyFault::UnknownGroup { name, near });
            return None;
        };
        let is_own = group.id.as_str() == name || group.name == name;
        self.rename(&name, &group.id, is_own);
        Some(group.id.clone())
    }

    /// The pole that a name means: the place of its pair, and whether it is the right one.
    pub fn pole(&mut self, name: &str, place: &Place) -> Option<(usize, bool)> {
        let name = nfc(name.trim());
        let Some(pole) = self.inventory.pole_named(&name) else {
            let name = excerpt(&name);
            let near = near(&name, self.inventory.poles().map(|pole| pole.name.as_str()));
            self.refuse(place.clone(), SurveyFault::UnknownTrait { name, near });
            return None;
        };
        let is_own = pole.id.as_str() == name || pole.name == name;
        self.rename(&name, &pole.id, is_own);
        let pair = self
            .inventory
            .pairs()
            .iter()
            .position(|pair| pair.left.id == pole.id || pair.right.id == pole.id)?;
        Some((pair, self.inventory.pairs()[pair].right.id == pole.id))
    }

    /// Whether two names mean one pole.
    pub fn is_same_pole(&self, first: &str, second: &str) -> bool {
        let [first, second] = [first, second].map(|name| self.inventory.pole_named(&nfc(name)));
        first.map(|pole| &pole.id) == second.map(|pole| &pole.id)
    }

    fn rename(&mut self, name: &str, id: &Slug, is_own: bool) {
        let entry = (name.to_owned(), id.clone());
        if !is_own && !self.humans.renamed.contains(&entry) {
            self.humans.renamed.push(entry);
        }
    }

    /// The pair that two poles make, and the sign that turns a rating towards `right` into one towards the inventory's.
    pub fn pair(&mut self, left: &str, right: &str, place: &Place) -> Option<(usize, f64)> {
        let (first, second) = (self.pole(left, place), self.pole(right, place));
        let ((pair, left_is_right), (other, _)) = (first?, second?);
        let poles = &self.inventory.pairs()[pair];
        let [left, right] = [left, right].map(|name| excerpt(name.trim()));
        if pair != other || left == right {
            let other = if left_is_right { &poles.left } else { &poles.right };
            let fault = SurveyFault::OtherPair { left, right, other: other.name.clone() };
            self.refuse(place.clone(), fault);
            return None;
        }
        if left_is_right {
            self.remark(
                format!("`{left} - {right}` is turned round: the inventory has {right} on the left"),
                place,
            );
        }
        Some((pair, if left_is_right { -1.0 } else { 1.0 }))
    }

    /// A finite number within a range.
    pub fn number(&mut self, value: f64, low: f64, range: &'static str, place: &Place) -> Option<f64> {
        if !value.is_finite() {
            self.refuse(place.clone(), SurveyFault::NotANumber { text: value.to_string() });
            return None;
        }
        if !(low..=SCALE).contains(&value) {
            let value = value.to_string().replace('-', "−");
            self.refuse(place.clone(), SurveyFault::OutOfRange { value, range });
            return None;
        }
        Some(value)
    }

    /// The same, from text.
    pub fn parsed(&mut self, text: &str, low: f64, range: &'static str, place: &Place) -> Option<f64> {
        let text = text.trim();
        let Ok(value) = text.replace('−', "-").parse::<f64>() else {
            self.refuse(place.clone(), SurveyFault::NotANumber { text: excerpt(text) });
            return None;
        };
        self.number(value, low, range, place)
    }

    /// Takes in a person; one who was there before, in this or another file, is a problem.
    pub fn annotator(&mut self, language: &Language, name: &str, place: &Place) -> bool {
        let key = (language.clone(), name.to_owned());
        if let Some(first) = self.annotators.get(&key) {
            let fault = SurveyFault::AnnotatorTwice {
                annotator: excerpt(name),
                language: language.clone(),
                first: elsewhere(first, place),
            };
            self.refuse(place.clone(), fault);
            return false;
        }
        self.annotators.insert(key, place.clone());
        true
    }

    /// Takes in a rating; a repeated one is a problem, named once a block.
    pub fn rating(&mut self, rating: Rating, place: &Place) {
        let key = (rating.language.clone(), Arc::clone(&rating.annotator), rating.group.clone(), rating.pair);
        if let Some(first) = self.ratings.get(&key).cloned() {
            let block = (key.0, key.1, key.2);
            if !self.repeated.contains(&block) {
                let pair = &self.inventory.pairs()[rating.pair];
                let fault = SurveyFault::RatingTwice {
                    annotator: excerpt(&block.1),
                    group: block.2.to_string(),
                    pair: format!("{} - {}", pair.left.name, pair.right.name),
                    first: elsewhere(&first, place),
                };
                self.refuse(place.clone(), fault);
                self.repeated.push(block);
            }
            return;
        }
        self.ratings.insert(key, place.clone());
        self.speak(&rating.language);
        self.humans.ratings.push(rating);
    }

    /// Takes in a score.
    pub fn score(&mut self, cell: HumanCell, place: &Place) {
        let key = (cell.language.clone(), cell.group.clone(), cell.pole.clone());
        if let Some(first) = self.scores.get(&key) {
            let fault = SurveyFault::ScoreTwice {
                pole: cell.pole.to_string(),
                group: cell.group.to_string(),
                language: cell.language.clone(),
                first: elsewhere(first, place),
            };
            return self.refuse(place.clone(), fault);
        }
        self.scores.insert(key, place.clone());
        self.speak(&cell.language);
        self.humans.cells.push(cell);
    }

    fn speak(&mut self, language: &Language) {
        if !self.humans.languages.contains(language) {
            self.humans.languages.push(language.clone());
        }
    }

    /// Closes the door.
    pub fn finish(mut self) -> (Humans, Vec<SurveyProblem>, usize) {
        let both = self
            .humans
            .cells
            .iter()
            .find(|cell| self.humans.ratings.iter().any(|rating| rating.language == cell.language));
        if let Some(language) = both.map(|cell| cell.language.clone()) {
            let key = self.scores.keys().find(|key| key.0 == language).cloned();
            if let Some(place) = key.and_then(|key| self.scores.get(&key).cloned()) {
                self.refuse(Place::file(&place.file), SurveyFault::BothKinds { language });
            }
        }
        let notes = self.notes.iter().map(|((_, words), (n, place))| {
            let times = if *n == 1 { String::new() } else { format!(" ({} times)", grouped(*n)) };
            let name = place.file.rsplit(['/', '\\']).next().unwrap_or_default();
            let within = place.within();
            let first = if within.is_empty() { String::new() } else { format!(", {within}") };
            Warning::Survey { detail: format!("{name}{first}: {words}{times}") }
        });
        self.humans.notes = notes.collect();
        (self.humans, self.problems, self.more)
    }
}
