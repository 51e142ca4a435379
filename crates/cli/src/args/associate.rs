//! `associate`.

use std::path::PathBuf;

use clap::{Args, ValueEnum};
use stereometer_core::AssociationMethod;
use stereometer_data::StudyInputs;
use stereometer_leakage::Prior;

use super::ModelChoice;

/// `associate`.
#[derive(Debug, Args)]
pub struct AssociateArgs {
    #[command(flatten)]
    pub model: ModelChoice,
    /// `abc`, `abc-paper`, or the folder of an inventory.
    #[arg(short, long, default_value = "abc")]
    pub inventory: String,
    /// Of the leakage study's folder of inputs: those for which models [default: mt5 of encoder–decoders, else mbert].
    #[arg(long, value_parser = |name: &str| name.parse::<StudyInputs>())]
    pub inputs: Option<StudyInputs>,
    /// Languages by tag or name, comma-separated, or `all`.
    #[arg(short, long, default_value = "all")]
    pub languages: String,
    /// How associations are measured: ilps (encoder–decoders; of a causal model it is the continuation), set or pll (masked
    /// models), continuation or choice (causal models), or auto: the first that the model can do.
    #[arg(long, default_value = "auto", value_parser = method)]
    pub method: MethodChoice,
    /// What groups are compared with: the inventory's neutral noun, or nothing (the analysis can leave the noun out later).
    #[arg(long, default_value = "neutral")]
    pub prior: PriorChoice,
    /// Two templates of each kind.
    #[arg(long)]
    pub quick: bool,
    /// The run's folder [default: runs/<model>-<inventory>-<date>].
    #[arg(short, long, value_name = "DIR")]
    pub out: Option<PathBuf>,
    /// Go on with the run in the folder.
    #[arg(long)]
    pub resume: bool,
}

/// The method asked for; none is the model's own.
#[derive(Debug, Clone, Copy)]
pub struct MethodChoice(pub Option<AssociationMethod>);

fn method(name: &str) -> Result<MethodChoice, String> {
    if name == "auto" {
        return Ok(MethodChoice(None));
    }
    name.parse()
        .map(|method| MethodChoice(Some(method)))
        .map_err(|error: stereometer_core::UnknownName| format!("{error}, auto"))
}

/// Names of what groups are compared with.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum PriorChoice {
    /// The neutral noun.
    Neutral,
    /// Nothing.
    None,
}

impl From<PriorChoice> for Prior {
    fn from(choice: PriorChoice) -> Self {
        match choice {
            PriorChoice::Neutral => Self::Neutral,
            PriorChoice::None => Self::None,
        }
    }
}
