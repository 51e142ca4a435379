//! Commands over runs that are there: compare, judge, hand on, tidy up.

use std::path::PathBuf;

use clap::{Args, Subcommand, ValueEnum};
use stereometer_report::export::TableInfo;

use super::{AnalysisChoice, FigureFormat, PacksChoice};

/// `compare`.
#[derive(Debug, Args)]
pub struct CompareArgs {
    /// The runs' folders; the first is the reference.
    #[arg(required = true, num_args = 1..)]
    pub runs: Vec<PathBuf>,
    /// What the table on stdout has a row for.
    #[arg(long, default_value = "model")]
    pub by: CompareBy,
    /// What the catalogue does not know of the models: a CSV with the columns `run` (the folder's name, or the model's),
    /// `label`, `family` and `tuning` (base or instruct); empty cells are allowed.
    #[arg(long, value_name = "CSV")]
    pub models: Option<PathBuf>,
    /// Where to write [default: comparisons/<date>].
    #[arg(short, long)]
    pub out: Option<PathBuf>,
    #[command(flatten)]
    pub packs: PacksChoice,
    #[command(flatten)]
    pub analysis: AnalysisChoice,
    /// Figures as files beside the page: svg, png, pdf.
    #[arg(long, value_delimiter = ',', default_value = "svg")]
    pub figures: Vec<FigureFormat>,
}

/// Rows of the table of a comparison.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum CompareBy {
    /// A run: mean g_s over its languages, and what sets it apart from the reference.
    Model,
    /// A language: difference of g_s.
    Language,
    /// A stereotype: difference of the mean inclination.
    Stereotype,
    /// A rule, and a form of the items: difference of mean g_s.
    Rule,
}

/// `gate`.
#[derive(Debug, Args)]
pub struct GateArgs {
    /// The run's folder.
    pub run: PathBuf,
    /// A run that this one must not be worse than: no more stereotypical, on the sentences that both have scored.
    #[arg(long, value_name = "RUN")]
    pub baseline: Option<PathBuf>,
    /// Allowed bands and margins, as TOML (docs/gate.md).
    #[arg(long, value_name = "TOML")]
    pub limits: Option<PathBuf>,
    /// All checks as JUnit XML.
    #[arg(long, value_name = "FILE")]
    pub junit: Option<PathBuf>,
    /// All checks that did not pass, as Markdown.
    #[arg(long, value_name = "FILE")]
    pub markdown: Option<PathBuf>,
    #[command(flatten)]
    pub packs: PacksChoice,
    #[command(flatten)]
    pub analysis: AnalysisChoice,
}

/// `export`.
#[derive(Debug, Args)]
pub struct ExportArgs {
    /// The runs' folders.
    #[arg(required = true)]
    pub runs: Vec<PathBuf>,
    /// csv, jsonl, parquet, xlsx or latex: tidy tables; lm-eval: a task for lm-evaluation-harness that gives the numbers
    /// of the one run.
    #[arg(short, long, value_parser = crate::commands::export::Target::parse)]
    pub format: crate::commands::export::Target,
    /// Where to write: a new or empty folder, or an earlier export, which is replaced.
    #[arg(short, long)]
    pub out: PathBuf,
    /// Which tables, comma-separated: items (one row a variant), scores (one row an item and rule), estimates (one row a
    /// statistic) [default: all; of latex: estimates].
    #[arg(long, value_delimiter = ',', value_parser = crate::commands::export::table)]
    pub tables: Vec<&'static TableInfo>,
    #[command(flatten)]
    pub packs: PacksChoice,
    #[command(flatten)]
    pub analysis: AnalysisChoice,
}

/// `runs`.
#[derive(Debug, Args)]
pub struct RunsArgs {
    #[command(subcommand)]
    pub command: RunsCommand,
}

/// What to do with runs.
#[derive(Debug, Subcommand)]
pub enum RunsCommand {
    /// All runs below a folder, the newest first.
    List {
        /// The folder.
        #[arg(default_value = "runs")]
        folder: PathBuf,
    },
    /// What was run, and what of it is there.
    Show {
        /// The run's folder.
        run: PathBuf,
    },
    /// Remove runs: the files that a run writes, and the folder if nothing else is in it.
    Rm {
        /// The runs' folders.
        #[arg(required = true)]
        runs: Vec<PathBuf>,
        /// Do not ask.
        #[arg(long)]
        yes: bool,
    },
}
