//! The forced choice that a chat model is asked: a story about a group, with one pole of a pair or the other as its theme.

use stereometer_core::{AssociationItem, BLANK, Language, Slug, Subject, Warning};

use super::cells::{Cells, Words};
use super::fault::InventoryFault;
use super::language::Form;
use super::template::{Cases, Part, parse, render};
use super::{Inventory, InventoryLanguage, TraitPair};

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

impl Inventory {
    /// Every prompt about every group and about the neutral noun, each pair of poles in both orders: the answer, one of the two
    /// poles, stands in the blank at the end. The template says which pole is named first.
    pub fn choice_items(&self, languages: &[Language]) -> (Vec<AssociationItem>, Vec<Warning>) {
        let (mut items, mut warnings) = (Vec::new(), Vec::new());
        for language in self.languages.iter().filter(|one| languages.contains(&one.language)) {
            let Some(prompt) = &language.choice else {
                let detail = format!("{}: no prompt for the forced choice", language.language);
                warnings.push(Warning::Data { detail });
                continue;
            };
            let forms: Vec<&Form> = prompt
                .forms
                .iter()
                .filter_map(|key| language.forms.iter().find(|form| form.key == *key))
                .collect();
            for pair in &self.pairs {
                for [first, second] in [[&pair.left.id, &pair.right.id], [&pair.right.id, &pair.left.id]] {
                    let Some(blank) = language.choice_blank(pair, first) else { continue };
                    let priors = forms.iter().map(|form| {
                        let text = language.prompt_in(&form.prior_agrees, &form.prior_cells(), first, second);
                        (Subject::Prior, &form.key, text)
                    });
                    let groups = self.groups.iter().filter_map(|group| {
                        let (form, cells) = language.choice_form(&group.id)?;
                        let text = language.prompt_in(form, cells, first, second);
                        Some((Subject::Group(group.id.clone()), form, text))
                    });
                    items.extend(priors.chain(groups).filter_map(|(subject, form, prompt)| {
                        Some(AssociationItem {
                            id: AssociationItem::id_of(&language.language, &blank.template, form, &subject),
                            form: form.clone(),
                            subject,
                            text: format!("{}{BLANK}", prompt?),
                            ..blank.clone()
                        })
                    }));
                }
            }
        }
        (items, warnings)
    }
}

impl InventoryLanguage {
    /// The prompt that lets a model choose between two poles as the theme of a story about a group: the answer follows the
    /// prompt's last character, and is a pole's [`Self::name_of`]. `None` where the language has no prompt, or no such group or
    /// pole.
    pub fn choice_prompt(&self, group: &Slug, first: &Slug, second: &Slug) -> Option<String> {
        let (form, cells) = self.choice_form(group)?;
        self.prompt_in(form, cells, first, second)
    }

    /// The first of the prompt's forms that a group has.
    fn choice_form(&self, group: &Slug) -> Option<(&Slug, &Cells)> {
        let cells = self.groups.get(group)?;
        let form = self.choice.as_ref()?.forms.iter().find(|form| cells.0.contains_key(*form))?;
        Some((form, cells))
    }

    fn prompt_in(&self, form: &Slug, cells: &Cells, first: &Slug, second: &Slug) -> Option<String> {
        let mut prompt = String::new();
        for piece in &self.choice.as_ref()?.text.pieces {
            match piece {
                Piece::Parts(parts) => prompt.push_str(&render(parts, form, cells, &self.words)?.0),
                Piece::First => prompt.push_str(self.name_of(first)?),
                Piece::Second => prompt.push_str(self.name_of(second)?),
            }
        }
        Some(prompt)
    }

    /// What all items of a pair in one order share; nobody is asked about yet.
    fn choice_blank(&self, pair: &TraitPair, first: &Slug) -> Option<AssociationItem> {
        let template: Slug = format!("choice-{first}-first").parse().ok()?;
        let named = |pole: &Slug| Some((pole.clone(), self.name_of(pole)?.to_owned()));
        Some(AssociationItem {
            id: String::new(),
            language: self.language.clone(),
            template: template.clone(),
            kind: "choice".parse().ok()?,
            form: template,
            subject: Subject::Prior,
            text: String::new(),
            traits: vec![named(&pair.left.id)?, named(&pair.right.id)?],
        })
    }
}
