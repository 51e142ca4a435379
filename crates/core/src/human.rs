//! What people of a language say of groups: the survey's side of a leakage analysis (methods, section 8).

use serde::{Deserialize, Serialize};

use crate::{Interval, Language, Slug, Warning};

/// Cells and groups that fewer people rated are marked.
pub const FEW_ANNOTATORS: usize = 5;

/// The score of a pole for a group among the annotators of one language.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct HumanCell {
    /// The language of the annotators.
    pub language: Language,
    /// The group.
    pub group: Slug,
    /// The pole.
    pub pole: Slug,
    /// Who rated it; `None` where the source does not say.
    pub annotators: Option<usize>,
    /// Mean of the part of the ratings that lies on the pole's side, 0 to 50; `None` where nobody rated: missing, not 0.
    pub score: Option<f64>,
    /// Standard error of the mean; unknown with fewer than two annotators.
    pub std_error: Option<f64>,
    /// 95 % interval by Student's distribution, cut at 0 and 50; unknown with fewer than two annotators and where all say the
    /// same.
    pub interval: Option<Interval>,
}

/// How many people a language was asked of.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct HumanLanguage {
    /// The language.
    pub language: Language,
    /// Annotators; `None` where the source does not say.
    pub annotators: Option<usize>,
}

/// All cells of a survey.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct HumanScores {
    /// Where they come from, in a sentence.
    pub origin: String,
    /// The languages, in order.
    pub languages: Vec<HumanLanguage>,
    /// Language by language; a group or pole without a cell was not asked about.
    pub cells: Vec<HumanCell>,
    /// What the reader should know: cells with few annotators, values left out.
    pub warnings: Vec<Warning>,
}
