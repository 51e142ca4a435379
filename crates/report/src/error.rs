//! What can go wrong while a report is written.

use stereometer_record::RecordError;
use thiserror::Error;

/// Why there is no report.
#[derive(Debug, Error)]
pub enum ReportError {
    /// A file could not be written.
    #[error(transparent)]
    Write(#[from] RecordError),
    /// A folder could not be made.
    #[error("cannot create the folder {path}: {source}")]
    Folder {
        /// Where.
        path: std::path::PathBuf,
        /// Why.
        source: std::io::Error,
    },
    /// A table could not be put into CSV.
    #[error("cannot write table `{table}` as CSV: {detail}")]
    Csv {
        /// Which table.
        table: &'static str,
        /// What the writer said.
        detail: String,
    },
    /// A format of the export could not hold a table.
    #[error("{}: cannot write it: {detail}", path.display())]
    Format {
        /// The file.
        path: std::path::PathBuf,
        /// What its writer said.
        detail: String,
    },
    /// A format of the export is too small for a table.
    #[error("{}: {detail}", path.display())]
    TooSmall {
        /// The file.
        path: std::path::PathBuf,
        /// What does not fit.
        detail: String,
    },
    /// The folder of an export holds something else.
    #[error("{}: the folder holds `{found}` and no export (no export.json)", path.display())]
    NotAnExport {
        /// The folder.
        path: std::path::PathBuf,
        /// One of the things in it.
        found: String,
    },
    /// lm-evaluation-harness cannot repeat a run.
    #[error("lm-eval cannot repeat this run: {0}")]
    LmEval(#[from] crate::export::lm_eval::Inexpressible),
    /// This computer has no font, so a picture would have no text.
    #[error("no font found on this computer: PNG and PDF figures would have no text")]
    NoFont,
    /// A figure could not be turned into a picture.
    #[error("cannot draw figure `{figure}` as {format}: {detail}")]
    Picture {
        /// Which figure.
        figure: &'static str,
        /// PNG or PDF.
        format: &'static str,
        /// What the renderer said.
        detail: String,
    },
}

impl ReportError {
    /// What the reader can do about it, where that is known.
    pub fn hint(&self) -> Option<&'static str> {
        match self {
            Self::NoFont => Some("install a font package such as fonts-dejavu, or ask for svg only"),
            Self::TooSmall { .. } => Some("csv, jsonl and parquet have no such limit"),
            Self::LmEval(reason) => Some(reason.hint()),
            Self::NotAnExport { .. } => Some("choose a new folder with --out; nothing was written here"),
            Self::Format { .. }
            | Self::Write(_)
            | Self::Folder { .. }
            | Self::Csv { .. }
            | Self::Picture { .. } => None,
        }
    }
}
