//! `config.json` of every architecture, over the weights of the golden checkpoint of that architecture.

#![no_main]

use std::path::Path;

use libfuzzer_sys::fuzz_target;
use serde_json::Value;
use stereometer_engine::{LoadOptions, load_any};

const BESIDE: [&str; 3] = ["model.safetensors", "tokenizer.json", "tokenizer_config.json"];

fuzz_target!(init: stereometer_fuzz::let_caught_panics_pass(), |input: &[u8]| {
    let keys: Value = serde_json::from_slice(input).unwrap_or_default();
    let architecture = keys["model_type"].as_str().unwrap_or_default();
    let models = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../golden/models"));
    let named = architecture.chars().all(|c| c.is_ascii_alphanumeric() || c == '_' || c == '-');
    let mut golden = models.join(architecture);
    if architecture.is_empty() || !named || !golden.is_dir() {
        golden = models.join("llama");
    }
    let directory = stereometer_fuzz::directory();
    for name in BESIDE {
        std::os::unix::fs::symlink(golden.join(name), directory.path().join(name)).expect("a link");
    }
    std::fs::write(directory.path().join("config.json"), input).expect("a file for one input");
    match load_any(directory.path(), &LoadOptions { threads: 1, ..LoadOptions::default() }) {
        Ok(loaded) => stereometer_fuzz::ask(&loaded),
        Err(error) => assert!(!error.to_string().is_empty()),
    }
});
