//! A checkpoint's `config.json`, and the keys that several architectures share, in the spellings of transformers 4 and 5.

use std::path::{Path, PathBuf};

use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::Value;

use crate::EngineError;
use crate::kernels::Gate;
use crate::layers::rope::{Rope, RopeScaling};

/// More layers than any checkpoint has.
pub(crate) const MOST_LAYERS: usize = 4096;

/// `config.json` as read.
#[derive(Debug, Clone)]
pub(crate) struct HubConfig {
    path: PathBuf,
    keys: Value,
}

impl HubConfig {
    /// Reads the file of a checkpoint's directory.
    pub(crate) fn read(directory: &Path) -> Result<Self, EngineError> {
        let path = directory.join("config.json");
        let text = match std::fs::read_to_string(&path) {
            Ok(text) => text,
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => {
                return Err(EngineError::FileMissing {
                    directory: directory.to_owned(),
                    file: "config.json".to_owned(),
                });
            }
            Err(error) => return Err(EngineError::io(&path, error)),
        };
        let keys: Value =
            serde_json::from_str(&text).map_err(|error| EngineError::malformed(&path, error.to_string()))?;
        Ok(Self { path, keys })
    }

    /// The file.
    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    /// A text key.
    pub(crate) fn text(&self, key: &str) -> Option<&str> {
        self.keys.get(key).and_then(Value::as_str)
    }

    /// A key that lists texts.
    pub(crate) fn texts(&self, key: &str) -> Vec<String> {
        let list = self.keys.get(key).and_then(Value::as_array);
        list.into_iter().flatten().filter_map(Value::as_str).map(str::to_owned).collect()
    }

    /// The keys of one architecture.
    pub(crate) fn parse<T: DeserializeOwned>(&self) -> Result<T, EngineError> {
        T::deserialize(&self.keys).map_err(|error| EngineError::malformed(&self.path, error.to_string()))
    }

    /// A key whose value the engine does not know.
    pub(crate) fn unsupported(
        &self,
        key: &str,
        value: &dyn std::fmt::Display,
        supported: &str,
    ) -> EngineError {
        EngineError::Value {
            path: self.path.clone(),
            key: key.to_owned(),
            value: value.to_string(),
            supported: supported.to_owned(),
        }
    }

    /// Refuses a number of which the products could only make nonsense.
    pub(crate) fn positive(&self, key: &str, value: usize) -> Result<usize, EngineError> {
        // The bound keeps products of sizes far from overflow; no checkpoint comes near it.
        if value == 0 || value > 1 << 24 {
            return Err(self.unsupported(key, &value, "a size from 1 to 16777216 is needed"));
        }
        Ok(value)
    }

    /// The number of layers. Bounded more tightly, for every layer takes memory before its tensors are looked for.
    pub(crate) fn layers(&self, key: &str, value: usize) -> Result<usize, EngineError> {
        if value == 0 || value > MOST_LAYERS {
            return Err(self.unsupported(key, &value, "a number from 1 to 4096 is needed"));
        }
        Ok(value)
    }

    /// A window, if the layer has one.
    pub(crate) fn window(&self, value: Option<usize>) -> Result<Option<usize>, EngineError> {
        value.map(|window| self.positive("sliding_window", window)).transpose()
    }

    /// The number of key and value heads: the query heads share them in equal groups.
    pub(crate) fn kv_heads(&self, n_heads: usize, n_kv_heads: usize) -> Result<usize, EngineError> {
        if n_kv_heads == 0 || !n_heads.is_multiple_of(n_kv_heads) {
            let supported = format!("it must divide the {n_heads} query heads");
            return Err(self.unsupported("num_key_value_heads", &n_kv_heads, &supported));
        }
        Ok(n_kv_heads)
    }

    /// Which layers have a window, from `layer_types`.
    pub(crate) fn windowed_layers(
        &self,
        types: &[String],
        n_layers: usize,
    ) -> Result<Vec<bool>, EngineError> {
        if types.len() != n_layers {
            let detail = format!("layer_types has {} entries for {n_layers} layers", types.len());
            return Err(EngineError::malformed(&self.path, detail));
        }
        let windowed = |kind: &String| match kind.as_str() {
            "full_attention" => Ok(false),
            "sliding_attention" => Ok(true),
            _ => Err(self.unsupported("layer_types", &kind, "full_attention and sliding_attention are")),
        };
        types.iter().map(windowed).collect()
    }

    /// The gate's function by its name.
    pub(crate) fn gate(&self, key: &str, name: &str) -> Result<Gate, EngineError> {
        match name {
            "silu" | "swish" => Ok(Gate::Silu),
            "gelu_pytorch_tanh" | "gelu_new" => Ok(Gate::GeluTanh),
            _ => Err(self.unsupported(key, &name, "silu and gelu_pytorch_tanh are")),
        }
    }

    /// Rotary positions from the keys of either spelling.
    pub(crate) fn rope(&self, keys: &RopeKeys, head_dim: usize) -> Result<Rope, EngineError> {
        if head_dim % 2 == 1 {
            return Err(self.unsupported("head_dim", &head_dim, "rotary positions need an even one"));
        }
        let scaling = &keys.scaling;
        if let Some(part) = scaling.partial_rotary_factor.or(keys.partial_rotary_factor)
            && part != 1.0
        {
            return Err(self.unsupported("partial_rotary_factor", &part, "only 1 is"));
        }
        let need = |value: Option<f64>, key: &str| {
            let key = format!("{}.{key}", keys.key);
            match value {
                Some(value) if value.is_finite() && value > 0.0 => Ok(value),
                Some(value) => Err(self.unsupported(&key, &value, "a number above 0 is needed")),
                None => Err(EngineError::KeyMissing { path: self.path.clone(), key }),
            }
        };
        let base = scaling.rope_theta.or(keys.rope_theta).unwrap_or(keys.default_theta);
        let kind = scaling.rope_type.as_deref().or(scaling.kind.as_deref()).unwrap_or("default");
        let scaling = match kind {
            "default" => RopeScaling::None,
            "linear" => RopeScaling::Linear { factor: need(scaling.factor, "factor")? },
            "llama3" => RopeScaling::Llama3 {
                factor: need(scaling.factor, "factor")?,
                low_freq_factor: need(scaling.low_freq_factor, "low_freq_factor")?,
                high_freq_factor: need(scaling.high_freq_factor, "high_freq_factor")?,
                original_context: need(
                    scaling.original_max_position_embeddings,
                    "original_max_position_embeddings",
                )?,
            },
            _ => {
                let key = format!("{}.rope_type", keys.key);
                return Err(self.unsupported(&key, &kind, "default, linear and llama3 are"));
            }
        };
        Ok(Rope { base: need(Some(base), "rope_theta")?, head_dim, scaling, interleaved: false })
    }
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
}
