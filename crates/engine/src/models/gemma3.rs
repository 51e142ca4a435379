//! `gemma3_text`: Gemma 3, text only.
//!
//! Source: Gemma Team 2025; keys and defaults as in transformers' `Gemma3TextConfig`. Five layers with a window and
//! their own rotary base for each layer that sees everything; norms before and after each part and on every query and
//! key head; embeddings times √hidden size. Norm weights are stored less 1, except in GGUF files.

use serde::Deserialize;

use crate::EngineError;
use crate::checkpoint::gguf::GgufFile;
use crate::config::{HubConfig, RopeKeys, RopeScalingKeys};
use crate::kernels::Gate;
use crate::layers::attention::AttentionRule;
use crate::layers::decoder::{Biases, DecoderConfig, LayerRule};
use crate::layers::rope::{Rope, RopeScaling};
use crate::models::gguf_keys;

#[derive(Debug, Deserialize)]
struct Keys {
    hidden_size: usize,
    intermediate_size: usize,
    num_hidden_layers: usize,
    num_attention_heads: usize,
    num_key_value_heads: usize,
    #[serde(default = "default_head_dim")]
    head_dim: usize,
    vocab_size: usize,
    #[serde(default = "default_context")]
    max_position_embeddings: usize,
    #[serde(default = "default_eps")]
    rms_norm_eps: f64,
    #[serde(default = "default_act")]
    hidden_activation: String,
    #[serde(default)]
    attention_bias: bool,
    #[serde(default = "default_query_scalar")]
    query_pre_attn_scalar: f64,
    #[serde(default = "default_window")]
    sliding_window: Option<usize>,
    layer_types: Option<Vec<String>>,
    sliding_window_pattern: Option<usize>,
    #[serde(rename = "_sliding_window_pattern")]
    stale_sliding_window_pattern: Option<usize>,
    final_logit_softcapping: Option<f32>,
    attn_logit_softcapping: Option<f32>,
    use_bidirectional_attention: Option<bool>,
    tie_word_embeddings: Option<bool>,
    rope_theta: Option<f64>,
    rope_local_base_freq: Option<f64>,
    rope_scaling: Option<RopeScalingKeys>,
    rope_parameters: Option<RopeByLayerType>,
}

/// `rope_parameters` as transformers 5 writes them.
#[derive(Debug, Default, Deserialize)]
struct RopeByLayerType {
    full_attention: Option<RopeScalingKeys>,
    sliding_attention: Option<RopeScalingKeys>,
}

fn default_head_dim() -> usize {
    256
}

fn default_context() -> usize {
    131_072
}

fn default_eps() -> f64 {
    1e-6
}

fn default_act() -> String {
    "gelu_pytorch_tanh".to_owned()
}

fn default_query_scalar() -> f64 {
    256.0
}

#[allow(clippy::unnecessary_wraps)] // serde wants the field's type; `null` and "not there" differ here
fn default_window() -> Option<usize> {
    Some(4096)
}

