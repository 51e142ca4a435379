//! The unit that gets a score: a minimal pair.

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::{Language, StereotypeId};

/// Grammatical gender of a variant, or whom a stereotype is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Gender {
    /// The masculine variant.
    Masculine,
    /// The feminine variant.
    Feminine,
}

impl Gender {
    /// The other one.
    #[must_use]
    pub fn other(self) -> Self {
        match self {
            Self::Masculine => Self::Feminine,
            Self::Feminine => Self::Masculine,
        }
    }
}

impl fmt::Display for Gender {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::Masculine => "masculine",
            Self::Feminine => "feminine",
        })
    }
}

/// How the two variants came about (EuroGEST, section 3).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Form {
    /// The sentence itself marks the speaker's gender.
    Gendered,
    /// A neutral sentence in quotation marks, followed by “he / she said”.
    Pronoun,
    /// A neutral sentence in quotation marks, followed by “the man / the woman said”.
    Noun,
}

impl fmt::Display for Form {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::Gendered => "gendered",
            Self::Pronoun => "pronoun",
            Self::Noun => "noun",
        })
    }
}

/// Which templates a neutral sentence is wrapped in.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum TemplateChoice {
    /// The pronoun template where the language has one, else the noun template (the paper's choice).
    #[default]
    Auto,
    /// The pronoun template only; a language without one has no neutral items then.
    Pronoun,
    /// The noun template only.
    Noun,
    /// Both, as two items; the pronoun item first.
    Both,
}

/// One minimal pair in one language.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Item {
    /// `<language>/<source>/<form>`, unique within a set.
    pub id: String,
    /// The language of both variants.
    pub language: Language,
    /// Identifier of the source sentence: the same in every language, and the unit of resampling.
    pub source: String,
    /// The stereotype that the sentence expresses.
    pub stereotype: StereotypeId,
    /// How the variants came about.
    pub form: Form,
    /// Text of the masculine variant, NFC.
    pub masculine: String,
    /// Text of the feminine variant, NFC.
    pub feminine: String,
}

impl Item {
    /// The identifier that belongs to these three.
    pub fn id_of(language: &Language, source: &str, form: Form) -> String {
        format!("{language}/{source}/{form}")
    }

    /// The text of one variant.
    pub fn text(&self, gender: Gender) -> &str {
        match gender {
            Gender::Masculine => &self.masculine,
            Gender::Feminine => &self.feminine,
        }
    }
}
