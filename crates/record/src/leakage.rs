//! `leakage.json`: what association runs and a survey say together. A pure function of the runs' rows and the survey.

use std::fmt;

use serde::{Deserialize, Serialize};
use stereometer_core::{
    AssociationMethod, Dimension, Estimate, FEW_ANNOTATORS, GroupCategory, HumanScores, Interval, Language,
    Seed, Slug, Valence, Warning,
};

use crate::ModelIdentity;

/// Everything that a leakage analysis found.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct LeakageResults {
    /// Version of this layout.
    pub format_version: u32,
    /// Version of the program.
    pub tool_version: String,
    /// What was asked for.
    pub settings: LeakageSettings,
    /// Groups, trait pairs and languages, with their names.
    pub inventory: InventorySummary,
    /// The association runs, in the order given.
    pub runs: Vec<AssociationRun>,
    /// What people say.
    pub humans: HumanScores,
    /// What the models associate: one cell a run, language, group and pole.
    pub associations: Vec<Association>,
    /// Every fit, under the choice asked for and under the others.
    pub fits: Vec<LeakageFit>,
    /// Fits that could not be made, each with its reason.
    pub skipped: Vec<SkippedFit>,
    /// Stereotypes that leak, one by one.
    pub qualitative: Vec<QualitativeLeak>,
    /// Where groups lie in the ABC space, for people and for every run.
    pub positions: Vec<AbcPosition>,
    /// How alike people of two languages judge the groups of a category.
    pub category_correlations: Vec<CategoryCorrelation>,
    /// What the reader should know.
    pub warnings: Vec<Warning>,
}

/// What was asked for.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct LeakageSettings {
    /// The choice whose fits are the result; the others show how much it matters.
    pub choice: FitChoice,
    /// How a target's answers become ILPS: `released-code` or `trait-only`.
    pub ilps: String,
    /// What an association is compared with: `neutral`, or `none`.
    pub prior: String,
    /// Level of the intervals.
    pub level: f64,
    /// p below which a coefficient is called significant.
    pub alpha: f64,
    /// Seed of every resampling.
    pub seed: Seed,
}

/// The choices that a study has to make, and that are shown side by side.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct FitChoice {
    /// What becomes of a cell that nobody rated.
    pub missing: MissingCells,
    /// Which random intercepts there are.
    pub random: RandomEffects,
    /// In which units predictors and response are.
    pub scale: FitScale,
}

/// What becomes of a cell that nobody rated.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum MissingCells {
    /// It takes no part.
    Drop,
    /// It counts as “no stereotype”, as in the released analysis.
    Zero,
}

/// Which random intercepts there are.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum RandomEffects {
    /// By trait, as in the paper.
    Trait,
    /// By trait and by group, crossed.
    #[serde(rename = "trait+group")]
    TraitGroup,
}

/// In which units predictors and response are.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum FitScale {
    /// As in the paper: human scores 0 to 50, ×100 SeT, ×10 ILPS and the other log-probabilities.
    Raw,
    /// Every variable in its own standard deviations.
    Standardised,
}

impl MissingCells {
    /// The name on the command line and in files.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Drop => "drop",
            Self::Zero => "zero",
        }
    }
}

impl RandomEffects {
    /// The name on the command line and in files.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Trait => "trait",
            Self::TraitGroup => "trait+group",
        }
    }
}

impl FitScale {
    /// The name on the command line and in files.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Raw => "raw",
            Self::Standardised => "standardised",
        }
    }
}

impl fmt::Display for FitChoice {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "missing cells {}, random intercepts by {}, {} scale",
            match self.missing {
                MissingCells::Drop => "left out",
                MissingCells::Zero => "as 0",
            },
            match self.random {
                RandomEffects::Trait => "trait",
                RandomEffects::TraitGroup => "trait and group",
            },
            self.scale.name()
        )
    }
}

