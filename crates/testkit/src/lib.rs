//! What tests of several crates share: where goldens lie, and a tokenizer that needs no file.

use std::path::{Path, PathBuf};

use serde_json::{Value, json};
use stereometer_lm::Tokenizer;
use tokenizers::pre_tokenizers::byte_level::ByteLevel;

/// The workspace's root.
pub fn workspace() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// A file or folder of `golden/`.
pub fn golden(path: &str) -> PathBuf {
    workspace().join("golden").join(path)
}

/// The studies' data, kept outside the project; says so and gives nothing when it is not there.
pub fn shared(path: &str) -> Option<PathBuf> {
    let root =
        std::env::var_os("STEREOMETER_SHARED").map_or_else(|| workspace().join("../shared"), PathBuf::from);
    let found = root.join(path);
    if found.exists() {
        return Some(found);
    }
    eprintln!(
        "skipped: {} is not there (set STEREOMETER_SHARED to the folder that holds it)",
        found.display()
    );
    None
}

/// One token a byte, numbered from 1; token 0 is a BOS that is put before every text if `bos`.
///
/// # Panics
/// Never: the vocabulary is a constant.
#[allow(clippy::expect_used)]
pub fn byte_tokenizer(bos: bool) -> Tokenizer {
    let mut alphabet: Vec<char> = ByteLevel::alphabet().into_iter().collect();
    alphabet.sort_unstable();
    let mut vocabulary = serde_json::Map::from_iter([("<s>".to_owned(), json!(0))]);
    vocabulary.extend(alphabet.iter().zip(1..).map(|(piece, id)| (piece.to_string(), json!(id))));
    let post_processor = json!({
        "type": "TemplateProcessing",
        "single": [{"SpecialToken": {"id": "<s>", "type_id": 0}}, {"Sequence": {"id": "A", "type_id": 0}}],
        "pair": [{"Sequence": {"id": "A", "type_id": 0}}, {"Sequence": {"id": "B", "type_id": 0}}],
        "special_tokens": {"<s>": {"id": "<s>", "ids": [0], "tokens": ["<s>"]}},
    });
    let file = json!({
        "version": "1.0",
        "added_tokens": [],
        "normalizer": null,
        "pre_tokenizer": {"type": "ByteLevel", "add_prefix_space": false, "trim_offsets": true, "use_regex": false},
        "post_processor": if bos { post_processor } else { Value::Null },
        "decoder": null,
        "model": {"type": "BPE", "vocab": vocabulary, "merges": []},
    });
    let tokenizer = tokenizers::Tokenizer::from_bytes(file.to_string()).expect("the file is well-formed");
    Tokenizer::from_inner(tokenizer)
}
