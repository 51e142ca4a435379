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
            Self::Write(_) | Self::Folder { .. } | Self::Csv { .. } | Self::Picture { .. } => None,
        }
    }
}
