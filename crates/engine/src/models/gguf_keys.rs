//! The metadata keys that GGUF gives every decoder, under the architecture's own prefix.
//!
//! Source: the GGUF specification (ggml, `docs/gguf.md`) and llama.cpp's reading of it.

use crate::EngineError;
use crate::checkpoint::NameStyle;
use crate::checkpoint::gguf::GgufFile;
use crate::config::{MOST_LAYERS, not_an_eps};
use crate::layers::decoder_config::{Biases, DecoderConfig, Sizes};
use crate::layers::rope::{Rope, RopeScaling};

/// Sizes, norms and rotary positions. Biases are there if their tensors are; the output is tied if it has no tensor.
pub(crate) fn decoder(file: &GgufFile, prefix: &str) -> Result<DecoderConfig, EngineError> {
    let key = |name: &str| format!("{prefix}.{name}");
    let size = |name: &str| {
        let value = file.count(&key(name))?.ok_or_else(|| file.key_missing(&key(name)))?;
        file.positive(&key(name), value)
    };
    if let Some(parts @ 2..) = file.count("split.count")? {
        return Err(file.unsupported("split.count", &parts, "join the parts first (gguf-split --merge)"));
    }
    let n_layers = size("block_count")?;
    if n_layers > MOST_LAYERS {
        return Err(file.unsupported(&key("block_count"), &n_layers, "a number from 1 to 4096 is needed"));
    }
    for (name, neutral) in [("expert_count", 0.0), ("embedding_scale", 1.0), ("residual_scale", 1.0)] {
        if let Some(value) = file.float(&key(name))?
            && value != neutral
        {
            return Err(file.unsupported(&key(name), &value, "the dense architecture has none"));
        }
    }
    let hidden_size = size("embedding_length")?;
    let n_heads = size("attention.head_count")?;
    let n_kv_heads = file.count(&key("attention.head_count_kv"))?.unwrap_or(n_heads);
    if n_kv_heads == 0 || !n_heads.is_multiple_of(n_kv_heads) {
        return Err(file.unsupported(
            &key("attention.head_count_kv"),
            &n_kv_heads,
            "it must divide the query heads",
        ));
    }
    let head_dim = match file.count(&key("attention.key_length"))? {
        Some(length) => file.positive(&key("attention.key_length"), length)?,
        None if n_heads > hidden_size => {
            let needed = format!("it must not exceed the {hidden_size} features");
            return Err(file.unsupported(&key("attention.head_count"), &n_heads, &needed));
        }
        None => hidden_size / n_heads,
    };
    for name in ["attention.value_length", "rope.dimension_count"] {
        if let Some(length) = file.count(&key(name))?
            && length != head_dim
        {
            return Err(file.unsupported(&key(name), &length, "only the size of a key head is"));
        }
    }
    if head_dim % 2 == 1 {
        return Err(file.unsupported(
            &key("attention.key_length"),
            &head_dim,
            "rotary positions need an even one",
        ));
    }
    let embedding = file.shape("token_embd.weight").filter(|shape| shape.len() == 2);
    let vocab_size = match embedding {
        Some(shape) => shape[0],
        None => size("vocab_size")?,
    };
    let eps_key = key("attention.layer_norm_rms_epsilon");
    let norm_eps = file.float(&eps_key)?.ok_or_else(|| file.key_missing(&eps_key))?;
    if let Some(needed) = not_an_eps(norm_eps) {
        return Err(file.unsupported(&eps_key, &norm_eps, needed));
    }
    let sizes = Sizes {
        hidden_size,
        intermediate_size: size("feed_forward_length")?,
        vocab_size: file.positive(&key("vocab_size"), vocab_size)?,
        context_length: size("context_length")?,
        n_heads,
        n_kv_heads,
        head_dim,
        n_layers,
    };
    let mut decoder = DecoderConfig {
        biases: Biases {
            qkv: file.shape("blk.0.attn_q.bias").is_some(),
            output: file.shape("blk.0.attn_output.bias").is_some(),
            mlp: file.shape("blk.0.ffn_up.bias").is_some(),
        },
        norm_eps,
        tied: Some(true),
        names: NameStyle::Gguf,
        ..DecoderConfig::plain(&sizes)
    };
    if let Some(scale) = file.scale(&key("attention.scale"))? {
        decoder.attention.scale = scale as f32;
    }
    Ok(decoder.turned_by(rope(file, prefix, head_dim)?))
}

fn rope(file: &GgufFile, prefix: &str, head_dim: usize) -> Result<Rope, EngineError> {
    let key = |name: &str| format!("{prefix}.{name}");
    let base = file.float(&key("rope.freq_base"))?.unwrap_or(10_000.0);
    let factor = file.float(&key("rope.scaling.factor"))?.or(file.float(&key("rope.scale_linear"))?);
    if let Some(factor) = factor.filter(|factor| !(0.0..=1e30).contains(factor)) {
        return Err(file.unsupported(&key("rope.scaling.factor"), &factor, "a number above 0 is needed"));
    }
    let kind = file.text(&key("rope.scaling.type"));
    let scaling = match (kind, factor) {
        (None | Some("linear"), Some(factor)) if factor > 0.0 => RopeScaling::Linear { factor },
        (None | Some("none" | "linear"), _) => RopeScaling::None,
        (Some(kind), _) => {
            return Err(file.unsupported(&key("rope.scaling.type"), &kind, "none and linear are"));
        }
    };
    let scaling = match file.shape("rope_freqs.weight") {
        Some(_) => RopeScaling::Divisors(file.vector("rope_freqs.weight", head_dim / 2)?),
        None => scaling,
    };
    if !(base.is_finite() && base > 0.0) {
        return Err(file.unsupported(&key("rope.freq_base"), &base, "a number above 0 is needed"));
    }
    Ok(Rope::new(base, head_dim, scaling))
}
