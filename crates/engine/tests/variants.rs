//! The tiny checkpoints under other configuration keys: see `golden/generators/config_variants.py`.

#![allow(clippy::unwrap_used)] // a test that cannot read its golden files fails there

use std::path::{Path, PathBuf};

use serde_json::Value;
use stereometer_engine::{LoadOptions, load};

/// As for the checkpoints themselves.
const TOLERANCE: f64 = 1e-4;

fn golden() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../golden")
}

fn json(path: &Path) -> Value {
    serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap()
}

#[test]
fn other_configuration_keys_move_the_numbers_as_in_transformers() {
    let mut files: Vec<PathBuf> =
        std::fs::read_dir(golden().join("variants")).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.sort();
    assert!(files.len() >= 13);
    let mut too_far = Vec::new();
    for file in files {
        let variant = json(&file);
        let directory = tempfile::tempdir().unwrap();
        let base = golden().join("models").join(variant["base"].as_str().unwrap());
        for entry in std::fs::read_dir(&base).unwrap() {
            let entry = entry.unwrap();
            std::fs::copy(entry.path(), directory.path().join(entry.file_name())).unwrap();
        }
        let mut keys = json(&base.join("config.json"));
        for (key, value) in variant["changes"].as_object().unwrap() {
            keys.as_object_mut().unwrap().remove(key);
            if !value.is_null() {
                keys[key] = if value == "null" { Value::Null } else { value.clone() };
            }
        }
        std::fs::write(directory.path().join("config.json"), keys.to_string()).unwrap();
        let loaded =
            load(directory.path(), &LoadOptions::default()).unwrap_or_else(|error| panic!("{error}"));
        let mut largest = 0.0_f64;
        for text in variant["texts"].as_array().unwrap() {
            let ids: Vec<u32> = serde_json::from_value(text["ids"].clone()).unwrap();
            let expected: Vec<Option<f64>> = serde_json::from_value(text["logprobs"].clone()).unwrap();
            let answers = loaded.lm.sequence_logprobs(&[ids]).unwrap();
            assert_eq!(answers[0].logprobs.len(), expected.len());
            for (value, expected) in answers[0].logprobs.iter().zip(expected) {
                if let (Some(value), Some(expected)) = (value, expected) {
                    largest = largest.max((f64::from(*value) - expected).abs());
                }
            }
        }
        let name = file.file_stem().unwrap().to_string_lossy().into_owned();
        println!("{name:32} largest difference {largest:.1e}");
        if largest > TOLERANCE {
            too_far.push((name, largest));
        }
    }
    assert!(too_far.is_empty(), "{too_far:?}");
}
