//! `mixed`.

use std::path::PathBuf;

use clap::{Args, ValueEnum};
use stereometer_core::Seed;

/// Drawn tables, where it is not said how many.
pub const RESAMPLES: u32 = 1000;

/// `mixed`.
#[derive(Debug, Args)]
pub struct MixedArgs {
    /// As in lme4: 'y ~ x + z + (1 | g) + (1 + x | h)'; columns with signs in their names stand in backticks.
    #[arg(long)]
    pub formula: String,
    /// A CSV with a header; empty cells, NA and NaN are missing.
    #[arg(long, value_name = "CSV")]
    pub data: PathBuf,
    /// Maximum likelihood instead of restricted (REML).
    #[arg(long)]
    pub ml: bool,
    /// wald: from the standard errors, with Student's tails; bootstrap: from tables drawn from the fitted model, for standard
    /// deviations too.
    #[arg(long, default_value = "wald")]
    pub intervals: IntervalsChoice,
    /// So many drawn tables, with `--intervals bootstrap` [default: 1000].
    #[arg(long, value_parser = clap::value_parser!(u32).range(20..=100_000))]
    pub resamples: Option<u32>,
    /// Seed of the draws.
    #[arg(long, default_value_t = Seed::default().0)]
    pub seed: u64,
    /// One JSON object instead of tables.
    #[arg(long)]
    pub json: bool,
}

/// Where intervals come from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum IntervalsChoice {
    /// Standard errors.
    Wald,
    /// Drawn tables.
    Bootstrap,
}
