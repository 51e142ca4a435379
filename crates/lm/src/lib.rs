//! The contract for asking a language model, and what every backend shares.
//!
//! A backend answers with token log-probabilities in nats. Position 0 of a text is a condition and is never scored:
//! ℓ_t = ln P(w_t | w_<t) for t ≥ 1 (methods, section 1; EuroGEST eq. 1).

mod answer;
pub mod chat;
mod contract;
mod masked;
mod mock;
mod seq2seq;
pub mod tokenizer;
mod trie;

pub use answer::TokenLogProbs;
pub use chat::{Chat, ChatError, ChatRole, ChatTemplate};
pub use contract::{CausalLm, LmError, LmInfo};
pub use masked::{Cloze, ClozeTarget, HeadView, MaskedLm};
pub use mock::MockLm;
pub use seq2seq::{LmKind, LoadedLm, Seq2SeqLm, SourceTarget};
pub use tokenizer::framed::FramedEncoding;
pub use tokenizer::{Encoding, Tokenizer, TokenizerError, is_composed, lost_marks};
pub use trie::{ROOT, TokenTrie};

/// A token's number in the vocabulary.
pub type TokenId = u32;
