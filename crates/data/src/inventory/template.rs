//! A template as text: what stands between the braces, and what takes its place.
//!
//! `{group}` is the subject in its first case, `{group:genitive}` in another, `{Group}` with a capital first letter; `{trait}`
//! is the blank, `{trait:instrumental}` a blank that asks for another case of the traits; any other name is a word of the
//! language's table that agrees with the subject's form.

use stereometer_core::{BLANK, Slug};

use super::cells::{Cells, Words};
use super::fault::InventoryFault;

/// A template in all the forms that it is for.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Template {
    pub(crate) key: Slug,
    pub(crate) kind: Slug,
    /// Each form with its text; a language file has one text for all of them.
    pub(crate) texts: Vec<(Slug, Vec<Part>)>,
}

/// A piece of a template.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Part {
    Text(String),
    /// The subject in a case.
    Subject {
        case: usize,
        is_capital: bool,
    },
    /// The blank; the case is the traits'.
    Trait {
        case: usize,
    },
    /// A word that agrees with the subject.
    Word {
        key: String,
        is_capital: bool,
    },
}

/// The names of the cases, first the one that is meant where none is named.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Cases {
    pub(crate) group: Vec<String>,
    pub(crate) trait_: Vec<String>,
}

impl Template {
    /// Its text in a form.
    pub(crate) fn text(&self, form: &Slug) -> Option<&[Part]> {
        self.texts.iter().find(|(key, _)| key == form).map(|(_, parts)| parts.as_slice())
    }
}

/// Splits a text at its braces. What is wrong with it is told one by one; the placeholders are counted by the caller.
pub(crate) fn parse(text: &str, cases: &Cases, words: &Words) -> Result<Vec<Part>, InventoryFault> {
    let mut parts = Vec::new();
    let mut rest = text;
    while let Some(start) = rest.find(['{', '}']) {
        let unbalanced = || InventoryFault::Braces { text: text.to_owned() };
        let (before, from) = rest.split_at(start);
        let end = from.find('}').filter(|end| *end > 0).ok_or_else(unbalanced)?;
        let inside = from.get(1..end).filter(|inside| !inside.contains('{')).ok_or_else(unbalanced)?;
        if !before.is_empty() {
            parts.push(Part::Text(before.to_owned()));
        }
        parts.push(placeholder(inside, cases, words)?);
        rest = from.get(end + 1..).unwrap_or_default();
    }
    if !rest.is_empty() {
        parts.push(Part::Text(rest.to_owned()));
    }
    Ok(parts)
}

fn placeholder(inside: &str, cases: &Cases, words: &Words) -> Result<Part, InventoryFault> {
    let (name, case) = inside.split_once(':').map_or((inside, None), |(name, case)| (name, Some(case)));
    let find =
        |cases: &[String]| match case {
            None => Ok(0),
            Some(case) => cases.iter().position(|known| known == case).ok_or_else(|| {
                InventoryFault::Unknown { what: "case", key: case.to_owned(), known: cases.join(", ") }
            }),
        };
    let lower = first_to(name, |c| c.to_lowercase().collect());
    let is_capital = lower != name;
    match (lower.as_str(), case) {
        ("group", _) => Ok(Part::Subject { case: find(&cases.group)?, is_capital }),
        ("trait", _) if !is_capital => Ok(Part::Trait { case: find(&cases.trait_)? }),
        (word, None) if words.contains_key(word) => Ok(Part::Word { key: lower, is_capital }),
        _ => Err(InventoryFault::Unknown {
            what: "placeholder",
            key: inside.to_owned(),
            known: ["group", "trait"]
                .into_iter()
                .chain(words.keys().map(String::as_str))
                .collect::<Vec<_>>()
                .join(", "),
        }),
    }
}

/// The sentence, and the case of the traits in its blank; `None` where the subject lacks a form that it needs.
pub(crate) fn render(parts: &[Part], form: &Slug, subject: &Cells, words: &Words) -> Option<(String, usize)> {
    let (mut text, mut trait_case) = (String::new(), 0);
    for part in parts {
        match part {
            Part::Text(plain) => text.push_str(plain),
            Part::Trait { case } => {
                trait_case = *case;
                text.push_str(BLANK);
            }
            Part::Subject { case, is_capital } => {
                text.push_str(&with(*is_capital, subject.get(form, *case)?));
            }
            Part::Word { key, is_capital } => {
                text.push_str(&with(*is_capital, words.get(key)?.get(form, 0)?));
            }
        }
    }
    Some((text, trait_case))
}

fn with(is_capital: bool, text: &str) -> String {
    if is_capital { first_to(text, |c| c.to_uppercase().collect()) } else { text.to_owned() }
}

fn first_to(text: &str, change: impl Fn(char) -> String) -> String {
    let mut chars = text.chars();
    chars.next().map(|first| change(first) + chars.as_str()).unwrap_or_default()
}
