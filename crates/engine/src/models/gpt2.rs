//! `gpt2`: GPT-2. Learned positions, layer norms, biases everywhere, a feed-forward part without a gate; matrices are
//! stored with a row an input feature.
//!
//! Source: Radford et al. 2019; keys and defaults as in transformers' `GPT2Config`.

use serde::Deserialize;

use crate::EngineError;
use crate::checkpoint::NameStyle;
use crate::config::HubConfig;
use crate::layers::decoder_config::{
    Biases, DecoderConfig, MlpKind, NormKind, Orientation, QkvLayout, Sizes,
};

#[derive(Debug, Deserialize)]
struct Keys {
    #[serde(default = "default_embd")]
    n_embd: usize,
    #[serde(default = "default_twelve")]
    n_layer: usize,
    #[serde(default = "default_twelve")]
    n_head: usize,
    n_inner: Option<usize>,
    #[serde(default = "default_positions")]
    n_positions: usize,
    vocab_size: usize,
    #[serde(default = "default_eps")]
    layer_norm_epsilon: f64,
    #[serde(default = "default_act")]
    activation_function: String,
    scale_attn_weights: Option<bool>,
    scale_attn_by_inverse_layer_idx: Option<bool>,
    add_cross_attention: Option<bool>,
    tie_word_embeddings: Option<bool>,
}

fn default_embd() -> usize {
    768
}

fn default_twelve() -> usize {
    12
}

fn default_positions() -> usize {
    1024
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
    config.off("scale_attn_by_inverse_layer_idx", keys.scale_attn_by_inverse_layer_idx)?;
    config.off("add_cross_attention", keys.add_cross_attention)?;
    let hidden_size = config.positive("n_embd", keys.n_embd)?;
    let n_heads = config.whole_heads("n_head", hidden_size, keys.n_head)?;
    let sizes = Sizes {
        hidden_size,
        intermediate_size: config.positive("n_inner", keys.n_inner.unwrap_or(4 * hidden_size))?,
        vocab_size: config.positive("vocab_size", keys.vocab_size)?,
        context_length: config.positive("n_positions", keys.n_positions)?,
        n_heads,
        n_kv_heads: n_heads,
        head_dim: hidden_size / n_heads,
        n_layers: config.layers("n_layer", keys.n_layer)?,
    };
    let mut decoder = DecoderConfig {
        qkv: QkvLayout::Stacked,
        mlp: MlpKind::Plain,
        activation: config.activation("activation_function", &keys.activation_function)?,
        biases: Biases::ALL,
        orientation: Orientation::RowsAreInputs,
        norm: NormKind::Layer { bias: true },
        norm_eps: config.eps("layer_norm_epsilon", keys.layer_norm_epsilon)?,
        learned_positions: true,
        tied: keys.tie_word_embeddings.or(Some(true)),
        names: NameStyle::Gpt2,
        ..DecoderConfig::plain(&sizes)
    };
    if keys.scale_attn_weights == Some(false) {
        decoder.attention.scale = 1.0;
    }
    Ok(decoder)
}
