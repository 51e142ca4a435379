//! Which ids does the checkpoint in a GGUF file give a text?
//!
//! A GGUF file carries no `tokenizer.json`: it holds the vocabulary with a kind and a score for each token, perhaps the
//! merges, the ids of the special tokens, and a word (`tokenizer.ggml.pre`) for how text is cut before the merges. From
//! these the tokenizer that Hugging Face publishes with the checkpoint is built again, as the same `tokenizers` types.
//!
//! Two kinds are known: `llama` (`spm_bpe`: Llama 2, Gemma, EuroLLM, Salamandra) and `gpt2` (`byte_level`: GPT-2,
//! SmolLM2, Qwen 2 and 3, Llama 3, Cohere). Any other is an error that says so.
//!
//! Sources: the keys are those of llama.cpp's `gguf-py/gguf/constants.py`; the pipelines are the `tokenizer.json` files
//! of the models; checked against these, against transformers 5.24 and SentencePiece (see `golden/tokenizers`).
//!
//! What the file does not say is filled from the kind of tokenizer, never from a model's name, and each such guess comes
//! back as a doubt in plain words. Three things cannot be known from a GGUF file:
//! * Whether a text that starts with a space gets another "▁" before it, and text after a spelt-out special token one of
//!   its own. SentencePiece and the `tokenizer.json` of Llama 2 do the former; transformers 5 does neither, nor is it
//!   done here. Texts that start with anything else are not concerned.
//! * Whether a special token swallows the spaces beside it (Phi-3's `<|user|>` does).
//! * Normalisation, except where the pre-tokenizer's name implies it (`pre_tokenizer`).
//!
//! candle 0.11 has a `TokenizerFromGguf`. For `qwen2` its ids are right, and equal to these. It is not used, because it
//! * knows only the kind `gpt2`;
//! * cuts text as GPT-2 does, with a space put before it, for every pre-tokenizer but `qwen2`, `llama3`, `smaug-bpe` and
//!   `lfm2`: of 12,000 sentences in 30 languages 96 in 100 get other ids than they should in SmolLM2 (`smollm`), and
//!   98 in 100 in a vocabulary of Llama 3 (`llama-bpe`);
//! * does not take whole words before merges (`ignore_merges`) where Llama 3 needs it;
//! * makes user-defined tokens special, and spells BOS out in its template, where a ":" in it is read as syntax;
//! * guesses without saying so.

mod byte_level;
mod pre_tokenizer;
mod special;
mod spm_bpe;

use serde::Deserialize;

use super::{Tokenizer, TokenizerError};
use crate::TokenId;

/// The tokenizer metadata of a GGUF file: what stands under `tokenizer.ggml.`
#[derive(Debug, Clone, Default, Deserialize)]
pub struct GgufVocabulary {
    /// `model`: the kind of tokenizer, `llama` or `gpt2`.
    pub model: String,
    /// `pre`: how text is cut into words before the merges.
    pub pre: Option<String>,
    /// `tokens`: the spelling of each id.
    pub tokens: Vec<String>,
    /// `scores`: a higher score merges earlier.
    pub scores: Option<Vec<f32>>,
    /// `token_type`: 1 text, 2 unknown, 3 control, 4 user-defined, 5 unused, 6 byte.
    pub token_types: Option<Vec<i32>>,
    /// `merges`: pairs with a space between, best first.
    pub merges: Option<Vec<String>>,
    /// `bos_token_id`
    pub bos_id: Option<TokenId>,
    /// `eos_token_id`
    pub eos_id: Option<TokenId>,
    /// `unknown_token_id`
    pub unknown_id: Option<TokenId>,
    /// `padding_token_id`
    pub padding_id: Option<TokenId>,
    /// `add_bos_token`
    pub add_bos: Option<bool>,
    /// `add_eos_token`
    pub add_eos: Option<bool>,
    /// `add_space_prefix`: whether a text is read as if a space stood before it.
    pub add_space_prefix: Option<bool>,
}

/// Bytes of the longest piece that merges are derived for; Gemma's longest, 31 spaces, has 93.
pub(super) const MAX_PIECE: usize = 256;

