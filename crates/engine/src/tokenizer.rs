//! The checkpoint's tokenizer, and whether it fits the weights.
//!
//! Hub directories: `tokenizer.json`, compared with `tokenizer_config.json` where that speaks of BOS; without it
//! a SentencePiece model, with the rules of `tokenizer_config.json` and of the family that `config.json` names. GGUF files: their own metadata;
//! a tokenizer beside the file is used only where the file has none, for it may belong to another.

use std::path::{Path, PathBuf};

use serde_json::Value;
use stereometer_lm::tokenizer::gguf::{self, GgufVocabulary};
use stereometer_lm::tokenizer::{SentencePieceFamily, SentencePieceRules};
use stereometer_lm::{TokenId, Tokenizer, TokenizerError};

use crate::EngineError;
use crate::checkpoint::Checkpoint;
use crate::checkpoint::gguf::GgufFile;
use crate::registry::masked::MASKED_ARCHITECTURES;

const JSON: &str = "tokenizer.json";

/// The tokenizer and doubts about it. `n_rows` are the rows of the embedding.
pub(crate) fn of(checkpoint: &Checkpoint, n_rows: usize) -> Result<(Tokenizer, Vec<String>), EngineError> {
    let directory = checkpoint.directory();
    let (tokenizer, warnings) = match checkpoint {
        Checkpoint::Gguf(file) if file.text("tokenizer.ggml.model").is_some() => {
            gguf::tokenizer(&vocabulary(file))?
        }
        Checkpoint::Gguf(_) | Checkpoint::Safetensors(_) => {
            if let Some(file) = sentencepiece(directory) {
                if let Some(architecture) = frameless(directory) {
                    let detail = format!(
                        "what stands around a text for {architecture} is not known from a SentencePiece model; tokenizer.json is needed"
                    );
                    return Err(EngineError::malformed(&file, detail));
                }
                Tokenizer::from_sentencepiece(&file, rules(directory))?
            } else {
                let tokenizer = from_json(directory)?;
                let warnings = bos_doubt(directory, &tokenizer)?;
                (tokenizer, warnings.into_iter().collect())
            }
        }
    };
    // More rows than tokens are usual padding, and the softmax covers them; an id without a row is a mix-up.
    let size = tokenizer.vocab_size();
    if size > n_rows {
        return Err(EngineError::Vocabulary {
            path: checkpoint.path().to_owned(),
            highest: size - 1,
            n_rows,
        });
    }
    Ok((tokenizer, warnings))
}

/// The SentencePiece model of a directory that has no `tokenizer.json`.
fn sentencepiece(directory: &Path) -> Option<PathBuf> {
    if directory.join(JSON).exists() {
        return None;
    }
    ["tokenizer.model", "spiece.model", "sentencepiece.bpe.model"]
        .map(|name| directory.join(name))
        .into_iter()
        .find(|file| file.exists())
}

/// The masked architecture whose special tokens no SentencePiece model tells.
fn frameless(directory: &Path) -> Option<String> {
    let model_type = key(directory, "config.json", "model_type")?.as_str()?.to_owned();
    let is_masked = MASKED_ARCHITECTURES.iter().any(|row| row.model_type == model_type);
    (is_masked && rules(directory).family == SentencePieceFamily::Plain).then_some(model_type)
}

/// How a SentencePiece model is to be used.
fn rules(directory: &Path) -> SentencePieceRules {
    let flag = |key: &str| flag(directory, key);
    let model_type = key(directory, "config.json", "model_type");
    let family = match model_type.as_ref().and_then(Value::as_str) {
        Some("xlm-roberta") => SentencePieceFamily::XlmRoberta,
        Some("albert") => SentencePieceFamily::Albert {
            lower_case: flag("do_lower_case").unwrap_or(true),
            keep_accents: flag("keep_accents").unwrap_or(false),
        },
        Some("t5" | "mt5") => {
            let number =
                key(directory, "tokenizer_config.json", "extra_ids").and_then(|number| number.as_u64());
            SentencePieceFamily::T5 { extra_ids: number.and_then(|number| u16::try_from(number).ok()) }
        }
        _ => SentencePieceFamily::Plain,
    };
    SentencePieceRules {
        add_bos: flag("add_bos_token"),
        add_eos: flag("add_eos_token"),
        legacy: flag("legacy"),
        family,
    }
}

/// What `tokenizer_config.json` says, where it can be read: the file holds numbers that fit no integer.
fn flag(directory: &Path, key: &str) -> Option<bool> {
    self::key(directory, "tokenizer_config.json", key)?.as_bool()
}

fn key(directory: &Path, file: &str, key: &str) -> Option<Value> {
    let text = std::fs::read_to_string(directory.join(file)).ok()?;
    serde_json::from_str::<Value>(&text).ok()?.get(key).cloned()
}

fn from_json(directory: &Path) -> Result<Tokenizer, EngineError> {
    let file = directory.join(JSON);
    if !file.exists() {
        let (directory, file) = (directory.to_owned(), JSON.to_owned());
        return Err(EngineError::FileMissing { directory, file });
    }
    Ok(Tokenizer::from_file(&file)?)
}

/// Whether `tokenizer_config.json` wants a BOS that `tokenizer.json` does not give, or the other way round.
fn bos_doubt(directory: &Path, tokenizer: &Tokenizer) -> Result<Option<String>, EngineError> {
    let wanted = flag(directory, "add_bos_token");
    let prefix = tokenizer.prefix_ids();
    let broken = |error: TokenizerError| EngineError::malformed(&directory.join(JSON), error.to_string());
    let given = !prefix.map_err(broken)?.is_empty();
    Ok(match (wanted, given) {
        (Some(true), false) => Some(
            "tokenizer_config.json has add_bos_token = true, but tokenizer.json puts no token before a text; none is put"
                .to_owned(),
        ),
        (Some(false), true) => Some(
            "tokenizer_config.json has add_bos_token = false, but tokenizer.json adds special tokens; they are added"
                .to_owned(),
        ),
        _ => None,
    })
}

fn vocabulary(file: &GgufFile) -> GgufVocabulary {
    let key = |name: &str| format!("tokenizer.ggml.{name}");
    let id = |name: &str| file.count(&key(name)).ok().flatten().and_then(|id| TokenId::try_from(id).ok());
    let numbers = |name: &str| file.numbers(&key(name));
    GgufVocabulary {
        model: file.text(&key("model")).unwrap_or_default().to_owned(),
        pre: file.text(&key("pre")).map(str::to_owned),
        tokens: file.texts(&key("tokens")).unwrap_or_default(),
        scores: numbers("scores").map(|scores| scores.into_iter().map(|score| score as f32).collect()),
        token_types: numbers("token_type").map(|types| types.into_iter().map(|kind| kind as i32).collect()),
        merges: file.texts(&key("merges")),
        bos_id: id("bos_token_id"),
        eos_id: id("eos_token_id"),
        unknown_id: id("unknown_token_id"),
        padding_id: id("padding_token_id"),
        add_bos: file.flag(&key("add_bos_token")),
        add_eos: file.flag(&key("add_eos_token")),
        add_space_prefix: file.flag(&key("add_space_prefix")),
    }
}
