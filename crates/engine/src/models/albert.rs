//! `albert`: one set of weights for many layers, behind narrower embeddings.
//!
//! Source: Lan et al. 2020; keys and defaults as in transformers' `AlbertConfig`. Layer i of L uses group
//! ⌊i / (L / groups)⌋; several layers inside a group, which no published model has, are refused.

use serde::Deserialize;

use crate::EngineError;
use crate::config::HubConfig;
use crate::kernels::Activation;
use crate::models::bert::{self, Keys};
use crate::models::masked::{EncoderConfig, EncoderNames};

#[derive(Debug, Deserialize)]
struct Sharing {
    #[serde(default = "one")]
    num_hidden_groups: usize,
    #[serde(default = "one")]
    inner_group_num: usize,
    hidden_act: Option<String>,
}

fn one() -> usize {
    1
}

/// From `config.json`.
pub(crate) fn from_hub(config: &HubConfig) -> Result<EncoderConfig, EngineError> {
    let keys: Keys = config.parse()?;
    let groups: Sharing = config.parse()?;
    if groups.inner_group_num != 1 {
        return Err(config.unsupported("inner_group_num", &groups.inner_group_num, "only 1 is"));
    }
    let names = EncoderNames {
        prefix: "albert.",
        project: "encoder.embedding_hidden_mapping_in",
        layer: "encoder.albert_layer_groups.{}.albert_layers.0",
        attention: ["attention.query", "attention.key", "attention.value", "attention.dense"],
        attention_norm: "attention.LayerNorm",
        mlp: ["ffn", "ffn_output"],
        mlp_norm: "full_layer_layer_norm",
        head_dense: "predictions.dense",
        head_norm: "predictions.LayerNorm",
        head_bias: &["predictions.bias", "predictions.decoder.bias"],
        head_weight: "predictions.decoder.weight",
        ignored: &[
            "albert.pooler.",
            "pooler.",
            "sop_classifier.",
            "albert.embeddings.position_ids",
            "embeddings.position_ids",
            "predictions.",
        ],
    };
    let mut encoder = bert::shared(config, &keys, names)?;
    encoder.embedding_size = config.positive("embedding_size", keys.embedding_size.unwrap_or(128))?;
    if groups.hidden_act.is_none() {
        (encoder.activation, encoder.head_activation) = (Activation::GeluTanh, Activation::GeluTanh);
    }
    let n_layers = encoder.order.len();
    let n_groups = groups.num_hidden_groups;
    if n_groups == 0 || n_groups > n_layers {
        return Err(config.unsupported("num_hidden_groups", &n_groups, "1 to the number of layers are"));
    }
    encoder.order = (0..n_layers).map(|layer| layer * n_groups / n_layers).collect();
    Ok(encoder)
}
