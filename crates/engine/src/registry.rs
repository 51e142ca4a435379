//! One row an architecture: its names on the Hub and in GGUF, and who reads its configuration.

pub(crate) mod masked;
pub(crate) mod seq2seq;

use std::path::Path;

use crate::EngineError;
use crate::checkpoint::gguf::GgufFile;
use crate::config::HubConfig;
use crate::layers::decoder_config::DecoderConfig;
use crate::models::{
    bloom, cohere, cohere2, gemma2, gemma3, gpt_neox, gpt2, llama, mistral, olmo2, phi, phi3, qwen2, qwen3,
};

/// An architecture that the engine computes.
#[derive(Debug, Clone, Copy)]
pub struct Architecture {
    /// `model_type` of `config.json`.
    pub model_type: &'static str,
    /// Classes that `architectures` of `config.json` may name.
    pub classes: &'static [&'static str],
    pub(crate) from_hub: fn(&HubConfig) -> Result<DecoderConfig, EngineError>,
    /// How GGUF files have it, if they are read.
    pub gguf: Option<Gguf>,
}

/// An architecture in GGUF files.
#[derive(Debug, Clone, Copy)]
pub struct Gguf {
    /// `general.architecture`.
    pub name: &'static str,
    pub(crate) config: fn(&GgufFile) -> Result<DecoderConfig, EngineError>,
}

/// All of them.
pub const ARCHITECTURES: &[Architecture] = &[
    Architecture {
        model_type: "llama",
        classes: &["LlamaForCausalLM"],
        from_hub: llama::from_hub,
        gguf: Some(Gguf { name: "llama", config: llama::from_gguf }),
    },
    Architecture {
        model_type: "mistral",
        classes: &["MistralForCausalLM"],
        from_hub: mistral::from_hub,
        gguf: None,
    },
    Architecture {
        model_type: "qwen2",
        classes: &["Qwen2ForCausalLM"],
        from_hub: qwen2::from_hub,
        gguf: Some(Gguf { name: "qwen2", config: qwen2::from_gguf }),
    },
    Architecture {
        model_type: "qwen3",
        classes: &["Qwen3ForCausalLM"],
        from_hub: qwen3::from_hub,
        gguf: Some(Gguf { name: "qwen3", config: qwen3::from_gguf }),
    },
    Architecture {
        model_type: "gemma2",
        classes: &["Gemma2ForCausalLM"],
        from_hub: gemma2::from_hub,
        gguf: Some(Gguf { name: "gemma2", config: gemma2::from_gguf }),
    },
    Architecture {
        model_type: "gemma3_text",
        classes: &["Gemma3ForCausalLM"],
        from_hub: gemma3::from_hub,
        gguf: Some(Gguf { name: "gemma3", config: gemma3::from_gguf }),
    },
    Architecture {
        model_type: "cohere",
        classes: &["CohereForCausalLM"],
        from_hub: cohere::from_hub,
        gguf: None,
    },
    Architecture {
        model_type: "cohere2",
        classes: &["Cohere2ForCausalLM"],
        from_hub: cohere2::from_hub,
        gguf: None,
    },
    Architecture { model_type: "phi3", classes: &["Phi3ForCausalLM"], from_hub: phi3::from_hub, gguf: None },
    Architecture {
        model_type: "olmo2",
        classes: &["Olmo2ForCausalLM"],
        from_hub: olmo2::from_hub,
        gguf: None,
    },
    Architecture { model_type: "gpt2", classes: &["GPT2LMHeadModel"], from_hub: gpt2::from_hub, gguf: None },
    Architecture {
        model_type: "gpt_neox",
        classes: &["GPTNeoXForCausalLM"],
        from_hub: gpt_neox::from_hub,
        gguf: None,
    },
    Architecture { model_type: "phi", classes: &["PhiForCausalLM"], from_hub: phi::from_hub, gguf: None },
    Architecture {
        model_type: "bloom",
        classes: &["BloomForCausalLM"],
        from_hub: bloom::from_hub,
        gguf: None,
    },
];

/// By `model_type`; a class that is not the architecture's language model is refused.
pub(crate) fn of_hub(config: &HubConfig) -> Result<&'static Architecture, EngineError> {
    let Some(model_type) = config.text("model_type") else {
        return Err(EngineError::KeyMissing { path: config.path().to_owned(), key: "model_type".to_owned() });
    };
    let Some(row) = ARCHITECTURES.iter().find(|row| row.model_type == model_type) else {
        if let Some(kind) = other_kind(model_type) {
            return Err(EngineError::OtherKind {
                path: config.path().to_owned(),
                found: model_type.to_owned(),
                kind,
            });
        }
        return Err(unsupported(config.path(), model_type, |row| Some(row.model_type)));
    };
    let classes = config.texts("architectures");
    if !classes.is_empty() && !classes.iter().any(|class| row.classes.contains(&class.as_str())) {
        return Err(unsupported(config.path(), &classes.join(", "), |row| row.classes.first().copied()));
    }
    Ok(row)
}

/// What an architecture is that does not predict each token from those before it.
fn other_kind(model_type: &str) -> Option<&'static str> {
    masked::of_hub(model_type)
        .map(|_| "a masked language model")
        .or_else(|| seq2seq::of_hub(model_type).map(|_| "an encoder–decoder"))
}

/// By `general.architecture`.
pub(crate) fn of_gguf(file: &GgufFile) -> Result<(&'static Architecture, Gguf), EngineError> {
    let Some(name) = file.text("general.architecture") else {
        return Err(file.key_missing("general.architecture"));
    };
    let mut rows = ARCHITECTURES.iter().filter_map(|row| Some((row, row.gguf?)));
    rows.find(|(_, gguf)| gguf.name == name)
        .ok_or_else(|| unsupported(file.path(), name, |row| row.gguf.map(|gguf| gguf.name)))
}

fn unsupported(path: &Path, found: &str, name: fn(&Architecture) -> Option<&'static str>) -> EngineError {
    let supported = ARCHITECTURES.iter().filter_map(name).collect::<Vec<_>>().join(", ");
    EngineError::Architecture { path: path.to_owned(), found: found.to_owned(), supported }
}
