//! `mistral`: Mistral 7B and its relatives. Llama with a window in all layers, unless the file says there is none.
//!
//! Source: Jiang et al. 2023; keys and defaults as in transformers' `MistralConfig`. GGUF files of these models call
//! themselves `llama`.

use serde::Deserialize;

use crate::EngineError;
use crate::config::{Defaults, HubConfig};
use crate::layers::decoder_config::{Biases, DecoderConfig};
use crate::models::llama;

#[derive(Debug, Deserialize)]
struct Keys {
    #[serde(default = "default_window")]
    sliding_window: Option<usize>,
}

#[allow(clippy::unnecessary_wraps)] // serde wants the field's type; `null` and "not there" differ here
fn default_window() -> Option<usize> {
    Some(4096)
}

/// From `config.json`.
pub(crate) fn from_hub(config: &HubConfig) -> Result<DecoderConfig, EngineError> {
    let keys: Keys = config.parse()?;
    let defaults = Defaults { n_kv_heads: Some(8), head_dim: None, context_length: 131_072 };
    let mut decoder = llama::decoder(config, defaults)?;
    decoder.biases = Biases::NONE;
    let windowed = vec![true; decoder.layers.len()];
    Ok(decoder.windowed(&windowed, config.window(keys.sliding_window)?))
}
