//! `qwen2`: Qwen 2 and 2.5. Llama with biases on query, key and value, and perhaps windows in the upper layers.
//!
//! Source: Yang et al. 2024; keys and defaults as in transformers' `Qwen2Config`.

use serde::Deserialize;

use crate::EngineError;
use crate::checkpoint::gguf::GgufFile;
use crate::config::{Defaults, HubConfig};
use crate::layers::decoder_config::{Biases, DecoderConfig};
use crate::models::{gguf_keys, llama};

#[derive(Debug, Deserialize)]
struct Keys {
    #[serde(default)]
    use_sliding_window: bool,
    sliding_window: Option<usize>,
    max_window_layers: Option<usize>,
    layer_types: Option<Vec<String>>,
}

/// From `config.json`.
pub(crate) fn from_hub(config: &HubConfig) -> Result<DecoderConfig, EngineError> {
    let defaults = Defaults { n_kv_heads: Some(32), head_dim: None, context_length: 32_768 };
    let mut decoder = decoder(config, defaults)?;
    decoder.biases = Biases { qkv: true, output: false, mlp: false };
    Ok(decoder)
}

/// Llama's decoder with Qwen's windows.
pub(super) fn decoder(config: &HubConfig, defaults: Defaults) -> Result<DecoderConfig, EngineError> {
    let keys: Keys = config.parse()?;
    let decoder = llama::decoder(config, defaults)?;
    let window = config.window(keys.sliding_window.filter(|_| keys.use_sliding_window))?;
    let n_layers = decoder.layers.len();
    let windowed: Vec<bool> = match keys.layer_types {
        Some(types) => config.windowed_layers(&types, n_layers)?,
        None => (0..n_layers).map(|layer| layer >= keys.max_window_layers.unwrap_or(28)).collect(),
    };
    Ok(decoder.windowed(&windowed, window))
}

/// From GGUF metadata.
pub(crate) fn from_gguf(file: &GgufFile) -> Result<DecoderConfig, EngineError> {
    gguf_keys::decoder(file, "qwen2")
}
