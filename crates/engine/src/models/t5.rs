//! `t5` and `mt5`: T5 1.0 and 1.1, mT5.
//!
//! Source: Raffel et al. 2020, Xue et al. 2021; keys and defaults as in transformers' `T5Config` and `MT5Config`. The
//! output layer is the embedding unless the file holds `lm_head.weight`, whatever the configuration says of tying.
//! T5 1.0 multiplies the decoder's result by d_model^−½ before it: `scale_decoder_outputs` where that key is, else unless
//! `tie_word_embeddings` is false. mT5 never does.

use std::sync::Arc;

use serde::Deserialize;
use stereometer_lm::TokenId;

use crate::EngineError;
use crate::config::HubConfig;
use crate::kernels::Activation;
use crate::layers::encoder_decoder::{EncoderDecoder, Stack, StackLayer};
use crate::layers::head::VocabularyHead;
use crate::layers::lookup::Lookup;
use crate::layers::mlp::Mlp;
use crate::layers::relative::RelativePositions;
use crate::layers::span_attention::SpanAttention;
use crate::models::masked::activation;
use crate::tensors::Tensors;

/// Tensors that repeat the embedding under another name.
pub(crate) const REPEATED: &[&str] = &["encoder.embed_tokens.weight", "decoder.embed_tokens.weight"];

const EMBEDDING: &[&str] = &["shared.weight", "encoder.embed_tokens.weight", "decoder.embed_tokens.weight"];

const HEAD: &str = "lm_head.weight";

#[derive(Debug, Deserialize)]
struct Keys {
    d_model: usize,
    d_kv: usize,
    d_ff: usize,
    num_layers: usize,
    num_decoder_layers: Option<usize>,
    num_heads: usize,
    vocab_size: usize,
    #[serde(default = "default_buckets")]
    relative_attention_num_buckets: usize,
    #[serde(default = "default_distance")]
    relative_attention_max_distance: usize,
    #[serde(default = "default_eps")]
    layer_norm_epsilon: f64,
    feed_forward_proj: Option<String>,
    tie_word_embeddings: Option<bool>,
    scale_decoder_outputs: Option<bool>,
    decoder_start_token_id: Option<TokenId>,
    #[serde(default)]
    pad_token_id: TokenId,
}

fn default_buckets() -> usize {
    32
}

fn default_distance() -> usize {
    128
}

fn default_eps() -> f64 {
    1e-6
}

/// Everything that changes the numbers, but the weights.
#[derive(Debug, Clone)]
pub(crate) struct T5Config {
    pub vocab_size: usize,
    hidden_size: usize,
    head_dim: usize,
    n_heads: usize,
    intermediate_size: usize,
    n_encoder_layers: usize,
    n_decoder_layers: usize,
    n_buckets: usize,
    max_distance: usize,
    norm_eps: f64,
    inner: Inner,
    head_scale: f32,
    /// Whether a file without an output layer may use the embedding.
    may_tie: bool,
    start: TokenId,
}

#[derive(Debug, Clone, Copy)]
struct Inner {
    activation: Activation,
    gated: bool,
}

/// T5, from `config.json`.
pub(crate) fn from_hub(config: &HubConfig) -> Result<T5Config, EngineError> {
    let keys: Keys = config.parse()?;
    let scaled = keys.scale_decoder_outputs.unwrap_or(keys.tie_word_embeddings != Some(false));
    shared(config, &keys, "relu", scaled)
}

/// mT5, likewise.
pub(crate) fn mt5_from_hub(config: &HubConfig) -> Result<T5Config, EngineError> {
    shared(config, &config.parse()?, "gated-gelu", false)
}

fn shared(config: &HubConfig, keys: &Keys, inner: &str, scaled: bool) -> Result<T5Config, EngineError> {
    let n_buckets = keys.relative_attention_num_buckets;
    if n_buckets < 4 || !n_buckets.is_multiple_of(4) || n_buckets > 1 << 16 {
        let supported = "multiples of 4 are";
        return Err(config.unsupported("relative_attention_num_buckets", &n_buckets, supported));
    }
    let max_distance = keys.relative_attention_max_distance;
    if max_distance <= n_buckets / 2 {
        let supported = format!("it must exceed {}", n_buckets / 2);
        return Err(config.unsupported("relative_attention_max_distance", &max_distance, &supported));
    }
    let hidden_size = config.positive("d_model", keys.d_model)?;
    let vocab_size = config.positive("vocab_size", keys.vocab_size)?;
    let start = keys.decoder_start_token_id.unwrap_or(keys.pad_token_id);
    if start as usize >= vocab_size {
        return Err(config.unsupported(
            "decoder_start_token_id",
            &start,
            "an id of the vocabulary is needed",
        ));
    }
    Ok(T5Config {
        vocab_size,
        hidden_size,
        head_dim: config.positive("d_kv", keys.d_kv)?,
        n_heads: config.positive("num_heads", keys.num_heads)?,
        intermediate_size: config.positive("d_ff", keys.d_ff)?,
        n_encoder_layers: config.layers("num_layers", keys.num_layers)?,
        n_decoder_layers: config
            .layers("num_decoder_layers", keys.num_decoder_layers.unwrap_or(keys.num_layers))?,
        n_buckets,
        max_distance,
        norm_eps: config.eps("layer_norm_epsilon", keys.layer_norm_epsilon)?,
        inner: feed_forward(config, keys.feed_forward_proj.as_deref().unwrap_or(inner))?,
        head_scale: if scaled { (hidden_size as f64).powf(-0.5) as f32 } else { 1.0 },
        may_tie: keys.tie_word_embeddings != Some(false) || scaled,
        start,
    })
}

