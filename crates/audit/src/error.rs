//! What can go wrong between a plan and its results.

use stereometer_lm::{LmError, TokenizerError};
use stereometer_record::RecordError;
use thiserror::Error;

/// A failure of an audit.
#[derive(Debug, Error)]
pub enum AuditError {
    /// The language model could not answer.
    #[error("the language model failed: {0}")]
    Lm(#[from] LmError),
    /// A text could not be tokenised.
    #[error(transparent)]
    Tokenizer(#[from] TokenizerError),
    /// The run could not be read or written.
    #[error(transparent)]
    Record(#[from] RecordError),
    /// The choices leave no item.
    #[error("nothing to score: {0}")]
    NothingSelected(String),
}
