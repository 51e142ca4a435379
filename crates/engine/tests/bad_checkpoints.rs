//! Damaged and unsuitable checkpoints: one clear sentence each, no panic, no memory taken on a header's word.

#![allow(clippy::unwrap_used)] // a test that cannot read its golden files fails there

use std::path::{Path, PathBuf};

use serde_json::{Value, json};
use stereometer_engine::{ARCHITECTURES, EngineError, ErrorKind, LoadOptions, load, load_any};
use stereometer_lm::LoadedLm;
use tempfile::TempDir;

fn golden(path: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../golden/models").join(path)
}

/// A copy of a golden checkpoint that may be damaged.
struct Copy(TempDir);

impl Copy {
    fn of(name: &str) -> Self {
        let directory = tempfile::tempdir().unwrap();
        for entry in std::fs::read_dir(golden(name)).unwrap() {
            let entry = entry.unwrap();
            std::fs::copy(entry.path(), directory.path().join(entry.file_name())).unwrap();
        }
        Self(directory)
    }

    fn file(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    fn cut(&self, name: &str, keep: usize) {
        let bytes = std::fs::read(self.file(name)).unwrap();
        std::fs::write(self.file(name), &bytes[..keep]).unwrap();
    }

    /// Changes keys of `config.json`; `null` takes a key away.
    fn configure(&self, changes: &Value) -> &Self {
        let path = self.file("config.json");
        let mut keys: Value = serde_json::from_str(&std::fs::read_to_string(&path).unwrap()).unwrap();
        for (key, value) in changes.as_object().unwrap() {
            if value.is_null() {
                keys.as_object_mut().unwrap().remove(key);
            } else {
                keys[key] = value.clone();
            }
        }
        std::fs::write(path, keys.to_string()).unwrap();
        self
    }

    /// The message, without the temporary directory's name.
    fn refusal(&self, path: &str) -> String {
        let error = refusal(&self.file(path));
        assert_eq!(error.kind(), ErrorKind::Input);
        let directory = self.0.path().display().to_string();
        let message = error.to_string().replace(&format!("{directory}/: "), "…: ");
        message.replace(&format!("{directory}/"), "").replace(&directory, "…")
    }
}

fn refusal(path: &Path) -> EngineError {
    match load_any(path, &LoadOptions::default()) {
        Ok(_) => panic!("{} was loaded", path.display()),
        Err(error) => error,
    }
}

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
fn a_cut_safetensors_file_tells_both_lengths() {
    for (keep, message) in [
        (
            400_000,
            "model.safetensors: download incomplete: 576864 bytes expected (the tensors), the file has 400000; fetch it again",
        ),
        (
            1000,
            "model.safetensors: download incomplete: 2144 bytes expected (the header), the file has 1000; fetch it again",
        ),
        (
            3,
            "model.safetensors: download incomplete: 8 bytes expected (the header's length), the file has 3; fetch it again",
        ),
    ] {
        let copy = Copy::of("llama");
        copy.cut("model.safetensors", keep);
        assert_eq!(copy.refusal(""), message);
    }
    let copy = Copy::of("llama-sharded");
    copy.cut("model-00002-of-00002.safetensors", 100_000);
    let message = copy.refusal("");
    assert!(message.starts_with("model-00002-of-00002.safetensors: download incomplete: "), "{message}");
    assert!(message.contains("163960 bytes expected (the tensors), the file has 100000"), "{message}");
}

#[test]
fn a_hostile_safetensors_header_takes_no_memory() {
    let copy = Copy::of("llama");
    for length in [u64::MAX, u64::MAX - 8, 1 << 40] {
        let mut bytes = length.to_le_bytes().to_vec();
        bytes.extend_from_slice(b"{}");
        std::fs::write(copy.file("model.safetensors"), bytes).unwrap();
        let message = "model.safetensors: not a safetensors file: it does not begin with a header";
        assert_eq!(copy.refusal(""), message);
    }
    for header in [
        "",
        "[]",
        "{\"a\":{}}",
        "{\"a\":{\"dtype\":\"F32\",\"shape\":[18446744073709551615,9],\"data_offsets\":[0,4]}}",
    ] {
        let mut bytes = (header.len() as u64).to_le_bytes().to_vec();
        bytes.extend_from_slice(header.as_bytes());
        bytes.extend_from_slice(&[0; 4]);
        std::fs::write(copy.file("model.safetensors"), bytes).unwrap();
        assert!(copy.refusal("").contains("not a safetensors file"), "{header}: {}", copy.refusal(""));
    }
    std::fs::write(copy.file("model.safetensors"), "").unwrap();
    assert!(copy.refusal("").contains("download incomplete"));
}

#[test]
fn a_shard_that_is_not_there_is_named_by_the_index() {
    let copy = Copy::of("llama-sharded");
    std::fs::remove_file(copy.file("model-00002-of-00002.safetensors")).unwrap();
    let message = copy.refusal("");
    assert_eq!(
        message,
        "model.safetensors.index.json: names the shard model-00002-of-00002.safetensors, which is not there \
         (tensors in it: 1); fetch it again"
    );
    let copy = Copy::of("llama-sharded");
    std::fs::write(copy.file("model.safetensors.index.json"), r#"{"weight_map":{"a":"../elsewhere"}}"#)
        .unwrap();
    assert_eq!(copy.refusal(""), "model.safetensors.index.json: \"../elsewhere\" is not the name of a shard");
    std::fs::write(copy.file("model.safetensors.index.json"), "{").unwrap();
    assert!(copy.refusal("").starts_with("model.safetensors.index.json: EOF"));
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
fn missing_tensors_are_named() {
    let copy = Copy::of("llama");
    copy.configure(&json!({ "num_hidden_layers": 3 }));
    assert_eq!(
        copy.refusal(""),
        "…: tensors missing (9): model.layers.2.self_attn.q_proj.weight, model.layers.2.self_attn.k_proj.weight, \
         model.layers.2.self_attn.v_proj.weight and 6 more"
    );
    let copy = Copy::of("llama-tied");
    copy.configure(&json!({ "tie_word_embeddings": false }));
    assert_eq!(copy.refusal(""), "…: tensors missing (1): lm_head.weight");
}

#[test]
fn an_output_layer_without_a_word_about_tying_is_tied_with_a_warning() {
    let copy = Copy::of("llama-tied");
    copy.configure(&json!({ "tie_word_embeddings": null }));
    let loaded = load(copy.0.path(), &LoadOptions::default()).unwrap();
    assert!(loaded.lm.info().tied);
    assert!(
        loaded.warnings[0].starts_with("lm_head.weight is not in the checkpoint"),
        "{:?}",
        loaded.warnings
    );
    let copy = Copy::of("llama");
    copy.configure(&json!({ "tie_word_embeddings": true }));
    let loaded = load(copy.0.path(), &LoadOptions::default()).unwrap();
    assert!(!loaded.lm.info().tied);
    assert!(loaded.warnings[0].contains("but lm_head.weight is in the checkpoint"), "{:?}", loaded.warnings);
}

#[test]
fn tensors_that_are_not_used_are_a_warning() {
    let copy = Copy::of("qwen2");
    let config = json!({ "model_type": "llama", "architectures": ["LlamaForCausalLM"] });
    copy.configure(&config);
    let loaded = load(copy.0.path(), &LoadOptions::default()).unwrap();
    assert_eq!(
        loaded.warnings,
        ["tensors of the checkpoint that are not used: 6, such as model.layers.0.self_attn.k_proj.bias"]
    );
}

#[test]
fn shapes_are_compared_with_the_configuration() {
    let copy = Copy::of("llama");
    copy.configure(&json!({ "vocab_size": 700 }));
    assert_eq!(
        copy.refusal(""),
        "…: tensor model.embed_tokens.weight has shape [640, 64], the configuration gives [700, 64]"
    );
}

#[test]
fn an_unsupported_architecture_lists_the_supported() {
    let copy = Copy::of("llama");
    copy.configure(&json!({ "model_type": "mamba" }));
    let known: Vec<&str> = ARCHITECTURES.iter().map(|row| row.model_type).collect();
    assert_eq!(
        copy.refusal(""),
        format!("config.json: architecture mamba is not supported; supported are {}", known.join(", "))
    );
    let copy = Copy::of("llama");
    copy.configure(&json!({ "architectures": ["LlamaForSequenceClassification"] }));
    assert!(
        copy.refusal("")
            .starts_with("config.json: architecture LlamaForSequenceClassification is not supported")
    );
    let copy = Copy::of("llama");
    copy.configure(&json!({ "model_type": null }));
    assert_eq!(copy.refusal(""), "config.json: model_type is missing");
}

#[test]
fn values_that_would_change_the_numbers_are_refused() {
    let llama3 = json!({ "rope_type": "llama3", "factor": 8.0, "rope_theta": 10000.0 });
    let cases = [
        (
            "llama",
            json!({ "hidden_act": "relu" }),
            "config.json: hidden_act = relu is not supported; silu, gelu, gelu_new and gelu_pytorch_tanh are",
        ),
        (
            "llama",
            json!({ "rope_parameters": { "rope_type": "yarn", "factor": 4.0 } }),
            "config.json: rope_parameters.rope_type = yarn is not supported; default, linear and llama3 are",
        ),
        (
            "llama",
            json!({ "rope_parameters": null, "rope_scaling": { "type": "dynamic", "factor": 4.0 } }),
            "config.json: rope_scaling.rope_type = dynamic is not supported; default, linear and llama3 are",
        ),
        (
            "llama",
            json!({ "rope_parameters": llama3 }),
            "config.json: rope_parameters.low_freq_factor is missing",
        ),
        (
            "llama",
            json!({ "rope_parameters": {
                "rope_type": "llama3", "factor": 8.0, "low_freq_factor": 4.0, "high_freq_factor": 4.0,
                "original_max_position_embeddings": 64
            } }),
            "config.json: rope_parameters.high_freq_factor = 4 is not supported; it must exceed low_freq_factor",
        ),
        (
            "llama",
            json!({ "partial_rotary_factor": 0.5 }),
            "config.json: partial_rotary_factor = 0.5 is not supported; only 1 is",
        ),
        (
            "llama",
            json!({ "num_attention_heads": 0 }),
            "config.json: num_attention_heads = 0 is not supported; a size from 1 to 16777216 is needed",
        ),
        (
            "llama",
            json!({ "num_key_value_heads": 3 }),
            "config.json: num_key_value_heads = 3 is not supported; it must divide the 4 query heads",
        ),
        (
            "llama",
            json!({ "num_hidden_layers": 10_000_000 }),
            "config.json: num_hidden_layers = 10000000 is not supported; a number from 1 to 4096 is needed",
        ),
        (
            "gemma3_text",
            json!({ "sliding_window": 0 }),
            "config.json: sliding_window = 0 is not supported; a size from 1 to 16777216 is needed",
        ),
        ("llama", json!({ "hidden_size": null }), "config.json: hidden_size is missing"),
        (
            "gemma3_text",
            json!({ "use_bidirectional_attention": true }),
            "config.json: use_bidirectional_attention = true is not supported; only false is",
        ),
        (
            "gemma3_text",
            json!({ "layer_types": ["full_attention", "chunked_attention", "full_attention"] }),
            "config.json: layer_types = chunked_attention is not supported; full_attention and sliding_attention are",
        ),
        (
            "gemma3_text",
            json!({ "layer_types": ["full_attention"] }),
            "config.json: layer_types has 1 entries for 3 layers",
        ),
    ];
    refused(&cases);
}

#[test]
fn values_of_single_architectures_that_would_change_the_numbers_are_refused() {
    let cases = [
        (
            "gpt2",
            json!({ "scale_attn_by_inverse_layer_idx": true }),
            "config.json: scale_attn_by_inverse_layer_idx = true is not supported; only false is",
        ),
        (
            "gpt2",
            json!({ "n_head": 5 }),
            "config.json: n_head = 5 is not supported; it must divide the 64 features",
        ),
        (
            "cohere",
            json!({ "use_qk_norm": true }),
            "config.json: use_qk_norm = true is not supported; only false is",
        ),
        (
            "phi",
            json!({ "qk_layernorm": true }),
            "config.json: qk_layernorm = true is not supported; only false is",
        ),
        (
            "bloom",
            json!({ "apply_residual_connection_post_layernorm": true }),
            "config.json: apply_residual_connection_post_layernorm = true is not supported; only false is",
        ),
        (
            "gpt_neox",
            json!({ "rope_parameters": { "partial_rotary_factor": 1.5 } }),
            "config.json: partial_rotary_factor = 1.5 is not supported; a number above 0 to 1 is needed",
        ),
        (
            "gpt_neox",
            json!({ "num_key_value_heads": 2 }),
            "config.json: num_key_value_heads = 2 is not supported; only 4 is",
        ),
        (
            "phi3",
            json!({ "rope_parameters": { "rope_type": "longrope", "short_factor": [1.0, 2.0] } }),
            "config.json: rope_parameters.short_factor = [1.0, 2.0] is not supported; 8 numbers above 0 are needed",
        ),
        (
            "phi3",
            json!({ "rope_parameters": { "rope_type": "longrope" } }),
            "config.json: rope_parameters.short_factor is missing",
        ),
    ];
    refused(&cases);
}

#[test]
fn numbers_that_can_only_make_nonsense_are_refused() {
    let eps = "a number from 0 to 1 is needed";
    let scale = "a number from 1e-30 to 1e30 is needed";
    for (names, key, values, needed) in [
        (
            &["llama", "mistral", "qwen2", "qwen3", "gemma2", "gemma3_text", "olmo2", "phi3"][..],
            "rms_norm_eps",
            &[json!(-1e-5), json!(1e39)][..],
            eps,
        ),
        (
            &["cohere", "cohere2", "gpt_neox", "phi", "bert", "roberta", "electra", "albert"],
            "layer_norm_eps",
            &[json!(-1)],
            eps,
        ),
        (&["gpt2", "bloom", "t5", "mt5"], "layer_norm_epsilon", &[json!(-1.0), json!(1e300)], eps),
        (&["gemma2", "gemma3_text"], "query_pre_attn_scalar", &[json!(0), json!(-256)], scale),
        (
            &["gemma2", "gemma3_text"],
            "attn_logit_softcapping",
            &[json!(0.0), json!(-50.0), json!(1e31)],
            scale,
        ),
        (&["gemma2", "gemma3_text"], "final_logit_softcapping", &[json!(0.0), json!(1e200)], scale),
        (&["cohere", "cohere2"], "logit_scale", &[json!(0.0), json!(1e60)], scale),
    ] {
        for (name, value) in names.iter().flat_map(|name| values.iter().map(move |value| (name, value))) {
            let copy = Copy::of(name);
            copy.configure(&json!({ key: value }));
            let message = format!("config.json: {key} = {value} is not supported; {needed}");
            assert_eq!(copy.refusal(""), message, "{name}");
        }
    }
}

#[test]
fn an_epsilon_of_a_gguf_file_that_can_only_make_nonsense_is_refused() {
    let (copy, file, key) =
        (Copy::of("llama-gguf"), "llama.Q4_0.gguf", "llama.attention.layer_norm_rms_epsilon");
    let mut bytes = std::fs::read(copy.file(file)).unwrap();
    let at = bytes.windows(key.len()).position(|window| window == key.as_bytes()).unwrap();
    let number = at + key.len() + 4; // after the number of its type
    for (value, shown) in [(f32::NAN, "NaN"), (-0.5, "-0.5"), (f32::INFINITY, "inf")] {
        bytes[number..number + 4].copy_from_slice(&value.to_le_bytes());
        std::fs::write(copy.file(file), &bytes).unwrap();
        let message = format!("{file}: {key} = {shown} is not supported; a number from 0 to 1 is needed");
        assert_eq!(copy.refusal(file), message);
    }
}

#[test]
fn a_value_of_another_kind_is_named_with_its_key() {
    let cases = [
        (
            "llama",
            json!({ "hidden_size": "big" }),
            "config.json: hidden_size = \"big\" is not supported; a whole number is needed",
        ),
        (
            "llama",
            json!({ "num_hidden_layers": -2, "unread": "big" }),
            "config.json: num_hidden_layers = -2 is not supported; a whole number is needed",
        ),
        (
            "gemma3_text",
            json!({ "rope_parameters": { "full_attention": { "rope_theta": "1e6" } } }),
            "config.json: rope_parameters.full_attention.rope_theta = \"1e6\" is not supported; a number is needed",
        ),
        (
            "t5",
            json!({ "decoder_start_token_id": 5_000_000_000_u64 }),
            "config.json: decoder_start_token_id = 5000000000 is not supported; \
             a whole number from 0 to 4294967295 is needed",
        ),
    ];
    refused(&cases);
    let copy = Copy::of("llama");
    let text = std::fs::read_to_string(copy.file("config.json")).unwrap();
    let mut keys: Value = serde_json::from_str(&text).unwrap();
    keys["rms_norm_eps"] = Value::Null;
    std::fs::write(copy.file("config.json"), keys.to_string()).unwrap();
    assert_eq!(copy.refusal(""), "config.json: rms_norm_eps = null is not supported; a number is needed");
    std::fs::write(copy.file("config.json"), "[]").unwrap();
    assert!(!copy.refusal("").contains("struct"), "{}", copy.refusal(""));
}

#[test]
fn every_key_of_every_golden_configuration_is_named_when_it_is_of_another_kind() {
    for entry in std::fs::read_dir(golden("")).unwrap() {
        let path = entry.unwrap().path();
        let Some(name) = path.file_name().and_then(|name| name.to_str()) else { continue };
        if !path.join("model.safetensors").exists() {
            continue;
        }
        let text = std::fs::read_to_string(path.join("config.json")).unwrap();
        let plain: Value = serde_json::from_str(&text).unwrap();
        let copy = Copy::of(name);
        for key in plain.as_object().unwrap().keys().filter(|key| !UNTYPED.contains(&key.as_str())) {
            let mut keys = plain.clone();
            keys[key] = json!([{}]);
            std::fs::write(copy.file("config.json"), keys.to_string()).unwrap();
            if let Err(error) = load_any(copy.0.path(), &LoadOptions::default()) {
                let message = error.to_string();
                assert!(
                    message.contains(&format!("config.json: {key} = [{{}}] is not supported; ")),
                    "{message}"
                );
            }
        }
    }
}

/// They choose the reader of the others.
const UNTYPED: [&str; 2] = ["model_type", "architectures"];

fn refused(cases: &[(&str, Value, &str)]) {
    for (name, changes, message) in cases {
        let copy = Copy::of(name);
        copy.configure(changes);
        assert_eq!(copy.refusal(""), *message);
    }
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
fn a_gguf_file_cut_anywhere_is_an_error() {
    let file = "llama.Q4_0.gguf";
    let copy = Copy::of("llama-gguf");
    let whole = std::fs::read(copy.file(file)).unwrap();
    // All short lengths, then some of each part.
    let lengths = (0..64).chain((64..whole.len()).step_by(997)).chain([whole.len() - 1]);
    for keep in lengths {
        std::fs::write(copy.file(file), &whole[..keep]).unwrap();
        let message = copy.refusal(file);
        assert!(message.starts_with(&format!("{file}: download incomplete: ")), "{keep}: {message}");
        assert!(message.contains(&format!("the file has {keep};")), "{keep}: {message}");
    }
}

#[test]
fn a_hostile_gguf_header_takes_no_memory() {
    let copy = Copy::of("llama-gguf");
    let file = "hostile.gguf";
    let header = |n_tensors: u64, n_keys: u64, rest: &[u8]| {
        let mut bytes = b"GGUF".to_vec();
        bytes.extend(3_u32.to_le_bytes());
        bytes.extend(n_tensors.to_le_bytes());
        bytes.extend(n_keys.to_le_bytes());
        bytes.extend(rest);
        bytes.resize(bytes.len().max(200), 0);
        bytes
    };
    // A key "a" that holds an array of 2⁶⁰ numbers, texts, or arrays; a text of 2⁶⁰ bytes.
    let array = |element: u32| {
        let mut rest = 1_u64.to_le_bytes().to_vec();
        rest.push(b'a');
        rest.extend(9_u32.to_le_bytes());
        rest.extend(element.to_le_bytes());
        rest.extend((1_u64 << 60).to_le_bytes());
        rest
    };
    let mut tensor = 1_u64.to_le_bytes().to_vec();
    tensor.push(b't');
    tensor.extend(2_u32.to_le_bytes());
    tensor.extend([u64::MAX, u64::MAX].map(u64::to_le_bytes).concat());
    tensor.extend(0_u32.to_le_bytes());
    tensor.extend(0_u64.to_le_bytes());
    let mut far = tensor.clone();
    far[13..29].copy_from_slice(&[4_u64, 4].map(u64::to_le_bytes).concat());
    far[33..41].copy_from_slice(&u64::MAX.to_le_bytes());
    let cases = [
        header(u64::MAX, 0, &[]),
        header(0, u64::MAX, &[]),
        header(0, 1, &array(4)),
        header(0, 1, &array(8)),
        header(0, 1, &array(9)),
        header(0, 1, &u64::MAX.to_le_bytes()),
        header(1, 0, &tensor),
        header(1, 0, &far),
        b"GGUF".to_vec(),
        b"GGML9999".to_vec(),
        Vec::new(),
    ];
    for bytes in cases {
        std::fs::write(copy.file(file), &bytes).unwrap();
        let message = copy.refusal(file);
        assert!(message.starts_with("hostile.gguf: "), "{message}");
    }
    std::fs::write(copy.file(file), header(0, 0, &[])).unwrap();
    assert_eq!(copy.refusal(file), "hostile.gguf: general.architecture is missing");
}

#[test]
fn every_damaged_byte_of_a_gguf_header_is_survived() {
    let copy = Copy::of("llama-gguf");
    let file = "llama.Q4_0.gguf";
    let whole = std::fs::read(copy.file(file)).unwrap();
    for position in (0..2000).step_by(7).chain((2000..24_000).step_by(331)) {
        let mut bytes = whole.clone();
        bytes[position] ^= 0xff;
        std::fs::write(copy.file(file), &bytes).unwrap();
        // Some damage cannot be seen (the model's name, a token); what matters is that nothing panics.
        let _ = load(&copy.file(file), &LoadOptions { threads: 1, ..LoadOptions::default() });
    }
}
