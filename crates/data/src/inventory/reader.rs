//! Reads the tables of a language file: forms, paradigms, templates, the prompt.

use std::collections::BTreeMap;

use stereometer_core::Slug;

use super::cells::{Cell, Cells, Words};
use super::choice::{ChoicePrompt, ChoiceText};
use super::fault::{Faults, InventoryFault};
use super::language::{Form, RawChoice, RawForm, RawTemplate};
use super::names;
use super::scheme::{Scheme, join};
use super::template::{Cases, Part, Template, parse as parse_template};
use crate::language::nfc;
use crate::script::lacks;

/// Reads the tables of a language, whose entries a person wrote by hand.
pub(crate) struct Reader<'a> {
    pub(crate) script: &'a str,
    /// The keys of the language's forms.
    pub(crate) keys: &'a [Slug],
    pub(crate) faults: &'a mut Faults,
}

impl Reader<'_> {
    pub(crate) fn forms(&mut self, raw: Vec<RawForm>, n_cases: usize) -> Vec<Form> {
        if raw.is_empty() {
            self.faults.at("forms", InventoryFault::Nothing { what: "forms" });
        }
        let mut forms: Vec<Form> = Vec::new();
        for form in raw {
            let place = format!("forms.{}", form.key);
            if forms.iter().any(|seen| seen.key == form.key) {
                self.faults.at(&place, InventoryFault::Twice { key: form.key.to_string() });
            }
            let named = form.prior_agrees.and_then(|agrees| self.known_form(&place, agrees.as_str()));
            let prior_agrees = named.unwrap_or_else(|| form.key.clone());
            let prior = self.cell(&format!("{place}.prior"), form.prior, n_cases);
            let prior = Cells(prior.map(|cell| (form.key.clone(), cell)).into_iter().collect());
            forms.push(Form { key: form.key, prior, prior_agrees });
        }
        forms
    }

    fn known_form(&mut self, place: &str, form: &str) -> Option<Slug> {
        let known = self.keys.iter().find(|key| key.as_str() == form);
        if known.is_none() {
            let known = join(&self.keys.iter().collect::<Vec<_>>());
            self.faults.at(place, InventoryFault::Unknown { what: "form", key: form.to_owned(), known });
        }
        known.cloned()
    }

    /// The paradigms of all groups, or of all poles: each there once, under its key.
    pub(crate) fn paradigms(
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
                        known: join(&wanted),
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
    pub(crate) fn cells(&mut self, place: &str, value: toml::Value, n_cases: usize) -> Cells {
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
            toml::Value::String(text) => Some(Cell::Invariable(self.text(place, &text))),
            toml::Value::Array(values) => {
                if values.is_empty() || values.len() > n_cases {
                    let (found, cases) = (values.len(), n_cases);
                    self.faults.at(place, InventoryFault::CaseCount { found, cases });
                }
                let texts: Option<Vec<String>> = values
                    .into_iter()
                    .map(|value| value.as_str().map(|text| self.text(place, text)))
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
    fn text(&mut self, place: &str, text: &str) -> String {
        let composed = nfc(text);
        if let Some(fault) = names::untidy(text) {
            self.faults.at(place, fault);
        } else if lacks(self.script, &composed) {
            let script = self.script.to_owned();
            self.faults.at(place, InventoryFault::Script { text: composed.clone(), script });
        }
        composed
    }

    pub(crate) fn templates(&mut self, raw: Vec<RawTemplate>, cases: &Cases, words: &Words) -> Vec<Template> {
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
            let texts: Vec<_> = forms.into_iter().map(|form| (form, parts.clone())).collect();
            let is_same = |seen: &&Template| seen.texts.iter().any(|text| texts.contains(text));
            if let Some(first) = templates.iter().find(is_same).map(|seen| seen.key.to_string()) {
                self.faults.at(&place, InventoryFault::SameTemplate { first });
            }
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
        self.faults.found_at(place, names::invisible(text, &[]));
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

    pub(crate) fn choice(&mut self, raw: &RawChoice, cases: &Cases, words: &Words) -> Option<ChoicePrompt> {
        let forms =
            raw.forms.iter().filter_map(|form| self.known_form("choice.forms", form.as_str())).collect();
        self.faults.found_at("choice.text", names::invisible(&raw.text, &['\n']));
        match ChoiceText::parse(&nfc(&raw.text), cases, words) {
            Ok(text) => Some(ChoicePrompt { forms, text }),
            Err(fault) => {
                self.faults.at("choice.text", fault);
                None
            }
        }
    }
}
