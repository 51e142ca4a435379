//! Values of `config.json` that the engine does not know, or that can only make nonsense.

use serde_json::{Value, json};
use stereometer_engine::ARCHITECTURES;

use crate::Copy;

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

pub(crate) fn refused(cases: &[(&str, Value, &str)]) {
    for (name, changes, message) in cases {
        let copy = Copy::of(name);
        copy.configure(changes);
        assert_eq!(copy.refusal(""), *message);
    }
}
