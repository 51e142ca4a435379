//! The parts that architectures share. A part knows tensors and numbers, never an architecture's name.

pub(crate) mod alibi;
pub(crate) mod attention;
pub(crate) mod decoder;
pub(crate) mod decoder_config;
pub(crate) mod embedding;
pub(crate) mod encoder;
pub(crate) mod encoder_decoder;
pub(crate) mod head;
pub(crate) mod linear;
pub(crate) mod lookup;
pub(crate) mod masked_head;
pub(crate) mod mlp;
pub(crate) mod norm;
pub(crate) mod operands;
pub(crate) mod panels;
pub(crate) mod relative;
pub(crate) mod rope;
pub(crate) mod span_attention;
pub(crate) mod tree;
pub(crate) mod wiring;

pub(crate) use panels::{Panels, Rows};
