//! The forced choice that a chat model is asked: a story about a group, with one pole of a pair or the other as its theme.

use stereometer_core::Slug;

use super::InventoryLanguage;
use super::fault::InventoryFault;
use super::language::Words;
use super::template::{Cases, Part, parse, render};

/// The prompt of a language, before it is about anyone.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct ChoicePrompt {
    /// Which form of a group it takes: the first that the group has.
    pub(crate) forms: Vec<Slug>,
    pub(crate) text: ChoiceText,
}

/// The prompt's text around `{first}` and `{second}`.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct ChoiceText {
    pieces: Vec<Piece>,
}

#[derive(Debug, Clone, PartialEq)]
enum Piece {
    Parts(Vec<Part>),
    First,
    Second,
}

const FIRST: &str = "{first}";
const SECOND: &str = "{second}";

impl ChoiceText {
    /// Splits the text at its placeholders; `{group}` once or more, `{first}` and `{second}` in this order and equally often.
    pub(crate) fn parse(text: &str, cases: &Cases, words: &Words) -> Result<Self, InventoryFault> {
        let mut pieces = Vec::new();
        let mut rest = text;
        while let Some((at, piece, len)) = next(rest) {
            let (before, after) = rest.split_at(at);
            pieces.push(Piece::Parts(parse(before, cases, words)?));
            pieces.push(piece);
            rest = after.get(len..).unwrap_or_default();
        }
        pieces.push(Piece::Parts(parse(rest, cases, words)?));
        let count = |is: fn(&Piece) -> bool| pieces.iter().filter(|piece| is(piece)).count();
        let subjects = pieces.iter().filter(|piece| {
            matches!(piece, Piece::Parts(parts) if parts.iter().any(|part| matches!(part, Part::Subject { .. })))
        });
        for (name, found) in [
            ("{group}", subjects.count()),
            (FIRST, count(|piece| *piece == Piece::First)),
            (SECOND, count(|piece| *piece == Piece::Second)),
        ] {
            if found != 1 {
                return Err(InventoryFault::Placeholder { name, found });
            }
        }
        Ok(Self { pieces })
    }
}

fn next(text: &str) -> Option<(usize, Piece, usize)> {
    let first = text.find(FIRST).map(|at| (at, Piece::First, FIRST.len()));
    let second = text.find(SECOND).map(|at| (at, Piece::Second, SECOND.len()));
    first.into_iter().chain(second).min_by_key(|(at, ..)| *at)
}

impl InventoryLanguage {
    /// The prompt that lets a model choose between two poles as the theme of a story about a group: the answer follows the
    /// prompt's last character, and is a pole's [`Self::name_of`]. `None` where the language has no prompt, or no such group or
    /// pole.
    pub fn choice_prompt(&self, group: &Slug, first: &Slug, second: &Slug) -> Option<String> {
        let ChoicePrompt { forms, text } = self.choice.as_ref()?;
        let cells = self.groups.get(group)?;
        let form = forms.iter().find(|form| cells.0.contains_key(*form))?;
        let mut prompt = String::new();
        for piece in &text.pieces {
            match piece {
                Piece::Parts(parts) => prompt.push_str(&render(parts, form, cells, &self.words)?.0),
                Piece::First => prompt.push_str(self.name_of(first)?),
                Piece::Second => prompt.push_str(self.name_of(second)?),
            }
        }
        Some(prompt)
    }
}
