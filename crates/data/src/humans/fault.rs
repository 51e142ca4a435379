//! What can be wrong with a file of ratings or human scores.

use stereometer_core::Language;
use thiserror::Error;

use crate::{Fault, Place};

/// Why files of ratings or scores were refused: the first problem, and how many more there are.
#[derive(Debug, Error)]
#[error("{first}")]
pub struct HumansError {
    /// The first problem in the order of the files.
    pub first: Box<SurveyProblem>,
    /// How many others were found.
    pub others: usize,
}

impl HumansError {
    /// What the user can do about it; a channel of its own beside the message.
    pub fn hint(&self) -> Option<String> {
        if self.others == 0 {
            return self.first.fault.hint();
        }
        let more = format!("`stereometer humans check` lists this problem and {} more", self.others);
        Some(self.first.fault.hint().map_or(more.clone(), |hint| format!("{hint}; {more}")))
    }
}

/// A fault and its place.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("{place}: {fault}")]
pub struct SurveyProblem {
    /// Where; in JSON the column is the path of keys.
    pub place: Place,
    /// What.
    pub fault: SurveyFault,
}

/// What can be wrong.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum SurveyFault {
    /// A fault that any table can have.
    #[error(transparent)]
    Text(#[from] Fault),
    /// The operating system does not give the file, or it is too large.
    #[error("{detail}")]
    Unreadable {
        /// Why.
        detail: String,
    },
    /// Columns that belong to no known format.
    #[error("these are no ratings and no human scores: the columns are {found}")]
    UnknownFormat {
        /// What was seen instead.
        found: String,
    },
    /// Nothing says whose ratings these are.
    #[error("nothing says which language the people of this file speak")]
    NoLanguage,
    /// The row says another language than the user.
    #[error("the row says `{row}`, but the file was given as `{given}`")]
    LanguageDiffers {
        /// The language of the row.
        row: Language,
        /// The language that the user says.
        given: Language,
    },
    /// A key where a person's name should be.
    #[error("the name of the annotator is empty")]
    NoName,
    /// The column `pair` and those of its sides say different things.
    #[error("`{side}` contradicts the pair `{pair}` of this row")]
    PairDiffers {
        /// The pair.
        pair: String,
        /// What stands in the column of a side.
        side: String,
    },
    /// Not a language.
    #[error("`{name}` is no language")]
    BadLanguage {
        /// What was found.
        name: String,
    },
    /// Text that is not JSON.
    #[error("not JSON: {detail}")]
    Json {
        /// What the parser says.
        detail: String,
    },
    /// JSON of another shape.
    #[error("{found} where {expected} should stand")]
    Shape {
        /// What was found.
        found: &'static str,
        /// What belongs there.
        expected: &'static str,
    },
    /// No rating or score at all.
    #[error("the file has no {what}")]
    NoData {
        /// Ratings or scores.
        what: &'static str,
    },
    /// Not a number, or one that is not finite.
    #[error("`{text}` is not a number")]
    NotANumber {
        /// What was found.
        text: String,
    },
    /// A number outside its scale.
    #[error("{value} lies outside {range}")]
    OutOfRange {
        /// What was found.
        value: String,
        /// What is possible.
        range: &'static str,
    },
    /// An interval that does not hold its score.
    #[error("the interval {low} to {high} does not hold the score {score}")]
    Interval {
        /// Lower end.
        low: String,
        /// Upper end.
        high: String,
        /// The score.
        score: String,
    },
    /// A group that the inventory does not have.
    #[error("the inventory has no group `{name}`")]
    UnknownGroup {
        /// What was found.
        name: String,
        /// Names that look like it.
        near: Vec<String>,
    },
    /// A trait that the inventory does not have.
    #[error("the inventory has no trait `{name}`")]
    UnknownTrait {
        /// What was found.
        name: String,
        /// Names that look like it.
        near: Vec<String>,
    },
    /// Text that is no pair.
    #[error("`{text}` is no pair of traits")]
    NotAPair {
        /// What was found.
        text: String,
    },
    /// Two traits of different pairs.
    #[error("`{left}` and `{right}` are no pair of the inventory: `{left}` stands against `{other}`")]
    OtherPair {
        /// The first.
        left: String,
        /// The second.
        right: String,
        /// What belongs to the first.
        other: String,
    },
    /// A trait without its other pole.
    #[error("`{pole}` is there, but not its other pole `{other}`")]
    HalfPair {
        /// What is there.
        pole: String,
        /// What is missing.
        other: String,
    },
    /// The same person twice.
    #[error("the annotator `{annotator}` is there twice for {language}{}", first_in(first.as_deref()))]
    AnnotatorTwice {
        /// Who.
        annotator: String,
        /// Of which language.
        language: Language,
        /// Where first; `None` where one key stands there twice.
        first: Option<Box<Place>>,
    },
    /// A block of ratings twice.
    #[error("`{annotator}` rates the group `{group}` twice{}", first_in(first.as_deref()))]
    BlockTwice {
        /// Who.
        annotator: String,
        /// The group.
        group: String,
        /// Where first; `None` where one key stands there twice.
        first: Option<Box<Place>>,
    },
    /// One rating twice.
    #[error("`{annotator}` rates `{pair}` of the group `{group}` twice{}", first_in(first.as_deref()))]
    RatingTwice {
        /// Who.
        annotator: String,
        /// The group.
        group: String,
        /// The pair.
        pair: String,
        /// Where first; `None` where one key stands there twice.
        first: Option<Box<Place>>,
    },
    /// A score twice.
    #[error("`{pole}` of the group `{group}` is there twice for {language}{}", first_in(first.as_deref()))]
    ScoreTwice {
        /// The pole.
        pole: String,
        /// The group.
        group: String,
        /// The language.
        language: Language,
        /// Where first; `None` where one key stands there twice.
        first: Option<Box<Place>>,
    },
    /// Ratings and scores of one language.
    #[error("there are both ratings and aggregated scores of {language}")]
    BothKinds {
        /// Which.
        language: Language,
    },
    /// Neither yes nor no.
    #[error("`{text}` is neither `true` nor `false`")]
    NotAFlag {
        /// What was found.
        text: String,
    },
    /// Not a count.
    #[error("`{text}` is not a whole number from {least} on")]
    NotACount {
        /// What was found.
        text: String,
        /// The least that is possible.
        least: u32,
    },
}

