//! What was run: everything needed to say which model, texts and choices the rows belong to, and to run it again.

use serde::{Deserialize, Serialize};
use stereometer_core::{Average, Language, Method, Rule, Seed, TemplateChoice};

use crate::sha256_hex;

/// Version of the run format that this program writes. Version 1 had no choice of a method: everything was `likelihood`.
pub const FORMAT_VERSION: u32 = 2;

/// `spec.json`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct RunSpec {
    /// Version of this layout.
    pub format_version: u32,
    /// Version of the program.
    pub tool_version: String,
    /// When the run began, RFC 3339.
    pub started: String,
    /// The command as it was typed.
    pub command: Vec<String>,
    /// What the rows depend on.
    pub identity: Identity,
    /// Number of threads (changes no number).
    pub threads: usize,
    /// Tree tokens a batch (changes no number).
    pub batch_tokens: usize,
    /// Rule asked for (analysis only: every rule can be had from the rows).
    pub rule: Rule,
    /// Average asked for (analysis only).
    pub average: Average,
    /// Seed of the resampling.
    pub seed: Seed,
    /// Resamples asked for.
    pub resamples: usize,
    /// Threshold below which a stereotype is marked.
    pub min_items: usize,
    /// Number of items of the whole run.
    pub n_items: usize,
    /// What the readers and the plan remarked.
    pub warnings: Vec<stereometer_core::Warning>,
}

/// Everything that the rows of `items.jsonl` depend on. Two runs may be mixed only if these are equal.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Identity {
    /// The language model.
    pub model: ModelIdentity,
    /// The stereotype set.
    pub set: SetIdentity,
    /// Languages, in order.
    pub languages: Vec<Language>,
    /// Templates for neutral sentences.
    pub template: TemplateChoice,
    /// The subset, in words; absent for the whole set.
    pub subset: Option<String>,
    /// SHA-256 over all items (ids, texts, stereotypes) in order: sets, language packs and subset in one.
    pub items_sha256: String,
    /// How pairs are scored. The last key: see [`Identity::hash`].
    #[serde(default)]
    pub method: Method,
}

/// Which language model, computed how.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ModelIdentity {
    /// Name or path as given.
    pub name: String,
    /// Architecture.
    pub architecture: String,
    /// Parameters, tied ones once.
    pub parameters: u64,
    /// SHA-256 of the weights.
    pub weights_sha256: String,
    /// Fingerprint of the tokenizer with its special-token rule.
    pub tokenizer_sha256: String,
    /// Ids put before every text.
    pub prefix_ids: Vec<u32>,
    /// The chat template that every text stands in; absent for plain text.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub chat: Option<ChatIdentity>,
    /// Type of the stored weights.
    pub stored_dtype: String,
    /// Type of the products.
    pub compute_dtype: String,
    /// Longest text in tokens.
    pub context_length: usize,
    /// Which program computed: `engine`, or an outside server.
    pub backend: String,
    /// Where the checkpoint came from, in words.
    pub origin: String,
    /// Licence, where the catalogue knows it.
    pub licence: Option<String>,
}

/// Which chat template, and what it puts around every text.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ChatIdentity {
    /// Who says the text: `assistant` (the model, after an empty turn of the user) or `user`.
    pub role: String,
    /// SHA-256 of the template.
    pub template_sha256: String,
    /// What stands before the text.
    pub before: String,
    /// What stands after it; not scored.
    pub after: String,
}

impl ChatIdentity {
    /// In words, with the beginning of the hash.
    pub fn summary(&self) -> String {
        let hash = self.template_sha256.get(..12).unwrap_or(&self.template_sha256);
        format!("texts as the {}'s turn (template {hash}…)", self.role)
    }
}

/// Which set.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct SetIdentity {
    /// Name.
    pub name: String,
    /// Version, if the set states one.
    pub version: Option<String>,
    /// Where it comes from, in a sentence.
    pub origin: String,
    /// Licence.
    pub licence: Option<String>,
    /// The files it was read from.
    pub files: Vec<SetFile>,
}

/// One file of a set.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct SetFile {
    /// Name within the set.
    pub name: String,
    /// SHA-256 of its bytes.
    pub sha256: String,
}