/// `relu`, `gated-gelu` and so on; the gated GELU is the tanh form.
fn feed_forward(config: &HubConfig, name: &str) -> Result<Inner, EngineError> {
    const KEY: &str = "feed_forward_proj";
    Ok(match name.strip_prefix("gated-") {
        Some("gelu") => Inner { activation: Activation::GeluTanh, gated: true },
        Some(gate) => Inner { activation: activation(config, KEY, gate)?, gated: true },
        None => Inner { activation: activation(config, KEY, name)?, gated: false },
    })
}

impl T5Config {
    /// The wiring.
    pub(crate) fn model(&self, tensors: &Tensors) -> Result<EncoderDecoder, EngineError> {
        let shape = [self.vocab_size, self.hidden_size];
        let weight = Arc::new(tensors.matrix(tensors.first(EMBEDDING), shape)?);
        let head = if tensors.has(HEAD) || !self.may_tie {
            Arc::new(tensors.matrix(HEAD, shape)?)
        } else {
            Arc::clone(&weight)
        };
        Ok(EncoderDecoder {
            embedding: Lookup { weight },
            encoder: self.stack(tensors, "encoder", false)?,
            decoder: self.stack(tensors, "decoder", true)?,
            head: VocabularyHead { weight: head, scale: self.head_scale, cap: None },
            start: self.start,
        })
    }

    fn stack(&self, tensors: &Tensors, name: &str, decodes: bool) -> Result<Stack, EngineError> {
        let n_layers = if decodes { self.n_decoder_layers } else { self.n_encoder_layers };
        let layer = |index: usize| self.layer(tensors, &format!("{name}.block.{index}.layer"), decodes);
        let table = format!("{name}.block.0.layer.0.SelfAttention.relative_attention_bias.weight");
        Ok(Stack {
            layers: (0..n_layers).map(layer).collect::<Result<_, _>>()?,
            relative: RelativePositions {
                weight: tensors.matrix(&table, [self.n_buckets, self.n_heads])?,
                max_distance: self.max_distance,
                both_sides: !decodes,
            },
            norm: tensors.rms_norm(&format!("{name}.final_layer_norm"), self.hidden_size, self.norm_eps)?,
        })
    }

    fn layer(&self, tensors: &Tensors, prefix: &str, decodes: bool) -> Result<StackLayer, EngineError> {
        let norm = |part: usize| {
            tensors.rms_norm(&format!("{prefix}.{part}.layer_norm"), self.hidden_size, self.norm_eps)
        };
        let source = if decodes {
            Some((norm(1)?, self.attention(tensors, &format!("{prefix}.1.EncDecAttention"))?))
        } else {
            None
        };
        let last = if decodes { 2 } else { 1 };
        let part = |name: &str| format!("{prefix}.{last}.DenseReluDense.{name}");
        let up = |name: &str| tensors.product(&part(name), [self.intermediate_size, self.hidden_size]);
        let down = tensors.product(&part("wo"), [self.hidden_size, self.intermediate_size])?;
        Ok(StackLayer {
            own_norm: norm(0)?,
            own: self.attention(tensors, &format!("{prefix}.0.SelfAttention"))?,
            source,
            mlp_norm: norm(last)?,
            mlp: Mlp {
                activation: self.inner.activation,
                gate: self.inner.gated.then(|| up("wi_0")).transpose()?,
                up: up(if self.inner.gated { "wi_1" } else { "wi" })?,
                down,
            },
        })
    }

    fn attention(&self, tensors: &Tensors, prefix: &str) -> Result<SpanAttention, EngineError> {
        let width = self.n_heads * self.head_dim;
        let inward = |name: &str| tensors.product(&format!("{prefix}.{name}"), [width, self.hidden_size]);
        Ok(SpanAttention {
            head_dim: self.head_dim,
            scale: 1.0,
            query: inward("q")?,
            key: inward("k")?,
            value: inward("v")?,
            output: tensors.product(&format!("{prefix}.o"), [self.hidden_size, width])?,
        })
    }
}
