//! A checkpoint's `config.json`, and the keys that several architectures share, in the spellings of transformers 4 and 5.

mod kinds;
mod numbers;
mod rope;
mod sizes;

use std::path::{Path, PathBuf};

use serde::de::DeserializeOwned;
use serde_json::Value;

use crate::EngineError;
use crate::checkpoint::impostor;
use crate::kernels::Activation;

pub(crate) use self::numbers::{not_a_scale, not_an_eps};
pub(crate) use self::rope::{RopeFields, RopeKeys, RopeScalingKeys};
pub(crate) use self::sizes::{Defaults, HubSizes};

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
        if let Some(found) = impostor(text.as_bytes()) {
            return Err(EngineError::malformed(&path, found));
        }
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
        T::deserialize(&self.keys)
            .map_err(|error| self.fault(&error, |keys| T::deserialize(keys).map(|_| ())))
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

    /// The feed-forward function by its name in transformers, which has several for the same formula.
    pub(crate) fn activation(&self, key: &str, name: &str) -> Result<Activation, EngineError> {
        match name {
            "silu" | "swish" => Ok(Activation::Silu),
            "gelu" | "gelu_python" => Ok(Activation::Gelu),
            "gelu_new" | "gelu_fast" | "gelu_accurate" | "gelu_pytorch_tanh" | "gelu_python_tanh" => {
                Ok(Activation::GeluTanh)
            }
            _ => Err(self.unsupported(key, &name, "silu, gelu, gelu_new and gelu_pytorch_tanh are")),
        }
    }

    /// The number of heads that the hidden size is shared out among, without a rest.
    pub(crate) fn whole_heads(
        &self,
        key: &str,
        hidden_size: usize,
        n_heads: usize,
    ) -> Result<usize, EngineError> {
        if n_heads == 0 || !hidden_size.is_multiple_of(n_heads) {
            return Err(self.unsupported(
                key,
                &n_heads,
                &format!("it must divide the {hidden_size} features"),
            ));
        }
        Ok(n_heads)
    }

    /// Refuses a size other than the one the architecture has room for.
    pub(crate) fn only(&self, key: &str, value: usize, only: usize) -> Result<(), EngineError> {
        if value != only {
            return Err(self.unsupported(key, &value, &format!("only {only} is")));
        }
        Ok(())
    }

    /// A size that may stand under either of two keys; the first is named if neither is there.
    pub(crate) fn needed(&self, key: &str, value: Option<usize>) -> Result<usize, EngineError> {
        let missing = || EngineError::KeyMissing { path: self.path.clone(), key: key.to_owned() };
        self.positive(key, value.ok_or_else(missing)?)
    }

    /// Refuses a switch that would change the numbers.
    pub(crate) fn off(&self, key: &str, value: Option<bool>) -> Result<(), EngineError> {
        if value == Some(true) {
            return Err(self.unsupported(key, &true, "only false is"));
        }
        Ok(())
    }
}
