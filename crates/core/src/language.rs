//! A language tag, checked once.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};
use thiserror::Error;

/// A BCP 47 language tag in lower case (`de`, `pt`, `zh-hant`).
///
/// Only the shape is checked here: whether a language *pack* exists is a question for the data crate.
/// `nb` and `nn` are kept apart from `no`; the packs decide which of them they serve.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct Language(String);

/// Why a string is not a language tag.
#[derive(Debug, Error, PartialEq, Eq)]
#[error("`{0}` is not a language tag such as `de` or `pt-br`")]
pub struct LanguageError(String);

impl Language {
    /// The tag as it was checked.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl FromStr for Language {
    type Err = LanguageError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let tag = text.to_ascii_lowercase();
        let mut parts = tag.split('-');
        let primary = parts.next().unwrap_or_default();
        let primary_ok = (2..=3).contains(&primary.len()) && primary.bytes().all(|b| b.is_ascii_lowercase());
        let rest_ok = parts
            .all(|part| (1..=8).contains(&part.len()) && part.bytes().all(|b| b.is_ascii_alphanumeric()));
        if primary_ok && rest_ok { Ok(Self(tag)) } else { Err(LanguageError(text.to_owned())) }
    }
}

impl TryFrom<String> for Language {
    type Error = LanguageError;

    fn try_from(text: String) -> Result<Self, Self::Error> {
        text.parse()
    }
}

impl From<Language> for String {
    fn from(language: Language) -> Self {
        language.0
    }
}

impl fmt::Display for Language {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn norwegian_is_a_language_and_not_a_boolean() {
        assert_eq!("no".parse::<Language>().unwrap().as_str(), "no");
        assert_eq!("NB".parse::<Language>().unwrap().as_str(), "nb");
    }

    #[test]
    fn other_strings_are_refused() {
        for bad in ["", "d", "german", "de_DE", "dé", "de-", "de-abcdefghi"] {
            assert!(bad.parse::<Language>().is_err(), "{bad}");
        }
    }
}
