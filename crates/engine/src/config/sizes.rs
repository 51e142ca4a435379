//! The keys of a decoder's sizes, as most architectures name them.

use serde::Deserialize;

use super::HubConfig;
use crate::EngineError;
use crate::layers::decoder_config::Sizes;

/// Sizes as the file gives them.
#[derive(Debug, Clone, Deserialize)]
pub(crate) struct HubSizes {
    pub hidden_size: usize,
    pub intermediate_size: usize,
    pub num_hidden_layers: usize,
    pub num_attention_heads: usize,
    pub num_key_value_heads: Option<usize>,
    pub head_dim: Option<usize>,
    pub vocab_size: usize,
    pub max_position_embeddings: Option<usize>,
}

/// What an architecture takes where the file does not say.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Defaults {
    /// `None` for as many as query heads.
    pub n_kv_heads: Option<usize>,
    /// `None` for the hidden size shared out among the heads.
    pub head_dim: Option<usize>,
    pub context_length: usize,
}

impl HubSizes {
    /// The sizes, each one possible.
    pub(crate) fn checked(&self, config: &HubConfig, defaults: Defaults) -> Result<Sizes, EngineError> {
        let hidden_size = config.positive("hidden_size", self.hidden_size)?;
        let n_heads = config.positive("num_attention_heads", self.num_attention_heads)?;
        let n_kv_heads = self.num_key_value_heads.or(defaults.n_kv_heads).unwrap_or(n_heads);
        let head_dim = self.head_dim.or(defaults.head_dim).unwrap_or(hidden_size / n_heads);
        let context_length = self.max_position_embeddings.unwrap_or(defaults.context_length);
        Ok(Sizes {
            hidden_size,
            intermediate_size: config.positive("intermediate_size", self.intermediate_size)?,
            vocab_size: config.positive("vocab_size", self.vocab_size)?,
            context_length: config.positive("max_position_embeddings", context_length)?,
            n_heads,
            n_kv_heads: config.kv_heads(n_heads, n_kv_heads)?,
            head_dim: config.positive("head_dim", head_dim)?,
            n_layers: config.layers("num_hidden_layers", self.num_hidden_layers)?,
        })
    }
}