/// Groups, trait pairs and languages, with their names.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct InventorySummary {
    /// Name of the inventory.
    pub name: String,
    /// Its version.
    pub version: String,
    /// The groups, in the order of the inventory.
    pub groups: Vec<GroupSummary>,
    /// The trait pairs, in the order of the inventory.
    pub pairs: Vec<PairSummary>,
    /// The languages, in the order of the inventory.
    pub languages: Vec<LanguageSummary>,
}

/// A group.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct GroupSummary {
    /// Its key.
    pub id: Slug,
    /// English name.
    pub name: String,
    /// Its category.
    pub category: GroupCategory,
    /// Where it is at home, of a non-shared group.
    pub home: Option<Language>,
}

/// A trait pair.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct PairSummary {
    /// The dimension of the ABC model that it belongs to.
    pub dimension: Dimension,
    /// The low end.
    pub left: PoleSummary,
    /// The high end.
    pub right: PoleSummary,
}

/// A pole.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct PoleSummary {
    /// Its key.
    pub id: Slug,
    /// English name.
    pub name: String,
    /// Its valence.
    pub valence: Valence,
}

/// A language with its own names of groups and poles.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct LanguageSummary {
    /// The tag.
    pub language: Language,
    /// English name.
    pub name: String,
    /// Names of the groups in this language, in the order of [`InventorySummary::groups`]; `None` where it has none.
    pub groups: Vec<Option<String>>,
    /// Names of the poles, left then right, pair by pair.
    pub poles: Vec<Option<String>>,
}

/// One association run.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct AssociationRun {
    /// Unique among the runs.
    pub label: String,
    /// The language model.
    pub model: ModelIdentity,
    /// How associations were measured.
    pub method: AssociationMethod,
    /// Languages of the run.
    pub languages: Vec<Language>,
    /// Whether it is a monolingual model, that stands beside others as a predictor.
    pub is_monolingual: bool,
    /// Pole scores asked for.
    pub asked: usize,
    /// Of these, how many have none, by reason in words.
    pub unscored: Vec<(String, usize)>,
}

/// What a model associates a group with.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Association {
    /// Index into [`LeakageResults::runs`].
    pub run: usize,
    /// The language.
    pub language: Language,
    /// The group.
    pub group: Slug,
    /// The pole.
    pub pole: Slug,
    /// Mean over templates of score(group) − score(prior); `None` where no template has one.
    pub score: Option<f64>,
    /// Standard deviation over templates; unknown with fewer than two.
    pub spread: Option<f64>,
    /// Templates behind it.
    pub templates: usize,
}

/// A mixed-effects regression of one run's associations in one language on what people say in all languages.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct LeakageFit {
    /// Index into [`LeakageResults::runs`].
    pub run: usize,
    /// The language whose associations are explained.
    pub target: Language,
    /// Under which choice.
    pub choice: FitChoice,
    /// The model as a formula.
    pub formula: String,
    /// Cells that took part.
    pub n: usize,
    /// Cells without a human score in some language or without an association.
    pub left_out: usize,
    /// One a language of the survey, in order, and the monolingual model's where there is one.
    pub coefficients: Vec<LeakageCoefficient>,
    /// The intercept.
    pub intercept: f64,
    /// Grouping factor and standard deviation of its intercepts.
    pub random: Vec<(String, f64)>,
    /// Standard deviation of the errors.
    pub sigma: f64,
    /// Share of the variance that fixed effects explain.
    pub r2_marginal: f64,
    /// Share that fixed and random effects explain.
    pub r2_conditional: f64,
    /// Whether the search found its end.
    pub converged: bool,
    /// Whether a random intercept has no variance.
    pub singular: bool,
    /// What the reader should know of this fit, each with advice.
    pub doubts: Vec<FitDoubt>,
}

/// A doubt about a fit.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct FitDoubt {
    /// What was seen.
    pub what: String,
    /// What to do.
    pub advice: String,
}

/// Whose scores a coefficient belongs to.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Predictor {
    /// People of this language.
    People(Language),
    /// The monolingual model of the target language, by the index of its run.
    Monolingual(usize),
}

