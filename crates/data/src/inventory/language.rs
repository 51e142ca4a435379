//! `<tag>.toml`: what groups and traits are called in a language, in which forms, and the sentences they stand in.

use std::collections::{BTreeMap, BTreeSet};

use serde::Deserialize;
use stereometer_core::{Language, Slug};

use super::InventoryLanguage;
use super::choice::{ChoicePrompt, ChoiceText};
use super::fault::{Faults, InventoryFault};
use super::scheme::Scheme;
use super::template::{Cases, Part, Template, parse as parse_template, render};
use crate::language::{nfc, toml_problem};
use crate::script::lacks;
use crate::{Fault, Place, Problem};

/// A paradigm: form by form, the text in each case.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(crate) struct Cells(pub(crate) BTreeMap<Slug, Cell>);

/// The cases of one form.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Cell {
    /// The same in every case.
    Invariable(String),
    /// In the order of the cases; the last ones may be missing.
    Cases(Vec<String>),
}

/// Words that agree with the subject, by their key.
pub(crate) type Words = BTreeMap<String, Cells>;

impl Cells {
    /// The text of a form in a case.
    pub(crate) fn get(&self, form: &Slug, case: usize) -> Option<&str> {
        match self.0.get(form)? {
            Cell::Invariable(text) => Some(text),
            Cell::Cases(texts) => texts.get(case).map(String::as_str),
        }
    }

    /// What a reader calls it: the first form that there is, in its first case.
    pub(crate) fn citation(&self, forms: &[Form]) -> Option<&str> {
        forms.iter().find_map(|form| self.get(&form.key, 0))
    }

    fn texts(&self) -> impl Iterator<Item = (&Slug, &str)> {
        self.0.iter().flat_map(|(form, cell)| {
            let texts: &[String] = match cell {
                Cell::Invariable(text) => std::slice::from_ref(text),
                Cell::Cases(texts) => texts,
            };
            texts.iter().map(move |text| (form, text.as_str()))
        })
    }
}

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
struct RawForm {
    key: Slug,
    prior: toml::Value,
    prior_agrees: Option<Slug>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RawTemplate {
    key: Slug,
    kind: Slug,
    forms: Vec<Slug>,
    text: String,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RawChoice {
    forms: Vec<Slug>,
    text: String,
}

/// Reads a language of an inventory, and lists what is wrong with it.
pub(crate) fn parse(toml: &str, scheme: &Scheme, faults: &mut Faults) -> Option<InventoryLanguage> {
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
    let choice = raw.choice.and_then(|raw| reader.choice(raw, &cases, &words));
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
    language.check_shared("groups", &language.groups, &raw.shared_forms, faults);
    language.check_shared("traits", &language.traits, &raw.shared_forms, faults);
    language.check_templates(scheme, faults);
    Some(language)
}

/// Reads the tables of a language, whose entries a person wrote by hand.
struct Reader<'a> {
    script: &'a str,
    keys: &'a [Slug],
    faults: &'a mut Faults,
}

impl Reader<'_> {
    fn forms(&mut self, raw: Vec<RawForm>, n_cases: usize) -> Vec<Form> {
        if raw.is_empty() {
            self.faults.at("forms", InventoryFault::Nothing { what: "forms" });
        }
        let mut forms: Vec<Form> = Vec::new();
        for form in raw {
            let place = format!("forms.{}", form.key);
            if forms.iter().any(|seen| seen.key == form.key) {
                self.faults.at(&place, InventoryFault::Twice { key: form.key.to_string() });
            }
            let prior_agrees = form.prior_agrees.unwrap_or_else(|| form.key.clone());
            self.known_form(&place, prior_agrees.as_str());
            let prior = self.cell(&format!("{place}.prior"), form.prior, n_cases);
            let prior = Cells(prior.map(|cell| (form.key.clone(), cell)).into_iter().collect());
            forms.push(Form { key: form.key, prior, prior_agrees });
        }
        forms
    }

    fn known_form(&mut self, place: &str, form: &str) -> Option<Slug> {
        let known = self.keys.iter().find(|key| key.as_str() == form);
        if known.is_none() {
            let known = super::scheme::join(&self.keys.iter().collect::<Vec<_>>());
            self.faults.at(place, InventoryFault::Unknown { what: "form", key: form.to_owned(), known });
        }
        known.cloned()
    }