/// From `config.json`.
pub(crate) fn from_hub(config: &HubConfig) -> Result<DecoderConfig, EngineError> {
    let keys: Keys = config.parse()?;
    if keys.use_bidirectional_attention == Some(true) {
        return Err(config.unsupported("use_bidirectional_attention", &true, "only false is"));
    }
    let hidden_size = config.positive("hidden_size", keys.hidden_size)?;
    let n_heads = config.positive("num_attention_heads", keys.num_attention_heads)?;
    let n_kv_heads = config.kv_heads(n_heads, keys.num_key_value_heads)?;
    let head_dim = config.positive("head_dim", keys.head_dim)?;
    let n_layers = config.layers("num_hidden_layers", keys.num_hidden_layers)?;
    let (key, full, sliding) = match keys.rope_parameters {
        Some(kinds) => (
            "rope_parameters",
            kinds.full_attention.unwrap_or_default(),
            kinds.sliding_attention.unwrap_or_default(),
        ),
        // The scaling of transformers 4 is meant for the layers that see everything.
        None => ("rope_scaling", keys.rope_scaling.unwrap_or_default(), RopeScalingKeys::default()),
    };
    let rope = |scaling, rope_theta, default_theta| {
        config.rope(
            &RopeKeys { key, scaling, rope_theta, partial_rotary_factor: None, default_theta },
            head_dim,
        )
    };
    let ropes =
        vec![rope(full, keys.rope_theta, 1_000_000.0)?, rope(sliding, keys.rope_local_base_freq, 10_000.0)?];
    let windowed = if let Some(types) = keys.layer_types {
        config.windowed_layers(&types, n_layers)?
    } else {
        // Where `layer_types` is given, the pattern beside it may be stale.
        let pattern = keys.sliding_window_pattern.or(keys.stale_sliding_window_pattern).unwrap_or(6);
        windowed_by_pattern(config.positive("sliding_window_pattern", pattern)?, n_layers)
    };
    Ok(DecoderConfig {
        hidden_size,
        intermediate_size: config.positive("intermediate_size", keys.intermediate_size)?,
        vocab_size: config.positive("vocab_size", keys.vocab_size)?,
        context_length: config.positive("max_position_embeddings", keys.max_position_embeddings)?,
        attention: AttentionRule {
            n_heads,
            n_kv_heads,
            head_dim,
            scale: keys.query_pre_attn_scalar.powf(-0.5) as f32,
            cap: keys.attn_logit_softcapping,
        },
        biases: Biases { qkv: keys.attention_bias, output: keys.attention_bias, mlp: false },
        head_norms: true,
        post_norms: true,
        norm_eps: keys.rms_norm_eps,
        norm_offset: 1.0,
        gate: config.gate("hidden_activation", &keys.hidden_activation)?,
        embedding_scale: (hidden_size as f64).sqrt() as f32,
        logit_scale: 1.0,
        logit_cap: keys.final_logit_softcapping,
        ropes,
        layers: layer_rules(&windowed, config.window(keys.sliding_window)?),
        tied: keys.tie_word_embeddings.or(Some(true)),
    })
}

/// From GGUF metadata. What the file does not say is as llama.cpp takes it.
pub(crate) fn from_gguf(file: &GgufFile) -> Result<DecoderConfig, EngineError> {
    let mut config = gguf_keys::decoder(file, "gemma3")?;
    let n_layers = config.layers.len();
    let window_key = "gemma3.attention.sliding_window";
    let window = file.count(window_key)?.map(|window| file.positive(window_key, window)).transpose()?;
    let pattern = file.count("gemma3.attention.sliding_window_pattern")?.unwrap_or(6).max(1);
    let local_base = file.float("gemma3.rope.freq_base_swa")?.unwrap_or(10_000.0);
    config.layers = layer_rules(&windowed_by_pattern(pattern, n_layers), window);
    let head_dim = config.attention.head_dim;
    config.ropes.push(Rope { base: local_base, head_dim, scaling: RopeScaling::None, interleaved: false });
    // The query's scale is not in the file: only the 27B model, of 62 layers, has another than its head size.
    if n_layers == 62 {
        let per_head = config.hidden_size as f64 / config.attention.n_heads as f64;
        config.attention.scale = per_head.powf(-0.5) as f32;
    }
    config.head_norms = true;
    config.post_norms = true;
    config.gate = Gate::GeluTanh;
    config.embedding_scale = (config.hidden_size as f64).sqrt() as f32;
    config.logit_cap = file.float("gemma3.final_logit_softcapping")?.map(|cap| cap as f32);
    Ok(config)
}

fn windowed_by_pattern(pattern: usize, n_layers: usize) -> Vec<bool> {
    (0..n_layers).map(|layer| (layer + 1) % pattern != 0).collect()
}

fn layer_rules(windowed: &[bool], window: Option<usize>) -> Vec<LayerRule> {
    let rule = |&windowed: &bool| LayerRule {
        window: if windowed { window } else { None },
        rope: usize::from(windowed),
    };
    windowed.iter().map(rule).collect()
}
