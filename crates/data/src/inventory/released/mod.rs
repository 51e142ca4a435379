//! The study's own inputs as the inventory `abc-released`: `association_inputs.json` and `name_maps.json` of a folder, read
//! where they lie, so that its runs can be repeated.
//!
//! The groups and pairs are those of `abc`; forms, templates and neutral nouns are the study's. Texts are kept to the letter,
//! but for composed Unicode. A feminine group's neutral noun stands in the masculine sentence with masculine traits, as there.

mod lists;

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::fs;
use std::path::Path;
use std::str::FromStr;

use serde_json::Value;
use sha2::{Digest, Sha256};
use stereometer_core::{Slug, UnknownName, Warning};

use self::lists::{KINDS, LISTS, List, PLACEHOLDERS, PRIORS, SHARED, TEMPLATES, TRAITS};
use super::cells::{Cell, Cells, Words};
use super::fault::{Faults, InventoryFault};
use super::language::Form;
use super::template::{Cases, Part, Template};
use super::{Inventory, InventoryLanguage};
use crate::language::{hex, nfc};
use crate::{DataError, Problem, Provenance, SetFile};

pub(super) const INPUTS: &str = "association_inputs.json";
const MAPS: &str = "name_maps.json";
const NAME: &str = "abc-released";

/// Which inputs of the study: it gave its models different sentences.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum StudyInputs {
    /// Those of the monolingual masked models.
    Bert,
    /// Those of mBERT.
    #[default]
    Mbert,
    /// Those of mT5, the encoder–decoder.
    Mt5,
}

impl StudyInputs {
    /// All of them.
    pub const ALL: [Self; 3] = [Self::Bert, Self::Mbert, Self::Mt5];

    /// The name on the command line and in the files.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Bert => "bert",
            Self::Mbert => "mbert",
            Self::Mt5 => "mt5",
        }
    }
}

impl FromStr for StudyInputs {
    type Err = UnknownName;

    fn from_str(name: &str) -> Result<Self, Self::Err> {
        Self::ALL.into_iter().find(|inputs| inputs.name() == name).ok_or_else(|| UnknownName {
            what: "study inputs",
            name: name.to_owned(),
            known: Self::ALL.map(Self::name).join(", "),
        })
    }
}

impl fmt::Display for StudyInputs {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// What a list is of.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    Group,
    Pole,
}

/// Reads the study's folder. `abc` lends groups, pairs, aliases and the names of languages.
pub(super) fn read(
    folder: &Path,
    inputs: StudyInputs,
    abc: Inventory,
) -> Result<(Option<Inventory>, Vec<Problem>), DataError> {
    let mut faults = Faults::of(INPUTS);
    let (mut files, mut values) = (Vec::new(), Vec::new());
    for name in [INPUTS, MAPS] {
        let path = folder.join(name);
        let bytes = fs::read(&path).map_err(|source| DataError::Io { path, source })?;
        let sha256 = hex(&Sha256::digest(&bytes));
        files.push(SetFile { name: name.into(), sha256, sentences: 0 });
        match serde_json::from_slice::<Value>(&bytes) {
            Ok(value) => values.push(value),
            Err(error) => {
                let mut faults = Faults::of(name);
                faults.whole(InventoryFault::Study { detail: error.to_string() });
                return Ok((None, faults.found));
            }
        }
    }
    let [inputs_json, maps] = values.as_slice() else { return Ok((None, faults.found)) };
    let (mut languages, mut notes) = (Vec::new(), Vec::new());
    for like in &abc.languages {
        let key = format!("{inputs}_{}", like.language);
        if let Some(of_language) = inputs_json.get(&key) {
            let mut reader =
                Reader { key, of_language, maps, abc: &abc, like, faults: &mut faults, notes: &mut notes };
            languages.push(reader.language());
        } else {
            notes.push(format!("{key}: not among the study's inputs, so that the language is left out"));
        }
    }
    if languages.is_empty() {
        faults.at(inputs.name(), InventoryFault::Nothing { what: "languages" });
    }
    if let Some(first) = files.first_mut() {
        first.sentences = languages.iter().map(|one| one.templates.len()).sum();
    }
    let origin = format!(
        "inputs of the leakage study for its {inputs} runs (Cao et al. 2025), read from the user's folder"
    );
    let inventory = Inventory {
        name: NAME.to_owned(),
        version: inputs.name().to_owned(),
        provenance: Provenance { origin, licence: Some("MIT".to_owned()), files },
        languages,
        notes: notes.into_iter().map(|detail| Warning::Data { detail }).collect(),
        ..abc
    };
    Ok((Some(inventory), faults.found))
}

/// Reads the inputs of one language.
struct Reader<'a> {
    /// `mbert_ru`: for messages.
    key: String,
    of_language: &'a Value,
    maps: &'a Value,
    abc: &'a Inventory,
    like: &'a InventoryLanguage,
    faults: &'a mut Faults,
    notes: &'a mut Vec<String>,
}

