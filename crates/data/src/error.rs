//! Why a set, a pack or a choice of languages was refused.

use std::io;
use std::path::PathBuf;

use thiserror::Error;

use crate::Problem;

/// Why a set, a pack or a choice of languages was refused.
#[derive(Debug, Error)]
pub enum DataError {
    /// The content of a file: the first problem, and how many more there are.
    #[error("{first}")]
    Data {
        /// The first problem in the order of the file.
        first: Box<Problem>,
        /// How many others were found.
        others: usize,
    },
    /// Neither a set's name nor a path.
    #[error("unknown set `{name}`: neither a known name ({known}) nor an existing file or directory")]
    UnknownSet {
        /// What was asked for.
        name: String,
        /// The names of the catalogue.
        known: String,
    },
    /// A known set that is not on this machine.
    #[error("the set `{name}` is not on this machine yet")]
    NotPulled {
        /// Its name.
        name: String,
    },
    /// Neither an inventory's name nor a folder.
    #[error("unknown inventory `{name}`: neither a known name ({known}) nor an existing folder")]
    UnknownInventory {
        /// What was asked for.
        name: String,
        /// The names of the built-in ones.
        known: String,
    },
    /// A language that the inventory does not have.
    #[error("the inventory has no language `{name}`; it has: {available}")]
    LanguageNotInInventory {
        /// What was asked for.
        name: String,
        /// The inventory's languages.
        available: String,
    },
    /// A language that no pack has.
    #[error("unknown language `{name}`; known: {known}")]
    UnknownLanguage {
        /// What was asked for.
        name: String,
        /// The tags of the packs, and the groups.
        known: String,
    },
    /// A language that the set does not have.
    #[error("the set has no sentences in `{name}`; it has: {available}")]
    LanguageNotInSet {
        /// What was asked for.
        name: String,
        /// The set's languages.
        available: String,
    },
    /// A choice that leaves nothing.
    #[error("`{choice}` selects none of the set's languages ({available})")]
    NothingSelected {
        /// What was asked for.
        choice: String,
        /// The set's languages.
        available: String,
    },
    /// A file or directory that the operating system does not give.
    #[error("cannot read {}: {source}", path.display())]
    Io {
        /// Which one.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
}

/// Whose move it is; the program's exit codes follow from it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ErrorKind {
    /// The command line names something that does not exist: 2.
    CommandLine,
    /// The data are wrong or unreadable: 3.
    Input,
    /// Nothing is left to work on: 4.
    NothingSelected,
    /// Something has to be fetched first: 8.
    NotPulled,
}

impl DataError {
    /// Whose move it is.
    pub fn kind(&self) -> ErrorKind {
        match self {
            Self::Data { .. } | Self::Io { .. } => ErrorKind::Input,
            Self::UnknownSet { .. }
            | Self::UnknownInventory { .. }
            | Self::UnknownLanguage { .. }
            | Self::LanguageNotInSet { .. }
            | Self::LanguageNotInInventory { .. } => ErrorKind::CommandLine,
            Self::NothingSelected { .. } => ErrorKind::NothingSelected,
            Self::NotPulled { .. } => ErrorKind::NotPulled,
        }
    }

    /// What the user can do about it; a channel of its own beside the message.
    pub fn hint(&self) -> Option<String> {
        match self {
            Self::Data { first, others: 0 } => first.fault.hint().map(str::to_owned),
            Self::Data { first, others } => {
                let more = format!("`stereometer set check` lists this problem and {others} more");
                Some(first.fault.hint().map_or(more.clone(), |hint| format!("{hint}; {more}")))
            }
            Self::UnknownSet { .. } => Some("`stereometer set list` shows the known sets".to_owned()),
            Self::UnknownInventory { .. } => {
                Some("`stereometer set list` shows the known inventories beside the sets".to_owned())
            }
            Self::LanguageNotInInventory { .. } => {
                Some("a further language of an inventory is one TOML file: see docs/formats.md".to_owned())
            }
            Self::NotPulled { name } => Some(format!("`stereometer set pull {name}` fetches it")),
            Self::UnknownLanguage { .. } => {
                Some("a pack for a further language is one TOML file: see docs/formats.md".to_owned())
            }
            Self::LanguageNotInSet { .. } | Self::NothingSelected { .. } | Self::Io { .. } => None,
        }
    }
}

impl From<Problem> for DataError {
    fn from(problem: Problem) -> Self {
        Self::Data { first: Box::new(problem), others: 0 }
    }
}
