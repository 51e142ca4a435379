//! One line of `items.jsonl`.

use serde::{Deserialize, Serialize};
use stereometer_core::{Form, Item, Language, Outcome, StereotypeId};

use crate::sha256_hex;

/// What became of one item.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ItemRecord {
    /// Content key: hash of the run's identity, the item's id and both texts.
    pub key: String,
    /// The item's id.
    pub id: String,
    /// Its language.
    pub language: Language,
    /// Its source sentence.
    pub source: String,
    /// Its stereotype.
    pub stereotype: StereotypeId,
    /// How its variants came about.
    pub form: Form,
    /// Both texts, masculine first.
    pub texts: [String; 2],
    /// Answers, or the reason why there are none.
    pub outcome: Outcome<ScoredVariants>,
}

/// The answers for both variants.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ScoredVariants {
    /// The masculine variant.
    pub masculine: ScoredText,
    /// The feminine variant.
    pub feminine: ScoredText,
}

/// Token ids, the pieces they stand for, and their log-probabilities in nats; `null` where unscored.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ScoredText {
    /// Ids with special tokens.
    pub token_ids: Vec<u32>,
    /// Pieces as the vocabulary spells them.
    pub tokens: Vec<String>,
    /// One entry a token.
    pub logprobs: Vec<Option<f32>>,
}

impl ScoredVariants {
    /// Ids and log-probabilities of both, masculine first.
    pub fn parts(&self) -> [(&[u32], &[Option<f32>]); 2] {
        [&self.masculine, &self.feminine].map(|text| (text.token_ids.as_slice(), text.logprobs.as_slice()))
    }
}

impl ItemRecord {
    /// The record of an item within a run whose identity has this hash.
    pub fn new(identity_hash: &str, item: &Item, outcome: Outcome<ScoredVariants>) -> Self {
        Self {
            key: Self::key_of(identity_hash, item),
            id: item.id.clone(),
            language: item.language.clone(),
            source: item.source.clone(),
            stereotype: item.stereotype,
            form: item.form,
            texts: [item.masculine.clone(), item.feminine.clone()],
            outcome,
        }
    }

    /// The content key that this item has within that run.
    pub fn key_of(identity_hash: &str, item: &Item) -> String {
        key(identity_hash, &item.id, item.stereotype, [&item.masculine, &item.feminine])
    }

    /// What is wrong with a row that claims to belong to the run with this identity.
    pub(crate) fn fault(&self, identity_hash: &str) -> Option<String> {
        let [masculine, feminine] = &self.texts;
        if self.key != key(identity_hash, &self.id, self.stereotype, [masculine, feminine]) {
            return Some(format!("the row `{}` belongs to another run, or was edited", self.id));
        }
        if self.id != Item::id_of(&self.language, &self.source, self.form) {
            return Some(format!(
                "the row `{}` has another language, source or form than its id: it was edited",
                self.id
            ));
        }
        let Outcome::Scored(variants) = &self.outcome else { return None };
        let logprobs = [&variants.masculine, &variants.feminine].map(|text| text.logprobs.iter().flatten());
        if logprobs.into_iter().flatten().any(|&value| value > 0.0) {
            return Some(format!("the row `{}` has a log-probability above 0", self.id));
        }
        let whole = |text: &ScoredText| {
            let n = text.token_ids.len();
            let finite = text.logprobs.iter().flatten().all(|value| value.is_finite());
            n == text.tokens.len() && n == text.logprobs.len() && finite
        };
        (!whole(&variants.masculine) || !whole(&variants.feminine)).then(|| {
            format!("the row `{}` has unequal numbers of ids, tokens and log-probabilities", self.id)
        })
    }
}

fn key(identity_hash: &str, id: &str, stereotype: StereotypeId, texts: [&str; 2]) -> String {
    let content = [identity_hash, id, &stereotype.to_string(), texts[0], texts[1]].join("\u{1f}");
    sha256_hex(content)[..16].to_owned()
}
