//! A paradigm: what something is called in each form and case of a language.

use std::collections::{BTreeMap, BTreeSet};

use stereometer_core::Slug;

use super::language::Form;

/// Form by form, the text in each case.
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

/// One text of two keys.
pub(crate) struct SharedText {
    pub(crate) text: String,
    pub(crate) first: Slug,
    pub(crate) second: Slug,
}

/// Pairs of keys that share a text in some form: a model cannot tell them apart. Each pair once.
pub(crate) fn shared_texts(paradigms: &BTreeMap<Slug, Cells>) -> Vec<SharedText> {
    let mut seen: BTreeMap<(&Slug, &str), &Slug> = BTreeMap::new();
    let mut told: BTreeSet<(&Slug, &Slug)> = BTreeSet::new();
    let mut shared = Vec::new();
    for (key, cells) in paradigms {
        for (form, text) in cells.texts() {
            let first = *seen.entry((form, text)).or_insert(key);
            if first != key && told.insert((first, key)) {
                shared.push(SharedText { text: text.to_owned(), first: first.clone(), second: key.clone() });
            }
        }
    }
    shared
}
