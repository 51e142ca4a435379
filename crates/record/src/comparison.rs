//! `comparison.json`: what several runs say together. Derived; always rebuilt from the runs.
//!
//! A difference is the second run minus the first, on the items that both have scored. Every number is finite; what could
//! not be computed is absent.

use serde::{Deserialize, Serialize};
use stereometer_core::{
    Average, Estimate, Form, Language, Lineage, Method, Rule, Seed, StereotypeId, Tuning,
};

use crate::{Results, RunSpec, Test};

/// Several runs, side by side.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Comparison {
    /// Version of this layout.
    pub format_version: u32,
    /// How pairs were scored: the same in all runs.
    pub method: Method,
    /// The rule in use.
    pub rule: Rule,
    /// The average in use.
    pub average: Average,
    /// Seed of resampling and permutations.
    pub seed: Seed,
    /// Number of resamples; as many permutations.
    pub resamples: usize,
    /// Confidence level of every interval.
    pub level: f64,
    /// Threshold below which a stereotype is marked.
    pub min_items: usize,
    /// The runs, in the order that was asked for; the first is the reference.
    pub runs: Vec<ComparedRun>,
    /// Which runs were set against each other.
    pub pairs: Vec<RunPair>,
    /// All differences, pair by pair; within a pair over the languages first.
    pub differences: Vec<Difference>,
    /// Does g_s grow with size? One entry a family with at least two sizes.
    pub trends: Vec<Trend>,
    /// Does each run rank the stereotypes alike in its languages? In the order of `runs`.
    pub concordance: Vec<Option<RankConcordance>>,
    /// Do two runs rank the stereotypes alike? One entry a pair of runs.
    pub rank_agreement: Vec<RankAgreement>,
    /// What a reader should know: sentences, each with what to do about it.
    pub doubts: Vec<Doubt>,
}

/// One of the runs.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ComparedRun {
    /// A name that no other run of the comparison has.
    pub label: String,
    /// Family of the language model: sizes of one family make a trend.
    pub family: Option<String>,
    /// Base or instruction-tuned.
    pub tuning: Option<Tuning>,
    /// What was run.
    pub spec: RunSpec,
    /// What its own rows say, all of them.
    pub results: Results,
}

impl ComparedRun {
    /// Family, tuning and size of its language model.
    pub fn lineage(&self) -> Lineage<'_> {
        let parameters = self.spec.identity.model.parameters;
        Lineage { family: self.family.as_deref(), tuning: self.tuning, parameters }
    }
}

/// Two runs that were set against each other.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct RunPair {
    /// Place of the first run in `runs`: the reference.
    pub first: usize,
    /// Place of the second.
    pub second: usize,
    /// Why these two.
    pub kind: PairKind,
    /// Items that both have scored.
    pub shared: usize,
    /// Items that the first alone has scored.
    pub only_first: usize,
    /// Items that the second alone has scored.
    pub only_second: usize,
}

/// Why two runs were set against each other.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum PairKind {
    /// The first is the reference of the comparison.
    Reference,
    /// The second is the instruction-tuned model of the first one's family and size.
    Tuning,
}

/// What is compared; the neutral point of every difference is 0.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Statistic {
    /// g_s; over several languages its mean. Above 0: the second run leans more towards stereotypes.
    GS,
    /// Default masculine rate; over several languages its mean. Above 0: the second run is more masculine.
    DefaultMasculineRate,
    /// Mean masculine rate q_i of a stereotype.
    Q,
    /// Inclination of a stereotype. Above 0: the second run leans more towards it.
    Inclination,
}

impl Statistic {
    /// The name in files.
    pub fn name(self) -> &'static str {
        match self {
            Self::GS => "g_s",
            Self::DefaultMasculineRate => "default_masculine_rate",
            Self::Q => "q",
            Self::Inclination => "inclination",
        }
    }
}

/// The difference of a statistic between the two runs of a pair.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Difference {
    /// Place in `pairs`.
    pub pair: usize,
    /// What.
    pub statistic: Statistic,
    /// The rule: that of the comparison, except among the rows that show what changes with it.
    pub rule: Rule,
    /// Items of one form alone; absent: of all forms.
    pub form: Option<Form>,
    /// Where; absent: the mean over the languages that both have.
    pub language: Option<Language>,
    /// Which stereotype, where the statistic is of one.
    pub stereotype: Option<StereotypeId>,
    /// Value in the first run, on the shared items.
    pub first: f64,
    /// Value in the second.
    pub second: f64,
    /// Scored items behind it, in each run.
    pub items: usize,
    /// Second minus first, resampled together; n = source sentences.
    pub difference: Estimate,
    /// Evidence; absent where the runs cannot be told apart by exchange (nothing differs).
    pub test: Option<Test>,
}

/// Mean g_s against the number of parameters within a family.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Trend {
    /// Family.
    pub family: String,
    /// Base or instruction-tuned; absent where it is not known.
    pub tuning: Option<Tuning>,
    /// Places in `runs`, by size.
    pub runs: Vec<usize>,
    /// Kendall's τ-b, −1 to 1; above 0: larger language models lean more. n = sizes. Absent when all are equal.
    pub tau: Option<f64>,
    /// Two-sided, over all orders of the sizes.
    pub p: Option<f64>,
}

/// Kendall's W over the languages of a run.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct RankConcordance {
    /// 0 = the languages' ranks have nothing in common, 1 = they are the same.
    pub w: f64,
    /// Languages.
    pub languages: usize,
    /// Stereotypes that all of these have.
    pub stereotypes: usize,
    /// Languages left out because they lack a stereotype.
    pub left_out: Vec<Language>,
    /// Chance of such agreement if every language ranked at random.
    pub p: f64,
}

/// Spearman's ρ between two runs' stereotypes, ordered by the mean of their ranks over the languages.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct RankAgreement {
    /// Place of the first run.
    pub first: usize,
    /// Place of the second.
    pub second: usize,
    /// −1 = reversed, 0 = unrelated, 1 = the same order. Absent with fewer than three stereotypes, or without variation.
    pub rho: Option<f64>,
    /// Stereotypes that both have.
    pub stereotypes: usize,
}

/// Something a reader should know, and what to do about it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Doubt {
    /// What was found.
    pub what: String,
    /// What to do.
    pub advice: String,
}
