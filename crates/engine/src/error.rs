//! Why a checkpoint cannot be loaded: one clear sentence, with the file, the tensor or key, what was expected and found.

use std::path::{Path, PathBuf};

use stereometer_lm::TokenizerError;
use thiserror::Error;

/// Whether the input or the machine is at fault.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ErrorKind {
    /// The files given: another download or another model helps.
    Input,
    /// This machine: its disk, rights, memory or threads.
    Machine,
}

/// Why a checkpoint cannot be loaded.
#[derive(Debug, Error)]
pub enum EngineError {
    /// Nothing at the path.
    #[error("{}: no such file or directory", path.display())]
    NotFound {
        /// What was asked for.
        path: PathBuf,
    },
    /// A file that every checkpoint has is not there.
    #[error("{}: {file} is missing", directory.display())]
    FileMissing {
        /// The checkpoint.
        directory: PathBuf,
        /// What was looked for.
        file: String,
    },
    /// The operating system refused.
    #[error("{}: {source}", path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// Its words.
        source: std::io::Error,
    },
    /// A file ends before its content does.
    #[error(
        "{}: download incomplete: {expected} bytes expected ({what}), the file has {actual}; fetch it again",
        path.display()
    )]
    Truncated {
        /// The file.
        path: PathBuf,
        /// Which part does not fit.
        what: String,
        /// Bytes that it needs, from the start of the file.
        expected: u64,
        /// Bytes that are there.
        actual: u64,
    },
    /// A file is not what its name says.
    #[error("{}: {detail}", path.display())]
    Malformed {
        /// The file.
        path: PathBuf,
        /// What is wrong.
        detail: String,
    },
    /// The index names a file that is not there.
    #[error("{}: names the shard {shard}, which is not there (tensors in it: {n_tensors}); fetch it again", index.display())]
    ShardMissing {
        /// The index.
        index: PathBuf,
        /// The shard.
        shard: String,
        /// How many tensors were to be in it.
        n_tensors: usize,
    },
    /// Tensors that the architecture needs are not there.
    #[error("{}: tensors missing ({}): {}", path.display(), names.len(), listed(names))]
    TensorsMissing {
        /// The checkpoint.
        path: PathBuf,
        /// All of them.
        names: Vec<String>,
    },
    /// A tensor has another shape than the configuration gives it.
    #[error("{}: tensor {tensor} has shape {actual:?}, the configuration gives {expected:?}", path.display())]
    Shape {
        /// The checkpoint.
        path: PathBuf,
        /// Its name.
        tensor: String,
        /// By the configuration.
        expected: Vec<usize>,
        /// In the file.
        actual: Vec<usize>,
    },
    /// A tensor is stored in a type that is not read.
    #[error("{}: tensor {tensor} is stored as {actual}; read are {supported}", path.display())]
    TensorType {
        /// The checkpoint.
        path: PathBuf,
        /// Its name.
        tensor: String,
        /// The type in the file.
        actual: String,
        /// The types that are read.
        supported: String,
    },
    /// An architecture that is not in the registry.
    #[error("{}: architecture {found} is not supported; supported are {supported}", path.display())]
    Architecture {
        /// The file that names it.
        path: PathBuf,
        /// The name.
        found: String,
        /// All names that are.
        supported: String,
    },
    /// A language model that cannot be asked what is wanted of it.
    #[error("{}: {found} is {kind}; what is asked for needs a causal language model", path.display())]
    OtherKind {
        /// The configuration.
        path: PathBuf,
        /// Its architecture.
        found: String,
        /// What it is.
        kind: &'static str,
    },
    /// A key that is needed is not in the configuration.
    #[error("{}: {key} is missing", path.display())]
    KeyMissing {
        /// The configuration.
        path: PathBuf,
        /// The key.
        key: String,
    },
    /// A key holds a value that would change the numbers in a way the engine does not know.
    #[error("{}: {key} = {value} is not supported; {supported}", path.display())]
    Value {
        /// The configuration.
        path: PathBuf,
        /// The key.
        key: String,
        /// Its value.
        value: String,
        /// What is.
        supported: String,
    },
    /// The tokenizer gives ids that the output layer has no row for.
    #[error("{}: the tokenizer's ids reach {highest}, the embedding has only {n_rows} rows: they do not belong together", path.display())]
    Vocabulary {
        /// The checkpoint.
        path: PathBuf,
        /// The highest id of the tokenizer.
        highest: usize,
        /// Rows of the embedding.
        n_rows: usize,
    },
    /// The tokenizer cannot be read.
    #[error(transparent)]
    Tokenizer(#[from] TokenizerError),
    /// The threads cannot be started.
    #[error("cannot start {threads} threads: {detail}")]
    Threads {
        /// How many were asked for.
        threads: usize,
        /// Why not.
        detail: String,
    },
}

impl EngineError {
    /// Whether the input or the machine is at fault.
    pub fn kind(&self) -> ErrorKind {
        match self {
            // What lies there is not text, or no file: the machine is well.
            Self::Io { source, .. }
                if matches!(
                    source.kind(),
                    std::io::ErrorKind::InvalidData | std::io::ErrorKind::IsADirectory
                ) =>
            {
                ErrorKind::Input
            }
            Self::Io { .. } | Self::Threads { .. } => ErrorKind::Machine,
            Self::NotFound { .. }
            | Self::FileMissing { .. }
            | Self::Truncated { .. }
            | Self::Malformed { .. }
            | Self::ShardMissing { .. }
            | Self::TensorsMissing { .. }
            | Self::Shape { .. }
            | Self::TensorType { .. }
            | Self::Architecture { .. }
            | Self::OtherKind { .. }
            | Self::KeyMissing { .. }
            | Self::Value { .. }
            | Self::Vocabulary { .. }
            | Self::Tokenizer(_) => ErrorKind::Input,
        }
    }

    pub(crate) fn io(path: &Path, source: std::io::Error) -> Self {
        if source.kind() == std::io::ErrorKind::NotFound {
            return Self::NotFound { path: path.to_owned() };
        }
        Self::Io { path: path.to_owned(), source }
    }

    pub(crate) fn malformed(path: &Path, detail: impl Into<String>) -> Self {
        Self::Malformed { path: path.to_owned(), detail: detail.into() }
    }
}

/// The first few names, and how many more there are.
fn listed(names: &[String]) -> String {
    const SHOWN: usize = 3;
    let first = names.iter().take(SHOWN).map(String::as_str).collect::<Vec<_>>().join(", ");
    match names.len().checked_sub(SHOWN) {
        None | Some(0) => first,
        Some(more) => format!("{first} and {more} more"),
    }
}
