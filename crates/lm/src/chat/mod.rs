//! Texts inside the chat template of the model: what would it say, asked as its users ask it?
//!
//! A model tuned for conversation was trained on text between the marks of its template. Two readings of “the text”:
//!
//! * [`ChatRole::Assistant`] (the usual one): the text is what the model says, as its answer to an empty turn of the user.
//!   This is what lm-evaluation-harness does under `--apply_chat_template` (the context is the user's turn, the
//!   continuation is scored as the assistant's), with the context that a sentence on its own has: none. Any other
//!   question to the model would be one that this program made up.
//! * [`ChatRole::User`]: the text is what the user says: how likely is the sentence as something people write to the model?
//!   Some templates need it: those that refuse an empty turn.
//!
//! Only the tokens of the text are scored; what the template puts before them is a condition. What it puts after them is
//! not asked: in a causal model it moves no number. The whole string is rendered and tokenised in one piece, and the tokens
//! of the text are found by their places in it. Special tokens are those that the template prints, and no others, as in
//! transformers' `apply_chat_template`: a post-processor that puts a BOS before plain text puts none here.
//!
//! Degenerate cases, each without a score and with its reason: a text that the template alters (strips, drops), and a text
//! of which a token belongs to the template too. White space of the template at the beginning of a token is no such case:
//! in most vocabularies the space before a word is part of the word (`[/INST] She` has the token `▁She`).
//!
//! There is no clock: a template that prints the date gets 26 July 2024 always, the one that Llama's prints when it is told
//! none, since a run has to give the same numbers tomorrow.

mod render;
pub(crate) mod wrapped;

use std::collections::BTreeMap;

use sha2::{Digest, Sha256};
use thiserror::Error;

pub use wrapped::Chat;

/// Who says the text.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum ChatRole {
    /// The model, as its answer to an empty turn of the user.
    #[default]
    Assistant,
    /// The user, in the first turn.
    User,
}

impl ChatRole {
    /// The role of this name.
    pub fn of(name: &str) -> Option<Self> {
        [Self::Assistant, Self::User].into_iter().find(|role| role.name() == name)
    }

    /// As templates spell it.
    pub fn name(self) -> &'static str {
        match self {
            Self::Assistant => "assistant",
            Self::User => "user",
        }
    }
}

/// A chat template as the checkpoint's files have it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ChatTemplate {
    /// Jinja, as the Hugging Face Hub writes it.
    pub source: String,
    /// Special tokens that templates ask for by name (`bos_token`, `eos_token` …), as they are spelt.
    pub special_tokens: BTreeMap<String, String>,
}

impl ChatTemplate {
    /// The SHA-256 of its text, in lower-case hex.
    pub fn sha256(&self) -> String {
        let digest = Sha256::digest(&self.source);
        digest.iter().fold(String::with_capacity(64), |hex, byte| hex + &format!("{byte:02x}"))
    }
}

/// Why a chat template cannot be used.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum ChatError {
    /// It is not Jinja, or fails.
    #[error("the chat template fails: {0}")]
    Fails(String),
    /// It calls `raise_exception`: the conversation is not to its liking.
    #[error("the chat template refuses the conversation: {0}")]
    Refuses(String),
    /// The text is not in what it prints.
    #[error("the chat template does not print what the {} says", .0.name())]
    NoText(ChatRole),
    /// The text is in what it prints several times, and only one place can be scored.
    #[error("the chat template prints what the {} says more than once", .0.name())]
    Repeats(ChatRole),
}
