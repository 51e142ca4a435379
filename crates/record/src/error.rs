//! What can go wrong with a run on disk.

use std::path::{Path, PathBuf};

use thiserror::Error;

/// A failure to read or write a run.
#[derive(Debug, Error)]
pub enum RecordError {
    /// The operating system refused.
    #[error("{}: {action}: {source}", path.display())]
    Io {
        /// The file or folder.
        path: PathBuf,
        /// What was tried, such as “cannot write”.
        action: &'static str,
        /// The system's reason.
        source: std::io::Error,
    },
    /// A file is not what it should be.
    #[error("{}: line {line}: {detail}", path.display())]
    Malformed {
        /// The file.
        path: PathBuf,
        /// The line, from 1.
        line: usize,
        /// What is wrong.
        detail: String,
    },
    /// The folder is not a run.
    #[error("{}: not a run directory (no spec.json)", .0.display())]
    NotARun(PathBuf),
    /// The folder is a run of the other kind.
    #[error(
        "{}: a run of {}", path.display(),
        if *is_association { "associations (`associate`), not an audit" } else { "an audit, not of associations" }
    )]
    OtherKind {
        /// The folder.
        path: PathBuf,
        /// Whether it holds associations.
        is_association: bool,
    },
    /// The folder holds a run already.
    #[error("{}: there is a run in this folder already", .0.display())]
    Exists(PathBuf),
    /// The folder holds files that a run would overwrite, and no run.
    #[error("{}: the folder holds `{file}` and no run (no spec.json)", path.display())]
    Foreign {
        /// The folder.
        path: PathBuf,
        /// What is there.
        file: &'static str,
    },
    /// Another process writes to this run.
    #[error("{}: another process is writing to this run", .0.display())]
    Locked(PathBuf),
    /// What should be removed leads elsewhere.
    #[error("{}: a symbolic link: what it leads to is not removed", .0.display())]
    Link(PathBuf),
    /// The run was made by a newer program.
    #[error("{}: format version {found}, this program reads up to {known}", path.display())]
    TooNew {
        /// The run's spec file.
        path: PathBuf,
        /// Its version.
        found: u32,
        /// Ours.
        known: u32,
    },
    /// The rows that are there do not belong to this plan.
    #[error(
        "items.jsonl: line {line}: the row is not item {line} of this run (found `{found}`, expected {expected})"
    )]
    ForeignRow {
        /// Line, from 1.
        line: usize,
        /// What is there.
        found: String,
        /// What the plan says.
        expected: String,
    },
    /// A resume would mix rows of two different runs.
    #[error("{}: cannot resume: {}", path.display(), differences.join("; "))]
    Mismatch {
        /// The run directory.
        path: PathBuf,
        /// Each difference in words: what, there, here.
        differences: Vec<String>,
    },
}

impl RecordError {
    pub(crate) fn io(path: &Path, action: &'static str) -> impl FnOnce(std::io::Error) -> Self {
        move |source| Self::Io { path: path.to_owned(), action, source }
    }

    /// Whether the disk has no space left.
    pub fn is_full_disk(&self) -> bool {
        matches!(self, Self::Io { source, .. } if source.kind() == std::io::ErrorKind::StorageFull)
    }

    /// What to do about it, if that can be said.
    pub fn hint(&self) -> Option<&'static str> {
        match self {
            Self::Io { .. } if self.is_full_disk() => {
                Some("free some space, then continue with --resume: rows already written are kept")
            }
            Self::Io { .. } | Self::Malformed { .. } => None,
            Self::NotARun(_) => Some("give the folder that `audit` or `associate` printed at its end"),
            Self::OtherKind { is_association: true, .. } => Some("`stereometer leakage` reads such runs"),
            Self::OtherKind { is_association: false, .. } => {
                Some("`stereometer associate` makes a run of associations")
            }
            Self::Exists(_) => Some("continue it with --resume, or choose another folder with --out"),
            Self::Foreign { .. } => Some("choose another folder with --out; nothing was written here"),
            Self::Locked(_) => Some("wait for it, or choose another folder with --out"),
            Self::Link(_) => {
                Some("remove the link yourself, or give the folder it leads to; nothing was removed")
            }
            Self::TooNew { .. } => Some("use the newer program"),
            Self::Mismatch { .. } | Self::ForeignRow { .. } => {
                Some("choose another folder with --out for the new run")
            }
        }
    }
}
