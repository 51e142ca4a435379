//! The ways in which a minimal pair is scored; what a language model can be asked decides among them.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

use crate::UnknownName;

/// How the two variants of a minimal pair are scored. Formulas and papers are in the registry of methods (`score`).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Method {
    /// Each token after those before it: causal models.
    #[default]
    Likelihood,
    /// Each token with itself hidden: masked models.
    PllOriginal,
    /// Each token with itself and the later pieces of its word hidden.
    PllWithinWord,
    /// The tokens that differ between the variants, hidden together.
    MaskedDifference,
}

impl Method {
    /// Every method, in the order of help texts and tables.
    pub const ALL: [Self; 4] =
        [Self::Likelihood, Self::PllOriginal, Self::PllWithinWord, Self::MaskedDifference];

    /// The name on the command line and in files.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Likelihood => "likelihood",
            Self::PllOriginal => "pll-original",
            Self::PllWithinWord => "pll-within-word",
            Self::MaskedDifference => "masked-difference",
        }
    }
}

impl FromStr for Method {
    type Err = UnknownName;

    /// `pll` alone is the original one, as in the literature.
    fn from_str(name: &str) -> Result<Self, Self::Err> {
        let full = if name == "pll" { Self::PllOriginal.name() } else { name };
        Self::ALL.into_iter().find(|method| method.name() == full).ok_or_else(|| UnknownName {
            what: "method",
            name: name.to_owned(),
            known: Self::ALL.map(Self::name).join(", "),
        })
    }
}

impl fmt::Display for Method {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_method_parses_back_from_its_name_and_from_json() {
        for method in Method::ALL {
            assert_eq!(method.name().parse::<Method>().unwrap(), method);
            assert_eq!(serde_json::to_value(method).unwrap(), method.name());
        }
        assert_eq!("pll".parse(), Ok(Method::PllOriginal));
        let error = "perplexity".parse::<Method>().unwrap_err().to_string();
        assert!(error.starts_with("unknown method `perplexity`; known: likelihood, pll-original"), "{error}");
    }
}
