//! `phi3`: Phi-3 and Phi-4 mini. Llama with query, key and value in one tensor, gate and up in another; longer contexts by
//! LongRoPE.
//!
//! Source: Abdin et al. 2024, Ding et al. 2024 (LongRoPE); keys and defaults as in transformers' `Phi3Config`.
//!
//! LongRoPE turns a text by its `short_factor` up to the original context and by its `long_factor` beyond, all positions
//! alike. Texts that share a beginning are computed together here, so the longer context is not offered.

use serde::Deserialize;

use crate::EngineError;
use crate::config::{Defaults, HubConfig, HubSizes, RopeFields, RopeKeys};
use crate::layers::decoder_config::{DecoderConfig, MlpKind, QkvLayout, Sizes};
use crate::layers::rope::{Rope, RopeScaling};

#[derive(Debug, Deserialize)]
struct Keys {
    #[serde(flatten)]
    sizes: HubSizes,
    #[serde(flatten)]
    rope: RopeFields,
    #[serde(default = "default_original")]
    original_max_position_embeddings: usize,
    #[serde(default = "default_eps")]
    rms_norm_eps: f64,
    #[serde(default = "default_act")]
    hidden_act: String,
    sliding_window: Option<usize>,
    tie_word_embeddings: Option<bool>,
}

fn default_original() -> usize {
    4096
}

fn default_eps() -> f64 {
    1e-5
}

fn default_act() -> String {
    "silu".to_owned()
}

/// From `config.json`.
pub(crate) fn from_hub(config: &HubConfig) -> Result<DecoderConfig, EngineError> {
    let keys: Keys = config.parse()?;
    let defaults = Defaults { n_kv_heads: None, head_dim: None, context_length: 4096 };
    let mut sizes = keys.sizes.checked(config, defaults)?;
    let rope_keys = keys.rope.keys(10_000.0);
    let rope = if matches!(rope_keys.kind(), "longrope" | "su") {
        let original = keys.original_max_position_embeddings;
        if original < 2 {
            let needed = "a context of several tokens is needed";
            return Err(config.unsupported("original_max_position_embeddings", &original, needed));
        }
        let original = config.positive("original_max_position_embeddings", original)?;
        let rope = long_rope(config, rope_keys, &sizes, original)?;
        sizes.context_length = sizes.context_length.min(original);
        rope
    } else {
        config.partial_rope(&rope_keys, sizes.head_dim, 1.0)?
    };
    let decoder = DecoderConfig {
        qkv: QkvLayout::Stacked,
        mlp: MlpKind::GatedStacked,
        norm_eps: config.eps("rms_norm_eps", keys.rms_norm_eps)?,
        activation: config.activation("hidden_act", &keys.hidden_act)?,
        tied: keys.tie_word_embeddings.or(Some(false)),
        ..DecoderConfig::plain(&sizes)
    };
    let windowed = vec![true; sizes.n_layers];
    Ok(decoder.turned_by(rope).windowed(&windowed, config.window(keys.sliding_window)?))
}

/// Frequencies over `short_factor`; everything that turns is longer by √(1 + ln(factor) / ln(original context)), unless
/// the file says by how much.
fn long_rope(
    config: &HubConfig,
    mut keys: RopeKeys,
    sizes: &Sizes,
    original: usize,
) -> Result<Rope, EngineError> {
    let key = keys.key;
    let factors = keys.scaling.short_factor.take();
    let magnitude = if keys.scaling.attention_factor.is_some() {
        config.above_0(&keys, "attention_factor", keys.scaling.attention_factor)?
    } else {
        let ratio = sizes.context_length as f64 / original as f64;
        let factor = config.above_0(&keys, "factor", keys.scaling.factor.or(Some(ratio)))?;
        if factor <= 1.0 { 1.0 } else { (1.0 + factor.ln() / (original as f64).ln()).sqrt() }
    };
    keys.scaling.rope_type = Some("default".to_owned());
    let rope = config.partial_rope(&keys, sizes.head_dim, 1.0)?;
    let key = format!("{key}.short_factor");
    let Some(factors) = factors else {
        return Err(EngineError::KeyMissing { path: config.path().to_owned(), key });
    };
    let n_pairs = rope.rotary_dim / 2;
    if factors.len() != n_pairs || !factors.iter().all(|factor| factor.is_finite() && *factor > 0.0) {
        let needed = format!("{n_pairs} numbers above 0 are needed");
        return Err(config.unsupported(&key, &format!("{factors:?}"), &needed));
    }
    Ok(Rope { scaling: RopeScaling::Divisors(factors), magnitude, ..rope })
}
