//! `cohere2`: Command R7B, Command A. Cohere with windows in most layers; those that see everything have no
//! positions at all.
//!
//! Source: Cohere 2025 (Command A), section 2; keys and defaults as in transformers' `Cohere2Config`.

use serde::Deserialize;

use crate::EngineError;
use crate::config::HubConfig;
use crate::layers::decoder_config::DecoderConfig;
use crate::models::cohere;

#[derive(Debug, Deserialize)]
struct Keys {
    #[serde(default = "default_window")]
    sliding_window: Option<usize>,
    layer_types: Option<Vec<String>>,
    #[serde(default = "default_pattern")]
    sliding_window_pattern: usize,
}

#[allow(clippy::unnecessary_wraps)] // serde wants the field's type; `null` and "not there" differ here
fn default_window() -> Option<usize> {
    Some(4096)
}

fn default_pattern() -> usize {
    4
}

/// From `config.json`.
pub(crate) fn from_hub(config: &HubConfig) -> Result<DecoderConfig, EngineError> {
    let keys: Keys = config.parse()?;
    let mut decoder = cohere::decoder(config, 10_000.0)?;
    let n_layers = decoder.layers.len();
    let windowed: Vec<bool> = if let Some(types) = keys.layer_types {
        config.windowed_layers(&types, n_layers)?
    } else {
        let pattern = config.positive("sliding_window_pattern", keys.sliding_window_pattern)?;
        (0..n_layers).map(|layer| (layer + 1) % pattern != 0).collect()
    };
    let window = config.window(keys.sliding_window)?;
    for (layer, &windowed) in decoder.layers.iter_mut().zip(&windowed) {
        layer.rope = if windowed && window.is_some() { Some(0) } else { None };
    }
    Ok(decoder.windowed(&windowed, window))
}
