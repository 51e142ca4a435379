//! Bad checkpoints: one clear error, exit code 3, nothing half-written.

use std::fs::{self, OpenOptions};
use std::path::{Path, PathBuf};

use serde_json::Value;
use stereometer_testkit::golden;

use crate::{Done, model, path, run};

fn copy_of(checkpoint: &str, folder: &Path) -> PathBuf {
    let copy = folder.join("model");
    fs::create_dir(&copy).unwrap();
    for entry in fs::read_dir(model(checkpoint)).unwrap() {
        let entry = entry.unwrap();
        fs::copy(entry.path(), copy.join(entry.file_name())).unwrap();
    }
    copy
}

fn cut(file: &Path, keep: u64) {
    OpenOptions::new().write(true).open(file).unwrap().set_len(keep).unwrap();
}

fn change(file: &Path, key: &str, value: Value) {
    let mut json: Value = serde_json::from_str(&fs::read_to_string(file).unwrap()).unwrap();
    json[key] = value;
    fs::write(file, json.to_string()).unwrap();
}

fn audit(folder: &Path, model: &Path) -> Done {
    run(folder, &["audit", "--model", &path(model), "--languages", "en", "--quick", "--out", "run"])
}

/// Takes a checkpoint and a way to break it; the error must hold all of these words.
fn refused(checkpoint: &str, break_it: impl Fn(&Path) -> PathBuf, words: &[&str]) {
    let folder = tempfile::tempdir().unwrap();
    let copy = copy_of(checkpoint, folder.path());
    let broken = break_it(&copy);
    let done = audit(folder.path(), &broken);
    assert_eq!(done.code, 3, "{}", done.stderr);
    assert_eq!(done.stderr.lines().filter(|line| line.starts_with("error:")).count(), 1, "{}", done.stderr);
    for word in words {
        assert!(done.stderr.contains(word), "`{word}` is not in: {}", done.stderr);
    }
    assert!(!folder.path().join("run").exists());
}

fn shards(copy: &Path) -> Vec<PathBuf> {
    let mut shards: Vec<PathBuf> = fs::read_dir(copy)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.extension().is_some_and(|extension| extension == "safetensors"))
        .collect();
    shards.sort();
    shards
}

#[test]
fn a_truncated_shard() {
    refused(
        "llama-sharded",
        |copy| {
            cut(&shards(copy)[0], 5000);
            copy.to_owned()
        },
        &["safetensors", "5000", "bytes"],
    );
}

#[test]
fn a_truncated_header() {
    refused(
        "llama",
        |copy| {
            cut(&copy.join("model.safetensors"), 4);
            copy.to_owned()
        },
        &["model.safetensors"],
    );
}

#[test]
fn a_shard_that_the_index_names_and_nobody_fetched() {
    refused(
        "llama-sharded",
        |copy| {
            fs::remove_file(&shards(copy)[1]).unwrap();
            copy.to_owned()
        },
        &["model-00002-of-00002.safetensors", "missing"],
    );
}

#[test]
fn a_folder_without_weights() {
    refused(
        "llama",
        |copy| {
            fs::remove_file(copy.join("model.safetensors")).unwrap();
            copy.to_owned()
        },
        &["model.safetensors"],
    );
}

#[test]
fn a_truncated_gguf() {
    for keep in [3, 100, 20_000] {
        refused(
            "llama-gguf",
            |copy| {
                let file = fs::read_dir(copy)
                    .unwrap()
                    .map(|entry| entry.unwrap().path())
                    .find(|path| path.extension().is_some_and(|extension| extension == "gguf"))
                    .unwrap();
                cut(&file, keep);
                file
            },
            &["gguf"],
        );
    }
}

#[test]
fn an_architecture_that_is_not_supported_lists_those_that_are() {
    refused(
        "llama",
        |copy| {
            change(&copy.join("config.json"), "model_type", "mamba".into());
            copy.to_owned()
        },
        &["mamba", "llama", "qwen2", "gemma3_text"],
    );
}

#[test]
fn a_tokenizer_with_more_tokens_than_the_model_has_rows() {
    refused(
        "llama",
        |copy| {
            let other = PathBuf::from(model("qwen2")).join("tokenizer.json");
            let mut json: Value = serde_json::from_str(&fs::read_to_string(other).unwrap()).unwrap();
            json["added_tokens"].as_array_mut().unwrap().push(serde_json::json!({
                "id": 9_999_999, "content": "<far>", "single_word": false, "lstrip": false, "rstrip": false,
                "normalized": false, "special": true
            }));
            fs::write(copy.join("tokenizer.json"), json.to_string()).unwrap();
            copy.to_owned()
        },
        &["tokenizer", "640 rows"],
    );
}

#[test]
fn a_value_that_would_change_numbers_is_not_ignored() {
    refused(
        "llama",
        |copy| {
            change(&copy.join("config.json"), "hidden_act", "swish-of-tomorrow".into());
            copy.to_owned()
        },
        &["hidden_act", "swish-of-tomorrow"],
    );
}

#[test]
fn a_sentencepiece_model_does_not_tell_what_stands_around_a_text_for_bert() {
    let folder = tempfile::tempdir().unwrap();
    let copy = folder.path().join("bert");
    std::fs::create_dir(&copy).unwrap();
    for file in ["config.json", "model.safetensors", "tokenizer_config.json"] {
        std::fs::copy(golden(&format!("models/bert/{file}")), copy.join(file)).unwrap();
    }
    std::fs::copy(golden("spm/albert.model"), copy.join("spiece.model")).unwrap();
    let done = run(folder.path(), &["model", "info", "bert"]);
    assert_eq!(done.code, 3, "{}{}", done.stdout, done.stderr);
    assert!(done.stderr.contains("tokenizer.json is needed"), "{}", done.stderr);
}

#[test]
fn a_line_that_is_a_list_is_no_question() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("in.jsonl"), "[\"a\", \"hello\"]\n").unwrap();
    let done = run(folder.path(), &["logprobs", "--model", &model("llama"), "--input", "in.jsonl"]);
    assert_eq!(done.code, 3, "{}", done.stdout);
    assert!(done.stderr.contains("line 1: not a JSON object"), "{}", done.stderr);
}
