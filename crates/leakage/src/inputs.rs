//! What a leakage analysis is made from, and what can be wrong with it.

use stereometer_core::{HumanScores, Language, Seed, Slug};
use stereometer_record::{
    AssociationRecord, AssociationSpec, CategoryCorrelation, FitChoice, FitScale, InventorySummary,
    MissingCells, RandomEffects,
};
use stereometer_score::methods::ilps::IlpsKind;
use thiserror::Error;

use crate::associate::Prior;

/// Everything that goes in.
#[derive(Debug, Clone)]
pub struct Inputs {
    /// Groups and trait pairs.
    pub inventory: InventorySummary,
    /// Association runs, in the order given.
    pub runs: Vec<RunInput>,
    /// What people say.
    pub humans: HumanScores,
    /// How alike people of two languages judge, where it was computed: passed on.
    pub category_correlations: Vec<CategoryCorrelation>,
}

/// An association run.
#[derive(Debug, Clone)]
pub struct RunInput {
    /// Unique among the runs.
    pub label: String,
    /// Its `spec.json`.
    pub spec: AssociationSpec,
    /// Its rows.
    pub rows: Vec<AssociationRecord>,
    /// Whether it stands beside others as a predictor.
    pub is_monolingual: bool,
}

/// What is asked for.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Settings {
    /// The choice whose fits are the result.
    pub choice: FitChoice,
    /// Which target tokens ILPS is the mean over.
    pub ilps: IlpsKind,
    /// What an association is compared with.
    pub prior: Prior,
    /// p below which a coefficient is called significant.
    pub alpha: f64,
    /// Seed of every resampling.
    pub seed: Seed,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            choice: FitChoice {
                missing: MissingCells::Drop,
                random: RandomEffects::TraitGroup,
                scale: FitScale::Standardised,
            },
            ilps: IlpsKind::default(),
            prior: Prior::default(),
            alpha: 0.05,
            seed: Seed::default(),
        }
    }
}

/// Why there is no analysis.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum LeakageError {
    /// No run whose associations could be explained.
    #[error("no association run to explain: all {monolingual} are monolingual models")]
    NoRuns {
        /// How many monolingual runs were given.
        monolingual: usize,
    },
    /// Two runs that ask the same model the same questions.
    #[error(
        "`{first}` and `{second}` are the same model asked the same questions: one model would count as two"
    )]
    SameRun {
        /// One of them.
        first: String,
        /// The other.
        second: String,
    },
    /// A monolingual run by the very model that is to be explained.
    #[error("the monolingual run `{monolingual}` has the weights of `{run}`: a model would explain itself")]
    OwnMonolingual {
        /// The run that is explained.
        run: String,
        /// The monolingual one.
        monolingual: String,
    },
    /// A monolingual run of several languages.
    #[error("the run `{run}` has {} languages, a monolingual one has one", languages.len())]
    Multilingual {
        /// Its label.
        run: String,
        /// Its languages.
        languages: Vec<Language>,
    },
    /// Two runs of one label.
    #[error("two runs are called `{label}`")]
    SameLabel {
        /// The label.
        label: String,
    },
    /// A table speaks of something that the inventory does not know.
    #[error("{table}: the {what} `{id}` is not in the inventory `{inventory}`")]
    Unknown {
        /// Which table.
        table: String,
        /// Group or pole.
        what: &'static str,
        /// Its key.
        id: Slug,
        /// The inventory.
        inventory: String,
    },
    /// A cell of a language that the survey does not list.
    #[error("human scores: a cell in {language}, which is not among their languages")]
    UnlistedLanguage {
        /// The language.
        language: Language,
    },
    /// A cell that stands twice in the survey.
    #[error("human scores: {language}, {group}, {pole} stands there twice")]
    RepeatedCell {
        /// The language.
        language: Language,
        /// The group.
        group: Slug,
        /// The pole.
        pole: Slug,
    },
}

impl LeakageError {
    /// What the user can do about it.
    pub fn hint(&self) -> &'static str {
        match self {
            Self::NoRuns { .. } => "name at least one run of a multilingual model with `--runs`",
            Self::SameRun { .. } => "give each run once; a copy of a folder is the same run",
            Self::OwnMonolingual { .. } => {
                "a monolingual run is one of another model, trained on one language"
            }
            Self::Multilingual { .. } => {
                "ask the model of each language in its own: `associate --languages ru`; then name all of them"
            }
            Self::SameLabel { .. } => "give each run once, from folders of different names",
            Self::Unknown { .. } => {
                "runs and survey must be of this inventory: choose another with `--inventory`, or add an alias there"
            }
            Self::UnlistedLanguage { .. } | Self::RepeatedCell { .. } => {
                "aggregate the answers once, and give each table once"
            }
        }
    }
}
