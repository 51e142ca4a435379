//! `mixed`.

use std::path::PathBuf;

use clap::Args;

/// `mixed`.
#[derive(Debug, Args)]
pub struct MixedArgs {
    /// As in lme4: 'y ~ x + z + (1 | g) + (1 + x | h)'; columns with signs in their names stand in backticks.
    #[arg(long)]
    pub formula: String,
    /// A CSV with a header; empty cells and NA are missing.
    #[arg(long, value_name = "CSV")]
    pub data: PathBuf,
    /// Maximum likelihood instead of restricted (REML).
    #[arg(long)]
    pub ml: bool,
    /// One JSON object instead of tables.
    #[arg(long)]
    pub json: bool,
}
