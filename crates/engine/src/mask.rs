//! Which token stands for a hidden one: as the checkpoint's own files say, never by a model's name.

use std::path::Path;

use serde_json::Value;
use stereometer_lm::{TokenId, Tokenizer};

use crate::EngineError;

/// Files that may hold `mask_token`, the first that does counting.
const FILES: [&str; 2] = ["tokenizer_config.json", "special_tokens_map.json"];

/// The mask's id; where no file names it, the only added token that is spelt as a mask.
pub(crate) fn mask_id(directory: &Path, tokenizer: &Tokenizer) -> Result<TokenId, EngineError> {
    let named = FILES.iter().find_map(|file| named(&directory.join(file)));
    let id = match &named {
        Some(token) => tokenizer.id_of(token),
        None => tokenizer.added_mask(),
    };
    id.ok_or_else(|| EngineError::KeyMissing {
        path: directory.join(FILES[0]),
        key: named
            .map_or_else(|| "mask_token".to_owned(), |token| format!("mask_token {token} of the vocabulary")),
    })
}

/// `mask_token`, which is a text or an object that describes a token.
fn named(file: &Path) -> Option<String> {
    let keys: Value = serde_json::from_str(&std::fs::read_to_string(file).ok()?).ok()?;
    let token = keys.get("mask_token")?;
    token.as_str().or_else(|| token.get("content")?.as_str()).map(str::to_owned)
}
