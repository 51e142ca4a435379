//! A stereotype set after the door: every sentence checked, in a stable order, each with the place it came from.

use std::fmt;
use std::sync::Arc;

use sha2::{Digest, Sha256};
use stereometer_core::{Language, StereotypeId, Warning};

use crate::language::hex;

/// Where a set comes from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Provenance {
    /// Who made it and where it was found, in a sentence.
    pub origin: String,
    /// Its licence, where that is known.
    pub licence: Option<String>,
    /// The files that were read, in the order of reading.
    pub files: Vec<SetFile>,
}

/// A file that was read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SetFile {
    /// Its name within the set.
    pub name: Arc<str>,
    /// SHA-256 of its bytes, in hexadecimal.
    pub sha256: String,
    /// How many sentences of the set come from it.
    pub sentences: usize,
}

/// The row that a sentence comes from.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Origin {
    /// The file's name within the set.
    pub file: Arc<str>,
    /// The record, counted from 1 below the header.
    pub record: u64,
}

impl fmt::Display for Origin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}, record {}", self.file, self.record)
    }
}

/// The text of a sentence. NFC, without outer white space.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Text {
    /// The same for every speaker.
    Neutral(String),
    /// The sentence itself shows the speaker's gender.
    Gendered {
        /// What a man says.
        masculine: String,
        /// What a woman says.
        feminine: String,
    },
}

/// One sentence in one language.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Sentence {
    /// Its language.
    pub language: Language,
    /// Identifier of the source sentence: the same in every language.
    pub source: String,
    /// The stereotype that it expresses.
    pub stereotype: StereotypeId,
    /// Its text.
    pub text: Text,
    /// Where it came from.
    pub origin: Origin,
}

/// Sentences that express stereotypes, in one or many languages; by language, then in the order of the source.
#[derive(Debug, Clone, PartialEq)]
pub struct StereotypeSet {
    pub(crate) name: String,
    pub(crate) version: Option<String>,
    pub(crate) provenance: Provenance,
    pub(crate) source_language: Option<Language>,
    pub(crate) sentences: Vec<Sentence>,
    pub(crate) notes: Vec<Warning>,
}

impl StereotypeSet {
    /// The set's name, as in `set list`, or the name of its file or directory.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The version that the set states.
    pub fn version(&self) -> Option<&str> {
        self.version.as_deref()
    }

    /// Where the set comes from.
    pub fn provenance(&self) -> &Provenance {
        &self.provenance
    }

    /// The language that the others were translated from, where its sentences are part of the set.
    pub fn source_language(&self) -> Option<&Language> {
        self.source_language.as_ref()
    }

    /// Every sentence; by language, then in the order of the source.
    pub fn sentences(&self) -> &[Sentence] {
        &self.sentences
    }

    /// What was repaired or left out while reading.
    pub fn notes(&self) -> &[Warning] {
        &self.notes
    }

    /// The languages, in order.
    pub fn languages(&self) -> Vec<Language> {
        let mut languages: Vec<Language> =
            self.sentences.iter().map(|sentence| sentence.language.clone()).collect();
        languages.dedup();
        languages
    }

    /// SHA-256 over everything that makes the items: equal for equal sentences, whatever file or format they came in.
    pub fn content_sha256(&self) -> String {
        let mut hash = Sha256::new();
        for sentence in &self.sentences {
            let stereotype = sentence.stereotype.to_string();
            let texts = match &sentence.text {
                Text::Neutral(text) => [text.as_str(), "", ""],
                Text::Gendered { masculine, feminine } => ["", masculine, feminine],
            };
            for part in [sentence.language.as_str(), &sentence.source, &stereotype].into_iter().chain(texts) {
                hash.update((part.len() as u64).to_le_bytes());
                hash.update(part);
            }
        }
        hex(&hash.finalize())
    }
}
