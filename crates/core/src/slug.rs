//! A name that files and tables share, checked once.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};
use thiserror::Error;

/// The key of a group, a pole or a template: lower-case ASCII letters, digits and hyphens, such as `single-mother`.
///
/// What a reader sees is the name that an inventory gives for it in each language.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct Slug(String);

/// Why a string is not a key.
#[derive(Debug, Error, PartialEq, Eq)]
#[error("`{0}` is not a key: lower-case letters, digits and hyphens, such as `single-mother`")]
pub struct SlugError(String);

impl Slug {
    /// The key as text.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl FromStr for Slug {
    type Err = SlugError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let is_plain = |b: u8| b.is_ascii_lowercase() || b.is_ascii_digit() || b == b'-';
        let is_whole = !text.is_empty() && !text.starts_with('-') && !text.ends_with('-');
        if is_whole && text.len() <= 64 && text.bytes().all(is_plain) {
            Ok(Self(text.to_owned()))
        } else {
            Err(SlugError(text.to_owned()))
        }
    }
}

impl TryFrom<String> for Slug {
    type Error = SlugError;

    fn try_from(text: String) -> Result<Self, Self::Error> {
        text.parse()
    }
}

impl From<Slug> for String {
    fn from(slug: Slug) -> Self {
        slug.0
    }
}

impl fmt::Display for Slug {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_key_is_plain() {
        assert_eq!("single-mother".parse::<Slug>().unwrap().as_str(), "single-mother");
        for bad in ["", "-a", "a-", "Single", "single mother", "né", "a/b", &"a".repeat(65)] {
            assert!(bad.parse::<Slug>().is_err(), "{bad}");
        }
    }
}
