//! Exit codes, and how every error becomes one.

use std::io;
use std::path::Path;

use stereometer_audit::{AuditError, CompareError, MethodError};
use stereometer_core::AssociationMethod;
use stereometer_data::DataError;
use stereometer_engine::EngineError;
use stereometer_fetch::FetchError;
use stereometer_leakage::AssociationError;
use stereometer_lm::{LmError, TokenizerError};
use stereometer_record::RecordError;
use stereometer_report::ReportError;
use stereometer_score::association_methods;

/// The program's exit codes: documented in the README.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(u8)]
pub enum Exit {
    /// All went well.
    Done = 0,
    /// A bug, or the machine (disk, memory).
    Machine = 1,
    /// The command line.
    CommandLine = 2,
    /// The input data.
    Input = 3,
    /// The choices leave nothing.
    NothingSelected = 4,
    /// Done, but some items have no score.
    SomeUnscored = 5,
    /// Done, but a fit is singular or has not converged.
    DoubtfulFit = 6,
    /// A reference check failed.
    CheckFailed = 7,
    /// A download or an endpoint did not answer.
    CouldNotRun = 8,
}

impl From<Exit> for std::process::ExitCode {
    fn from(exit: Exit) -> Self {
        Self::from(exit as u8)
    }
}

/// Why a command ended early, in words for the terminal.
#[derive(Debug)]
pub struct Failure {
    /// The exit code.
    pub exit: Exit,
    /// What went wrong.
    pub message: String,
    /// What the user can do about it.
    pub hint: Option<String>,
}

impl Failure {
    /// A failure without a hint.
    pub fn new(exit: Exit, message: impl Into<String>) -> Self {
        Self { exit, message: message.into(), hint: None }
    }

    /// With what the user can do about it.
    #[must_use]
    pub fn hint(mut self, hint: impl Into<String>) -> Self {
        self.hint = Some(hint.into());
        self
    }

    /// Whoever read the output wants no more of it: nothing went wrong, and there is nothing to say.
    pub fn reader_gone() -> Self {
        Self::new(Exit::Done, "")
    }

    /// The operating system refused something about a file.
    pub fn io(path: &Path, action: &'static str) -> impl FnOnce(io::Error) -> Self {
        move |error| {
            let is_input = error.kind() == io::ErrorKind::NotFound || is_wrong_file(&error);
            let exit = if is_input { Exit::Input } else { Exit::Machine };
            Self::new(exit, format!("{}: {action}: {error}", path.display()))
        }
    }
}

/// Whether what lies there, and not the machine, is the reason.
fn is_wrong_file(error: &io::Error) -> bool {
    matches!(error.kind(), io::ErrorKind::InvalidData | io::ErrorKind::IsADirectory)
}

impl From<DataError> for Failure {
    fn from(error: DataError) -> Self {
        use stereometer_data::ErrorKind;
        let exit = match error.kind() {
            ErrorKind::CommandLine => Exit::CommandLine,
            ErrorKind::Input => Exit::Input,
            ErrorKind::NothingSelected => Exit::NothingSelected,
            ErrorKind::NotPulled => Exit::CouldNotRun,
        };
        Self { exit, message: error.to_string(), hint: error.hint() }
    }
}

impl From<FetchError> for Failure {
    fn from(error: FetchError) -> Self {
        use stereometer_fetch::ErrorKind;
        let exit = match error.kind() {
            ErrorKind::Usage => Exit::CommandLine,
            ErrorKind::Input => Exit::Input,
            ErrorKind::Fetch => Exit::CouldNotRun,
            ErrorKind::Machine => Exit::Machine,
        };
        Self { exit, message: error.to_string(), hint: error.hint() }
    }
}

impl From<EngineError> for Failure {
    fn from(error: EngineError) -> Self {
        use stereometer_engine::ErrorKind;
        let exit = match error.kind() {
            ErrorKind::Input => Exit::Input,
            ErrorKind::Machine => Exit::Machine,
        };
        Self::new(exit, error.to_string())
    }
}

