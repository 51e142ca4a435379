//! `llama`: Llama 1–3, EuroLLM, Salamandra, Teuken, SmolLM2.
//!
//! Source: Touvron et al. 2023; keys and defaults as in transformers' `LlamaConfig`. In GGUF files query and key rows
//! are permuted so that rotary pairs are neighbours, and llama3 scaling is a tensor of divisors, `rope_freqs.weight`.

use serde::Deserialize;

use crate::EngineError;
use crate::checkpoint::gguf::GgufFile;
use crate::config::{Defaults, HubConfig, HubSizes, RopeFields};
use crate::layers::decoder_config::{Biases, DecoderConfig};
use crate::models::gguf_keys;

#[derive(Debug, Deserialize)]
struct Keys {
    #[serde(flatten)]
    sizes: HubSizes,
    #[serde(flatten)]
    rope: RopeFields,
    #[serde(default = "default_eps")]
    rms_norm_eps: f64,
    #[serde(default = "default_act")]
    hidden_act: String,
    #[serde(default)]
    attention_bias: bool,
    #[serde(default)]
    mlp_bias: bool,
    tie_word_embeddings: Option<bool>,
}

fn default_eps() -> f64 {
    1e-6
}

fn default_act() -> String {
    "silu".to_owned()
}

/// From `config.json`.
pub(crate) fn from_hub(config: &HubConfig) -> Result<DecoderConfig, EngineError> {
    decoder(config, Defaults { n_kv_heads: None, head_dim: None, context_length: 2048 })
}

/// The same with other defaults.
pub(super) fn decoder(config: &HubConfig, defaults: Defaults) -> Result<DecoderConfig, EngineError> {
    let keys: Keys = config.parse()?;
    let sizes = keys.sizes.checked(config, defaults)?;
    let rope = config.rope(&keys.rope.keys(10_000.0), sizes.head_dim)?;
    let decoder = DecoderConfig {
        biases: Biases { qkv: keys.attention_bias, output: keys.attention_bias, mlp: keys.mlp_bias },
        norm_eps: config.eps("rms_norm_eps", keys.rms_norm_eps)?,
        activation: config.activation("hidden_act", &keys.hidden_act)?,
        tied: keys.tie_word_embeddings,
        ..DecoderConfig::plain(&sizes)
    };
    Ok(decoder.turned_by(rope))
}

/// From GGUF metadata.
pub(crate) fn from_gguf(file: &GgufFile) -> Result<DecoderConfig, EngineError> {
    let mut config = gguf_keys::decoder(file, "llama")?;
    config.ropes[0].interleaved = true;
    Ok(config)
}
