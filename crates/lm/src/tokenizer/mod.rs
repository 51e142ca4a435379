//! Text to token ids, as the checkpoint's own files prescribe.
//!
//! Special tokens come from the files (the post-processor of `tokenizer.json`, the keys of GGUF), never from a model's
//! name. Text is encoded as it is given: sets are brought to NFC where they are read, and that is recorded there.
//! A text that spells a special token (`<s>`) gets that token, as in Hugging Face's tokenizers.

pub(crate) mod framed;
pub mod gguf;
mod marks;
mod sentencepiece;

pub use sentencepiece::{SentencePieceFamily, SentencePieceRules};

use std::path::Path;

pub use marks::{is_composed, lost_marks};
use sha2::{Digest, Sha256};
use stereometer_core::{Unscorable, caught};
use thiserror::Error;

use crate::TokenId;
use crate::chat::{Chat, ChatError, ChatRole, ChatTemplate};

/// Why a tokenizer could not be read or used.
#[derive(Debug, Error)]
pub enum TokenizerError {
    /// The file cannot be read as a tokenizer.
    #[error("{path}: not a readable tokenizer: {detail}")]
    Read {
        /// The file.
        path: String,
        /// What is wrong.
        detail: String,
    },
    /// The metadata of a GGUF file do not make a tokenizer.
    #[error("the tokenizer in the GGUF file cannot be used: {0}")]
    Metadata(String),
    /// A text could not be encoded.
    #[error("cannot encode the text: {0}")]
    Encode(String),
    /// Tokens could not be turned into text.
    #[error("cannot decode the tokens: {0}")]
    Decode(String),
    /// A chat template cannot be used.
    #[error(transparent)]
    Chat(#[from] ChatError),
    /// A text has no score inside its chat template.
    #[error(transparent)]
    Unscorable(#[from] Unscorable),
}

/// A text as tokens.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Encoding {
    /// Ids, special tokens included.
    pub ids: Vec<TokenId>,
    /// The pieces as the vocabulary spells them.
    pub tokens: Vec<String>,
    /// Index of the first token that can be scored: before it stands what a chat template puts. 0 for plain text.
    pub text_start: usize,
}

/// A tokenizer with its special-token policy.
#[derive(Debug, Clone)]
pub struct Tokenizer {
    inner: tokenizers::Tokenizer,
    unknown: Option<TokenId>,
    chat: Option<Chat>,
}

impl Tokenizer {
    /// From a `tokenizer.json`.
    pub fn from_file(path: &Path) -> Result<Self, TokenizerError> {
        let inner = guarded(|| tokenizers::Tokenizer::from_file(path))
            .map_err(|detail| TokenizerError::Read { path: path.display().to_string(), detail })?;
        Ok(Self::from_inner(inner))
    }

    /// From a SentencePiece model (`tokenizer.model`, `spiece.model`), and in plain words what had to be guessed.
    pub fn from_sentencepiece(
        path: &Path,
        rules: SentencePieceRules,
    ) -> Result<(Self, Vec<String>), TokenizerError> {
        sentencepiece::read(path, rules)
    }

    /// From a tokenizer that was built in memory.
    pub fn from_inner(mut inner: tokenizers::Tokenizer) -> Self {
        // A `tokenizer.json` may carry the padding and truncation of its last use; a silent cut would change scores.
        inner.with_padding(None);
        let _ = inner.with_truncation(None);
        let unknown = unknown_piece(&inner);
        Self { inner, unknown, chat: None }
    }

    /// The same tokenizer for texts that stand inside a chat template.
    pub fn in_chat(self, template: &ChatTemplate, role: ChatRole) -> Result<Self, ChatError> {
        Ok(Self { chat: Some(Chat::new(template, role, &self.inner)?), ..self })
    }

    /// The chat template that texts stand in.
    pub fn chat(&self) -> Option<&Chat> {
        self.chat.as_ref()
    }

    /// Ids and pieces of a text, with the special tokens that the files prescribe; inside the chat template, if there is
    /// one, up to the text's last token.
    pub fn encode(&self, text: &str) -> Result<Encoding, TokenizerError> {
        if let Some(chat) = &self.chat {
            return chat.encode(text);
        }
        let encoding = self.encoding(text)?;
        Ok(Encoding {
            ids: encoding.get_ids().to_vec(),
            tokens: encoding.get_tokens().to_vec(),
            text_start: 0,
        })
    }

    fn encoding(&self, text: &str) -> Result<tokenizers::Encoding, TokenizerError> {
        guarded(|| self.inner.encode(text, true)).map_err(TokenizerError::Encode)
    }

    /// The text of tokens, special tokens included as they are spelt.
    pub fn decode(&self, ids: &[TokenId]) -> Result<String, TokenizerError> {
        guarded(|| self.inner.decode(ids, false)).map_err(TokenizerError::Decode)
    }

    /// Whether an id stands for text that the vocabulary has no piece for.
    pub fn is_unknown(&self, id: TokenId) -> bool {
        self.unknown == Some(id)
    }

    /// Highest id plus one, added tokens included.
    pub fn vocab_size(&self) -> usize {
        self.inner.get_vocab(true).values().max().map_or(0, |&id| id as usize + 1)
    }

    /// The ids that are put before every text: the BOS rule in effect, or what the chat template prints there.
    pub fn prefix_ids(&self) -> Result<Vec<TokenId>, TokenizerError> {
        if let Some(chat) = &self.chat {
            return chat.prefix_ids();
        }
        // A text, since what is put after it (EOS, [SEP]) would follow at once in an empty one.
        let framed = self.encoding("a")?;
        let of_the_frame = framed.get_special_tokens_mask().iter().take_while(|&&special| special == 1);
        Ok(framed.get_ids()[..of_the_frame.count()].to_vec())
    }

    /// What this tokenizer is, as 64 hexadecimal digits: runs of different tokenizers are told apart by it.
    ///
    /// The SHA-256 of the tokenizer as JSON, pieces in the order of their ids. Another way to write the same tokenizer
    /// (a `tokenizer.json` and a GGUF file) has another fingerprint.
    pub fn fingerprint(&self) -> String {
        let json = serde_json::to_vec(&self.inner).expect("a tokenizer that was read can be written");
        Sha256::digest(json).iter().fold(String::with_capacity(64), |hex, byte| hex + &format!("{byte:02x}"))
    }
}

/// What the `tokenizers` crate gives. It takes a file at its word: damaged tables and templates are met only by the text that
/// needs them, as an index out of bounds.
fn guarded<T>(run: impl FnOnce() -> tokenizers::Result<T>) -> Result<T, String> {
    match caught(run) {
        Ok(result) => result.map_err(|error| error.to_string()),
        Err(words) => Err(format!("the tokenizer's file is damaged ({words})")),
    }
}

fn unknown_piece(inner: &tokenizers::Tokenizer) -> Option<TokenId> {
    use tokenizers::models::ModelWrapper;
    let piece = match inner.get_model() {
        ModelWrapper::BPE(bpe) => bpe.get_unk_token().clone(),
        ModelWrapper::WordPiece(word_piece) => Some(word_piece.unk_token.clone()),
        ModelWrapper::WordLevel(word_level) => Some(word_level.unk_token.clone()),
        ModelWrapper::Unigram(_) => {
            ["<unk>", "[UNK]"].map(str::to_owned).into_iter().find(|p| inner.token_to_id(p).is_some())
        }
    };
    piece.and_then(|piece| inner.token_to_id(&piece))
}
