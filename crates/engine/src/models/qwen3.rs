//! `qwen3`: Qwen 3. Qwen 2 with a norm of each query and key head in place of biases.
//!
//! Source: Qwen Team 2025; keys and defaults as in transformers' `Qwen3Config`.

use crate::EngineError;
use crate::checkpoint::gguf::GgufFile;
use crate::config::{Defaults, HubConfig};
use crate::layers::decoder_config::{DecoderConfig, QkNorm};
use crate::models::{gguf_keys, qwen2};

/// From `config.json`.
pub(crate) fn from_hub(config: &HubConfig) -> Result<DecoderConfig, EngineError> {
    let defaults = Defaults { n_kv_heads: Some(32), head_dim: Some(128), context_length: 32_768 };
    let mut decoder = qwen2::decoder(config, defaults)?;
    decoder.qk_norm = QkNorm::EachHead;
    decoder.biases.mlp = false;
    Ok(decoder)
}

/// From GGUF metadata.
pub(crate) fn from_gguf(file: &GgufFile) -> Result<DecoderConfig, EngineError> {
    let mut decoder = gguf_keys::decoder(file, "qwen3")?;
    decoder.qk_norm = QkNorm::EachHead;
    Ok(decoder)
}
