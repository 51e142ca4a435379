//! Tiny encoder–decoder checkpoints against transformers in float64: see `golden/models/README.md`.

#![allow(clippy::unwrap_used)] // a test that cannot read its golden files fails there

use std::path::{Path, PathBuf};

use serde_json::Value;
use stereometer_engine::{Dtype, Level, LoadOptions, LoadedAny, SEQ2SEQ_ARCHITECTURES, load, load_any};
use stereometer_lm::{LmError, LoadedLm, Seq2SeqLm, SourceTarget, TokenLogProbs};

/// Absolute, in nats.
const TOLERANCE: f64 = 1e-4;

const CHECKPOINTS: &[&str] = &["t5", "mt5"];

fn golden() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../golden")
}

fn cases(name: &str) -> Vec<Value> {
    let path = golden().join("expected").join(format!("{name}.json"));
    let file: Value = serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap();
    file["cases"].as_array().unwrap().clone()
}

fn of<T: serde::de::DeserializeOwned>(value: &Value) -> T {
    serde_json::from_value(value.clone()).unwrap()
}

fn pairs(name: &str) -> Vec<SourceTarget> {
    let pair =
        |case: &Value| SourceTarget { source: of(&case["encoder_ids"]), target: of(&case["target_ids"]) };
    cases(name).iter().map(pair).collect()
}

fn checkpoint(path: &Path, options: &LoadOptions) -> LoadedAny {
    load_any(path, options).unwrap_or_else(|error| panic!("{error}"))
}

fn seq2seq(loaded: &LoadedAny) -> &dyn Seq2SeqLm {
    let LoadedLm::Seq2Seq(lm) = &loaded.lm else { panic!("not an encoder–decoder") };
    lm.as_ref()
}

fn largest_difference(name: &str, answers: &[TokenLogProbs]) -> f64 {
    let mut largest = 0.0_f64;
    for (case, answer) in cases(name).iter().zip(answers) {
        let found: Vec<f64> = answer.logprobs.iter().map(|value| f64::from(value.unwrap())).collect();
        let values: Vec<f64> = of(&case["logprobs"]);
        assert_eq!(found.len(), values.len());
        for (found, value) in found.iter().zip(values) {
            let difference = (found - value).abs();
            largest = if difference <= largest { largest } else { difference };
        }
        assert!((answer.mean().unwrap() - of::<f64>(&case["mean"])).abs() <= TOLERANCE);
        let of_trait: f64 = of::<Vec<usize>>(&case["trait_positions"]).iter().map(|&at| found[at]).sum();
        assert!((of_trait - of::<f64>(&case["trait_sum"])).abs() <= 10.0 * TOLERANCE);
    }
    largest
}

#[test]
fn every_checkpoint_gives_the_reference_log_probabilities() {
    for name in CHECKPOINTS {
        for level in Level::available() {
            let options = LoadOptions { threads: 2, level: Some(level), ..LoadOptions::default() };
            let loaded = checkpoint(&golden().join("models").join(name), &options);
            let answers = seq2seq(&loaded).target_logprobs(&pairs(name)).unwrap();
            let largest = largest_difference(name, &answers);
            println!("{name:4} {:8} {largest:.1e}  {:?}", level.name(), loaded.warnings);
            assert!(largest <= TOLERANCE, "{name}, {}: {largest}", level.name());
        }
    }
}

#[test]
fn every_tokenizer_gives_the_reference_ids() {
    for name in CHECKPOINTS {
        let loaded = checkpoint(&golden().join("models").join(name), &LoadOptions::default());
        for case in cases(name) {
            for (text, ids) in [("template", "encoder_ids"), ("target_text", "target_ids")] {
                let encoding = loaded.tokenizer.encode(case[text].as_str().unwrap()).unwrap();
                assert_eq!(encoding.ids, of::<Vec<u32>>(&case[ids]), "{name}: {}", case[text]);
            }
        }
    }
}

#[test]
fn both_spellings_of_the_configuration_give_the_same_bits() {
    for name in CHECKPOINTS {
        let copy = tempfile::tempdir().unwrap();
        for entry in std::fs::read_dir(golden().join("models").join(name)).unwrap() {
            let entry = entry.unwrap();
            std::fs::copy(entry.path(), copy.path().join(entry.file_name())).unwrap();
        }
        std::fs::copy(copy.path().join("config.v4.json"), copy.path().join("config.json")).unwrap();
        let old = checkpoint(copy.path(), &LoadOptions::default());
        let new = checkpoint(&golden().join("models").join(name), &LoadOptions::default());
        let pairs = pairs(name);
        assert_eq!(
            seq2seq(&old).target_logprobs(&pairs).unwrap(),
            seq2seq(&new).target_logprobs(&pairs).unwrap()
        );
    }
}

#[test]
fn a_pair_has_the_same_bits_alone_in_a_batch_and_with_any_threads() {
    for name in CHECKPOINTS {
        let path = golden().join("models").join(name);
        let one = checkpoint(&path, &LoadOptions { threads: 1, ..LoadOptions::default() });
        let two = checkpoint(&path, &LoadOptions { threads: 2, ..LoadOptions::default() });
        let mut pairs = pairs(name);
        // Every source with every other target too: sources are shared within a batch.
        let mixed: Vec<SourceTarget> = pairs
            .iter()
            .zip(pairs.iter().skip(1))
            .map(|(a, b)| SourceTarget { source: a.source.clone(), target: b.target.clone() })
            .collect();
        pairs.extend(mixed);
        pairs.push(SourceTarget { source: pairs[0].source.clone(), target: Vec::new() });
        let batch = seq2seq(&one).target_logprobs(&pairs).unwrap();
        assert_eq!(batch, seq2seq(&two).target_logprobs(&pairs).unwrap(), "{name}: threads");
        for (pair, together) in pairs.iter().zip(&batch) {
            let alone = seq2seq(&two).target_logprobs(std::slice::from_ref(pair)).unwrap();
            assert_eq!(&alone[0], together, "{name}: alone");
        }
    }
}

#[test]
fn half_precision_with_few_exponents_and_causal_questions_are_refused() {
    let path = golden().join("models/mt5");
    let options = LoadOptions { dtype: Dtype::F16, ..LoadOptions::default() };
    let Err(error) = load_any(&path, &options) else { panic!("loaded") };
    assert!(error.to_string().contains("overflows in f16"), "{error}");
    let Err(error) = load(&path, &LoadOptions::default()) else { panic!("loaded") };
    assert!(error.to_string().contains("mt5 is an encoder–decoder"), "{error}");
    let loaded = checkpoint(&golden().join("models/t5"), &LoadOptions::default());
    let unknown = SourceTarget { source: vec![5, 1], target: vec![672] };
    assert!(matches!(
        seq2seq(&loaded).target_logprobs(&[unknown]),
        Err(LmError::UnknownId { id: 672, vocab: 672 })
    ));
}

#[test]
fn every_encoder_decoder_has_a_golden_checkpoint() {
    for row in SEQ2SEQ_ARCHITECTURES {
        assert!(CHECKPOINTS.contains(&row.model_type), "{} has none", row.model_type);
    }
}
