//! `leakage`.

use std::path::PathBuf;

use clap::{Args, ValueEnum};
use stereometer_core::Seed;
use stereometer_record::{FitChoice, FitScale, MissingCells, RandomEffects};
use stereometer_score::methods::ilps::IlpsKind;

use super::FigureFormat;
use super::associate::PriorChoice;

/// `leakage`.
#[derive(Debug, Args)]
pub struct LeakageArgs {
    /// Folders of association runs (`associate`).
    #[arg(long, required = true, num_args = 1.., value_name = "RUN")]
    pub runs: Vec<PathBuf>,
    /// What people say: ratings or scores in any format of docs/humans.md; `ru=FILE` says the language of a file.
    #[arg(long, required = true, num_args = 1.., value_name = "FILES")]
    pub humans: Vec<String>,
    /// Association runs of monolingual models: predictors beside people, of runs by the same method, in their language.
    #[arg(long, num_args = 1.., value_name = "RUN")]
    pub monolingual: Vec<PathBuf>,
    /// Whose groups and traits they are: the name of an inventory, or a folder [default: that of the first run].
    #[arg(short, long)]
    pub inventory: Option<String>,
    /// What becomes of a cell that nobody rated: it takes no part, or counts as “no stereotype”.
    #[arg(long, default_value = "drop")]
    pub missing: MissingChoice,
    /// Which random intercepts there are; trait alone is the paper's choice.
    #[arg(long, default_value = "trait+group")]
    pub random: RandomChoice,
    /// Every variable in its own standard deviations, or in the paper's units.
    #[arg(long, default_value = "standardised")]
    pub scale: ScaleChoice,
    /// Over which target tokens ILPS is the mean: all, as the released program has it, or the trait's own.
    #[arg(long, default_value = "released-code")]
    pub ilps: IlpsChoice,
    /// What groups are compared with: the neutral noun, or nothing.
    #[arg(long, default_value = "neutral")]
    pub prior: PriorChoice,
    /// p below which a coefficient is called significant.
    #[arg(long, default_value_t = 0.05, value_parser = level)]
    pub alpha: f64,
    /// Resamples of groups for the intervals of correlations between languages.
    #[arg(long, default_value_t = 1000, value_parser = clap::value_parser!(u32).range(20..=100_000))]
    pub resamples: u32,
    /// Seed of the resampling.
    #[arg(long, default_value_t = Seed::default().0)]
    pub seed: u64,
    /// A folder for leakage.json and the report.
    #[arg(short, long, value_name = "DIR")]
    pub out: Option<PathBuf>,
    /// Figures as files beside the page: svg, png, pdf.
    #[arg(long, value_delimiter = ',', default_value = "svg")]
    pub figures: Vec<FigureFormat>,
}

impl LeakageArgs {
    /// The choice whose fits are the result.
    pub fn choice(&self) -> FitChoice {
        FitChoice {
            missing: match self.missing {
                MissingChoice::Drop => MissingCells::Drop,
                MissingChoice::Zero => MissingCells::Zero,
            },
            random: match self.random {
                RandomChoice::Trait => RandomEffects::Trait,
                RandomChoice::TraitGroup => RandomEffects::TraitGroup,
            },
            scale: match self.scale {
                ScaleChoice::Raw => FitScale::Raw,
                ScaleChoice::Standardised => FitScale::Standardised,
            },
        }
    }
}

/// What becomes of a cell that nobody rated.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum MissingChoice {
    /// It takes no part.
    Drop,
    /// It counts as 0.
    Zero,
}

/// Which random intercepts there are.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum RandomChoice {
    /// By trait.
    Trait,
    /// By trait and by group.
    #[value(name = "trait+group")]
    TraitGroup,
}

/// In which units variables are.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum ScaleChoice {
    /// The paper's.
    Raw,
    /// Their own standard deviations.
    Standardised,
}

/// Over which target tokens ILPS is the mean.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum IlpsChoice {
    /// All.
    ReleasedCode,
    /// The trait's own.
    TraitOnly,
}

impl From<IlpsChoice> for IlpsKind {
    fn from(choice: IlpsChoice) -> Self {
        match choice {
            IlpsChoice::ReleasedCode => Self::ReleasedCode,
            IlpsChoice::TraitOnly => Self::TraitOnly,
        }
    }
}

fn level(text: &str) -> Result<f64, String> {
    let number = text.parse().ok().filter(|number| (0.0..1.0).contains(number) && *number > 0.0);
    number.ok_or_else(|| "a number between 0 and 1".to_owned())
}
