//! One row a masked architecture.

use crate::EngineError;
use crate::config::HubConfig;
use crate::models::masked::EncoderConfig;
use crate::models::{albert, bert, distilbert, electra, roberta};

/// A masked architecture that the engine computes.
#[derive(Debug, Clone, Copy)]
pub struct MaskedArchitecture {
    /// `model_type` of `config.json`.
    pub model_type: &'static str,
    pub(crate) from_hub: fn(&HubConfig) -> Result<EncoderConfig, EngineError>,
}

/// All of them. The class in `architectures` does not decide: a checkpoint is what its tensors are, and one without a
/// masked-language head is refused by the names of those that it lacks.
pub const MASKED_ARCHITECTURES: &[MaskedArchitecture] = &[
    MaskedArchitecture { model_type: "bert", from_hub: bert::from_hub },
    MaskedArchitecture { model_type: "roberta", from_hub: roberta::from_hub },
    MaskedArchitecture { model_type: "xlm-roberta", from_hub: roberta::from_hub },
    MaskedArchitecture { model_type: "distilbert", from_hub: distilbert::from_hub },
    MaskedArchitecture { model_type: "electra", from_hub: electra::from_hub },
    MaskedArchitecture { model_type: "albert", from_hub: albert::from_hub },
];

/// By `model_type`.
pub(crate) fn of_hub(model_type: &str) -> Option<&'static MaskedArchitecture> {
    MASKED_ARCHITECTURES.iter().find(|row| row.model_type == model_type)
}