    /// The paradigms of all groups, or of all poles: each there once, under its key.
    fn paradigms(
        &mut self,
        what: &'static str,
        raw: BTreeMap<String, toml::Value>,
        n_cases: usize,
        scheme: &Scheme,
    ) -> BTreeMap<Slug, Cells> {
        let (wanted, aliases, others) = match what {
            "groups" => (
                scheme.groups.iter().map(|group| &group.id).collect::<Vec<_>>(),
                &scheme.aliases.groups,
                None,
            ),
            _ => (
                scheme.pairs.iter().flat_map(|pair| [&pair.left.id, &pair.right.id]).collect(),
                &scheme.aliases.poles,
                Some(&scheme.other_poles),
            ),
        };
        let mut paradigms = BTreeMap::new();
        for (name, value) in raw {
            let place = format!("{what}.{name}");
            let cells = self.cells(&place, value, n_cases);
            if let Some(key) = wanted.iter().find(|key| key.as_str() == name) {
                paradigms.insert((*key).clone(), cells);
            } else if others.is_none_or(|others| !others.iter().any(|key| key.as_str() == name)) {
                let spelling = [name.to_lowercase(), name.to_lowercase().replace('-', " ")];
                let fault = match spelling.iter().find_map(|name| aliases.get(name)) {
                    Some(key) => InventoryFault::Spelling { found: name, key: key.to_string() },
                    None => InventoryFault::Unknown {
                        what: if what == "groups" { "group" } else { "pole" },
                        key: name,
                        known: super::scheme::join(&wanted),
                    },
                };
                self.faults.at(&place, fault);
            }
        }
        for key in wanted.into_iter().filter(|key| !paradigms.contains_key(*key)) {
            self.faults.at(what, InventoryFault::Missing { key: key.to_string() });
        }
        paradigms
    }

    /// A paradigm: a text for every form, or a table of forms.
    fn cells(&mut self, place: &str, value: toml::Value, n_cases: usize) -> Cells {
        let mut cells = Cells::default();
        if let toml::Value::Table(table) = value {
            for (form, value) in table {
                let place = format!("{place}.{form}");
                let Some(form) = self.known_form(&place, &form) else { continue };
                if let Some(cell) = self.cell(&place, value, n_cases) {
                    cells.0.insert(form, cell);
                }
            }
        } else if let Some(cell) = self.cell(place, value, n_cases) {
            cells.0.extend(self.keys.iter().map(|form| (form.clone(), cell.clone())));
        }
        if cells.0.is_empty() {
            self.faults.at(place, InventoryFault::Nothing { what: "text here" });
        }
        cells
    }

    /// One form: a text for every case, or a list in the order of the cases.
    fn cell(&mut self, place: &str, value: toml::Value, n_cases: usize) -> Option<Cell> {
        match value {
            toml::Value::String(text) => Some(Cell::Invariable(self.text(place, text))),
            toml::Value::Array(values) => {
                if values.is_empty() || values.len() > n_cases {
                    let (found, cases) = (values.len(), n_cases);
                    self.faults.at(place, InventoryFault::CaseCount { found, cases });
                }
                let texts: Option<Vec<String>> = values
                    .into_iter()
                    .map(|value| value.as_str().map(|text| self.text(place, text.to_owned())))
                    .collect();
                if texts.is_none() {
                    self.faults.at(place, InventoryFault::NotText);
                }
                texts.map(Cell::Cases)
            }
            _ => {
                self.faults.at(place, InventoryFault::NotText);
                None
            }
        }
    }

    /// A text that a person wrote: composed, without outer white space, in the language's script.
    fn text(&mut self, place: &str, text: String) -> String {
        let composed = nfc(&text);
        if composed != text {
            self.faults.at(place, InventoryFault::NotComposed { text: composed.clone() });
        }
        if composed.trim() != composed || composed.is_empty() || composed.contains(['{', '}']) {
            self.faults.at(place, InventoryFault::Untidy { text: composed.clone() });
        } else if lacks(self.script, &composed) {
            let script = self.script.to_owned();
            self.faults.at(place, InventoryFault::Script { text: composed.clone(), script });
        }
        composed
    }

    fn templates(&mut self, raw: Vec<RawTemplate>, cases: &Cases, words: &Words) -> Vec<Template> {
        if raw.is_empty() {
            self.faults.at("templates", InventoryFault::Nothing { what: "templates" });
        }
        let mut templates: Vec<Template> = Vec::new();
        for raw in raw {
            let place = format!("templates.{}", raw.key);
            if templates.iter().any(|seen| seen.key == raw.key) {
                self.faults.at(&place, InventoryFault::Twice { key: raw.key.to_string() });
            }
            if raw.forms.is_empty() {
                self.faults.at(&place, InventoryFault::Nothing { what: "forms here" });
            }
            let forms: Vec<Slug> =
                raw.forms.iter().filter_map(|form| self.known_form(&place, form.as_str())).collect();
            let Some(parts) = self.sentence(&place, &raw.text, cases, words) else { continue };
            let count = |is: fn(&Part) -> bool| parts.iter().filter(|part| is(part)).count();
            for (name, found) in [
                ("{trait}", count(|part| matches!(part, Part::Trait { .. }))),
                ("{group}", count(|part| matches!(part, Part::Subject { .. }))),
            ] {
                if found != 1 {
                    self.faults.at(&place, InventoryFault::Placeholder { name, found });
                }
            }
            let texts = forms.into_iter().map(|form| (form, parts.clone())).collect();
            templates.push(Template { key: raw.key, kind: raw.kind, texts });
        }
        templates
    }

