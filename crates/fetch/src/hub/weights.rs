//! Which files of a repository make a model, and which of them are missing.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use serde::Deserialize;

use super::{HubFile, RepoId};
use crate::FetchError;

const CONFIG: &str = "config.json";
const SINGLE: &str = "model.safetensors";
const INDEX: &str = "model.safetensors.index.json";

/// Config and tokenizer files; those that a repository does not have are not needed by it.
const COMPANIONS: [&str; 12] = [
    CONFIG,
    TOKENIZERS[0],
    TOKENIZERS[1],
    TOKENIZERS[2],
    TOKENIZERS[3],
    "tokenizer_config.json",
    "special_tokens_map.json",
    "added_tokens.json",
    "chat_template.jinja",
    "vocab.json",
    "merges.txt",
    "vocab.txt",
];

/// Files that hold a tokenizer. A model of another tool's cache without any of them is not taken for complete.
const TOKENIZERS: [&str; 4] =
    ["tokenizer.json", "tokenizer.model", "spiece.model", "sentencepiece.bpe.model"];

/// Whether a folder has a tokenizer.
pub(super) fn has_tokenizer(directory: &Path) -> bool {
    TOKENIZERS.iter().any(|name| directory.join(name).is_file())
}

/// The weights of a repository.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Weights {
    /// One safetensors file.
    Single(String),
    /// Shards, which this index names.
    Sharded(String),
    /// GGUF files and nothing else.
    Gguf(Vec<String>),
}

/// Finds the weights among a repository's files. As `transformers` does, one file goes before shards.
pub(super) fn weights(repo: &RepoId, files: &[HubFile]) -> Result<Weights, FetchError> {
    let has = |name: &str| files.iter().any(|file| file.name == name);
    if has(CONFIG) && has(SINGLE) {
        return Ok(Weights::Single(SINGLE.to_owned()));
    }
    if has(CONFIG) && has(INDEX) {
        return Ok(Weights::Sharded(INDEX.to_owned()));
    }
    let gguf: Vec<String> =
        files.iter().filter(|file| is_gguf(&file.name)).map(|file| file.name.clone()).collect();
    if gguf.is_empty() {
        Err(FetchError::NoWeights { repo: repo.to_string() })
    } else {
        Ok(Weights::Gguf(gguf))
    }
}

/// Config and tokenizer files that the repository has.
pub(super) fn companions(files: &[HubFile]) -> impl Iterator<Item = &HubFile> {
    files.iter().filter(|file| COMPANIONS.contains(&file.name.as_str()))
}

/// The shards that an index file names, in order, each once.
pub(super) fn shards(index: &Path) -> Result<Vec<String>, FetchError> {
    #[derive(Deserialize)]
    struct Index {
        weight_map: std::collections::BTreeMap<String, String>,
    }
    let text = fs::read_to_string(index).map_err(FetchError::io("read", index))?;
    let index: Index = serde_json::from_str(&text)
        .map_err(|error| FetchError::NotAModel { path: index.to_path_buf(), reason: error.to_string() })?;
    Ok(index.weight_map.into_values().collect::<BTreeSet<_>>().into_iter().collect())
}

/// What a model directory lacks: nothing is missing, or the names of the files. Not a model at all is an error.
pub(crate) fn missing_files(directory: &Path) -> Result<Vec<String>, FetchError> {
    let has = |name: &str| directory.join(name).is_file();
    let not =
        |reason: &str| Err(FetchError::NotAModel { path: directory.to_path_buf(), reason: reason.into() });
    if !has(CONFIG) {
        return not("it has no config.json");
    }
    if has(SINGLE) {
        return Ok(Vec::new());
    }
    if has(INDEX) {
        return Ok(shards(&directory.join(INDEX))?.into_iter().filter(|shard| !has(shard)).collect());
    }
    not("it has neither model.safetensors nor model.safetensors.index.json")
}

/// Whether weights lie beside a configuration as the Hub has them.
pub(crate) fn has_safetensors(directory: &Path) -> bool {
    [SINGLE, INDEX].iter().any(|name| directory.join(name).is_file())
}

/// The only GGUF file of a directory.
pub(crate) fn only_gguf(directory: &Path) -> Result<Option<std::path::PathBuf>, FetchError> {
    let entries = fs::read_dir(directory).map_err(FetchError::io("read", directory))?;
    let mut found: Vec<_> = entries
        .filter_map(|entry| Some(entry.ok()?.path()))
        .filter(|path| path.file_name().and_then(|name| name.to_str()).is_some_and(is_gguf) && path.is_file())
        .collect();
    found.sort();
    if found.len() > 1 {
        let files =
            found.iter().filter_map(|path| Some(path.file_name()?.to_string_lossy().into_owned())).collect();
        return Err(FetchError::ManyWeights { repo: directory.display().to_string(), files });
    }
    Ok(found.pop())
}

pub(crate) fn is_gguf(name: &str) -> bool {
    Path::new(name).extension().is_some_and(|ending| ending.eq_ignore_ascii_case("gguf"))
}
