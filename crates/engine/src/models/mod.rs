//! Architectures: each file reads its own configuration keys into one
//! [`DecoderConfig`](crate::layers::decoder_config::DecoderConfig), or into the
//! [`EncoderConfig`](masked::EncoderConfig) of masked models.

pub(crate) mod albert;
pub(crate) mod bert;
pub(crate) mod bloom;
pub(crate) mod cohere;
pub(crate) mod cohere2;
pub(crate) mod distilbert;
pub(crate) mod electra;
pub(crate) mod gemma2;
pub(crate) mod gemma3;
mod gguf_keys;
pub(crate) mod gpt2;
pub(crate) mod gpt_neox;
pub(crate) mod llama;
pub(crate) mod masked;
pub(crate) mod mistral;
pub(crate) mod olmo2;
pub(crate) mod phi;
pub(crate) mod phi3;
pub(crate) mod qwen2;
pub(crate) mod qwen3;
pub(crate) mod roberta;
pub(crate) mod t5;
