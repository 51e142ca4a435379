//! `electra`, the generator: BERT's layers behind narrower embeddings. The discriminator has no masked-language head.
//!
//! Source: Clark et al. 2020; keys and defaults as in transformers' `ElectraConfig`. The head's function is GELU
//! whatever `hidden_act` says.

use crate::EngineError;
use crate::config::HubConfig;
use crate::kernels::Activation;
use crate::models::bert::{self, Keys};
use crate::models::masked::{EncoderConfig, EncoderNames};

/// From `config.json`.
pub(crate) fn from_hub(config: &HubConfig) -> Result<EncoderConfig, EngineError> {
    let keys: Keys = config.parse()?;
    let names = EncoderNames {
        prefix: "electra.",
        project: "embeddings_project",
        head_dense: "generator_predictions.dense",
        head_norm: "generator_predictions.LayerNorm",
        head_bias: &["generator_lm_head.bias"],
        head_weight: "generator_lm_head.weight",
        ignored: &[
            "electra.embeddings.position_ids",
            "embeddings.position_ids",
            "discriminator_predictions.",
        ],
        ..bert::NAMES
    };
    let mut encoder = bert::shared(config, &keys, names)?;
    encoder.embedding_size = config.positive("embedding_size", keys.embedding_size.unwrap_or(128))?;
    encoder.head_activation = Activation::Gelu;
    Ok(encoder)
}
