//! Values of `config.json` that are of another kind than their key's.

use serde_json::{Value, json};
use stereometer_engine::{LoadOptions, load_any};

use crate::values::refused;
use crate::{Copy, golden};

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
