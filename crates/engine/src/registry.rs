//! One row an architecture: its names on the Hub and in GGUF, and who reads its configuration.

use std::path::Path;

use crate::EngineError;
use crate::checkpoint::gguf::GgufFile;
use crate::config::HubConfig;
use crate::layers::decoder::DecoderConfig;
use crate::models::{gemma3, llama, qwen2};

/// An architecture that the engine computes.
#[derive(Debug, Clone, Copy)]
pub struct Architecture {
    /// `model_type` of `config.json`.
    pub model_type: &'static str,
    /// Classes that `architectures` of `config.json` may name.
    pub classes: &'static [&'static str],
    /// `general.architecture` of a GGUF file.
    pub gguf: &'static str,
    pub(crate) from_hub: fn(&HubConfig) -> Result<DecoderConfig, EngineError>,
    pub(crate) from_gguf: fn(&GgufFile) -> Result<DecoderConfig, EngineError>,
}

/// All of them.
pub const ARCHITECTURES: &[Architecture] = &[
    Architecture {
        model_type: "llama",
        classes: &["LlamaForCausalLM"],
        gguf: "llama",
        from_hub: llama::from_hub,
        from_gguf: llama::from_gguf,
    },
    Architecture {
        model_type: "qwen2",
        classes: &["Qwen2ForCausalLM"],
        gguf: "qwen2",
        from_hub: qwen2::from_hub,
        from_gguf: qwen2::from_gguf,
    },
    Architecture {
        model_type: "gemma3_text",
        classes: &["Gemma3ForCausalLM"],
        gguf: "gemma3",
        from_hub: gemma3::from_hub,
        from_gguf: gemma3::from_gguf,
    },
];

/// By `model_type`; a class that is not the architecture's language model is refused.
pub(crate) fn of_hub(config: &HubConfig) -> Result<&'static Architecture, EngineError> {
    let Some(model_type) = config.text("model_type") else {
        return Err(EngineError::KeyMissing { path: config.path().to_owned(), key: "model_type".to_owned() });
    };
    let Some(row) = ARCHITECTURES.iter().find(|row| row.model_type == model_type) else {
        return Err(unsupported(config.path(), model_type, |row| row.model_type));
    };
    let classes = config.texts("architectures");
    if !classes.is_empty() && !classes.iter().any(|class| row.classes.contains(&class.as_str())) {
        return Err(unsupported(config.path(), &classes.join(", "), |row| row.classes[0]));
    }
    Ok(row)
}

/// By `general.architecture`.
pub(crate) fn of_gguf(file: &GgufFile) -> Result<&'static Architecture, EngineError> {
    let Some(name) = file.text("general.architecture") else {
        return Err(file.key_missing("general.architecture"));
    };
    ARCHITECTURES
        .iter()
        .find(|row| row.gguf == name)
        .ok_or_else(|| unsupported(file.path(), name, |row| row.gguf))
}

fn unsupported(path: &Path, found: &str, name: fn(&Architecture) -> &'static str) -> EngineError {
    let supported = ARCHITECTURES.iter().map(name).collect::<Vec<_>>().join(", ");
    EngineError::Architecture { path: path.to_owned(), found: found.to_owned(), supported }
}
