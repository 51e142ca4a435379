//! Does a model of seven billion parameters fit a machine with 16 GiB?
//!
//! The checkpoint has the shape of Mistral 7B, in bf16, and takes no disk: behind its header it is one hole of 14.5 GB. All
//! weights are zero, so every token is as likely as any other, and the answer is known: −ln 32,000. Memory is what Linux
//! says of this process; elsewhere the tests say that they were skipped.

#![allow(clippy::unwrap_used)] // a test that cannot write its checkpoint fails there

use std::fs::File;
use std::io::Write;
use std::path::Path;
use std::sync::Mutex;

use serde_json::{Map, Value, json};
use stereometer_engine::{LoadOptions, load};

const HIDDEN: usize = 4096;
const INNER: usize = 14_336;
const N_HEADS: usize = 32;
const N_KV_HEADS: usize = 8;
const VOCAB: usize = 32_000;

const GIB: u64 = 1 << 30;

/// The peak of memory is that of the whole process: one test at a time.
static ALONE: Mutex<()> = Mutex::new(());

fn tensors(n_layers: usize) -> Vec<(String, Vec<usize>)> {
    let mut tensors = vec![
        ("model.embed_tokens.weight".to_owned(), vec![VOCAB, HIDDEN]),
        ("model.norm.weight".to_owned(), vec![HIDDEN]),
        ("lm_head.weight".to_owned(), vec![VOCAB, HIDDEN]),
    ];
    for layer in 0..n_layers {
        let mut part = |name: &str, shape: &[usize]| {
            tensors.push((format!("model.layers.{layer}.{name}.weight"), shape.to_vec()));
        };
        part("input_layernorm", &[HIDDEN]);
        part("post_attention_layernorm", &[HIDDEN]);
        part("self_attn.q_proj", &[HIDDEN, HIDDEN]);
        part("self_attn.k_proj", &[HIDDEN / N_HEADS * N_KV_HEADS, HIDDEN]);
        part("self_attn.v_proj", &[HIDDEN / N_HEADS * N_KV_HEADS, HIDDEN]);
        part("self_attn.o_proj", &[HIDDEN, HIDDEN]);
        part("mlp.gate_proj", &[INNER, HIDDEN]);
        part("mlp.up_proj", &[INNER, HIDDEN]);
        part("mlp.down_proj", &[HIDDEN, INNER]);
    }
    tensors
}

/// Writes the checkpoint and returns the number of its parameters.
fn write(directory: &Path, n_layers: usize) -> u64 {
    let (mut header, mut end) = (Map::new(), 0);
    for (name, shape) in tensors(n_layers) {
        let start = end;
        end += 2 * shape.iter().product::<usize>();
        header.insert(name, json!({ "dtype": "BF16", "shape": shape, "data_offsets": [start, end] }));
    }
    let mut header = Value::Object(header).to_string();
    // As the format's own writer does it, so that the weights are aligned and can be used in place.
    header.push_str(&" ".repeat(header.len().next_multiple_of(8) - header.len()));
    let mut file = File::create(directory.join("model.safetensors")).unwrap();
    file.write_all(&(header.len() as u64).to_le_bytes()).unwrap();
    file.write_all(header.as_bytes()).unwrap();
    file.set_len((8 + header.len() + end) as u64).unwrap();
    let config = json!({
        "model_type": "mistral",
        "hidden_size": HIDDEN,
        "intermediate_size": INNER,
        "num_hidden_layers": n_layers,
        "num_attention_heads": N_HEADS,
        "num_key_value_heads": N_KV_HEADS,
        "sliding_window": null,
        "vocab_size": VOCAB,
        "max_position_embeddings": 4096,
        "tie_word_embeddings": false,
    });
    std::fs::write(directory.join("config.json"), config.to_string()).unwrap();
    let tokenizer = json!({
        "version": "1.0",
        "added_tokens": [],
        "pre_tokenizer": { "type": "WhitespaceSplit" },
        "model": {
            "type": "WordLevel",
            "vocab": { "[UNK]": 0, "I": 1, "have": 2, "always": 3, "led.": 4 },
            "unk_token": "[UNK]",
        },
    });
    std::fs::write(directory.join("tokenizer.json"), tokenizer.to_string()).unwrap();
    end as u64 / 2
}

/// A line of what Linux says of this process, in bytes.
fn memory(key: &str) -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap();
    let line = status.lines().find_map(|line| line.strip_prefix(key)).unwrap();
    line.trim_matches(|c: char| !c.is_ascii_digit()).parse::<u64>().unwrap() << 10
}

/// Loads and scores; returns the bytes of the weights and the peak of memory, or nothing where that cannot be measured.
fn measured(n_layers: usize) -> Option<(u64, u64)> {
    if !Path::new("/proc/self/status").exists() {
        eprintln!("skipped: memory is measured by /proc, which this system does not have");
        return None;
    }
    let _alone = ALONE.lock().unwrap();
    // Forgets the peak of a test before this one.
    std::fs::write("/proc/self/clear_refs", "5").unwrap();
    let directory = tempfile::tempdir().unwrap();
    let parameters = write(directory.path(), n_layers);
    let loaded = load(directory.path(), &LoadOptions::default()).unwrap();
    assert_eq!(loaded.lm.info().parameters, parameters);
    let to_load = memory("VmHWM:");
    assert!(to_load < GIB, "loading took {to_load} bytes: weights were copied");

    let ids = loaded.tokenizer.encode("I have always led.").unwrap().ids;
    let answers = loaded.lm.sequence_logprobs(&[ids]).unwrap();
    for logprob in answers[0].logprobs.iter().skip(1) {
        assert!((logprob.unwrap() + (VOCAB as f32).ln()).abs() < 1e-4, "{logprob:?}");
    }
    let anonymous = memory("RssAnon:");
    assert!(anonymous < GIB, "{anonymous} bytes beside the mapped weights: some were copied");
    Some((2 * parameters, memory("VmHWM:")))
}

#[test]
fn one_layer_of_that_width_is_mapped_and_never_copied() {
    let Some((weights, peak)) = measured(1) else { return };
    assert!(peak < weights + GIB / 4, "{peak} bytes for weights of {weights}");
}

/// `cargo test -p stereometer-engine --test seven_billion -- --ignored`
#[test]
#[ignore = "reads 14.5 GB of zeros twice, once to hash and once to multiply: a minute"]
fn seven_billion_parameters_are_scored_within_16_gib() {
    let Some((weights, peak)) = measured(32) else { return };
    assert!(weights > 14_000_000_000);
    assert!(peak < 15 * GIB, "{peak} bytes for weights of {weights}");
}
