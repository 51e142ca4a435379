//! What a reader of a fit should know, in plain words with advice.

use thiserror::Error;

use super::matrices::RandomTerm;

/// Levels below which the variance between them is little more than a guess.
const FEW_LEVELS: usize = 5;

/// Something the reader of a fit should know.
#[derive(Debug, Clone, PartialEq, Error)]
pub enum Doubt {
    /// Records with missing cells.
    #[error("{dropped} of {records} records have no value in a column of the formula and are left out")]
    Dropped {
        /// How many.
        dropped: usize,
        /// Of how many.
        records: usize,
    },
    /// A variance of 0.
    #[error(
        "singular fit: {term} has a variance of 0: its levels differ no more than chance alone makes them differ"
    )]
    NoVariance {
        /// The term.
        term: String,
    },
    /// A term of several dimensions that needs fewer.
    #[error(
        "singular fit: {term} has a variance of 0 or a correlation of ±1: the data do not carry all its parts"
    )]
    TooRich {
        /// The term.
        term: String,
    },
    /// A factor with few levels.
    #[error("`{group}` has only {levels} levels: how much they differ is little more than a guess")]
    FewLevels {
        /// The factor.
        group: String,
        /// How many.
        levels: usize,
    },
    /// The search did not end at a minimum.
    #[error("not converged: after {evaluations} evaluations the best variances were not found for certain")]
    NotConverged {
        /// How often the deviance was asked.
        evaluations: usize,
        /// Largest entry of the gradient in units of the curvature.
        gradient: Option<f64>,
    },
}

impl Doubt {
    /// What the reader can do about it.
    pub fn advice(&self) -> &'static str {
        match self {
            Self::Dropped { .. } => {
                "look whether they are missing for a reason that has to do with the response"
            }
            Self::NoVariance { .. } => {
                "the fixed effects hold; they are the same without the term; a 0 is no proof that the levels are alike"
            }
            Self::TooRich { .. } => {
                "simplify it: `||` leaves out correlations, `(1 | …)` slopes; see whether the fixed effects stay"
            }
            Self::FewLevels { .. } => "read the t values, or make the column a fixed effect",
            Self::NotConverged { .. } => "do not report these numbers; take random slopes out of the formula",
        }
    }

    /// What there is to say of a random term.
    pub(super) fn of(term: &RandomTerm, is_singular: bool) -> impl Iterator<Item = Self> {
        let singular = is_singular.then(|| match term.terms.len() {
            1 => Self::NoVariance { term: term.shown() },
            _ => Self::TooRich { term: term.shown() },
        });
        let are_few = term.levels < FEW_LEVELS;
        let few = are_few.then(|| Self::FewLevels { group: term.group.clone(), levels: term.levels });
        singular.into_iter().chain(few)
    }
}