impl Identity {
    /// SHA-256 of everything, part of every row's key.
    pub fn hash(&self) -> String {
        let json = serde_json::to_string(self).unwrap_or_default();
        // Left out where it is the only one there used to be, so that runs of version 1 keep the keys of their rows.
        let old = json.strip_suffix(",\"method\":\"likelihood\"}").map(|rest| format!("{rest}}}"));
        sha256_hex(old.unwrap_or(json))
    }

    /// How `other` differs from this one, each difference in words; empty when rows may be mixed.
    pub fn differences(&self, other: &Self) -> Vec<String> {
        let mut found = self.model.differences(&other.model);
        let mut compare =
            |what: &str, there: String, here: String| found.extend(differs(what, &there, &here));
        compare("the method", self.method.to_string(), other.method.to_string());
        compare("the set", self.set.name.clone(), other.set.name.clone());
        compare("the template", format!("{:?}", self.template), format!("{:?}", other.template));
        compare(LANGUAGES, join(&self.languages), join(&other.languages));
        compare("the subset", subset(self.subset.as_ref(), "set"), subset(other.subset.as_ref(), "set"));
        compare("the items' hash", short(&self.items_sha256), short(&other.items_sha256));
        found
    }
}

impl ModelIdentity {
    /// How `other` differs from this one, each difference in words.
    pub fn differences(&self, other: &Self) -> Vec<String> {
        let mut found = Vec::new();
        let mut compare =
            |what: &str, there: String, here: String| found.extend(differs(what, &there, &here));
        compare("the model's architecture", self.architecture.clone(), other.architecture.clone());
        compare("the weights' hash", short(&self.weights_sha256), short(&other.weights_sha256));
        compare("the tokenizer's hash", short(&self.tokenizer_sha256), short(&other.tokenizer_sha256));
        compare(
            "the BOS rule (prefix ids)",
            format!("{:?}", self.prefix_ids),
            format!("{:?}", other.prefix_ids),
        );
        let chat = |chat: &Option<ChatIdentity>| {
            chat.as_ref().map_or_else(|| "none (plain text)".to_owned(), ChatIdentity::summary)
        };
        compare("the chat template", chat(&self.chat), chat(&other.chat));
        let around = |chat: &Option<ChatIdentity>| {
            chat.as_ref().map(|chat| format!("{:?} … {:?}", chat.before, chat.after))
        };
        if let (Some(there), Some(here)) = (around(&self.chat), around(&other.chat)) {
            compare("what the chat template prints", there, here);
        }
        compare("the compute dtype", self.compute_dtype.clone(), other.compute_dtype.clone());
        compare("the backend", self.backend.clone(), other.backend.clone());
        found
    }
}

/// What [`join`] makes a list of.
pub(crate) const LANGUAGES: &str = "the languages";

/// A difference in words, if there is one.
pub(crate) fn differs(what: &str, there: &str, here: &str) -> Option<String> {
    let verb = if what == LANGUAGES { "were" } else { "was" };
    (there != here).then(|| format!("{what} {verb} {there}, now {here}"))
}

/// The beginning of a hash.
pub(crate) fn short(hash: &str) -> String {
    hash.get(..12).unwrap_or(hash).to_owned()
}

pub(crate) fn subset(subset: Option<&String>, whole: &str) -> String {
    subset.cloned().unwrap_or_else(|| format!("the whole {whole}"))
}

pub(crate) fn join(languages: &[Language]) -> String {
    languages.iter().map(Language::as_str).collect::<Vec<_>>().join(",")
}

#[cfg(test)]
mod tests {
    use super::*;

    /// As version 1 wrote it.
    const OLD: &str = r#"{"model":{"name":"m","architecture":"llama","parameters":1,"weights_sha256":"a","tokenizer_sha256":"b","prefix_ids":[],"stored_dtype":"f32","compute_dtype":"f32","context_length":9,"backend":"engine","origin":"","licence":null},"set":{"name":"mini","version":null,"origin":"","licence":null,"files":[]},"languages":["en"],"template":"auto","subset":null,"items_sha256":"c"}"#;

    #[test]
    fn runs_of_version_1_keep_the_keys_of_their_rows() {
        let mut identity: Identity = serde_json::from_str(OLD).unwrap();
        assert_eq!(identity.method, Method::Likelihood);
        assert_eq!(identity.hash(), sha256_hex(OLD));
        let old = identity.clone();
        identity.method = Method::PllOriginal;
        assert_ne!(identity.hash(), old.hash());
        assert_eq!(old.differences(&identity), ["the method was likelihood, now pll-original"]);
    }
}
