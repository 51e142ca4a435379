//! `bert`: BERT and multilingual BERT, cased and uncased; and what its relatives share with it.
//!
//! Source: Devlin et al. 2019; keys and defaults as in transformers' `BertConfig`. Old files call a norm's weight and
//! bias `gamma` and `beta`, and hold a pooler and a next-sentence head, which are not used.

use serde::Deserialize;

use crate::EngineError;
use crate::config::HubConfig;
use crate::layers::encoder::Positions;
use crate::models::masked::{EncoderConfig, EncoderNames, Sizes, activation, checked};

#[derive(Debug, Deserialize)]
pub(super) struct Keys {
    hidden_size: usize,
    pub(super) embedding_size: Option<usize>,
    intermediate_size: usize,
    num_hidden_layers: usize,
    num_attention_heads: usize,
    vocab_size: usize,
    #[serde(default = "default_positions")]
    max_position_embeddings: usize,
    #[serde(default = "default_types")]
    type_vocab_size: usize,
    #[serde(default = "default_eps")]
    layer_norm_eps: f64,
    #[serde(default = "default_act")]
    hidden_act: String,
    pub(super) pad_token_id: Option<u32>,
    position_embedding_type: Option<String>,
    #[serde(default)]
    is_decoder: bool,
}

fn default_positions() -> usize {
    512
}

fn default_types() -> usize {
    2
}

fn default_eps() -> f64 {
    1e-12
}

fn default_act() -> String {
    "gelu".to_owned()
}

/// The names of BERT; a relative changes some.
pub(super) const NAMES: EncoderNames = EncoderNames {
    prefix: "bert.",
    project: "",
    layer: "encoder.layer.{}",
    attention: [
        "attention.self.query",
        "attention.self.key",
        "attention.self.value",
        "attention.output.dense",
    ],
    attention_norm: "attention.output.LayerNorm",
    mlp: ["intermediate.dense", "output.dense"],
    mlp_norm: "output.LayerNorm",
    head_dense: "cls.predictions.transform.dense",
    head_norm: "cls.predictions.transform.LayerNorm",
    head_bias: &["cls.predictions.bias", "cls.predictions.decoder.bias"],
    head_weight: "cls.predictions.decoder.weight",
    ignored: &[
        "bert.pooler.",
        "pooler.",
        "cls.seq_relationship.",
        "bert.embeddings.position_ids",
        "embeddings.position_ids",
        "cls.predictions.",
    ],
};

/// From `config.json`.
pub(crate) fn from_hub(config: &HubConfig) -> Result<EncoderConfig, EngineError> {
    shared(config, &config.parse()?, NAMES)
}

/// The configuration of a relative with the keys and layers of BERT.
pub(super) fn shared(
    config: &HubConfig,
    keys: &Keys,
    names: EncoderNames,
) -> Result<EncoderConfig, EngineError> {
    let kind = keys.position_embedding_type.as_deref().unwrap_or("absolute");
    if kind != "absolute" {
        return Err(config.unsupported("position_embedding_type", &kind, "only absolute is"));
    }
    let (n_heads, n_layers) = (keys.num_attention_heads, keys.num_hidden_layers);
    checked(config, keys.hidden_size, &Sizes { n_heads, n_layers }, keys.is_decoder)?;
    let act = activation(config, "hidden_act", &keys.hidden_act)?;
    Ok(EncoderConfig {
        hidden_size: keys.hidden_size,
        embedding_size: keys.hidden_size,
        intermediate_size: config.positive("intermediate_size", keys.intermediate_size)?,
        vocab_size: config.positive("vocab_size", keys.vocab_size)?,
        n_positions: config.positive("max_position_embeddings", keys.max_position_embeddings)?,
        positions: Positions::FromZero,
        n_token_types: keys.type_vocab_size,
        n_heads,
        norm_eps: config.eps("layer_norm_eps", keys.layer_norm_eps)?,
        activation: act,
        head_activation: act,
        order: (0..n_layers).collect(),
        names,
    })
}
