//! `gemma2`: Gemma 2. Norms before and after each part, soft bounds of scores and logits, a window in every other layer.
//!
//! Source: Gemma Team 2024; keys and defaults as in transformers' `Gemma2Config`. As in all Gemmas the embedding is times
//! √hidden size, scores have a scale of their own, and norm weights are stored less 1, except in GGUF files.

use serde::Deserialize;

use crate::EngineError;
use crate::checkpoint::gguf::GgufFile;
use crate::config::{Defaults, HubConfig, HubSizes, RopeFields};
use crate::kernels::Activation;
use crate::layers::decoder_config::{Biases, DecoderConfig, NormKind, Sizes, WiringKind};
use crate::models::gguf_keys;

#[derive(Debug, Deserialize)]
struct Keys {
    #[serde(flatten)]
    sizes: HubSizes,
    #[serde(flatten)]
    rope: RopeFields,
    #[serde(flatten)]
    shared: GemmaKeys,
    #[serde(default = "default_logit_cap")]
    final_logit_softcapping: Option<f32>,
    #[serde(default = "default_score_cap")]
    attn_logit_softcapping: Option<f32>,
}

/// The keys that Gemma 2 and 3 share.
#[derive(Debug, Deserialize)]
pub(super) struct GemmaKeys {
    #[serde(default = "default_eps")]
    rms_norm_eps: f64,
    #[serde(default = "default_act")]
    hidden_activation: String,
    #[serde(default)]
    attention_bias: bool,
    #[serde(default = "default_query_scalar")]
    query_pre_attn_scalar: f64,
    #[serde(default = "default_window")]
    pub sliding_window: Option<usize>,
    pub layer_types: Option<Vec<String>>,
    use_bidirectional_attention: Option<bool>,
    tie_word_embeddings: Option<bool>,
}

fn default_eps() -> f64 {
    1e-6
}

fn default_act() -> String {
    "gelu_pytorch_tanh".to_owned()
}

fn default_query_scalar() -> f64 {
    256.0
}

// serde wants the fields' type: `null` and "not there" differ in these three.
#[allow(clippy::unnecessary_wraps)]
fn default_window() -> Option<usize> {
    Some(4096)
}

#[allow(clippy::unnecessary_wraps)]
fn default_logit_cap() -> Option<f32> {
    Some(30.0)
}

#[allow(clippy::unnecessary_wraps)]
fn default_score_cap() -> Option<f32> {
    Some(50.0)
}

impl GemmaKeys {
    /// What Gemma 2 and 3 have in common.
    pub(super) fn decoder(&self, config: &HubConfig, sizes: &Sizes) -> Result<DecoderConfig, EngineError> {
        config.off("use_bidirectional_attention", self.use_bidirectional_attention)?;
        let mut decoder = DecoderConfig {
            biases: Biases { qkv: self.attention_bias, output: self.attention_bias, mlp: false },
            wiring: WiringKind::BeforeAndAfter,
            norm: NormKind::Rms { offset: 1.0 },
            norm_eps: config.eps("rms_norm_eps", self.rms_norm_eps)?,
            activation: config.activation("hidden_activation", &self.hidden_activation)?,
            embedding_scale: (sizes.hidden_size as f64).sqrt() as f32,
            tied: self.tie_word_embeddings.or(Some(true)),
            ..DecoderConfig::plain(sizes)
        };
        let scalar = config.scale("query_pre_attn_scalar", self.query_pre_attn_scalar)?;
        decoder.attention.scale = scalar.powf(-0.5) as f32;
        Ok(decoder)
    }
}

/// From `config.json`.
pub(crate) fn from_hub(config: &HubConfig) -> Result<DecoderConfig, EngineError> {
    let keys: Keys = config.parse()?;
    let defaults = Defaults { n_kv_heads: Some(4), head_dim: Some(256), context_length: 8192 };
    let sizes = keys.sizes.checked(config, defaults)?;
    let rope = config.rope(&keys.rope.keys(10_000.0), sizes.head_dim)?;
    let windowed: Vec<bool> = match &keys.shared.layer_types {
        Some(types) => config.windowed_layers(types, sizes.n_layers)?,
        None => (0..sizes.n_layers).map(|layer| layer % 2 == 0).collect(),
    };
    let mut decoder = keys.shared.decoder(config, &sizes)?;
    decoder.attention.cap = config.cap("attn_logit_softcapping", keys.attn_logit_softcapping)?;
    decoder.logit_cap = config.cap("final_logit_softcapping", keys.final_logit_softcapping)?;
    Ok(decoder.turned_by(rope).windowed(&windowed, config.window(keys.shared.sliding_window)?))
}

/// From GGUF metadata. What the file does not say is as llama.cpp takes it.
pub(crate) fn from_gguf(file: &GgufFile) -> Result<DecoderConfig, EngineError> {
    // The largest model, of 46 layers, is the one whose scores are not scaled by the size of a head.
    let mut decoder = gguf_decoder(file, "gemma2", 46)?;
    let window_key = "gemma2.attention.sliding_window";
    let window = file.positive(window_key, file.count(window_key)?.unwrap_or(4096))?;
    let windowed: Vec<bool> = (0..decoder.layers.len()).map(|layer| layer % 2 == 0).collect();
    let cap = file.scale("gemma2.attn_logit_softcapping")?.unwrap_or(50.0);
    decoder.attention.cap = Some(cap as f32);
    decoder.logit_cap = Some(file.scale("gemma2.final_logit_softcapping")?.unwrap_or(30.0) as f32);
    Ok(decoder.windowed(&windowed, Some(window)))
}

/// What Gemma 2 and 3 have in common in GGUF files. The scale of scores is not in them: only the 27B model, known by its
/// number of layers, has another than its head size.
pub(super) fn gguf_decoder(
    file: &GgufFile,
    prefix: &str,
    layers_of_27b: usize,
) -> Result<DecoderConfig, EngineError> {
    let mut decoder = gguf_keys::decoder(file, prefix)?;
    if decoder.layers.len() == layers_of_27b {
        let per_head = decoder.hidden_size as f64 / decoder.attention.n_heads as f64;
        decoder.attention.scale = per_head.powf(-0.5) as f32;
    }
    decoder.wiring = WiringKind::BeforeAndAfter;
    decoder.activation = Activation::GeluTanh;
    decoder.embedding_scale = (decoder.hidden_size as f64).sqrt() as f32;
    Ok(decoder)
}
