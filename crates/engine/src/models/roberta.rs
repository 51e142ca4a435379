//! `roberta` and `xlm-roberta`: BERT's layers, positions that start after the padding id, another name for the head.
//!
//! Source: Liu et al. 2019, Conneau et al. 2020; keys and defaults as in transformers' `RobertaConfig`. The head's
//! function is GELU whatever `hidden_act` says.

use crate::EngineError;
use crate::config::HubConfig;
use crate::kernels::Activation;
use crate::layers::encoder::Positions;
use crate::models::bert::{self, Keys};
use crate::models::masked::{EncoderConfig, EncoderNames};

/// From `config.json`.
pub(crate) fn from_hub(config: &HubConfig) -> Result<EncoderConfig, EngineError> {
    let keys: Keys = config.parse()?;
    let names = EncoderNames {
        prefix: "roberta.",
        head_dense: "lm_head.dense",
        head_norm: "lm_head.layer_norm",
        head_bias: &["lm_head.bias", "lm_head.decoder.bias"],
        head_weight: "lm_head.decoder.weight",
        ignored: &[
            "roberta.pooler.",
            "pooler.",
            "roberta.embeddings.position_ids",
            "embeddings.position_ids",
            "lm_head.",
        ],
        ..bert::NAMES
    };
    let mut encoder = bert::shared(config, &keys, names)?;
    encoder.positions = Positions::AfterPadding(keys.pad_token_id.unwrap_or(1));
    encoder.head_activation = Activation::Gelu;
    Ok(encoder)
}
