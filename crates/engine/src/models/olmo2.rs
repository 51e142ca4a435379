//! `olmo2`: OLMo 2. Llama with norms after the parts in place of before, and a norm over all query heads together, and
//! over all key heads.
//!
//! Source: OLMo Team 2025; keys and defaults as in transformers' `Olmo2Config`.

use serde::Deserialize;

use crate::EngineError;
use crate::config::{Defaults, HubConfig};
use crate::layers::decoder_config::{DecoderConfig, QkNorm, WiringKind};
use crate::models::llama;

#[derive(Debug, Deserialize)]
struct Keys {
    #[serde(default = "default_eps")]
    rms_norm_eps: f64,
}

fn default_eps() -> f64 {
    1e-5
}

/// From `config.json`.
pub(crate) fn from_hub(config: &HubConfig) -> Result<DecoderConfig, EngineError> {
    let keys: Keys = config.parse()?;
    let defaults = Defaults { n_kv_heads: None, head_dim: None, context_length: 2048 };
    let mut decoder = llama::decoder(config, defaults)?;
    decoder.norm_eps = config.eps("rms_norm_eps", keys.rms_norm_eps)?;
    decoder.biases.mlp = false;
    decoder.qk_norm = QkNorm::AllHeads;
    decoder.wiring = WiringKind::After;
    Ok(decoder)
}
