//! May these runs be compared at all?
//!
//! Refused: fewer than two runs, another method, another set, other texts under one id, other special tokens with the
//! same weights, a chat template in one run only or in another role. Doubted, with advice: another dtype or backend,
//! another subset or template, no start token in one of two tokenizers, runs that are not finished.

use std::collections::HashMap;

use stereometer_record::{Doubt, Identity, ItemRecord};
use thiserror::Error;

use super::RunInput;

/// Why runs cannot be compared.
#[derive(Debug, Error, PartialEq, Eq)]
pub enum CompareError {
    /// One run alone.
    #[error("a comparison needs at least two runs")]
    OneRun,
    /// A run without any row.
    #[error("{0} has no item yet")]
    Empty(String),
    /// The rows do not measure the same thing.
    #[error("{first} and {second} cannot be compared: {what}")]
    Differ {
        /// The reference.
        first: String,
        /// The run that differs.
        second: String,
        /// In what.
        what: String,
        /// What makes them comparable.
        hint: &'static str,
    },
}

impl CompareError {
    /// What the user can do about it.
    pub fn hint(&self) -> &'static str {
        match self {
            Self::OneRun => "name the folders of two runs or more; `report` shows one",
            Self::Empty(_) => "`audit --resume` with its folder as --out goes on with it",
            Self::Differ { hint, .. } => hint,
        }
    }
}

/// Doubts about runs that may be compared.
pub(super) fn check(runs: &[RunInput]) -> Result<Vec<Doubt>, CompareError> {
    let [first, rest @ ..] = runs else { return Err(CompareError::OneRun) };
    if rest.is_empty() {
        return Err(CompareError::OneRun);
    }
    if let Some(empty) = runs.iter().find(|run| run.items.is_empty()) {
        return Err(CompareError::Empty(empty.label.clone()));
    }
    let mut doubts = Vec::new();
    for run in runs {
        doubts.extend(unfinished(run));
    }
    for second in rest {
        if let Some((what, hint)) = obstacle(first, second) {
            let (first, second) = (first.label.clone(), second.label.clone());
            return Err(CompareError::Differ { first, second, what, hint });
        }
        doubts.extend(differences(first, second));
    }
    Ok(doubts)
}

fn obstacle(first: &RunInput, second: &RunInput) -> Option<(String, &'static str)> {
    let (a, b) = (&first.spec.identity, &second.spec.identity);
    if a.method != b.method {
        let what = format!("they are scored by {} and by {}", a.method, b.method);
        return Some((
            what,
            "audit one of the models again with the other's --method; numbers of two methods have no common scale",
        ));
    }
    if a.set.name != b.set.name {
        let what = format!("they use the sets {} and {}", a.set.name, b.set.name);
        return Some((what, "audit one of the models again with the other's --set"));
    }
    let (chat_a, chat_b) = (chat(a), chat(b));
    if chat_a != chat_b {
        let what = format!("texts stand in {chat_a} in one and in {chat_b} in the other");
        return Some((
            what,
            "audit one of the models again with the same --chat-template, or both without it",
        ));
    }
    if a.model.weights_sha256 == b.model.weights_sha256 && a.model.prefix_ids != b.model.prefix_ids {
        let what = format!(
            "they have the same weights, but other ids before every text ({:?} and {:?})",
            a.model.prefix_ids, b.model.prefix_ids
        );
        return Some((what, "audit one of them again with the tokenizer files of the other"));
    }
    let id = other_text(&first.items, &second.items)?;
    let what = format!("the item `{id}` has other texts in them");
    Some((what, "audit both with the same version of the set and the same language packs"))
}

fn chat(identity: &Identity) -> String {
    identity.model.chat.as_ref().map_or_else(
        || "no chat template".to_owned(),
        |chat| format!("the chat template as the {}'s turn", chat.role),
    )
}

/// An item that both have with different texts or stereotypes.
fn other_text<'a>(first: &'a [ItemRecord], second: &[ItemRecord]) -> Option<&'a str> {
    let there: HashMap<&str, &ItemRecord> =
        second.iter().map(|record| (record.id.as_str(), record)).collect();
    let differs = |record: &&ItemRecord| {
        there
            .get(record.id.as_str())
            .is_some_and(|other| other.texts != record.texts || other.stereotype != record.stereotype)
    };
    first.iter().find(differs).map(|record| record.id.as_str())
}

fn unfinished(run: &RunInput) -> Option<Doubt> {
    let missing = run.spec.n_items.saturating_sub(run.items.len());
    (missing > 0).then(|| Doubt {
        what: format!(
            "{} is not finished: {missing} of its {} items are missing",
            run.label, run.spec.n_items
        ),
        advice: "finish it with `audit --resume`; differences use the shared items only".to_owned(),
    })
}

fn differences(first: &RunInput, second: &RunInput) -> Vec<Doubt> {
    let (a, b) = (&first.spec.identity, &second.spec.identity);
    let mut doubts = Vec::new();
    let mut doubt = |differs: bool, what: String, advice: &str| {
        if differs {
            let what = format!("{} and {}: {what}", first.label, second.label);
            doubts.push(Doubt { what, advice: advice.to_owned() });
        }
    };
    let dtype =
        |identity: &Identity| format!("{} in {}", identity.model.backend, identity.model.compute_dtype);
    doubt(
        dtype(a) != dtype(b),
        format!("computed by {} and by {}", dtype(a), dtype(b)),
        "the dtype alone can make a difference: run one of them again in the other's `--dtype`",
    );
    doubt(
        a.model.prefix_ids.is_empty() != b.model.prefix_ids.is_empty(),
        "only one of the tokenizers puts a start token before a text, so the first token is scored in one and not in the other"
            .to_owned(),
        "look whether the difference holds under the rule divergence, which leaves the beginning out",
    );
    doubt(
        a.items_sha256 != b.items_sha256,
        "they do not have the same items (languages, templates or subset differ)".to_owned(),
        "differences use the shared items only; audit both with the same options for the rest",
    );
    doubts
}
