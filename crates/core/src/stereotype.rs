//! Stereotypes and the direction each one points in.

use std::fmt;

use serde::{Deserialize, Serialize};
use thiserror::Error;

use crate::Gender;

/// Number of a stereotype within its set, from 1.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(try_from = "u16", into = "u16")]
pub struct StereotypeId(u16);

/// Why a number is not a stereotype of GEST.
#[derive(Debug, Error, PartialEq, Eq)]
#[error("stereotype {0} does not exist: the GEST stereotypes are numbered 1 to 16")]
pub struct StereotypeError(pub String);

/// One stereotype: who it is about, and its name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Stereotype {
    /// Number, 1 to 16.
    pub id: u16,
    /// Short English name, as in “women are …” or “men are …”.
    pub name: &'static str,
    /// Whom the stereotype is about.
    pub about: Gender,
}

/// The 16 stereotypes of GEST (Pikuliak et al. 2024): 1–7 about women, 8–16 about men.
pub const GEST: [Stereotype; 16] = [
    stereotype(1, "emotional", Gender::Feminine),
    stereotype(2, "gentle", Gender::Feminine),
    stereotype(3, "empathetic", Gender::Feminine),
    stereotype(4, "neat", Gender::Feminine),
    stereotype(5, "social", Gender::Feminine),
    stereotype(6, "weak", Gender::Feminine),
    stereotype(7, "beautiful", Gender::Feminine),
    stereotype(8, "tough", Gender::Masculine),
    stereotype(9, "self-confident", Gender::Masculine),
    stereotype(10, "professional", Gender::Masculine),
    stereotype(11, "rational", Gender::Masculine),
    stereotype(12, "providers", Gender::Masculine),
    stereotype(13, "leaders", Gender::Masculine),
    stereotype(14, "childish", Gender::Masculine),
    stereotype(15, "sexual", Gender::Masculine),
    stereotype(16, "strong", Gender::Masculine),
];

const fn stereotype(id: u16, name: &'static str, about: Gender) -> Stereotype {
    Stereotype { id, name, about }
}

impl StereotypeId {
    /// All sixteen, in order.
    pub fn all() -> impl ExactSizeIterator<Item = Self> {
        GEST.iter().map(|stereotype| Self(stereotype.id))
    }

    /// The number, 1 to 16.
    pub fn get(self) -> u16 {
        self.0
    }

    /// Place in arrays over all stereotypes, 0 to 15.
    pub fn index(self) -> usize {
        usize::from(self.0) - 1
    }

    /// The stereotype as a sentence: “women are emotional”.
    pub fn phrase(self) -> String {
        let info = self.info();
        let who = match info.about {
            Gender::Feminine => "women",
            Gender::Masculine => "men",
        };
        format!("{who} are {}", info.name)
    }

    /// Name and direction.
    pub fn info(self) -> &'static Stereotype {
        &GEST[self.index()]
    }
}

impl TryFrom<u16> for StereotypeId {
    type Error = StereotypeError;

    fn try_from(number: u16) -> Result<Self, Self::Error> {
        if (1..=16).contains(&number) { Ok(Self(number)) } else { Err(StereotypeError(number.to_string())) }
    }
}

impl From<StereotypeId> for u16 {
    fn from(id: StereotypeId) -> Self {
        id.0
    }
}

impl fmt::Display for StereotypeId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(&self.0, f)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn seven_are_about_women_and_nine_about_men() {
        let feminine: Vec<u16> = StereotypeId::all()
            .filter(|id| id.info().about == Gender::Feminine)
            .map(StereotypeId::get)
            .collect();
        assert_eq!(feminine, [1, 2, 3, 4, 5, 6, 7]);
        assert_eq!(StereotypeId::all().len(), 16);
    }

    #[test]
    fn seventeen_is_refused() {
        assert_eq!(
            StereotypeId::try_from(17).unwrap_err().to_string(),
            "stereotype 17 does not exist: the GEST stereotypes are numbered 1 to 16"
        );
        assert!(StereotypeId::try_from(0).is_err());
    }
}
