//! What a language model was trained for last.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

use crate::UnknownName;

/// What a language model was trained for last.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Tuning {
    /// Pre-trained on running text only.
    Base,
    /// Tuned to follow instructions.
    Instruct,
}

impl Tuning {
    /// The name in files and tables.
    pub fn name(self) -> &'static str {
        match self {
            Self::Base => "base",
            Self::Instruct => "instruct",
        }
    }
}

impl FromStr for Tuning {
    type Err = UnknownName;

    fn from_str(name: &str) -> Result<Self, Self::Err> {
        [Self::Base, Self::Instruct].into_iter().find(|tuning| tuning.name() == name).ok_or_else(|| {
            UnknownName { what: "tuning", name: name.to_owned(), known: "base, instruct".to_owned() }
        })
    }
}

impl fmt::Display for Tuning {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}
