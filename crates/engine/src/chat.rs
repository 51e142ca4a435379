//! The chat template of a checkpoint, if it has one.
//!
//! Hub directories: `chat_template.jinja`, else `chat_template` of `tokenizer_config.json`, which is the text, or a list of
//! named ones of which `default` is meant. GGUF files: `tokenizer.chat_template`; a template beside the file is used only
//! where the file has no tokenizer, for it may belong to another.

use std::collections::BTreeMap;
use std::path::Path;

use serde_json::Value;
use stereometer_lm::ChatTemplate;

use crate::EngineError;
use crate::checkpoint::Checkpoint;
use crate::checkpoint::gguf::GgufFile;

/// Special tokens that a template may ask for, by transformers' names.
const SPECIAL: [&str; 7] =
    ["bos_token", "eos_token", "unk_token", "sep_token", "pad_token", "cls_token", "mask_token"];
/// A template is a page or two.
const MAX_BYTES: u64 = 1 << 20;

/// The template; doubts about the files are added to `warnings`.
pub(crate) fn of(
    checkpoint: &Checkpoint,
    warnings: &mut Vec<String>,
) -> Result<Option<ChatTemplate>, EngineError> {
    match checkpoint {
        Checkpoint::Gguf(file) if file.text("tokenizer.ggml.model").is_some() => Ok(of_gguf(file)),
        Checkpoint::Gguf(_) | Checkpoint::Safetensors(_) => of_directory(checkpoint.directory(), warnings),
    }
}

fn of_gguf(file: &GgufFile) -> Option<ChatTemplate> {
    let source = file.text("tokenizer.chat_template")?.to_owned();
    let tokens = file.texts("tokenizer.ggml.tokens").unwrap_or_default();
    let names =
        [("bos_token", "bos"), ("eos_token", "eos"), ("unk_token", "unknown"), ("pad_token", "padding")];
    let special_tokens = names
        .into_iter()
        .filter_map(|(name, key)| {
            let id = file.count(&format!("tokenizer.ggml.{key}_token_id")).ok().flatten()?;
            Some((name.to_owned(), tokens.get(id)?.clone()))
        })
        .collect();
    Some(ChatTemplate { source, special_tokens })
}

fn of_directory(directory: &Path, warnings: &mut Vec<String>) -> Result<Option<ChatTemplate>, EngineError> {
    let read = |name: &str| {
        let text = std::fs::read_to_string(directory.join(name)).ok()?;
        serde_json::from_str::<Value>(&text).ok()
    };
    let config = read("tokenizer_config.json").unwrap_or_default();
    let file = directory.join("chat_template.jinja");
    let source = if file.exists() {
        let size = std::fs::metadata(&file).map_err(|error| EngineError::io(&file, error))?.len();
        if size > MAX_BYTES {
            return Err(EngineError::malformed(&file, format!("{size} bytes are no chat template")));
        }
        let text = std::fs::read(&file).map_err(|error| EngineError::io(&file, error))?;
        Some(String::from_utf8(text).map_err(|_| EngineError::malformed(&file, "not UTF-8"))?)
    } else {
        chosen(&config["chat_template"]).unwrap_or_else(|doubt| {
            warnings.push(doubt);
            None
        })
    };
    let Some(source) = source else { return Ok(None) };
    let map = read("special_tokens_map.json").unwrap_or_default();
    let special_tokens: BTreeMap<String, String> = SPECIAL
        .into_iter()
        .filter_map(|name| Some((name.to_owned(), spelling(&config[name]).or_else(|| spelling(&map[name]))?)))
        .collect();
    Ok(Some(ChatTemplate { source, special_tokens }))
}

/// The text of a template, from a text or a list of named ones.
fn chosen(value: &Value) -> Result<Option<String>, String> {
    match value {
        Value::Null => Ok(None),
        Value::String(source) => Ok(Some(source.clone())),
        Value::Array(named) => {
            let default = named.iter().find(|one| one["name"] == "default");
            match default.and_then(|one| one["template"].as_str()) {
                Some(source) => Ok(Some(source.to_owned())),
                None => Err("tokenizer_config.json lists chat templates, but none is named `default`; the model counts as one \
                             without"
                    .to_owned()),
            }
        }
        Value::Bool(_) | Value::Number(_) | Value::Object(_) => {
            Err("chat_template of tokenizer_config.json is neither a text nor a list; the model counts as one without"
                .to_owned())
        }
    }
}

/// A token is a text, or an object that describes one.
fn spelling(token: &Value) -> Option<String> {
    token.as_str().or_else(|| token.get("content")?.as_str()).map(str::to_owned)
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn of_several_templates_the_default_one_is_meant() {
        let named = json!([{"name": "tool_use", "template": "b"}, {"name": "default", "template": "a"}]);
        assert_eq!(chosen(&named).unwrap().as_deref(), Some("a"));
        assert_eq!(chosen(&json!("c")).unwrap().as_deref(), Some("c"));
        assert_eq!(chosen(&Value::Null).unwrap(), None);
        for odd in [json!([{"name": "rag", "template": "b"}]), json!(3), json!({})] {
            assert!(chosen(&odd).unwrap_err().contains("without"), "{odd}");
        }
    }

    #[test]
    fn a_file_of_its_own_comes_before_the_configuration() {
        let directory = tempfile::tempdir().unwrap();
        let write = |name: &str, text: &str| std::fs::write(directory.path().join(name), text).unwrap();
        let read = || of_directory(directory.path(), &mut Vec::new()).unwrap();
        assert_eq!(read(), None);
        write(
            "tokenizer_config.json",
            r#"{"chat_template": "config", "bos_token": {"content": "<s>"}, "eos_token": "</s>", "unk_token": null}"#,
        );
        let template = read().unwrap();
        assert_eq!(template.source, "config");
        let special: Vec<_> = template.special_tokens.iter().map(|(k, v)| (k.as_str(), v.as_str())).collect();
        assert_eq!(special, [("bos_token", "<s>"), ("eos_token", "</s>")]);
        write("chat_template.jinja", "file");
        assert_eq!(read().unwrap().source, "file");
    }
}
