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

/// What tells whether two language models belong together.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Lineage<'a> {
    /// Family, where it is known.
    pub family: Option<&'a str>,
    /// Tuning, where it is known.
    pub tuning: Option<Tuning>,
    /// Parameters.
    pub parameters: u64,
}

impl Lineage<'_> {
    /// Whether `tuned` is the instruction-tuned model of this one: the same family and, within a tenth of the smaller
    /// (heads and embeddings may differ), the same size.
    pub fn is_base_of(self, tuned: Lineage<'_>) -> bool {
        let (a, b) = (self.parameters, tuned.parameters);
        self.family.is_some()
            && self.family == tuned.family
            && (self.tuning, tuned.tuning) == (Some(Tuning::Base), Some(Tuning::Instruct))
            && a.abs_diff(b) as f64 <= 0.1 * a.min(b) as f64
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_base_model_has_the_family_and_about_the_size_of_its_tuned_one() {
        let of = |family, tuning, parameters| Lineage { family, tuning: Some(tuning), parameters };
        let base = of(Some("Gemma 3"), Tuning::Base, 100);
        assert!(base.is_base_of(of(Some("Gemma 3"), Tuning::Instruct, 110)));
        assert!(!base.is_base_of(of(Some("Gemma 3"), Tuning::Instruct, 111)));
        assert!(!base.is_base_of(of(Some("Gemma 3"), Tuning::Base, 100)));
        assert!(!base.is_base_of(of(Some("Gemma 2"), Tuning::Instruct, 100)));
        assert!(!of(None, Tuning::Base, 100).is_base_of(of(None, Tuning::Instruct, 100)));
    }
}
