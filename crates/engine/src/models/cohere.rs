//! `cohere`: Command R, Aya 23, Aya Expanse. Attention and feed-forward part side by side after one layer norm without
//! bias; rotary pairs are neighbours; logits times a factor.
//!
//! Source: Aryabumi et al. 2024 (Aya 23), section 2; keys and defaults as in transformers' `CohereConfig`. The norms of
//! query and key that Command R+ has are not here.

use serde::Deserialize;

use crate::EngineError;
use crate::config::{Defaults, HubConfig, HubSizes, RopeFields};
use crate::layers::decoder_config::{Biases, DecoderConfig, NormKind, WiringKind};

#[derive(Debug, Deserialize)]
struct Keys {
    #[serde(flatten)]
    sizes: HubSizes,
    #[serde(flatten)]
    rope: RopeFields,
    #[serde(default = "default_eps")]
    layer_norm_eps: f64,
    #[serde(default = "default_act")]
    hidden_act: String,
    #[serde(default = "default_logit_scale")]
    logit_scale: f32,
    #[serde(default)]
    attention_bias: bool,
    use_qk_norm: Option<bool>,
    tie_word_embeddings: Option<bool>,
}

fn default_eps() -> f64 {
    1e-5
}

fn default_act() -> String {
    "silu".to_owned()
}

fn default_logit_scale() -> f32 {
    0.0625
}

/// From `config.json`.
pub(crate) fn from_hub(config: &HubConfig) -> Result<DecoderConfig, EngineError> {
    decoder(config, 500_000.0)
}

/// With another rotary base where the file has none.
pub(super) fn decoder(config: &HubConfig, default_theta: f64) -> Result<DecoderConfig, EngineError> {
    let keys: Keys = config.parse()?;
    config.off("use_qk_norm", keys.use_qk_norm)?;
    let defaults = Defaults { n_kv_heads: None, head_dim: None, context_length: 8192 };
    let sizes = keys.sizes.checked(config, defaults)?;
    let mut rope = config.rope(&keys.rope.keys(default_theta), sizes.head_dim)?;
    rope.interleaved = true;
    let decoder = DecoderConfig {
        biases: Biases { qkv: keys.attention_bias, output: keys.attention_bias, mlp: false },
        wiring: WiringKind::ParallelOneNorm,
        norm: NormKind::Layer { bias: false },
        norm_eps: config.eps("layer_norm_eps", keys.layer_norm_eps)?,
        activation: config.activation("hidden_act", &keys.hidden_act)?,
        logit_scale: config.scale("logit_scale", f64::from(keys.logit_scale))? as f32,
        tied: keys.tie_word_embeddings.or(Some(true)),
        ..DecoderConfig::plain(&sizes)
    };
    Ok(decoder.turned_by(rope))
}
