//! `gemma3_text`: Gemma 3, text only.
//!
//! Source: Gemma Team 2025; keys and defaults as in transformers' `Gemma3TextConfig`. Five layers with a window and
//! their own rotary base for each layer that sees everything; norms before and after each part and on every query and
//! key head; embeddings times √hidden size. Norm weights are stored less 1, except in GGUF files.

use serde::Deserialize;

use crate::EngineError;
use crate::checkpoint::gguf::GgufFile;
use crate::config::{Defaults, HubConfig, HubSizes, RopeKeys, RopeScalingKeys};
use crate::layers::decoder_config::{DecoderConfig, QkNorm};
use crate::layers::rope::{Rope, RopeScaling};
use crate::models::gemma2::{self, GemmaKeys};

#[derive(Debug, Deserialize)]
struct Keys {
    #[serde(flatten)]
    sizes: HubSizes,
    #[serde(flatten)]
    shared: GemmaKeys,
    sliding_window_pattern: Option<usize>,
    #[serde(rename = "_sliding_window_pattern")]
    stale_sliding_window_pattern: Option<usize>,
    final_logit_softcapping: Option<f32>,
    attn_logit_softcapping: Option<f32>,
    rope_theta: Option<f64>,
    rope_local_base_freq: Option<f64>,
    rope_scaling: Option<RopeScalingKeys>,
    rope_parameters: Option<RopeByLayerType>,
}

/// `rope_parameters` as transformers 5 writes them.
#[derive(Debug, Default, Deserialize)]
struct RopeByLayerType {
    full_attention: Option<RopeScalingKeys>,
    sliding_attention: Option<RopeScalingKeys>,
}

/// From `config.json`.
pub(crate) fn from_hub(config: &HubConfig) -> Result<DecoderConfig, EngineError> {
    let keys: Keys = config.parse()?;
    let defaults = Defaults { n_kv_heads: None, head_dim: Some(256), context_length: 131_072 };
    let sizes = keys.sizes.checked(config, defaults)?;
    let (key, full, sliding) = match keys.rope_parameters {
        Some(kinds) => (
            "rope_parameters",
            kinds.full_attention.unwrap_or_default(),
            kinds.sliding_attention.unwrap_or_default(),
        ),
        // The scaling of transformers 4 is meant for the layers that see everything.
        None => ("rope_scaling", keys.rope_scaling.unwrap_or_default(), RopeScalingKeys::default()),
    };
    let rope = |scaling, rope_theta, default_theta| {
        config.rope(
            &RopeKeys { key, scaling, rope_theta, partial_rotary_factor: None, default_theta },
            sizes.head_dim,
        )
    };
    let ropes =
        vec![rope(full, keys.rope_theta, 1_000_000.0)?, rope(sliding, keys.rope_local_base_freq, 10_000.0)?];
    let windowed = if let Some(types) = &keys.shared.layer_types {
        config.windowed_layers(types, sizes.n_layers)?
    } else {
        // Where `layer_types` is given, the pattern beside it may be stale.
        let pattern = keys.sliding_window_pattern.or(keys.stale_sliding_window_pattern).unwrap_or(6);
        windowed_by_pattern(config.positive("sliding_window_pattern", pattern)?, sizes.n_layers)
    };
    let mut decoder = keys.shared.decoder(config, &sizes)?;
    decoder.qk_norm = QkNorm::EachHead;
    decoder.attention.cap = config.cap("attn_logit_softcapping", keys.attn_logit_softcapping)?;
    decoder.logit_cap = config.cap("final_logit_softcapping", keys.final_logit_softcapping)?;
    decoder.ropes = ropes;
    Ok(layer_rules(decoder, &windowed, config.window(keys.shared.sliding_window)?))
}

/// From GGUF metadata. What the file does not say is as llama.cpp takes it.
pub(crate) fn from_gguf(file: &GgufFile) -> Result<DecoderConfig, EngineError> {
    let mut config = gemma2::gguf_decoder(file, "gemma3", 62)?;
    let n_layers = config.layers.len();
    let window_key = "gemma3.attention.sliding_window";
    let window = file.count(window_key)?.map(|window| file.positive(window_key, window)).transpose()?;
    let pattern = file.count("gemma3.attention.sliding_window_pattern")?.unwrap_or(6).max(1);
    let local_base = file.scale("gemma3.rope.freq_base_swa")?.unwrap_or(10_000.0);
    config.ropes.push(Rope::new(local_base, config.attention.head_dim, RopeScaling::None));
    config.qk_norm = QkNorm::EachHead;
    config.logit_cap = file.scale("gemma3.final_logit_softcapping")?.map(|cap| cap as f32);
    Ok(layer_rules(config, &windowed_by_pattern(pattern, n_layers), window))
}

fn windowed_by_pattern(pattern: usize, n_layers: usize) -> Vec<bool> {
    (0..n_layers).map(|layer| (layer + 1) % pattern != 0).collect()
}

/// The layers with a window have the second kind of rotary positions.
fn layer_rules(mut decoder: DecoderConfig, windowed: &[bool], window: Option<usize>) -> DecoderConfig {
    for (layer, &windowed) in decoder.layers.iter_mut().zip(windowed) {
        layer.rope = Some(usize::from(windowed));
    }
    decoder.windowed(windowed, window)
}
