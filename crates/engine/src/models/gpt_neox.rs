//! `gpt_neox`: GPT-NeoX, Pythia, and the Japanese, Polish and other models trained with it. Attention and feed-forward part
//! side by side after a layer norm each; only a part of each head turns; query, key and value are woven head by head.
//!
//! Source: Black et al. 2022; keys and defaults as in transformers' `GPTNeoXConfig`.

use serde::Deserialize;

use crate::EngineError;
use crate::checkpoint::NameStyle;
use crate::config::{Defaults, HubConfig, HubSizes, RopeFields};
use crate::layers::decoder_config::{Biases, DecoderConfig, MlpKind, NormKind, QkvLayout, WiringKind};

#[derive(Debug, Deserialize)]
struct Keys {
    #[serde(flatten)]
    sizes: HubSizes,
    #[serde(flatten)]
    rope: RopeFields,
    rotary_pct: Option<f64>,
    rotary_emb_base: Option<f64>,
    #[serde(default = "default_eps")]
    layer_norm_eps: f64,
    #[serde(default = "default_act")]
    hidden_act: String,
    #[serde(default = "default_true")]
    use_parallel_residual: bool,
    #[serde(default = "default_true")]
    attention_bias: bool,
    tie_word_embeddings: Option<bool>,
}

fn default_eps() -> f64 {
    1e-5
}

fn default_act() -> String {
    "gelu".to_owned()
}

fn default_true() -> bool {
    true
}

/// From `config.json`.
pub(crate) fn from_hub(config: &HubConfig) -> Result<DecoderConfig, EngineError> {
    let keys: Keys = config.parse()?;
    let defaults = Defaults { n_kv_heads: None, head_dim: None, context_length: 2048 };
    let sizes = keys.sizes.checked(config, defaults)?;
    config.whole_heads("num_attention_heads", sizes.hidden_size, sizes.n_heads)?;
    // One tensor holds as many keys and values as queries.
    config.only("num_key_value_heads", sizes.n_kv_heads, sizes.n_heads)?;
    config.only("head_dim", sizes.head_dim, sizes.hidden_size / sizes.n_heads)?;
    let mut rope = keys.rope.keys(10_000.0);
    rope.rope_theta = keys.rotary_emb_base;
    rope.partial_rotary_factor = keys.rotary_pct;
    let rope = config.partial_rope(&rope, sizes.head_dim, 0.25)?;
    let decoder = DecoderConfig {
        qkv: QkvLayout::ByHead,
        mlp: MlpKind::Plain,
        activation: config.activation("hidden_act", &keys.hidden_act)?,
        biases: Biases { qkv: keys.attention_bias, output: keys.attention_bias, mlp: true },
        wiring: if keys.use_parallel_residual { WiringKind::ParallelTwoNorms } else { WiringKind::Before },
        norm: NormKind::Layer { bias: true },
        norm_eps: config.eps("layer_norm_eps", keys.layer_norm_eps)?,
        tied: keys.tie_word_embeddings.or(Some(false)),
        names: NameStyle::GptNeox,
        ..DecoderConfig::plain(&sizes)
    };
    Ok(decoder.turned_by(rope))
}
