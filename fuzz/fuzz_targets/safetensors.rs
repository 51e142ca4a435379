//! A checkpoint's directory: the index, the headers of its shards, and the files beside them.

#![no_main]

use libfuzzer_sys::fuzz_target;
use stereometer_engine::{LoadOptions, load_any};

const NAMES: [&str; 8] = [
    "config.json",
    "tokenizer.json",
    "model.safetensors",
    "model.safetensors.index.json",
    "a.safetensors",
    "b.safetensors",
    "tokenizer_config.json",
    "tokenizer.model",
];

fuzz_target!(init: stereometer_fuzz::let_caught_panics_pass(), |input: &[u8]| {
    let directory = stereometer_fuzz::directory();
    stereometer_fuzz::write_files(directory.path(), &NAMES, input);
    match load_any(directory.path(), &LoadOptions { threads: 1, ..LoadOptions::default() }) {
        Ok(loaded) => stereometer_fuzz::ask(&loaded),
        Err(error) => assert!(!error.to_string().is_empty()),
    }
});
