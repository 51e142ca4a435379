//! An association run on disk: `spec.json` and `items.jsonl` of a run that asks how a model associates groups with traits.

use serde::{Deserialize, Serialize};
use stereometer_core::{
    AssociationItem, AssociationMethod, Language, Outcome, Slug, Subject, Unscorable, Warning,
};

use crate::{ModelIdentity, SetFile, sha256_hex};

/// `spec.json` of an association run.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct AssociationSpec {
    /// Version of this layout.
    pub format_version: u32,
    /// Version of the program.
    pub tool_version: String,
    /// When the run began, RFC 3339.
    pub started: String,
    /// The command as it was typed.
    pub command: Vec<String>,
    /// What the rows depend on.
    pub association: AssociationIdentity,
    /// Number of threads (changes no number).
    pub threads: usize,
    /// Tokens a batch (changes no number).
    pub batch_tokens: usize,
    /// Number of items of the whole run.
    pub n_items: usize,
    /// What the readers and the plan remarked.
    pub warnings: Vec<Warning>,
}

/// Everything that the rows depend on. Two runs may be mixed only if these are equal.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct AssociationIdentity {
    /// The language model.
    pub model: ModelIdentity,
    /// The inventory.
    pub inventory: InventoryIdentity,
    /// Languages, in order.
    pub languages: Vec<Language>,
    /// How associations are measured.
    pub method: AssociationMethod,
    /// The subset, in words; absent for the whole inventory.
    pub subset: Option<String>,
    /// SHA-256 over all items in order.
    pub items_sha256: String,
}

/// Which inventory.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct InventoryIdentity {
    /// Its name.
    pub name: String,
    /// Its version.
    pub version: String,
    /// Where it comes from, in a sentence.
    pub origin: String,
    /// Licence.
    pub licence: Option<String>,
    /// The files it was read from.
    pub files: Vec<SetFile>,
}

/// What became of one sentence: every trait in its blank.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct AssociationRecord {
    /// Content key: hash of the run's identity and the whole item.
    pub key: String,
    /// The item's id.
    pub id: String,
    /// Its language.
    pub language: Language,
    /// Its template.
    pub template: Slug,
    /// Kind of the template.
    pub kind: Slug,
    /// Grammatical form of the subject.
    pub form: Slug,
    /// Who it is about.
    pub subject: Subject,
    /// The sentence with its blank.
    pub text: String,
    /// One a pole, in the order of the item.
    pub traits: Vec<TraitRecord>,
}

/// What became of one trait.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct TraitRecord {
    /// The pole.
    pub pole: Slug,
    /// As it stands in the sentence.
    pub text: String,
    /// The answer, or the reason why there is none.
    pub outcome: Outcome<TraitAnswer>,
}

/// What the model answered.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum TraitAnswer {
    /// Log-probabilities in nats.
    LogProbs {
        /// The tokens that were asked for.
        token_ids: Vec<u32>,
        /// One a token.
        logprobs: Vec<f32>,
        /// Which of them are the trait's own: first, and one past the last.
        pieces: (usize, usize),
    },
    /// Steps of the output layer, one a piece of the trait (SeT), each below 1.
    Steps {
        /// The pieces.
        token_ids: Vec<u32>,
        /// ‖ΔA‖_F.
        norms: Vec<f64>,
    },
}

impl TraitAnswer {
    fn fault(&self) -> Option<&'static str> {
        match self {
            Self::LogProbs { token_ids, logprobs, pieces } => {
                if token_ids.len() != logprobs.len() || pieces.0 >= pieces.1 || pieces.1 > logprobs.len() {
                    Some("unequal numbers of ids and log-probabilities")
                } else if logprobs.iter().any(|value| !value.is_finite() || *value > 0.0) {
                    Some("a log-probability above 0")
                } else {
                    None
                }
            }
            Self::Steps { token_ids, norms } => {
                if token_ids.len() != norms.len() || norms.is_empty() {
                    Some("unequal numbers of ids and steps")
                } else if norms.iter().any(|norm| !(0.0..1.0).contains(norm)) {
                    Some("a step outside 0 to 1")
                } else {
                    None
                }
            }
        }
    }
}

impl AssociationRecord {
    /// The record of an item within a run whose identity has this hash; one outcome a trait.
    pub fn new(identity_hash: &str, item: &AssociationItem, outcomes: Vec<Outcome<TraitAnswer>>) -> Self {
        let mut outcomes = outcomes.into_iter();
        let mut next = || outcomes.next().unwrap_or(Outcome::Unscored(Unscorable::NothingScored));
        let traits = item
            .traits
            .iter()
            .map(|(pole, text)| TraitRecord { pole: pole.clone(), text: text.clone(), outcome: next() })
            .collect();
        Self {
            key: Self::key_of(identity_hash, item),
            id: item.id.clone(),
            language: item.language.clone(),
            template: item.template.clone(),
            kind: item.kind.clone(),
            form: item.form.clone(),
            subject: item.subject.clone(),
            text: item.text.clone(),
            traits,
        }
    }

    /// The content key that this item has within that run.
    pub fn key_of(identity_hash: &str, item: &AssociationItem) -> String {
        let traits = item.traits.iter().map(|(pole, text)| (pole.as_str(), text.as_str()));
        key(identity_hash, &item.id, &item.text, item.kind.as_str(), traits)
    }

    /// What is wrong with a row that claims to belong to the run with this identity.
    pub(crate) fn fault(&self, identity_hash: &str) -> Option<String> {
        let traits = self.traits.iter().map(|one| (one.pole.as_str(), one.text.as_str()));
        if self.key != key(identity_hash, &self.id, &self.text, self.kind.as_str(), traits) {
            return Some(format!("the row `{}` belongs to another run, or was edited", self.id));
        }
        if self.id != AssociationItem::id_of(&self.language, &self.template, &self.form, &self.subject) {
            return Some(format!(
                "the row `{}` has another language, template, form or subject than its id: it was edited",
                self.id
            ));
        }
        self.traits.iter().find_map(|one| {
            let Outcome::Scored(answer) = &one.outcome else { return None };
            answer.fault().map(|fault| format!("the row `{}` has {fault} for `{}`", self.id, one.pole))
        })
    }
}

fn key<'a>(
    identity_hash: &str,
    id: &str,
    text: &str,
    kind: &str,
    traits: impl Iterator<Item = (&'a str, &'a str)>,
) -> String {
    let mut content = vec![identity_hash, id, text, kind];
    content.extend(traits.flat_map(|(pole, text)| [pole, text]));
    sha256_hex(content.join("\u{1f}"))[..16].to_owned()
}
