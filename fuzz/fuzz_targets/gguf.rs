//! A GGUF file: header, metadata, table of tensors, dequantisation of every type, the plan of loading, its vocabulary.

#![no_main]

use libfuzzer_sys::fuzz_target;
use stereometer_engine::{Dtype, LoadOptions, load_any};

fuzz_target!(init: stereometer_fuzz::let_caught_panics_pass(), |input: &[u8]| {
    let directory = stereometer_fuzz::directory();
    let path = directory.path().join("model.gguf");
    std::fs::write(&path, input).expect("a file for one input");
    let dtype = [Dtype::Auto, Dtype::Bf16, Dtype::F16][input.len() % 3];
    match load_any(&path, &LoadOptions { dtype, threads: 1, level: None }) {
        Ok(loaded) => stereometer_fuzz::ask(&loaded),
        Err(error) => assert!(!error.to_string().is_empty()),
    }
});
