//! `distilbert`: BERT without token types, under names of its own.
//!
//! Source: Sanh et al. 2019; keys and defaults as in transformers' `DistilBertConfig`. The norms' epsilon is not a key.

use serde::Deserialize;

use crate::EngineError;
use crate::config::HubConfig;
use crate::layers::encoder::Positions;
use crate::models::masked::{EncoderConfig, EncoderNames, Sizes, activation, checked};

const EPS: f64 = 1e-12;

#[derive(Debug, Deserialize)]
struct Keys {
    dim: usize,
    hidden_dim: usize,
    n_layers: usize,
    n_heads: usize,
    vocab_size: usize,
    #[serde(default = "default_positions")]
    max_position_embeddings: usize,
    #[serde(default = "default_act")]
    activation: String,
}

fn default_positions() -> usize {
    512
}

fn default_act() -> String {
    "gelu".to_owned()
}

/// From `config.json`.
pub(crate) fn from_hub(config: &HubConfig) -> Result<EncoderConfig, EngineError> {
    let keys: Keys = config.parse()?;
    let sizes = Sizes { n_heads: keys.n_heads, n_layers: keys.n_layers };
    checked(config, keys.dim, &sizes, false)?;
    let act = activation(config, "activation", &keys.activation)?;
    Ok(EncoderConfig {
        hidden_size: keys.dim,
        embedding_size: keys.dim,
        intermediate_size: config.positive("hidden_dim", keys.hidden_dim)?,
        vocab_size: config.positive("vocab_size", keys.vocab_size)?,
        n_positions: config.positive("max_position_embeddings", keys.max_position_embeddings)?,
        positions: Positions::FromZero,
        n_token_types: 0,
        n_heads: keys.n_heads,
        norm_eps: EPS,
        activation: act,
        head_activation: act,
        order: (0..keys.n_layers).collect(),
        names: EncoderNames {
            prefix: "distilbert.",
            project: "",
            layer: "transformer.layer.{}",
            attention: ["attention.q_lin", "attention.k_lin", "attention.v_lin", "attention.out_lin"],
            attention_norm: "sa_layer_norm",
            mlp: ["ffn.lin1", "ffn.lin2"],
            mlp_norm: "output_layer_norm",
            head_dense: "vocab_transform",
            head_norm: "vocab_layer_norm",
            head_bias: &["vocab_projector.bias"],
            head_weight: "vocab_projector.weight",
            ignored: &["distilbert.embeddings.position_ids", "embeddings.position_ids"],
        },
    })
}
