//! `phi`: Phi-1, Phi-1.5, Phi-2. Attention and feed-forward part side by side after one layer norm; only a part of each
//! head turns; biases everywhere, also on the logits.
//!
//! Source: Li et al. 2023; keys and defaults as in transformers' `PhiConfig`. No published checkpoint normalises query
//! and key, and that is not here.

use serde::Deserialize;

use crate::EngineError;
use crate::checkpoint::NameStyle;
use crate::config::{Defaults, HubConfig, HubSizes, RopeFields};
use crate::layers::decoder_config::{Biases, DecoderConfig, MlpKind, NormKind, WiringKind};

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
    qk_layernorm: Option<bool>,
    tie_word_embeddings: Option<bool>,
}

fn default_eps() -> f64 {
    1e-5
}

fn default_act() -> String {
    "gelu_new".to_owned()
}

/// From `config.json`.
pub(crate) fn from_hub(config: &HubConfig) -> Result<DecoderConfig, EngineError> {
    let keys: Keys = config.parse()?;
    config.off("qk_layernorm", keys.qk_layernorm)?;
    let defaults = Defaults { n_kv_heads: None, head_dim: None, context_length: 2048 };
    let sizes = keys.sizes.checked(config, defaults)?;
    let rope = config.partial_rope(&keys.rope.keys(10_000.0), sizes.head_dim, 0.5)?;
    let decoder = DecoderConfig {
        mlp: MlpKind::Plain,
        activation: config.activation("hidden_act", &keys.hidden_act)?,
        biases: Biases::ALL,
        wiring: WiringKind::ParallelOneNorm,
        norm: NormKind::Layer { bias: true },
        norm_eps: config.eps("layer_norm_eps", keys.layer_norm_eps)?,
        head_bias: true,
        tied: keys.tie_word_embeddings.or(Some(false)),
        names: NameStyle::Phi,
        ..DecoderConfig::plain(&sizes)
    };
    Ok(decoder.turned_by(rope))
}
