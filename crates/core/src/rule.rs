//! The named choices of the analysis: how a text's log-probabilities become one number, and how rates are averaged.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};
use thiserror::Error;

/// A name that no row of a table has.
#[derive(Debug, Error, PartialEq, Eq)]
#[error("unknown {what} `{name}`; known: {known}")]
pub struct UnknownName {
    /// What was looked for, such as “rule”.
    pub what: &'static str,
    /// What was given.
    pub name: String,
    /// What exists, comma-separated.
    pub known: String,
}

/// How the token log-probabilities of a text become one number, in nats.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Rule {
    /// Mean over all scored tokens: EuroGEST eq. 1, the default.
    #[default]
    Mean,
    /// Sum over all scored tokens.
    Sum,
    /// Sum divided by the number of UTF-8 bytes of the text.
    PerByte,
    /// Mean from the first token where the variants differ, to the end.
    Divergence,
    /// As EuroGEST's released program: the mean from one token *before* the first difference.
    ReleasedCode,
    /// The first differing token alone: GEST's rule for generative models.
    FirstToken,
}

impl Rule {
    /// Every rule, in the order of help texts and tables.
    pub const ALL: [Self; 6] =
        [Self::Mean, Self::Sum, Self::PerByte, Self::Divergence, Self::ReleasedCode, Self::FirstToken];

    /// The name on the command line and in files.
    pub fn name(self) -> &'static str {
        match self {
            Self::Mean => "mean",
            Self::Sum => "sum",
            Self::PerByte => "per-byte",
            Self::Divergence => "divergence",
            Self::ReleasedCode => "released-code",
            Self::FirstToken => "first-token",
        }
    }

    /// What the rule computes, in one clause.
    pub fn summary(self) -> &'static str {
        match self {
            Self::Mean => "mean log-probability over all scored tokens",
            Self::Sum => "sum of the log-probabilities over all scored tokens",
            Self::PerByte => "sum of the log-probabilities divided by the text's UTF-8 bytes",
            Self::Divergence => "mean from the first differing token to the end",
            Self::ReleasedCode => {
                "mean from one token before the first difference (EuroGEST's released program)"
            }
            Self::FirstToken => "log-probability of the first differing token alone (GEST)",
        }
    }
}

impl FromStr for Rule {
    type Err = UnknownName;

    fn from_str(name: &str) -> Result<Self, Self::Err> {
        Self::ALL.into_iter().find(|rule| rule.name() == name).ok_or_else(|| UnknownName {
            what: "rule",
            name: name.to_owned(),
            known: Self::ALL.map(Self::name).join(", "),
        })
    }
}

impl fmt::Display for Rule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// How masculine rates are averaged over the sentences of a stereotype.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Average {
    /// Geometric mean: the paper, and the default.
    #[default]
    Geometric,
    /// Arithmetic mean: EuroGEST's released program.
    Arithmetic,
}

impl fmt::Display for Average {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::Geometric => "geometric",
            Self::Arithmetic => "arithmetic",
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_rule_parses_back_from_its_name_and_from_json() {
        for rule in Rule::ALL {
            assert_eq!(rule.name().parse(), Ok(rule));
            assert_eq!(serde_json::to_string(&rule).unwrap(), format!("\"{rule}\""));
        }
    }

    #[test]
    fn an_unknown_rule_lists_the_known_ones() {
        assert_eq!(
            "median".parse::<Rule>().unwrap_err().to_string(),
            "unknown rule `median`; known: mean, sum, per-byte, divergence, released-code, first-token"
        );
    }
}
