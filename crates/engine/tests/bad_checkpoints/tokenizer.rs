//! Tokenizers that do not fit the checkpoint, are doubtful, or lie there as a SentencePiece model.

use serde_json::{Value, json};
use stereometer_engine::{LoadOptions, load};

use crate::{Copy, golden};

#[test]
fn a_tokenizer_with_ids_beyond_the_embedding_is_refused() {
    let copy = Copy::of("llama");
    std::fs::copy(golden("gemma3_text").join("tokenizer.json"), copy.file("tokenizer.json")).unwrap();
    let message = copy.refusal("");
    assert!(message.ends_with("the embedding has only 640 rows: they do not belong together"), "{message}");
}

#[test]
fn a_doubtful_bos_is_a_warning() {
    let copy = Copy::of("qwen2");
    std::fs::write(
        copy.file("tokenizer_config.json"),
        r#"{"add_bos_token": true, "model_max_length": 1e30}"#,
    )
    .unwrap();
    let loaded = load(copy.0.path(), &LoadOptions::default()).unwrap();
    assert_eq!(loaded.warnings.len(), 1, "{:?}", loaded.warnings);
    let copy = Copy::of("llama");
    std::fs::write(copy.file("tokenizer_config.json"), r#"{"add_bos_token": false}"#).unwrap();
    let loaded = load(copy.0.path(), &LoadOptions::default()).unwrap();
    assert!(loaded.warnings[0].contains("add_bos_token = false"), "{:?}", loaded.warnings);
}

#[test]
fn without_a_tokenizer_json_the_sentencepiece_model_is_read() {
    let spm = golden("../spm/llama2.model");
    for name in ["tokenizer.model", "spiece.model"] {
        let copy = Copy::of("llama-f16");
        std::fs::remove_file(copy.file("tokenizer.json")).unwrap();
        std::fs::copy(&spm, copy.file(name)).unwrap();
        std::fs::write(copy.file("tokenizer_config.json"), r#"{"add_bos_token": true}"#).unwrap();
        let loaded = load(copy.0.path(), &LoadOptions::default()).unwrap();
        assert!(loaded.warnings.is_empty(), "{:?}", loaded.warnings);
        std::fs::write(copy.file("tokenizer_config.json"), "{}").unwrap();
        let loaded = load(copy.0.path(), &LoadOptions::default()).unwrap();
        assert!(loaded.warnings[0].contains("as for Llama"), "{:?}", loaded.warnings);
        copy.cut(name, 5000);
        let message = copy.refusal("");
        assert!(message.starts_with(&format!("{name}: not a readable tokenizer: ")), "{message}");
    }
}

#[test]
fn a_tokenizer_that_trips_over_its_own_parts_is_named() {
    let copy = Copy::of("llama");
    let text = std::fs::read_to_string(copy.file("tokenizer.json")).unwrap();
    let mut tokenizer: Value = serde_json::from_str(&text).unwrap();
    // One unit of a table of normalisation where 256 must be, in base64.
    tokenizer["normalizer"] = json!({ "type": "Precompiled", "precompiled_charsmap": "BAAAAAAAAABhAA==" });
    std::fs::write(copy.file("tokenizer.json"), tokenizer.to_string()).unwrap();
    let message = copy.refusal("");
    let expected = "tokenizer.json: cannot encode the text: the tokenizer's file is damaged (";
    assert!(message.starts_with(expected), "{message}");
}
