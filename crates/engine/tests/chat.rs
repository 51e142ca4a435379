//! Texts inside chat templates, against transformers' `apply_chat_template`: see `golden/generators/chat_templates.py`.

#![allow(clippy::unwrap_used)] // a test that cannot read its golden files fails there

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use serde_json::Value;
use stereometer_engine::{LoadOptions, load};
use stereometer_lm::{ChatRole, ChatTemplate, TokenizerError};

/// As for the checkpoints themselves.
const TOLERANCE: f64 = 1e-4;

fn golden() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../golden")
}

#[test]
fn renderings_ids_places_and_log_probabilities_are_those_of_transformers() {
    let mut files: Vec<PathBuf> =
        std::fs::read_dir(golden().join("chat")).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.sort();
    assert!(files.len() >= 8);
    for file in files {
        let name = file.file_stem().unwrap().to_string_lossy().into_owned();
        let golden_file: Value = serde_json::from_str(&std::fs::read_to_string(&file).unwrap()).unwrap();
        let base = golden().join("models").join(golden_file["base"].as_str().unwrap());
        let loaded = load(&base, &LoadOptions::default()).unwrap();
        let special_tokens: BTreeMap<String, String> =
            serde_json::from_value(golden_file["special_tokens"].clone()).unwrap();
        let template =
            ChatTemplate { source: golden_file["template"].as_str().unwrap().to_owned(), special_tokens };
        let (mut largest, mut n) = (0.0_f64, 0);
        for case in golden_file["cases"].as_array().unwrap() {
            let role = if case["role"] == "user" { ChatRole::User } else { ChatRole::Assistant };
            let tokenizer = loaded.tokenizer.clone().in_chat(&template, role).unwrap();
            let text = case["text"].as_str().unwrap();
            let encoded = tokenizer.encode(text);
            if let Some(reason) = case["reason"].as_str() {
                let Err(TokenizerError::Unscorable(found)) = encoded else { panic!("{name}: {encoded:?}") };
                let expected = if reason == "alters" { "chat-alters-text" } else { "chat-shares-token" };
                assert_eq!(found.name(), expected, "{name}: {text:?}");
                continue;
            }
            let chat = tokenizer.chat().unwrap();
            assert_eq!(case["rendered"], format!("{}{text}{}", chat.before, chat.after), "{name}");
            let encoded = encoded.unwrap();
            let ids: Vec<u32> = serde_json::from_value(case["ids"].clone()).unwrap();
            let end = case["text_to"].as_u64().unwrap() as usize;
            assert_eq!(encoded.ids, ids[..end], "{name}: {text:?}");
            assert_eq!(encoded.text_start as u64, case["text_from"].as_u64().unwrap(), "{name}: {text:?}");
            let expected: Vec<Option<f64>> = serde_json::from_value(case["logprobs"].clone()).unwrap();
            let answers = loaded.lm.sequence_logprobs(&[encoded.ids, ids]).unwrap();
            let (ours, whole) = (answers[0].clone().scored_from(encoded.text_start), &answers[1]);
            assert_eq!(ours.n_scored(), end - encoded.text_start.max(1));
            let scored = ours.logprobs.iter().zip(&whole.logprobs).zip(&expected);
            for ((value, whole), expected) in scored.skip(encoded.text_start.max(1)) {
                assert_eq!(value, whole);
                largest = largest.max((f64::from(value.unwrap()) - expected.unwrap()).abs());
                n += 1;
            }
        }
        println!("{name:20} {n} tokens, largest difference {largest:.1e}");
        assert!(largest < TOLERANCE, "{name}: {largest}");
    }
}
