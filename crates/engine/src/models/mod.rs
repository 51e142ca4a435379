//! Architectures: each file reads its own configuration keys into one [`DecoderConfig`](crate::layers::decoder::DecoderConfig).

pub(crate) mod gemma3;
mod gguf_keys;
pub(crate) mod llama;
pub(crate) mod qwen2;