impl SurveyFault {
    /// What the user can do about it, where that is not plain from the fault itself.
    pub fn hint(&self) -> Option<String> {
        let near = |near: &[String], what: &str| {
            Some(if near.is_empty() {
                format!("{what} are those of the inventory that `--inventory` names")
            } else {
                format!("did you mean {}?", near.join(", "))
            })
        };
        let fixed = match self {
            Self::UnknownGroup { near: names, .. } => return near(names, "the groups"),
            Self::UnknownTrait { near: names, .. } => return near(names, "the traits"),
            Self::Text(Fault::MissingColumn { .. }) | Self::UnknownFormat { .. } | Self::Shape { .. } => {
                "docs/humans.md shows every format with an example"
            }
            Self::Text(fault) => return fault.hint().map(str::to_owned),
            Self::NoLanguage => {
                "name the file after it (`survey_en.csv`), add a column `language`, or say `--language en`"
            }
            Self::LanguageDiffers { .. } => {
                "the rows say their language themselves: leave the one before the file or in `--language` out"
            }
            Self::PairDiffers { .. } => "keep the column `pair`, or both of `left` and `right`",
            Self::NoName | Self::AnnotatorTwice { .. } => {
                "give every person a name of their own within a language"
            }
            Self::BadLanguage { .. } => "write a tag such as `en` or `zh`",
            Self::Json { .. } => {
                "leave out what was not rated: JSON has no NaN; a file that ends early may be an incomplete download"
            }
            Self::NoData { .. } => "a language without ratings takes no part: leave the file out",
            Self::NotANumber { .. } => "leave the cell empty, or the key out, where nothing was rated",
            Self::OutOfRange { range, .. } if !range.starts_with('−') => {
                "scores, their errors and their intervals go from 0 to 50; leave a cell empty where there is none"
            }
            Self::OutOfRange { .. } => {
                "bring sliders of another range to −50 (left pole) … 50 (right pole) first"
            }
            Self::NotAPair { .. } => {
                "write both traits with spaces around the hyphen: `powerless - powerful`"
            }
            Self::BlockTwice { .. } | Self::RatingTwice { .. } => {
                "keep the rating that counts and take the other out; the program does not choose"
            }
            Self::ScoreTwice { .. } => "keep one of the two",
            Self::BothKinds { .. } => "give one of the two files",
            Self::Unreadable { .. }
            | Self::Interval { .. }
            | Self::OtherPair { .. }
            | Self::HalfPair { .. }
            | Self::NotAFlag { .. }
            | Self::NotACount { .. } => return None,
        };
        Some(fixed.to_owned())
    }
}

/// The first of two places, where it tells more than the second does.
pub(super) fn elsewhere(first: &Place, second: &Place) -> Option<Box<Place>> {
    (first != second).then(|| Box::new(first.clone()))
}

fn first_in(first: Option<&Place>) -> String {
    first.map_or_else(|| ": the key is repeated".to_owned(), |first| format!("; first in {first}"))
}
