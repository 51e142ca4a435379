//! One row an encoder–decoder architecture.

use crate::EngineError;
use crate::config::HubConfig;
use crate::models::t5::{self, T5Config};

/// An encoder–decoder architecture that the engine computes.
#[derive(Debug, Clone, Copy)]
pub struct Seq2SeqArchitecture {
    /// `model_type` of `config.json`.
    pub model_type: &'static str,
    pub(crate) from_hub: fn(&HubConfig) -> Result<T5Config, EngineError>,
}

/// All of them.
pub const SEQ2SEQ_ARCHITECTURES: &[Seq2SeqArchitecture] = &[
    Seq2SeqArchitecture { model_type: "t5", from_hub: t5::from_hub },
    Seq2SeqArchitecture { model_type: "mt5", from_hub: t5::mt5_from_hub },
];

/// By `model_type`.
pub(crate) fn of_hub(model_type: &str) -> Option<&'static Seq2SeqArchitecture> {
    SEQ2SEQ_ARCHITECTURES.iter().find(|row| row.model_type == model_type)
}
