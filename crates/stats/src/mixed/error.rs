//! Why a model cannot be fitted.

use thiserror::Error;

/// Why a model cannot be fitted.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum MixedError {
    /// The formula cannot be read.
    #[error("formula `{formula}`: {detail}")]
    Formula {
        /// As it was given.
        formula: String,
        /// What is wrong.
        detail: String,
    },
    /// The formula names a column that the table does not have.
    #[error("formula: the table has no column `{name}`")]
    UnknownColumn {
        /// The name.
        name: String,
        /// The columns that are there.
        known: Vec<String>,
    },
    /// The table has two columns of one name, or columns of different lengths.
    #[error("table: {0}")]
    Table(String),
    /// A cell that should hold a number does not.
    #[error("record {record}, column {column}: `{text}` is not a finite number")]
    NotANumber {
        /// The column.
        column: String,
        /// Counted from 1, without the header.
        record: usize,
        /// What stands there.
        text: String,
    },
    /// No record has a value in all columns of the formula.
    #[error("none of {records} records has a value in every column of the formula")]
    NoRecords {
        /// How many records there are.
        records: usize,
    },
    /// A factor that does not vary.
    #[error("column {column}: {levels} level where a factor needs two or more")]
    TooFewLevels {
        /// The factor.
        column: String,
        /// How many it has.
        levels: usize,
    },
    /// More effects than records.
    #[error("{what}: {effects} effects cannot be told apart with {records} records")]
    TooManyEffects {
        /// The fixed part, or a random term.
        what: String,
        /// How many effects.
        effects: usize,
        /// How many records.
        records: usize,
    },
    /// A column of the design repeats others.
    #[error("column {column} is {}", repeated(others))]
    Collinear {
        /// The column.
        column: String,
        /// Which others make it up; none where it is 0 throughout.
        others: Vec<String>,
    },
    /// A column whose numbers cannot be computed with as they are.
    #[error("column {column}: {}", if *is_far { "its values vary too little for their size to be told apart" } else { "its values are too large or too small for their squares to be computed" })]
    Scale {
        /// The column.
        column: String,
        /// Whether it lies far from 0 for its spread.
        is_far: bool,
    },
    /// The response is a sum of the predictors, or the random effects take all that is left.
    #[error("column {0}: the predictors leave nothing to explain, so there is no error to estimate")]
    NothingLeft(String),
    /// Most tables drawn from the model could not be fitted.
    #[error(
        "only {fitted} of {resamples} tables drawn from the model could be fitted: too few for an interval"
    )]
    TooFewResamples {
        /// How many could.
        fitted: usize,
        /// Of how many.
        resamples: usize,
    },
    /// The dense part is too large.
    #[error(
        "{effects} random effects beside the largest factor are more than the {limit} that are fitted here"
    )]
    TooLarge {
        /// How many.
        effects: usize,
        /// How many are allowed.
        limit: usize,
    },
}

fn repeated(others: &[String]) -> String {
    if others.is_empty() {
        "0 throughout".to_owned()
    } else {
        format!("collinear with {}", others.join(" and "))
    }
}

impl MixedError {
    /// Whether the formula, not the data, is wrong.
    pub fn is_formula(&self) -> bool {
        matches!(self, Self::Formula { .. } | Self::UnknownColumn { .. })
    }

    /// What the user can do about it.
    pub fn hint(&self) -> String {
        match self {
            Self::Formula { .. } => "for example: y ~ en + ru + (1 | trait) + (1 | group)".to_owned(),
            Self::UnknownColumn { known, .. } => format!("its columns are {}", known.join(", ")),
            Self::Table(_) => "every column has a name of its own, and every record a cell for it".to_owned(),
            Self::NotANumber { .. } => {
                "decimals have a point; a cell without a value is empty or NA; a column of words has no numbers".to_owned()
            }
            Self::NoRecords { .. } => "look for a column that is empty throughout".to_owned(),
            Self::TooFewLevels { .. } => "leave it out of the formula".to_owned(),
            Self::TooManyEffects { .. } => {
                "take terms out of the formula, or a factor with fewer levels; a level needs several records".to_owned()
            }
            Self::Collinear { .. } => "leave one of them out of the formula, or `0 +` the intercept if it is among them".to_owned(),
            Self::Scale { is_far: true, .. } => "rescale this column: take its mean off".to_owned(),
            Self::Scale { is_far: false, .. } => "rescale this column: divide it by its standard deviation".to_owned(),
            Self::NothingLeft(_) => "look whether a predictor was made from the response".to_owned(),
            Self::TooFewResamples { .. } => "draw more, or take random slopes out of the formula".to_owned(),
            Self::TooLarge { .. } => "leave out the factor with the second most levels".to_owned(),
        }
    }
}
