//! Tensors that are missing, not used, or of another shape than the configuration gives them.

use serde_json::json;
use stereometer_engine::{LoadOptions, load};

use crate::Copy;

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
