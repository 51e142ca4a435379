//! `<tag>.toml`: what groups and traits are called in a language, in which forms, and the sentences they stand in.

use std::collections::{BTreeMap, BTreeSet};

use serde::Deserialize;
use stereometer_core::{Language, Slug, Warning};

use super::InventoryLanguage;
use super::cells::{Cells, SharedText, Words, shared_texts};
use super::fault::{Faults, InventoryFault};
use super::names::invisible;
use super::reader::Reader;
use super::scheme::Scheme;
use super::template::Cases;
use crate::fault::excerpt;
use crate::language::{nfc, toml_problem};
use crate::script::is_known;
use crate::{Fault, Place, Problem};

/// A form that a subject can have: number, gender, or both.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Form {
    pub(crate) key: Slug,
    /// The neutral noun, with the text of this form only.
    pub(crate) prior: Cells,
    /// The form whose words and traits go with the neutral noun: this one, unless the noun has another gender.
    pub(crate) prior_agrees: Slug,
}

impl Form {
    /// The neutral noun under the form that it agrees with.
    pub(crate) fn prior_cells(&self) -> Cells {
        Cells(
            self.prior
                .0
                .get(&self.key)
                .map(|cell| (self.prior_agrees.clone(), cell.clone()))
                .into_iter()
                .collect(),
        )
    }
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Raw {
    tag: Language,
    name: String,
    endonym: String,
    script: String,
    checked_by: String,
    #[serde(default)]
    cases: RawCases,
    forms: Vec<RawForm>,
    #[serde(default)]
    words: BTreeMap<String, toml::Value>,
    groups: BTreeMap<String, toml::Value>,
    traits: BTreeMap<String, toml::Value>,
    #[serde(default)]
    shared_forms: Vec<BTreeSet<Slug>>,
    templates: Vec<RawTemplate>,
    choice: Option<RawChoice>,
}

#[derive(Deserialize, Default)]
#[serde(deny_unknown_fields)]
struct RawCases {
    #[serde(default)]
    group: Vec<String>,
    #[serde(default, rename = "trait")]
    trait_: Vec<String>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct RawForm {
    pub(crate) key: Slug,
    pub(crate) prior: toml::Value,
    pub(crate) prior_agrees: Option<Slug>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct RawTemplate {
    pub(crate) key: Slug,
    pub(crate) kind: Slug,
    pub(crate) forms: Vec<Slug>,
    pub(crate) text: String,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct RawChoice {
    pub(crate) forms: Vec<Slug>,
    pub(crate) text: String,
}

/// Reads a language of an inventory, and lists what is wrong with it.
pub(crate) fn parse(
    toml: &str,
    scheme: &Scheme,
    faults: &mut Faults,
    notes: &mut Vec<Warning>,
) -> Option<InventoryLanguage> {
    let raw: Raw = toml::from_str(toml)
        .map_err(|error| faults.found.push(toml_problem(faults.file(), toml, &error)))
        .ok()?;
    let stem = faults.file().rsplit(['/', '\\']).next().and_then(|name| name.strip_suffix(".toml"));
    if stem != Some(raw.tag.as_str()) {
        let place = Place::file(faults.file()).column("tag");
        faults.found.push(Problem { place, fault: Fault::PackName { tag: raw.tag.clone() } });
    }
    let or_one = |cases: Vec<String>| if cases.is_empty() { vec!["only".to_owned()] } else { cases };
    let cases = Cases { group: or_one(raw.cases.group), trait_: or_one(raw.cases.trait_) };
    let keys: Vec<Slug> = raw.forms.iter().map(|form| form.key.clone()).collect();
    if !is_known(&raw.script) {
        let detail = format!(
            "{}, key `script`: `{}` is no script whose letters the program knows, so that they are not checked",
            faults.file(),
            excerpt(&raw.script)
        );
        notes.push(Warning::Data { detail });
    }
    for (key, text) in [("name", &raw.name), ("endonym", &raw.endonym), ("checked_by", &raw.checked_by)] {
        faults.found_at(key, invisible(text, &['\n']));
    }
    let mut reader = Reader { script: &raw.script, keys: &keys, faults };
    let forms = reader.forms(raw.forms, cases.group.len());
    let words: Words = raw
        .words
        .into_iter()
        .map(|(key, value)| (key.clone(), reader.cells(&format!("words.{key}"), value, 1)))
        .collect();
    let groups = reader.paradigms("groups", raw.groups, cases.group.len(), scheme);
    let traits = reader.paradigms("traits", raw.traits, cases.trait_.len(), scheme);
    let templates = reader.templates(raw.templates, &cases, &words);
    let choice = raw.choice.and_then(|raw| reader.choice(&raw, &cases, &words));
    let names = groups
        .iter()
        .chain(&traits)
        .filter_map(|(key, cells)| Some((key.clone(), cells.citation(&forms)?.to_owned())))
        .collect();
    let language = InventoryLanguage {
        language: raw.tag,
        name: nfc(&raw.name),
        endonym: nfc(&raw.endonym),
        checked_by: nfc(&raw.checked_by),
        names,
        cases,
        forms,
        words,
        groups,
        poles: scheme.pairs.iter().flat_map(|pair| [&pair.left.id, &pair.right.id]).cloned().collect(),
        traits,
        templates,
        choice,
    };
    for (what, paradigms) in [("groups", &language.groups), ("traits", &language.traits)] {
        for SharedText { text, first, second } in shared_texts(paradigms) {
            if raw.shared_forms.iter().any(|keys| keys.contains(&first) && keys.contains(&second)) {
                let tag = &language.language;
                let detail =
                    format!("{tag}: `{text}` stands for {first} and for {second}: the two have one score");
                notes.push(Warning::Data { detail });
            } else {
                let [first, second] = [first, second].map(String::from);
                faults.at(what, InventoryFault::SharedText { text, first, second });
            }
        }
    }
    language.check_priors(faults);
    language.check_templates(scheme, faults);
    Some(language)
}
