//! Every scoring method, as data: what help texts, documents and the report say of it.
//!
//! One file a method in `methods/`, one row here; a method in two kinds has two rows. Those that score minimal pairs are
//! named by [`Method`] and can be chosen for an audit; the others compare a group with a neutral noun, and are named by
//! [`AssociationMethod`].

use std::fmt;

use stereometer_core::{AssociationMethod, Method, Rule};
use stereometer_lm::LmKind;

use crate::methods::{continuation, ilps, likelihood, masked_difference, pll, set};

/// What there is to know about a scoring method.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct MethodInfo {
    /// Its name on the command line, in files and in the report.
    pub name: &'static str,
    /// Which language models can be asked by it.
    pub lm: LmKind,
    /// What it does, in one clause.
    pub summary: &'static str,
    /// The score of one side of a comparison (a variant, a group), as a formula.
    pub formula: &'static str,
    /// What the two sides' scores become.
    pub comparison: Comparison,
    /// Unit of a side's score.
    pub unit: &'static str,
    /// What a higher result of the comparison means.
    pub direction: &'static str,
    /// Who proposed it.
    pub reference: &'static str,
    /// How log-probabilities may become one side's score, the default first; empty where the method says it itself.
    pub rules: &'static [Rule],
    /// What its numbers do not show, beside what no method's numbers show.
    pub limit: &'static str,
    /// Two sides with the result that they have to give.
    pub toy: Toy,
}

/// What two scores become.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Comparison {
    /// σ(masculine − feminine), the masculine rate.
    MasculineRate,
    /// The group's score − that of the prior, a neutral noun.
    Association,
}

impl Comparison {
    /// The result where nothing is preferred.
    pub fn neutral(self) -> f64 {
        match self {
            Self::MasculineRate => 0.5,
            Self::Association => 0.0,
        }
    }
}

impl fmt::Display for Comparison {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::MasculineRate => "σ(masculine − feminine)",
            Self::Association => "group − prior",
        })
    }
}

/// A method worked out by hand.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Toy {
    /// What the language model answers for the first side.
    pub first: &'static [f32],
    /// Likewise for the second.
    pub second: &'static [f32],
    /// The scores' difference, first − second.
    pub difference: f64,
}

/// Every method.
pub const METHODS: [&MethodInfo; 10] = [
    &likelihood::INFO,
    &pll::ORIGINAL,
    &pll::WITHIN_WORD,
    &masked_difference::INFO,
    &set::INFO,
    &set::PLL,
    &ilps::RELEASED_CODE,
    &ilps::TRAIT_ONLY,
    &continuation::INFO,
    &continuation::CHOICE,
];

/// The row of a method for minimal pairs.
pub fn info(method: Method) -> &'static MethodInfo {
    match method {
        Method::Likelihood => &likelihood::INFO,
        Method::PllOriginal => &pll::ORIGINAL,
        Method::PllWithinWord => &pll::WITHIN_WORD,
        Method::MaskedDifference => &masked_difference::INFO,
    }
}

/// The row of a method for associations; of ILPS that of the released program's kind.
pub fn association_info(method: AssociationMethod) -> &'static MethodInfo {
    match method {
        AssociationMethod::Ilps => &ilps::RELEASED_CODE,
        AssociationMethod::Set => &set::INFO,
        AssociationMethod::Pll => &set::PLL,
        AssociationMethod::Continuation => &continuation::INFO,
        AssociationMethod::Choice => &continuation::CHOICE,
    }
}

/// The methods for associations that a kind of language model can be asked by; the first is its default.
pub fn association_methods(lm: LmKind) -> Vec<AssociationMethod> {
    AssociationMethod::ALL.into_iter().filter(|&method| association_info(method).lm == lm).collect()
}

/// The methods for minimal pairs that a kind of language model can be asked by; the first is its default.
pub fn pair_methods(lm: LmKind) -> Vec<Method> {
    Method::ALL.into_iter().filter(|&method| info(method).lm == lm).collect()
}

/// The table of methods in the documents, as Markdown.
pub fn markdown() -> String {
    let row = |method: &&MethodInfo| {
        let rules: Vec<&str> = method.rules.iter().map(|rule| rule.name()).collect();
        let rules = if rules.is_empty() { "–".to_owned() } else { rules.join(", ") };
        let cells = [
            format!("`{}`", method.name),
            method.lm.to_string(),
            format!("{}, in {}", method.formula, method.unit),
            method.comparison.to_string(),
            method.comparison.neutral().to_string(),
            method.direction.to_owned(),
            rules,
            method.reference.to_owned(),
        ];
        format!("| {} |\n", cells.join(" | "))
    };
    let rows: Vec<String> = METHODS.iter().map(row).collect();
    format!(
        "| method | language models | score of one side | comparison | neutral | higher | rules | after |\n\
         | --- | --- | --- | --- | --- | --- | --- | --- |\n{}",
        rows.concat()
    )
}