/// What a coefficient says.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Evidence {
    /// Positive, p below the level.
    Positive,
    /// Negative, p below the level.
    Negative,
    /// Anything else: no effect found.
    Open,
}

/// One coefficient.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct LeakageCoefficient {
    /// Whose scores it belongs to.
    pub predictor: Predictor,
    /// Change of the model's association for one unit more.
    pub estimate: f64,
    /// Standard error.
    pub std_error: f64,
    /// Estimate over standard error.
    pub z: f64,
    /// Two-sided p by the normal distribution.
    pub p_z: f64,
    /// Degrees of freedom after Satterthwaite, where known.
    pub df: Option<f64>,
    /// Two-sided p by Student's distribution with these.
    pub p_t: Option<f64>,
    /// 95 % interval, by Student's distribution where df is known.
    pub interval: Interval,
    /// `p_t`, or `p_z` where there is none, after Holm over the family of this choice: all leaks, or all own effects.
    pub holm: f64,
    /// Likewise after Benjamini and Hochberg.
    pub bh: f64,
    /// What it says, before adjustment.
    pub evidence: Evidence,
}

/// Which fit could not be made, and why.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct SkippedFit {
    /// Index into [`LeakageResults::runs`].
    pub run: usize,
    /// The language.
    pub target: Language,
    /// Under which choice.
    pub choice: FitChoice,
    /// Why.
    pub reason: String,
    /// What to do.
    pub advice: String,
}

/// A stereotype that the model has in one language, whose people do not hold it, while another language's do.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct QualitativeLeak {
    /// Index into [`LeakageResults::runs`].
    pub run: usize,
    /// The language whose people hold it.
    pub source: Language,
    /// The language in which the model has it.
    pub target: Language,
    /// The group.
    pub group: Slug,
    /// The pole.
    pub pole: Slug,
    /// Positive, negative or non-polar.
    pub valence: Valence,
    /// How far it stands out: the smaller of the two standardised scores, model in the target and people of the source.
    pub strength: f64,
    /// The model's association in the target language.
    pub model: f64,
    /// The other pole's.
    pub model_other: Option<f64>,
    /// Score of the people of the source language.
    pub people_source: f64,
    /// Score of the people of the target language.
    pub people_target: f64,
    /// Of the two poles that the source's contrast is made from, the annotators of the one that fewer rated; `None` where the
    /// survey does not say.
    #[serde(default)]
    pub people_source_n: Option<usize>,
    /// The same of the target.
    #[serde(default)]
    pub people_target_n: Option<usize>,
}

impl QualitativeLeak {
    /// Whether fewer people than [`FEW_ANNOTATORS`] stand behind it in one of the two languages, as far as is known.
    pub fn is_of_few(&self) -> bool {
        [self.people_source_n, self.people_target_n].iter().flatten().any(|n| *n < FEW_ANNOTATORS)
    }
}

/// Whose judgement a position is.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Judge {
    /// People.
    People,
    /// The run with this index.
    Run(usize),
}

/// A group in the ABC space: on each dimension the mean over its trait pairs of right − left pole, in standard deviations
/// over all groups and pairs of this judge and language.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct AbcPosition {
    /// Whose judgement.
    pub judge: Judge,
    /// In which language.
    pub language: Language,
    /// The group.
    pub group: Slug,
    /// Agency, beliefs, communion; `None` where no pair has both poles.
    pub at: [Option<Estimate>; 3],
}

/// How alike people of two languages judge the groups of a category.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct CategoryCorrelation {
    /// The category.
    pub category: GroupCategory,
    /// The two languages, or none for the mean over all pairs of languages.
    pub between: Option<[Language; 2]>,
    /// What was correlated, in words.
    pub recipe: String,
    /// Pearson's r; `None` where too few cells are shared.
    pub r: Option<f64>,
    /// 95 % interval, groups resampled.
    pub interval: Option<Interval>,
    /// Cells that both rated.
    pub n: usize,
}
