//! The tables of runs for other programs: one file a format here, one file a table in `tables/`, one row each.
//!
//! Tidy: one row an observation, the run and the language model in columns, so that several runs are one table. Rows are
//! written as they come, one run in memory at a time; no file gets its name before all are finished. Numbers have full
//! precision. What is missing stays missing: an empty CSV or xlsx cell, a `null` in JSON Lines and Parquet, `--` in LaTeX.

mod csv;
mod folder;
mod jsonl;
mod latex;
pub mod lm_eval;
mod parquet;
mod run;
mod tables;
mod write;
mod xlsx;

use std::io;
use std::path::Path;

use stereometer_record::{RecordError, WholeFile};

use crate::{Cell, ReportError, Table};

pub use folder::Folder;
pub use run::Run;
pub use tables::{TABLES, TableInfo};
pub use write::Export;

/// A file format.
#[derive(Debug, Clone, Copy)]
pub struct Format {
    /// Name on the command line.
    pub name: &'static str,
    /// Ending of its files.
    pub extension: &'static str,
    /// What to know about its files, in a sentence.
    pub note: &'static str,
    /// The tables that are written where none is asked for.
    pub tables: &'static [&'static str],
    /// Begins a file with the columns of a table, whose own rows are not looked at.
    pub open: Open,
}

/// Begins a file.
pub type Open = fn(&Table, WholeFile) -> Result<Box<dyn Sink>, ReportError>;

/// Every format.
pub const FORMATS: [&Format; 5] =
    [&csv::FORMAT, &jsonl::FORMAT, &parquet::FORMAT, &xlsx::FORMAT, &latex::FORMAT];

/// A file that takes rows.
pub trait Sink {
    /// One more row, as long as the table has columns.
    fn add(&mut self, row: &[Cell]) -> Result<(), ReportError>;

    /// The file with everything in it; it has its name only once it is finished itself.
    fn finish(self: Box<Self>) -> Result<WholeFile, ReportError>;
}

/// What a refused write means.
fn unwritten(path: &Path) -> impl FnOnce(io::Error) -> ReportError {
    |source| RecordError::Io { path: path.to_owned(), action: "cannot write", source }.into()
}
