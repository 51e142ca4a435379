//! `humans`.

use std::path::{Path, PathBuf};

use clap::{Args, Subcommand};
use stereometer_core::Language;
use stereometer_data::humans::HumansFile;
use stereometer_data::{DataError, Inventory};

/// `humans`.
#[derive(Debug, Args)]
pub struct HumansArgs {
    #[command(subcommand)]
    pub command: HumansCommand,
}

/// What to do with ratings and scores.
#[derive(Debug, Subcommand)]
pub enum HumansCommand {
    /// Ratings of any format as one long table, one rating a row.
    Import {
        #[command(flatten)]
        files: FilesChoice,
        /// Where to write [default: stdout].
        #[arg(short, long, value_name = "CSV")]
        out: Option<PathBuf>,
    },
    /// All problems; who rated what, how well people agree, and whose ratings look doubtful.
    Check {
        #[command(flatten)]
        files: FilesChoice,
        /// Scores that the files should give, such as the study's aggregates; exit 7 where they do not.
        #[arg(long, value_name = "FILE", num_args = 1..)]
        against: Vec<String>,
        /// Largest difference of scores that count as the same.
        #[arg(long, default_value_t = 1e-6, value_parser = super::tolerance)]
        tolerance: f64,
    },
    /// Human scores with n, standard error and interval; or how alike languages judge.
    Aggregate {
        #[command(flatten)]
        files: FilesChoice,
        /// Where to write the scores [default: stdout].
        #[arg(short, long, value_name = "CSV")]
        out: Option<PathBuf>,
        /// Correlations between languages by category of groups on stdout, under every reading; scores only with --out.
        #[arg(long)]
        correlations: bool,
        /// Resamples of groups for the intervals of correlations.
        #[arg(long, default_value_t = 1000, value_parser = clap::value_parser!(u32).range(20..=100_000))]
        resamples: u32,
        /// Seed of the resampling.
        #[arg(long, default_value_t = stereometer_core::Seed::default().0)]
        seed: u64,
    },
}

/// Which files, and what the names in them mean.
#[derive(Debug, Args)]
pub struct FilesChoice {
    /// Ratings or scores in any format of docs/humans.md; `ru=FILE` says the language of a file.
    #[arg(required = true, value_name = "FILES")]
    pub files: Vec<String>,
    /// Language of all files that have none before their name; without it the file's column or name says it.
    #[arg(long)]
    pub language: Option<String>,
    /// Whose groups and traits they are: the name of an inventory, or a folder.
    #[arg(short, long, default_value = "abc")]
    pub inventory: String,
}

impl FilesChoice {
    /// The files with their languages.
    pub fn files(&self, inventory: &Inventory) -> Result<Vec<HumansFile>, DataError> {
        files(&self.files, self.language.as_deref(), inventory)
    }
}

/// Files from arguments such as `ru=ratings.json`. A word before `=` has to be a language of the inventory, unless there is
/// a file of the whole name.
pub fn files(
    arguments: &[String],
    language: Option<&str>,
    inventory: &Inventory,
) -> Result<Vec<HumansFile>, DataError> {
    let common = language.map(|word| one_language(word, inventory)).transpose()?;
    let file = |argument: &String| {
        let is_word = |text: &str| !text.is_empty() && text.chars().all(|c| c.is_alphanumeric() || c == '-');
        let named = argument.split_once('=').filter(|(word, _)| is_word(word));
        match named.filter(|_| !Path::new(argument).exists()) {
            Some((word, path)) => {
                Ok(HumansFile { path: path.into(), language: Some(one_language(word, inventory)?) })
            }
            None => Ok(HumansFile { path: argument.into(), language: common.clone() }),
        }
    };
    arguments.iter().map(file).collect()
}

/// The language of the inventory that a word names, by tag or name.
fn one_language(word: &str, inventory: &Inventory) -> Result<Language, DataError> {
    match inventory.select(word)?.as_slice() {
        [one] => Ok(one.clone()),
        _ => Err(inventory.no_language(word)),
    }
}