    /// A text with placeholders.
    fn sentence(&mut self, place: &str, text: &str, cases: &Cases, words: &Words) -> Option<Vec<Part>> {
        let composed = nfc(text);
        if composed != text {
            self.faults.at(place, InventoryFault::NotComposed { text: composed.clone() });
        }
        match parse_template(&composed, cases, words) {
            Ok(parts) => {
                let plain: String = parts
                    .iter()
                    .filter_map(|part| if let Part::Text(text) = part { Some(text.as_str()) } else { None })
                    .collect();
                if plain.chars().any(char::is_alphabetic) && lacks(self.script, &plain) {
                    let script = self.script.to_owned();
                    self.faults.at(place, InventoryFault::Script { text: composed, script });
                }
                Some(parts)
            }
            Err(fault) => {
                self.faults.at(place, fault);
                None
            }
        }
    }

    fn choice(&mut self, raw: RawChoice, cases: &Cases, words: &Words) -> Option<ChoicePrompt> {
        let forms =
            raw.forms.iter().filter_map(|form| self.known_form("choice.forms", form.as_str())).collect();
        match ChoiceText::parse(&nfc(&raw.text), cases, words) {
            Ok(text) => Some(ChoicePrompt { forms, text }),
            Err(fault) => {
                self.faults.at("choice.text", fault);
                None
            }
        }
    }
}

impl InventoryLanguage {
    /// Two keys of one text in one form: a model cannot tell them apart.
    fn check_shared(
        &self,
        what: &str,
        paradigms: &BTreeMap<Slug, Cells>,
        shared: &[BTreeSet<Slug>],
        faults: &mut Faults,
    ) {
        let mut seen: BTreeMap<(&Slug, &str), &Slug> = BTreeMap::new();
        let mut told: BTreeSet<(&Slug, &Slug)> = BTreeSet::new();
        for (key, cells) in paradigms {
            for (form, text) in cells.texts() {
                let first = *seen.entry((form, text)).or_insert(key);
                let is_named = shared.iter().any(|keys| keys.contains(first) && keys.contains(key));
                if first != key && !is_named && told.insert((first, key)) {
                    let [first, second] = [first, key].map(ToString::to_string);
                    faults.at(what, InventoryFault::SharedText { text: text.to_owned(), first, second });
                }
            }
        }
    }

    /// Every form that a template needs has to be there: of the neutral noun, of every trait, and of every group that has the
    /// form at all.
    fn check_templates(&self, scheme: &Scheme, faults: &mut Faults) {
        for template in &self.templates {
            let place = format!("templates.{}", template.key);
            for (form, parts) in &template.texts {
                let lacking = |of: &str| InventoryFault::NoForm { form: form.to_string(), of: of.to_owned() };
                if self.prior_item(template, form).is_none() {
                    faults.at(&place, lacking("the neutral noun"));
                }
                for group in &scheme.groups {
                    let Some(cells) = self.groups.get(&group.id).filter(|cells| cells.0.contains_key(form))
                    else {
                        continue;
                    };
                    if render(parts, form, cells, &self.words).is_none() {
                        faults.at(&place, lacking(group.id.as_str()));
                    }
                }
                let case = parts.iter().find_map(|part| match part {
                    Part::Trait { case } => Some(*case),
                    _ => None,
                });
                for (pole, cells) in &self.traits {
                    if case.is_some_and(|case| cells.get(form, case).is_none()) {
                        faults.at(&place, lacking(pole.as_str()));
                    }
                    self.check_prior_traits(pole, cells, form, case.unwrap_or(0), &place, faults);
                }
            }
        }
    }

    /// A group and its neutral noun are compared in the same trait: its text has to be the same for both.
    fn check_prior_traits(
        &self,
        pole: &Slug,
        cells: &Cells,
        form: &Slug,
        case: usize,
        place: &str,
        faults: &mut Faults,
    ) {
        let agrees = self.forms.iter().find(|known| known.key == *form).map(|known| &known.prior_agrees);
        let texts = (cells.get(form, case), agrees.and_then(|agrees| cells.get(agrees, case)));
        if let (Some(own), Some(prior)) = texts
            && own != prior
        {
            let [pole, own, prior] = [pole.as_str(), own, prior].map(str::to_owned);
            faults.at(place, InventoryFault::PriorTrait { pole, own, prior });
        }
    }
}
