//! `llama`: Llama 1–3, EuroLLM, Salamandra, Teuken, SmolLM2.
//!
//! Source: Touvron et al. 2023; keys and defaults as in transformers' `LlamaConfig`. In GGUF files query and key rows
//! are permuted so that rotary pairs are neighbours, and llama3 scaling is a tensor of divisors, `rope_freqs.weight`.

use serde::Deserialize;

use crate::EngineError;
use crate::checkpoint::gguf::GgufFile;
use crate::config::{HubConfig, RopeKeys, RopeScalingKeys};
use crate::layers::attention::AttentionRule;
use crate::layers::decoder::{Biases, DecoderConfig, LayerRule};
use crate::models::gguf_keys;

#[derive(Debug, Deserialize)]
struct Keys {
    hidden_size: usize,
    intermediate_size: usize,
    num_hidden_layers: usize,
    num_attention_heads: usize,
    num_key_value_heads: Option<usize>,
    head_dim: Option<usize>,
    vocab_size: usize,
    #[serde(default = "default_context")]
    max_position_embeddings: usize,
    #[serde(default = "default_eps")]
    rms_norm_eps: f64,
    #[serde(default = "default_act")]
    hidden_act: String,
    #[serde(default)]
    attention_bias: bool,
    #[serde(default)]
    mlp_bias: bool,
    tie_word_embeddings: Option<bool>,
    rope_theta: Option<f64>,
    rope_scaling: Option<RopeScalingKeys>,
    rope_parameters: Option<RopeScalingKeys>,
    partial_rotary_factor: Option<f64>,
}

fn default_context() -> usize {
    2048
}

fn default_eps() -> f64 {
    1e-6
}

fn default_act() -> String {
    "silu".to_owned()
}

/// From `config.json`.
pub(crate) fn from_hub(config: &HubConfig) -> Result<DecoderConfig, EngineError> {
    let keys: Keys = config.parse()?;
    let hidden_size = config.positive("hidden_size", keys.hidden_size)?;
    let n_heads = config.positive("num_attention_heads", keys.num_attention_heads)?;
    let n_kv_heads = config.kv_heads(n_heads, keys.num_key_value_heads.unwrap_or(n_heads))?;
    let head_dim = config.positive("head_dim", keys.head_dim.unwrap_or(hidden_size / n_heads))?;
    let (key, scaling) = match keys.rope_parameters {
        Some(parameters) => ("rope_parameters", parameters),
        None => ("rope_scaling", keys.rope_scaling.unwrap_or_default()),
    };
    let rope = RopeKeys {
        key,
        scaling,
        rope_theta: keys.rope_theta,
        partial_rotary_factor: keys.partial_rotary_factor,
        default_theta: 10_000.0,
    };
    let n_layers = config.layers("num_hidden_layers", keys.num_hidden_layers)?;
    Ok(DecoderConfig {
        hidden_size,
        intermediate_size: config.positive("intermediate_size", keys.intermediate_size)?,
        vocab_size: config.positive("vocab_size", keys.vocab_size)?,
        context_length: config.positive("max_position_embeddings", keys.max_position_embeddings)?,
        attention: AttentionRule {
            n_heads,
            n_kv_heads,
            head_dim,
            scale: (head_dim as f64).powf(-0.5) as f32,
            cap: None,
        },
        biases: Biases { qkv: keys.attention_bias, output: keys.attention_bias, mlp: keys.mlp_bias },
        head_norms: false,
        post_norms: false,
        norm_eps: keys.rms_norm_eps,
        norm_offset: 0.0,
        gate: config.gate("hidden_act", &keys.hidden_act)?,
        embedding_scale: 1.0,
        logit_scale: 1.0,
        logit_cap: None,
        ropes: vec![config.rope(&rope, head_dim)?],
        layers: vec![LayerRule { window: None, rope: 0 }; n_layers],
        tied: keys.tie_word_embeddings,
    })
}

/// From GGUF metadata.
pub(crate) fn from_gguf(file: &GgufFile) -> Result<DecoderConfig, EngineError> {
    let mut config = gguf_keys::decoder(file, "llama")?;
    config.ropes[0].interleaved = true;
    Ok(config)
}
