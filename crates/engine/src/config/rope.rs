//! The keys of rotary positions, in the spellings of transformers 4 (`rope_theta`, `rope_scaling`) and 5
//! (`rope_parameters`).

use serde::Deserialize;

use super::HubConfig;
use crate::EngineError;
use crate::layers::rope::{Rope, RopeScaling};

/// The keys of an architecture with one kind of rotary positions.
#[derive(Debug, Clone, Deserialize)]
pub(crate) struct RopeFields {
    pub rope_theta: Option<f64>,
    pub rope_scaling: Option<RopeScalingKeys>,
    pub rope_parameters: Option<RopeScalingKeys>,
    pub partial_rotary_factor: Option<f64>,
}

/// Where the rotary settings of one kind of layer were found.
#[derive(Debug, Clone)]
pub(crate) struct RopeKeys {
    /// The key that holds the scaling, for messages.
    pub key: &'static str,
    pub scaling: RopeScalingKeys,
    /// The key of that name beside the scaling (transformers 4).
    pub rope_theta: Option<f64>,
    pub partial_rotary_factor: Option<f64>,
    /// What the architecture takes where the file has no base.
    pub default_theta: f64,
}

/// `rope_scaling` (transformers 4) or `rope_parameters` (transformers 5).
#[derive(Debug, Clone, Default, Deserialize)]
pub(crate) struct RopeScalingKeys {
    pub rope_type: Option<String>,
    #[serde(rename = "type")]
    pub kind: Option<String>,
    pub rope_theta: Option<f64>,
    pub factor: Option<f64>,
    pub low_freq_factor: Option<f64>,
    pub high_freq_factor: Option<f64>,
    pub original_max_position_embeddings: Option<f64>,
    pub partial_rotary_factor: Option<f64>,
    pub short_factor: Option<Vec<f32>>,
    pub attention_factor: Option<f64>,
}

impl RopeFields {
    /// Either spelling.
    pub(crate) fn keys(self, default_theta: f64) -> RopeKeys {
        let (key, scaling) = match self.rope_parameters {
            Some(parameters) => ("rope_parameters", parameters),
            None => ("rope_scaling", self.rope_scaling.unwrap_or_default()),
        };
        let (rope_theta, partial_rotary_factor) = (self.rope_theta, self.partial_rotary_factor);
        RopeKeys { key, scaling, rope_theta, partial_rotary_factor, default_theta }
    }
}

impl RopeKeys {
    /// The kind of scaling, by its newer or its older key.
    pub(crate) fn kind(&self) -> &str {
        self.scaling.rope_type.as_deref().or(self.scaling.kind.as_deref()).unwrap_or("default")
    }
}

impl HubConfig {
    /// Rotary positions of all features of a head.
    pub(crate) fn rope(&self, keys: &RopeKeys, head_dim: usize) -> Result<Rope, EngineError> {
        if let Some(part) = keys.scaling.partial_rotary_factor.or(keys.partial_rotary_factor)
            && part != 1.0
        {
            return Err(self.unsupported("partial_rotary_factor", &part, "only 1 is"));
        }
        self.partial_rope(keys, head_dim, 1.0)
    }

    /// Rotary positions of a part of a head's features.
    pub(crate) fn partial_rope(
        &self,
        keys: &RopeKeys,
        head_dim: usize,
        default_part: f64,
    ) -> Result<Rope, EngineError> {
        let part = keys.scaling.partial_rotary_factor.or(keys.partial_rotary_factor).unwrap_or(default_part);
        if !(part > 0.0 && part <= 1.0) {
            return Err(self.unsupported("partial_rotary_factor", &part, "a number above 0 to 1 is needed"));
        }
        let rotary_dim = (head_dim as f64 * part) as usize;
        if rotary_dim % 2 == 1 || rotary_dim == 0 {
            let needed = format!("rotary positions need an even number of features, not {rotary_dim}");
            return Err(self.unsupported("head_dim", &head_dim, &needed));
        }
        let base = keys.scaling.rope_theta.or(keys.rope_theta).unwrap_or(keys.default_theta);
        let base = self.above_0(keys, "rope_theta", Some(base))?;
        Ok(Rope { rotary_dim, ..Rope::new(base, head_dim, self.rope_scaling(keys)?) })
    }

    fn rope_scaling(&self, keys: &RopeKeys) -> Result<RopeScaling, EngineError> {
        let scaling = &keys.scaling;
        let need = |key, value| self.above_0(keys, key, value);
        match keys.kind() {
            "default" => Ok(RopeScaling::None),
            "linear" => Ok(RopeScaling::Linear { factor: need("factor", scaling.factor)? }),
            // The wavelengths between the two are a division by their difference.
            "llama3" if matches!((scaling.low_freq_factor, scaling.high_freq_factor), (Some(low), Some(high)) if low >= high) =>
            {
                let key = format!("{}.high_freq_factor", keys.key);
                let high = need("high_freq_factor", scaling.high_freq_factor)?;
                Err(self.unsupported(&key, &high, "it must exceed low_freq_factor"))
            }
            "llama3" => Ok(RopeScaling::Llama3 {
                factor: need("factor", scaling.factor)?,
                low_freq_factor: need("low_freq_factor", scaling.low_freq_factor)?,
                high_freq_factor: need("high_freq_factor", scaling.high_freq_factor)?,
                original_context: need(
                    "original_max_position_embeddings",
                    scaling.original_max_position_embeddings,
                )?,
            }),
            kind => {
                let key = format!("{}.rope_type", keys.key);
                Err(self.unsupported(&key, &kind, "default, linear and llama3 are"))
            }
        }
    }

    /// A key of the scaling that must be there, and above 0.
    pub(crate) fn above_0(&self, keys: &RopeKeys, key: &str, value: Option<f64>) -> Result<f64, EngineError> {
        let key = format!("{}.{key}", keys.key);
        match value {
            Some(value) if value.is_finite() && value > 0.0 => Ok(value),
            Some(value) => Err(self.unsupported(&key, &value, "a number above 0 is needed")),
            None => Err(EngineError::KeyMissing { path: self.path().to_owned(), key }),
        }
    }
}
