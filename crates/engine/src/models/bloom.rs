//! `bloom`: BLOOM, BLOOMZ. Scores lose with distance (ALiBi) in place of positions; the embedding is normalised; query,
//! key and value are woven head by head.
//!
//! Source: BigScience Workshop 2022; keys and defaults as in transformers' `BloomConfig`. `slow_but_exact` changes the order
//! of sums alone, and the context has no bound in the file: BLOOM was trained on 2048 tokens, which is taken for it.

use serde::Deserialize;

use crate::EngineError;
use crate::checkpoint::NameStyle;
use crate::config::HubConfig;
use crate::kernels::Activation;
use crate::layers::alibi;
use crate::layers::decoder_config::{Biases, DecoderConfig, MlpKind, NormKind, QkvLayout, Sizes};

#[derive(Debug, Deserialize)]
struct Keys {
    hidden_size: Option<usize>,
    n_embed: Option<usize>,
    n_layer: Option<usize>,
    num_hidden_layers: Option<usize>,
    n_head: Option<usize>,
    num_attention_heads: Option<usize>,
    vocab_size: usize,
    seq_length: Option<usize>,
    #[serde(default = "default_eps")]
    layer_norm_epsilon: f64,
    apply_residual_connection_post_layernorm: Option<bool>,
    tie_word_embeddings: Option<bool>,
}

fn default_eps() -> f64 {
    1e-5
}

/// From `config.json`.
pub(crate) fn from_hub(config: &HubConfig) -> Result<DecoderConfig, EngineError> {
    let keys: Keys = config.parse()?;
    let residual = keys.apply_residual_connection_post_layernorm;
    config.off("apply_residual_connection_post_layernorm", residual)?;
    // Older files have the second names, some have both.
    let hidden_size = config.needed("hidden_size", keys.n_embed.or(keys.hidden_size))?;
    let n_heads = config.needed("n_head", keys.n_head.or(keys.num_attention_heads))?;
    let n_heads = config.whole_heads("n_head", hidden_size, n_heads)?;
    let n_layers = config.needed("n_layer", keys.n_layer.or(keys.num_hidden_layers))?;
    let sizes = Sizes {
        hidden_size,
        intermediate_size: 4 * hidden_size,
        vocab_size: config.positive("vocab_size", keys.vocab_size)?,
        context_length: config.positive("seq_length", keys.seq_length.unwrap_or(2048))?,
        n_heads,
        n_kv_heads: n_heads,
        head_dim: hidden_size / n_heads,
        n_layers: config.layers("n_layer", n_layers)?,
    };
    let mut decoder = DecoderConfig {
        qkv: QkvLayout::ByHead,
        mlp: MlpKind::Plain,
        activation: Activation::GeluTanh,
        biases: Biases::ALL,
        norm: NormKind::Layer { bias: true },
        norm_eps: config.eps("layer_norm_epsilon", keys.layer_norm_epsilon)?,
        embedding_norm: true,
        tied: keys.tie_word_embeddings.or(Some(true)),
        names: NameStyle::Bloom,
        ..DecoderConfig::plain(&sizes)
    };
    decoder.attention.slopes = alibi::slopes(n_heads);
    Ok(decoder)
}