/// What a token is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum TokenKind {
    Normal,
    Unknown,
    Control,
    UserDefined,
    Unused,
    Byte,
}

impl TokenKind {
    /// llama.cpp's `llama_token_type`; 0 is "undefined", which it treats as text.
    fn from_number(number: i32) -> Option<Self> {
        Some(match number {
            0 | 1 => Self::Normal,
            2 => Self::Unknown,
            3 => Self::Control,
            4 => Self::UserDefined,
            5 => Self::Unused,
            6 => Self::Byte,
            _ => return None,
        })
    }
}

/// A vocabulary whose parts fit each other.
struct Checked<'a> {
    of: &'a GgufVocabulary,
    kinds: Option<Vec<TokenKind>>,
}

impl Checked<'_> {
    fn kind(&self, id: usize) -> TokenKind {
        self.kinds.as_ref().map_or(TokenKind::Normal, |kinds| kinds[id])
    }
}

/// What the two kinds of tokenizer hand back: everything but the special tokens.
struct Bare {
    tokenizer: tokenizers::Tokenizer,
    /// Whether a beginning-of-text token is usual where the file is silent.
    bos_is_usual: bool,
}

/// The tokenizer that a GGUF file describes, and in plain words what had to be guessed.
pub fn tokenizer(vocabulary: &GgufVocabulary) -> Result<(Tokenizer, Vec<String>), TokenizerError> {
    let vocabulary = check(vocabulary)?;
    let mut doubts = Vec::new();
    let Bare { mut tokenizer, bos_is_usual } = match vocabulary.of.model.as_str() {
        "llama" => spm_bpe::build(&vocabulary, &mut doubts)?,
        "gpt2" => byte_level::build(&vocabulary, &mut doubts)?,
        other => {
            return Err(metadata(format!(
                "tokenizer.ggml.model is {other:?}; supported are \"llama\" and \"gpt2\""
            )));
        }
    };
    special::add_tokens(&mut tokenizer, &vocabulary, &mut doubts)?;
    special::add_frame(&mut tokenizer, &vocabulary, bos_is_usual, &mut doubts)?;
    Ok((Tokenizer::from_inner(tokenizer), doubts))
}

fn check(of: &GgufVocabulary) -> Result<Checked<'_>, TokenizerError> {
    let n_tokens = of.tokens.len();
    if n_tokens == 0 {
        return Err(metadata("tokenizer.ggml.tokens is empty"));
    }
    if let Some(scores) = &of.scores {
        same_length("scores", scores.len(), n_tokens)?;
        if let Some(id) = scores.iter().position(|score| score.is_nan()) {
            return Err(metadata(format!("the score of token {id} is not a number")));
        }
    }
    let kinds = match &of.token_types {
        None => None,
        Some(types) => {
            same_length("token_type", types.len(), n_tokens)?;
            let kind = |(id, &number)| {
                TokenKind::from_number(number)
                    .ok_or_else(|| metadata(format!("token {id} has type {number}; known are 0 to 6")))
            };
            Some(types.iter().enumerate().map(kind).collect::<Result<Vec<_>, _>>()?)
        }
    };
    let named =
        [("bos", of.bos_id), ("eos", of.eos_id), ("unknown", of.unknown_id), ("padding", of.padding_id)];
    for (name, id) in named {
        if let Some(id) = id.filter(|&id| id as usize >= n_tokens) {
            return Err(metadata(format!(
                "tokenizer.ggml.{name}_token_id is {id}, but there are {n_tokens} tokens"
            )));
        }
    }
    Ok(Checked { of, kinds })
}

fn same_length(key: &str, found: usize, tokens: usize) -> Result<(), TokenizerError> {
    if found == tokens {
        Ok(())
    } else {
        Err(metadata(format!("tokenizer.ggml.{key} has {found} entries for {tokens} tokens")))
    }
}

#[allow(clippy::needless_pass_by_value)] // `map_err` gives a value
fn metadata(detail: impl ToString) -> TokenizerError {
    TokenizerError::Metadata(detail.to_string())
}
