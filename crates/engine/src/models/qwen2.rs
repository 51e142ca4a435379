//! `qwen2`: Qwen 2 and 2.5. Llama with biases on query, key and value, and perhaps windows in the upper layers.
//!
//! Source: Yang et al. 2024; keys and defaults as in transformers' `Qwen2Config`.

use serde::Deserialize;

use crate::EngineError;
use crate::checkpoint::gguf::GgufFile;
use crate::config::HubConfig;
use crate::layers::decoder::{Biases, DecoderConfig};
use crate::models::{gguf_keys, llama};

#[derive(Debug, Deserialize)]
struct Keys {
    #[serde(default)]
    use_sliding_window: bool,
    sliding_window: Option<usize>,
    max_window_layers: Option<usize>,
    layer_types: Option<Vec<String>>,
    num_key_value_heads: Option<usize>,
    max_position_embeddings: Option<usize>,
}

/// From `config.json`.
pub(crate) fn from_hub(config: &HubConfig) -> Result<DecoderConfig, EngineError> {
    let keys: Keys = config.parse()?;
    let mut decoder = llama::from_hub(config)?;
    if keys.num_key_value_heads.is_none() {
        // transformers' default is a number of heads, not "as many as queries".
        decoder.attention.n_kv_heads = config.kv_heads(decoder.attention.n_heads, 32)?;
    }
    if keys.max_position_embeddings.is_none() {
        decoder.context_length = 32_768;
    }
    decoder.biases = Biases { qkv: true, output: false, mlp: false };
    let window = config.window(keys.sliding_window.filter(|_| keys.use_sliding_window))?;
    let n_layers = decoder.layers.len();
    let windowed = match keys.layer_types {
        Some(types) => config.windowed_layers(&types, n_layers)?,
        None => (0..n_layers).map(|layer| layer >= keys.max_window_layers.unwrap_or(28)).collect(),
    };
    for (layer, windowed) in decoder.layers.iter_mut().zip(windowed) {
        layer.window = if windowed { window } else { None };
    }
    Ok(decoder)
}

/// From GGUF metadata.
pub(crate) fn from_gguf(file: &GgufFile) -> Result<DecoderConfig, EngineError> {
    gguf_keys::decoder(file, "qwen2")
}