impl From<RecordError> for Failure {
    fn from(error: RecordError) -> Self {
        let exit = match &error {
            RecordError::Io { source, .. } if is_wrong_file(source) => Exit::Input,
            RecordError::Io { .. } | RecordError::Locked(_) => Exit::Machine,
            RecordError::Malformed { .. }
            | RecordError::NotARun(_)
            | RecordError::OtherKind { .. }
            | RecordError::ForeignRow { .. }
            | RecordError::TooNew { .. } => Exit::Input,
            RecordError::Exists(_)
            | RecordError::Foreign { .. }
            | RecordError::Mismatch { .. }
            | RecordError::Link(_) => Exit::CommandLine,
        };
        Self { exit, message: error.to_string(), hint: error.hint().map(str::to_owned) }
    }
}

impl From<AuditError> for Failure {
    fn from(error: AuditError) -> Self {
        match error {
            AuditError::Record(error) => error.into(),
            AuditError::Lm(error) => error.into(),
            AuditError::Tokenizer(error) => error.into(),
            AuditError::NothingSelected(_) => Self::new(Exit::NothingSelected, error.to_string()),
        }
    }
}

impl From<AssociationError> for Failure {
    fn from(error: AssociationError) -> Self {
        match error {
            AssociationError::Record(error) => error.into(),
            AssociationError::Lm(error) => error.into(),
            AssociationError::Tokenizer(error) => error.into(),
            AssociationError::OtherKind { lm, .. } => {
                let known = association_methods(lm).into_iter().map(AssociationMethod::name);
                let known = known.collect::<Vec<_>>().join(", ");
                Self::new(Exit::CommandLine, error.to_string())
                    .hint(format!("this language model can do: {known}"))
            }
            AssociationError::NothingSelected(_) => Self::new(Exit::NothingSelected, error.to_string()),
        }
    }
}

impl From<CompareError> for Failure {
    fn from(error: CompareError) -> Self {
        let exit = match error {
            CompareError::Empty(_) => Exit::NothingSelected,
            CompareError::OneRun | CompareError::Differ { .. } => Exit::CommandLine,
        };
        Self::new(exit, error.to_string()).hint(error.hint())
    }
}

impl From<MethodError> for Failure {
    fn from(error: MethodError) -> Self {
        Self::new(Exit::CommandLine, error.to_string()).hint(error.hint())
    }
}

impl From<LmError> for Failure {
    fn from(error: LmError) -> Self {
        let exit = match &error {
            LmError::TooLong { .. } | LmError::UnknownId { .. } | LmError::NoSuchPosition { .. } => {
                Exit::Input
            }
            LmError::Backend(_) => Exit::Machine,
        };
        Self::new(exit, error.to_string())
    }
}

impl From<TokenizerError> for Failure {
    fn from(error: TokenizerError) -> Self {
        Self::new(Exit::Input, error.to_string())
    }
}

impl From<ReportError> for Failure {
    fn from(error: ReportError) -> Self {
        match error {
            // What is derived has nothing to resume.
            ReportError::Write(error) if error.is_full_disk() => {
                Self { hint: None, ..error.into() }.hint("free some space, then say the command again")
            }
            ReportError::Write(error) => error.into(),
            ReportError::NotAnExport { .. } | ReportError::TooSmall { .. } | ReportError::LmEval(_) => Self {
                exit: Exit::CommandLine,
                message: error.to_string(),
                hint: error.hint().map(str::to_owned),
            },
            ReportError::Folder { .. }
            | ReportError::Csv { .. }
            | ReportError::Format { .. }
            | ReportError::NoFont
            | ReportError::Picture { .. } => Self {
                exit: Exit::Machine,
                message: error.to_string(),
                hint: error.hint().map(str::to_owned),
            },
        }
    }
}
