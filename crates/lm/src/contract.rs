//! What a backend must offer.

use thiserror::Error;

use crate::{TokenId, TokenLogProbs};

/// What a loaded language model says of itself.
#[derive(Debug, Clone, PartialEq)]
pub struct LmInfo {
    /// Architecture, in the spelling of the checkpoint's `model_type`.
    pub architecture: String,
    /// Number of parameters, tied ones counted once.
    pub parameters: u64,
    /// Longest text, in tokens.
    pub context_length: usize,
    /// Number of rows of the output layer.
    pub vocab_size: usize,
    /// Type in which the weights are stored, such as `bf16` or `Q4_K, Q6_K`.
    pub stored_dtype: String,
    /// Type in which the products are computed, such as `f32`.
    pub compute_dtype: String,
    /// Whether the output layer is the input embedding.
    pub tied: bool,
    /// Identity of the checkpoint, SHA-256 in lower-case hex: two checkpoints with the same one give the same numbers for
    /// the same ids. A GGUF file holds its own configuration, so it is the file's hash as `sha256sum` prints it; of a
    /// directory it is a hash over the weight files' hash and the configuration as the engine understood it.
    pub weights_sha256: String,
}

/// Why a language model could not answer.
#[derive(Debug, Error)]
pub enum LmError {
    /// A text is longer than the context.
    #[error("{tokens} tokens do not fit the context of {context}")]
    TooLong {
        /// Length of the text.
        tokens: usize,
        /// The limit.
        context: usize,
    },
    /// A token id outside the vocabulary.
    #[error("token id {id} is outside the vocabulary of {vocab}")]
    UnknownId {
        /// The id.
        id: TokenId,
        /// Rows of the output layer.
        vocab: usize,
    },
    /// A question about a position after the text.
    #[error("position {position} is outside the text of {tokens} tokens")]
    NoSuchPosition {
        /// What was asked for.
        position: usize,
        /// Length of the text.
        tokens: usize,
    },
    /// The backend failed.
    #[error("{0}")]
    Backend(String),
}

/// A model that predicts each token from those before it.
pub trait CausalLm: Send + Sync {
    /// What was understood of the checkpoint.
    fn info(&self) -> &LmInfo;

    /// Log-probabilities of every token of every text, in the order given.
    ///
    /// An empty text gives an empty answer; a text of one token has nothing scored.
    /// The answer for a text does not depend on the texts beside it.
    fn sequence_logprobs(&self, batch: &[Vec<TokenId>]) -> Result<Vec<TokenLogProbs>, LmError>;
}
