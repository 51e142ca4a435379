//! Real checkpoints against transformers: see `golden/real/README.md`.
//!
//! The weights are not in the repository. Put the two files into a directory and run
//! `STEREOMETER_REAL_MODELS=DIRECTORY cargo test --release -p stereometer-engine --test real -- --ignored --nocapture`.

#![allow(clippy::unwrap_used)] // a test that cannot read its golden files fails there

use std::path::{Path, PathBuf};

use serde_json::Value;
use stereometer_engine::{LoadOptions, load};

#[test]
#[ignore = "needs the weights of two real checkpoints"]
fn real_checkpoints_give_the_ids_and_log_probabilities_of_transformers() {
    let models = PathBuf::from(std::env::var("STEREOMETER_REAL_MODELS").unwrap());
    for name in ["gemma-3-270m", "smollm2-135m-instruct"] {
        let path =
            Path::new(env!("CARGO_MANIFEST_DIR")).join("../../golden/real").join(format!("{name}.json"));
        let golden: Value = serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap();
        let loaded = load(&models.join(format!("{name}.gguf")), &LoadOptions::default()).unwrap();
        assert_eq!(loaded.lm.info().weights_sha256, golden["model"]["sha256"].as_str().unwrap());
        let tolerance = golden["made"]["tolerance"].as_f64().unwrap();
        let texts = golden["texts"].as_array().unwrap();
        let ids: Vec<Vec<u32>> = texts
            .iter()
            .map(|text| {
                let ids: Vec<u32> = serde_json::from_value(text["ids"].clone()).unwrap();
                assert_eq!(
                    loaded.tokenizer.encode(text["text"].as_str().unwrap()).unwrap().ids,
                    ids,
                    "{text}"
                );
                ids
            })
            .collect();
        let answers = loaded.lm.sequence_logprobs(&ids).unwrap();
        let (mut token, mut mean) = (0.0_f64, 0.0_f64);
        for (answer, text) in answers.iter().zip(texts) {
            let expected: Vec<Option<f64>> = serde_json::from_value(text["logprobs"].clone()).unwrap();
            for (value, expected) in answer.logprobs.iter().zip(expected) {
                assert_eq!(value.is_some(), expected.is_some());
                token = token.max((f64::from(value.unwrap_or(0.0)) - expected.unwrap_or(0.0)).abs());
            }
            if let (Some(value), Some(expected)) = (answer.mean(), text["mean"].as_f64()) {
                mean = mean.max((value - expected).abs());
            }
        }
        println!("{name}: {} texts, largest difference {token:.1e} a token, {mean:.1e} a mean", texts.len());
        assert!(token <= tolerance, "{name}: {token}");
    }
}
