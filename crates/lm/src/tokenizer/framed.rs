//! A text as tokens that still know where they come from: the frame, the words, the places in the text.
//!
//! Masked scoring needs all three: the frame ([CLS], </s>) is never masked, the pieces of a word may be masked together,
//! and the pieces of a trait are found in place, inside its sentence, since a word is cut otherwise when it stands alone.

use super::{Tokenizer, TokenizerError};
use crate::TokenId;

/// A text as tokens, with their origin.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FramedEncoding {
    /// Ids, special tokens included.
    pub ids: Vec<TokenId>,
    /// Whether a token was put around the text rather than found in it.
    pub is_frame: Vec<bool>,
    /// Number of the word that a token belongs to; `None` for the frame.
    pub words: Vec<Option<u32>>,
    /// First byte of the text that a token stands for, and one past the last.
    pub spans: Vec<(usize, usize)>,
}

impl Tokenizer {
    /// Ids of a text as [`Tokenizer::encode`] gives them, and where each comes from.
    pub fn encode_framed(&self, text: &str) -> Result<FramedEncoding, TokenizerError> {
        let encoding = self.encoding(text)?;
        Ok(FramedEncoding {
            ids: encoding.get_ids().to_vec(),
            is_frame: encoding.get_special_tokens_mask().iter().map(|&special| special == 1).collect(),
            words: encoding.get_word_ids().to_vec(),
            spans: encoding.get_offsets().to_vec(),
        })
    }

    /// The id of a piece as the vocabulary spells it.
    pub fn id_of(&self, piece: &str) -> Option<TokenId> {
        self.inner.token_to_id(piece)
    }

    /// The only added token that is the word “mask” in brackets of some kind, if there is one.
    pub fn added_mask(&self) -> Option<TokenId> {
        let added = self.inner.get_added_tokens_decoder();
        let mut masks = added.iter().filter(|(_, token)| {
            token.content.trim_matches(['[', ']', '<', '>']).eq_ignore_ascii_case("mask")
                && token.content.len() > "mask".len()
        });
        let first = masks.next().map(|(&id, _)| id);
        if masks.next().is_some() { None } else { first }
    }
}
