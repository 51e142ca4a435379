//! A `tokenizer.json` that is JSON and no tokenizer: an error that names the file, never a panic.
//!
//! The `tokenizers` crate takes these files at their word. Each case here made it panic, some at the file, some only at the
//! text that meets the damage.

#![allow(clippy::unwrap_used)] // in a test a panic is the report

use serde_json::{Value, json};
use stereometer_lm::{Tokenizer, TokenizerError};

/// Reads a tokenizer of whole words with one part replaced.
fn read(part: &str, value: Value) -> Result<Tokenizer, TokenizerError> {
    let mut tokenizer = json!({
        "version": "1.0",
        "added_tokens": [],
        "pre_tokenizer": { "type": "WhitespaceSplit" },
        "model": { "type": "WordLevel", "vocab": { "[UNK]": 0, "a": 1 }, "unk_token": "[UNK]" },
    });
    tokenizer[part] = value;
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("tokenizer.json");
    std::fs::write(&path, tokenizer.to_string()).unwrap();
    Tokenizer::from_file(&path)
}

#[test]
fn parts_of_another_form_are_refused_by_the_name_of_the_file() {
    for (part, value) in [("decoder", json!(0)), ("normalizer", json!({ "type": "Precompiled" }))] {
        let message = read(part, value).unwrap_err().to_string();
        assert!(message.contains("tokenizer.json: not a readable tokenizer: "), "{message}");
    }
}

#[test]
fn a_damaged_table_of_normalisation_is_an_error_of_the_text_that_meets_it() {
    // One unit where 256 must be, in base64.
    let table = json!({ "type": "Precompiled", "precompiled_charsmap": "BAAAAAAAAABhAA==" });
    let tokenizer = read("normalizer", table).unwrap();
    for error in [tokenizer.encode("a").unwrap_err(), tokenizer.prefix_ids().unwrap_err()] {
        let message = error.to_string();
        assert!(
            message.starts_with("cannot encode the text: the tokenizer's file is damaged ("),
            "{message}"
        );
    }
    assert!(tokenizer.encode_framed("a").is_err());
}

#[test]
fn a_template_of_tokens_that_it_does_not_describe_is_an_error_of_the_text() {
    let template = json!({
        "type": "TemplateProcessing",
        "single": [{ "SpecialToken": { "id": "[CLS]", "type_id": 0 } }, { "Sequence": { "id": "A", "type_id": 0 } }],
        "pair": [],
        "special_tokens": {},
    });
    let error = read("post_processor", template).and_then(|tokenizer| tokenizer.encode("a")).unwrap_err();
    let message = "cannot encode the text: the tokenizer's file is damaged (no entry found for key)";
    assert_eq!(error.to_string(), message);
}
