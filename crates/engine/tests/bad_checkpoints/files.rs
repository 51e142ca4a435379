//! The files of a checkpoint: missing, saved in place of others, and what tells one checkpoint from another.

use std::path::Path;

use serde_json::json;
use stereometer_engine::{ErrorKind, LoadOptions, load, load_any};
use stereometer_lm::LoadedLm;

use crate::{Copy, golden, refusal};

#[test]
fn nothing_at_the_path() {
    let error = refusal(Path::new("no/such/checkpoint"));
    assert_eq!(error.to_string(), "no/such/checkpoint: no such file or directory");
    assert_eq!(error.kind(), ErrorKind::Input);
}

#[test]
fn missing_files_are_named() {
    for (file, message) in [
        ("config.json", "…: config.json is missing"),
        ("tokenizer.json", "…: tokenizer.json is missing"),
        ("model.safetensors", "…: model.safetensors (or model.safetensors.index.json) is missing"),
    ] {
        let copy = Copy::of("llama");
        std::fs::remove_file(copy.file(file)).unwrap();
        assert_eq!(copy.refusal(""), message);
    }
}

#[test]
fn files_that_were_saved_in_the_place_of_others_are_recognised() {
    let pointer = "version https://git-lfs.github.com/spec/v1\noid sha256:00\nsize 988097824\n";
    let page = "\n<!DOCTYPE html>\n<html><title>404</title></html>\n";
    let lfs = "it is a Git LFS pointer, not the file itself; fetch the real file (git lfs pull)";
    let html = "it is a web page, such as an error page that was saved in place of the file; fetch it again";
    for (content, detail) in [(pointer, lfs), (page, html), ("<HTML>", html)] {
        for (name, file) in [
            ("llama", "model.safetensors"),
            ("llama", "config.json"),
            ("llama-sharded", "model-00001-of-00002.safetensors"),
            ("llama-sharded", "model.safetensors.index.json"),
        ] {
            let copy = Copy::of(name);
            std::fs::write(copy.file(file), content).unwrap();
            assert_eq!(copy.refusal(""), format!("{file}: {detail}"));
        }
        let copy = Copy::of("llama-gguf");
        std::fs::write(copy.file("llama.Q4_0.gguf"), content).unwrap();
        assert_eq!(copy.refusal("llama.Q4_0.gguf"), format!("llama.Q4_0.gguf: {detail}"));
    }
    let copy = Copy::of("llama-sharded");
    std::fs::write(copy.file("model.safetensors.index.json"), r#"{"weight_map":7}"#).unwrap();
    let message = "model.safetensors.index.json: it has no weight_map that names a file for each tensor";
    assert_eq!(copy.refusal(""), message);
}

#[test]
fn a_directory_with_a_configuration_and_one_gguf_file_is_that_file() {
    let loaded = load(&golden("llama-kquant-gguf"), &LoadOptions::default()).unwrap();
    let file = golden("llama-kquant-gguf").join("llama-kquant.Q4_K_M.gguf");
    let of_file = load(&file, &LoadOptions::default()).unwrap();
    assert_eq!(loaded.lm.info().weights_sha256, of_file.lm.info().weights_sha256);
}

#[test]
fn the_identity_of_a_directory_covers_its_configuration() {
    let identity = |copy: &Copy| {
        let loaded = load_any(copy.0.path(), &LoadOptions::default()).unwrap();
        match loaded.lm {
            LoadedLm::Causal(lm) => lm.info().weights_sha256.clone(),
            LoadedLm::Masked(lm) => lm.info().weights_sha256.clone(),
            LoadedLm::Seq2Seq(lm) => lm.info().weights_sha256.clone(),
        }
    };
    for (name, key) in [("llama", "rms_norm_eps"), ("bert", "layer_norm_eps"), ("t5", "layer_norm_epsilon")] {
        let copy = Copy::of(name);
        let plain = identity(&copy);
        assert_eq!(
            identity(copy.configure(&json!({ "transformers_version": "9", "use_cache": false }))),
            plain
        );
        assert_ne!(identity(copy.configure(&json!({ key: 0.125 }))), plain, "{name}");
    }
    let copy = Copy::of("llama");
    let plain = identity(&copy);
    let rope = json!({ "rope_type": "linear", "factor": 4.0 });
    assert_ne!(identity(copy.configure(&json!({ "rope_parameters": rope }))), plain);
}