/// Form, then case, then text.
type Sparse = BTreeMap<Slug, BTreeMap<Slug, BTreeMap<usize, String>>>;

impl Reader<'_> {
    fn language(&mut self) -> InventoryLanguage {
        let tag = self.like.language.as_str();
        let (mut groups, mut traits) = (Sparse::new(), Sparse::new());
        for list in LISTS.iter().filter(|list| list.tag == tag) {
            let into = if list.kind == Kind::Group { &mut groups } else { &mut traits };
            self.list(list, into);
        }
        let forms = self.forms();
        let templates = self.templates();
        let [groups, traits] = [groups, traits].map(dense);
        for (what, wanted, there) in [
            ("groups", self.abc.groups.iter().map(|group| &group.id).collect::<Vec<_>>(), &groups),
            ("traits", self.abc.poles().map(|pole| &pole.id).collect(), &traits),
        ] {
            for key in wanted.into_iter().filter(|key| !there.contains_key(*key)) {
                let place = format!("{}.{what}", self.key);
                self.faults.at(&place, InventoryFault::Missing { key: key.to_string() });
            }
        }
        let names = vec!["plain".to_owned(), "capital".to_owned()];
        InventoryLanguage {
            cases: Cases { group: names.clone(), trait_: names },
            forms,
            words: Words::new(),
            groups,
            traits,
            templates,
            choice: None, // the study's prompts are not among its inputs
            checked_by: "the authors of the study".to_owned(),
            ..self.like.clone()
        }
    }

    fn text(&mut self, place: &str, value: Option<&Value>) -> Option<String> {
        let text = value.and_then(Value::as_str);
        if text.is_none() {
            self.faults.at(&format!("{}.{place}", self.key), InventoryFault::NotText);
        }
        let text = text?;
        let composed = nfc(text);
        if composed != text {
            self.notes.push(format!("{}.{place}: `{composed}` was not in composed form (NFC)", self.key));
        }
        Some(composed)
    }

    fn strings(&mut self, key: &str) -> Vec<String> {
        let list = key.split('.').try_fold(self.of_language, |value, step| value.get(step));
        let Some(values) = list.and_then(Value::as_array) else {
            let detail = "a list is missing".to_owned();
            self.faults.at(&format!("{}.{key}", self.key), InventoryFault::Study { detail });
            return Vec::new();
        };
        values.iter().filter_map(|value| self.text(key, Some(value))).collect()
    }

    /// Resolves the surface forms of a list by its map.
    fn list(&mut self, list: &List, into: &mut Sparse) {
        let place = format!("{}.{}", self.key, list.key);
        let mut seen: BTreeMap<String, usize> = BTreeMap::new();
        for surface in self.strings(list.key) {
            let nth = seen.entry(surface.clone()).and_modify(|n| *n += 1).or_insert(0);
            let shared = SHARED.iter().find(|(tag, text, _)| *tag == list.tag && nfc(text) == surface);
            if shared.is_none() && *nth > 0 {
                self.faults.at(&place, InventoryFault::Twice { key: surface });
                continue;
            }
            let name = match shared {
                Some((.., keys)) => keys.get(*nth).copied(),
                None => self.maps.get(list.map).and_then(|map| map.get(&surface)).and_then(Value::as_str),
            };
            let key = name.and_then(|name| match list.kind {
                Kind::Group => self.abc.group_named(name).map(|group| group.id.clone()),
                Kind::Pole => self.abc.pole_named(name).map(|pole| pole.id.clone()),
            });
            let Some(key) = key else {
                self.faults.at(&place, InventoryFault::Unmapped { text: surface, map: list.map });
                continue;
            };
            if let Some((.., keys)) = shared.filter(|_| *nth == 0) {
                let keys = keys.join(" and for ");
                self.notes.push(format!("{place}: `{surface}` stands for {keys}: the two have one score"));
            }
            for form in list.forms.iter().filter_map(|form| form.parse::<Slug>().ok()) {
                let cases = into.entry(key.clone()).or_default().entry(form).or_default();
                if let Some(first) = cases.insert(list.case, surface.clone()) {
                    let fault =
                        InventoryFault::TwoTexts { key: key.to_string(), first, second: surface.clone() };
                    self.faults.at(&place, fault);
                }
            }
        }
    }

    fn forms(&mut self) -> Vec<Form> {
        let of_language = self.of_language;
        let mut forms = Vec::new();
        for prior in PRIORS.iter().filter(|prior| prior.tag == self.like.language.as_str()) {
            let texts: Vec<String> =
                prior.keys.iter().filter_map(|key| self.text(key, of_language.get(*key))).collect();
            let cell = match <[String; 1]>::try_from(texts) {
                Ok([text]) => Cell::Invariable(text),
                Err(texts) => Cell::Cases(texts),
            };
            let (Ok(key), Ok(prior_agrees)) = (prior.form.parse::<Slug>(), prior.agrees.parse()) else {
                continue;
            };
            let noun = Cells([(key.clone(), cell)].into_iter().collect());
            forms.push(Form { key, prior: noun, prior_agrees });
        }
        forms
    }

    fn templates(&mut self) -> Vec<Template> {
        let mut templates = Vec::new();
        let tag = self.like.language.as_str();
        for (_, tables) in TEMPLATES.iter().filter(|(of, _)| *of == tag) {
            let kinds: BTreeSet<String> = tables
                .iter()
                .filter_map(|table| self.of_language.get(table)?.as_object())
                .flat_map(|table| table.keys().cloned())
                .collect();
            for kind in kinds {
                self.kind(tables, &kind, &mut templates);
            }
        }
        templates
    }

    /// The templates of one kind, each numbered as in the study's file names.
    fn kind(&mut self, tables: &[&str], name: &str, into: &mut Vec<Template>) {
        let place = format!("{}.{}.{name}", self.key, tables.join("|"));
        let kind =
            KINDS.iter().find(|(study, _)| *study == name).and_then(|(_, kind)| kind.parse::<Slug>().ok());
        let Some(kind) = kind else {
            let known = KINDS.iter().map(|(study, _)| *study).collect::<Vec<_>>().join(", ");
            self.faults.at(
                &place,
                InventoryFault::Unknown { what: "kind of template", key: name.to_owned(), known },
            );
            return;
        };
        let columns: Vec<Vec<String>> =
            tables.iter().map(|table| self.strings(&format!("{table}.{name}"))).collect();
        let n = columns.iter().map(Vec::len).max().unwrap_or(0);
        if columns.iter().any(|column| column.len() != n) {
            let detail = "the lists for the two genders are not equally long".to_owned();
            self.faults.at(&place, InventoryFault::Study { detail });
        }
        let mut first_of: BTreeMap<Vec<&String>, usize> = BTreeMap::new();
        for index in 0..n {
            let row: Vec<&String> = columns.iter().filter_map(|column| column.get(index)).collect();
            let mut texts = Vec::new();
            for text in &row {
                match self.parse(text) {
                    Ok(forms) => texts.extend(forms),
                    Err(fault) => self.faults.at(&place, fault),
                }
            }
            if let Ok(key) = format!("{}-{index}", name.to_lowercase().replace('_', "-")).parse() {
                into.push(Template { key, kind: kind.clone(), texts });
            }
            let first = *first_of.entry(row).or_insert(index);
            if first != index {
                self.notes.push(format!(
                    "{place}: template {index} repeats template {first}; both are kept, as in the study"
                ));
            }
        }
    }

    /// A template of the study in each of the forms that its placeholder asks for.
    fn parse(&self, text: &str) -> Result<Vec<(Slug, Vec<Part>)>, InventoryFault> {
        let tag = self.like.language.as_str();
        let subjects =
            PLACEHOLDERS.iter().filter(|one| one.tag == tag && text.contains(one.text)).collect::<Vec<_>>();
        let traits = TRAITS.iter().filter(|(name, _)| text.contains(name)).collect::<Vec<_>>();
        let once = |name: &'static str, found: usize| InventoryFault::Placeholder { name, found };
        let [subject] = subjects.as_slice() else {
            return Err(once("the group's placeholder", subjects.len()));
        };
        let [(trait_name, trait_case)] = traits.as_slice() else {
            return Err(once("the trait's placeholder", traits.len()));
        };
        for name in [subject.text, trait_name] {
            let found = text.matches(name).count();
            if found != 1 {
                return Err(once(name, found));
            }
        }
        let subject_part = Part::Subject { case: subject.case, is_capital: false };
        let mut parts = Vec::new();
        for (index, piece) in text.split(subject.text).enumerate() {
            if index > 0 {
                parts.push(subject_part.clone());
            }
            for (index, piece) in piece.split(trait_name).enumerate() {
                if index > 0 {
                    parts.push(Part::Trait { case: *trait_case });
                }
                if !piece.is_empty() {
                    parts.push(Part::Text(piece.to_owned()));
                }
            }
        }
        Ok(subject.forms.iter().filter_map(|form| Some((form.parse().ok()?, parts.clone()))).collect())
    }
}

fn dense(sparse: Sparse) -> BTreeMap<Slug, Cells> {
    let cell = |cases: BTreeMap<usize, String>| match <[String; 1]>::try_from(
        cases.into_values().collect::<Vec<_>>(),
    ) {
        Ok([text]) => Cell::Invariable(text),
        Err(texts) => Cell::Cases(texts),
    };
    sparse
        .into_iter()
        .map(|(key, forms)| {
            (key, Cells(forms.into_iter().map(|(form, cases)| (form, cell(cases))).collect()))
        })
        .collect()
}
