//! Tiny masked checkpoints against transformers in float64: see `golden/models/README.md`.

#![allow(clippy::unwrap_used)] // a test that cannot read its golden files fails there

use std::path::{Path, PathBuf};

use serde_json::{Value, json};
use stereometer_engine::{EngineError, Level, LoadOptions, LoadedAny, MASKED_ARCHITECTURES, load, load_any};
use stereometer_lm::{Cloze, ClozeTarget, LmError, LoadedLm, MaskedLm, TokenLogProbs};

/// Absolute, in nats.
const TOLERANCE: f64 = 1e-4;

const CHECKPOINTS: &[&str] =
    &["bert", "bert-small", "bert-hubnames", "xlm-roberta", "roberta", "distilbert", "albert", "electra"];

fn golden() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../golden")
}

fn expected(name: &str) -> Value {
    let path = golden().join("expected").join(format!("{name}.json"));
    serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap()
}

fn checkpoint(path: &Path, options: &LoadOptions) -> LoadedAny {
    load_any(path, options).unwrap_or_else(|error| panic!("{error}"))
}

fn masked(loaded: &LoadedAny) -> &dyn MaskedLm {
    let LoadedLm::Masked(lm) = &loaded.lm else { panic!("not a masked model") };
    lm.as_ref()
}

fn of<T: serde::de::DeserializeOwned>(value: &Value) -> T {
    serde_json::from_value(value.clone()).unwrap()
}

fn list(value: &Value) -> &Vec<Value> {
    value.as_array().unwrap()
}

/// A cloze for each scored token of each text, and the expected log-probability.
fn token_by_token(file: &Value) -> (Vec<Cloze>, Vec<f64>) {
    let mask: u32 = of(&file["mask_id"]);
    let (mut clozes, mut values) = (Vec::new(), Vec::new());
    for text in list(&file["texts"]) {
        let ids: Vec<u32> = of(&text["ids"]);
        for (position, value) in of::<Vec<Option<f64>>>(&text["pll"]).into_iter().enumerate() {
            let Some(value) = value else { continue };
            let mut hidden = ids.clone();
            hidden[position] = mask;
            clozes.push(Cloze { ids: hidden, targets: vec![ClozeTarget { position, id: ids[position] }] });
            values.push(value);
        }
    }
    (clozes, values)
}

/// The pairs with their differing positions masked: first the tokens of a, then those of b.
fn differences(file: &Value) -> (Vec<Cloze>, Vec<f64>) {
    let (mut clozes, mut values) = (Vec::new(), Vec::new());
    for pair in list(&file["pairs"]) {
        let positions: Vec<usize> = of(&pair["diff_positions"]);
        let mut targets = Vec::new();
        for side in ["a", "b"] {
            let ids: Vec<u32> = of(&pair[side]["ids"]);
            targets.extend(positions.iter().map(|&position| ClozeTarget { position, id: ids[position] }));
            values.extend(of::<Vec<f64>>(&pair[format!("logprobs_{side}")]));
        }
        clozes.push(Cloze { ids: of(&pair["masked_ids"]), targets });
    }
    (clozes, values)
}

fn largest_difference(answers: &[TokenLogProbs], values: &[f64]) -> f64 {
    let found: Vec<f64> =
        answers.iter().flat_map(|a| a.logprobs.iter()).map(|v| f64::from(v.unwrap())).collect();
    assert_eq!(found.len(), values.len());
    found
        .iter()
        .zip(values)
        .map(|(a, b)| (a - b).abs())
        .fold(0.0, |worst, d| if d <= worst { worst } else { d })
}

#[test]
fn every_checkpoint_gives_the_reference_log_probabilities() {
    let mut too_far = Vec::new();
    for name in CHECKPOINTS {
        let file = expected(name);
        let loaded = checkpoint(
            &golden().join("models").join(name),
            &LoadOptions { threads: 2, ..LoadOptions::default() },
        );
        let lm = masked(&loaded);
        assert_eq!(lm.mask_id(), of::<u32>(&file["mask_id"]), "{name}");
        let (clozes, values) = token_by_token(&file);
        let pll = largest_difference(&lm.cloze_logprobs(&clozes).unwrap(), &values);
        let (clozes, values) = differences(&file);
        let pairs = largest_difference(&lm.cloze_logprobs(&clozes).unwrap(), &values);
        println!("{name:14} pll {pll:.1e}  pairs {pairs:.1e}  {:?}", loaded.warnings);
        if pll > TOLERANCE || pairs > TOLERANCE {
            too_far.push((name, pll, pairs));
        }
    }
    assert!(too_far.is_empty(), "{too_far:?}");
}

#[test]
fn every_tokenizer_gives_the_reference_ids_and_their_frame() {
    for name in CHECKPOINTS {
        let loaded = checkpoint(&golden().join("models").join(name), &LoadOptions::default());
        for text in list(&expected(name)["texts"]) {
            let encoding = loaded.tokenizer.encode_framed(text["text"].as_str().unwrap()).unwrap();
            assert_eq!(encoding.ids, of::<Vec<u32>>(&text["ids"]), "{name}: {}", text["text"]);
            let unscored: Vec<bool> = list(&text["pll"]).iter().map(Value::is_null).collect();
            assert_eq!(encoding.is_frame, unscored, "{name}: {}", text["text"]);
        }
    }
}

#[test]
fn the_output_layer_is_lent_as_the_reference_saw_it() {
    for name in CHECKPOINTS.iter().filter(|name| name.starts_with("bert")) {
        let file = expected(name);
        let loaded = checkpoint(&golden().join("models").join(name), &LoadOptions::default());
        let mut n_seen = 0;
        for case in list(&file["set_cases"]) {
            let mut ids: Vec<u32> = of(&case["ids"]);
            let mut clozes = Vec::new();
            for piece in list(&case["pieces"]) {
                let (position, id) = (of(&piece["position"]), of(&piece["target_id"]));
                clozes.push(Cloze { ids: ids.clone(), targets: vec![ClozeTarget { position, id }] });
                ids[position] = id;
            }
            let pieces = list(&case["pieces"]);
            masked(&loaded)
                .look_at_logits(&clozes, &mut |view| {
                    let piece = &pieces[view.cloze];
                    let close = |found: f64, key: &str| {
                        let distance = (found - piece[key].as_f64().unwrap()).abs();
                        assert!(distance <= TOLERANCE, "{name} {key}: {distance}");
                    };
                    close(view.input_norm, "x_norm");
                    close(f64::from(view.logits[view.id as usize]), "logit_target");
                    let others = view.logits.iter().enumerate().filter(|(id, _)| *id != view.id as usize);
                    let largest = others.map(|(_, &logit)| f64::from(logit)).fold(f64::MIN, f64::max);
                    close(largest, "logit_max_other");
                    n_seen += 1;
                })
                .unwrap();
        }
        assert!(n_seen > 6);
    }
}

#[test]
fn both_spellings_of_the_configuration_give_the_same_bits() {
    for name in CHECKPOINTS {
        let copy = copy_of(name);
        std::fs::copy(copy.path().join("config.v4.json"), copy.path().join("config.json")).unwrap();
        let old = checkpoint(copy.path(), &LoadOptions::default());
        let new = checkpoint(&golden().join("models").join(name), &LoadOptions::default());
        let (clozes, _) = differences(&expected(name));
        assert_eq!(
            masked(&old).cloze_logprobs(&clozes).unwrap(),
            masked(&new).cloze_logprobs(&clozes).unwrap(),
            "{name}"
        );
    }
}

#[test]
fn a_cloze_has_the_same_bits_alone_in_a_batch_in_any_order_and_with_any_threads() {
    for name in ["bert", "xlm-roberta", "albert"] {
        let path = golden().join("models").join(name);
        let one = checkpoint(&path, &LoadOptions { threads: 1, ..LoadOptions::default() });
        let two = checkpoint(&path, &LoadOptions { threads: 2, ..LoadOptions::default() });
        let (clozes, _) = token_by_token(&expected(name));
        let batch = masked(&one).cloze_logprobs(&clozes).unwrap();
        assert_eq!(batch, masked(&two).cloze_logprobs(&clozes).unwrap(), "{name}: threads");
        for (cloze, together) in clozes.iter().zip(&batch).step_by(7) {
            let alone = masked(&two).cloze_logprobs(std::slice::from_ref(cloze)).unwrap();
            assert_eq!(&alone[0], together, "{name}: alone");
        }
        let reversed: Vec<Cloze> = clozes.into_iter().rev().collect();
        let mut answers = masked(&two).cloze_logprobs(&reversed).unwrap();
        answers.reverse();
        assert_eq!(answers, batch, "{name}: order");
    }
}

#[test]
fn every_instruction_set_agrees() {
    for name in CHECKPOINTS {
        let (clozes, values) = differences(&expected(name));
        for level in Level::available() {
            let options = LoadOptions { level: Some(level), ..LoadOptions::default() };
            let loaded = checkpoint(&golden().join("models").join(name), &options);
            let largest = largest_difference(&masked(&loaded).cloze_logprobs(&clozes).unwrap(), &values);
            assert!(largest <= TOLERANCE, "{name}, {}: {largest}", level.name());
        }
    }
}

#[test]
fn questions_outside_the_model_are_errors_and_empty_ones_have_empty_answers() {
    let loaded = checkpoint(&golden().join("models/xlm-roberta"), &LoadOptions::default());
    let lm = masked(&loaded);
    let ask = |length: usize, id, position| {
        lm.cloze_logprobs(&[Cloze { ids: vec![5; length], targets: vec![ClozeTarget { position, id }] }])
    };
    // 194 rows of positions, of which the first two stand for padding.
    assert!(ask(192, 5, 0).is_ok());
    assert!(matches!(ask(193, 5, 0), Err(LmError::TooLong { tokens: 193, context: 192 })));
    assert!(matches!(ask(3, 640, 0), Err(LmError::UnknownId { id: 640, vocab: 640 })));
    assert!(matches!(ask(3, 5, 3), Err(LmError::NoSuchPosition { position: 3, tokens: 3 })));
    assert!(lm.cloze_logprobs(&[]).unwrap().is_empty());
    let nothing = Cloze { ids: vec![5, 6], targets: Vec::new() };
    assert!(lm.cloze_logprobs(&[nothing]).unwrap()[0].logprobs.is_empty());
}

#[test]
fn a_checkpoint_without_its_head_is_refused_by_the_names_of_what_it_lacks() {
    let copy = copy_of("bert");
    let weights = copy.path().join("model.safetensors");
    let bytes = std::fs::read(&weights).unwrap();
    // As a body saved alone: no head, no `bert.` before its names.
    let length = u64::from_le_bytes(bytes[..8].try_into().unwrap()) as usize;
    let header: Value = serde_json::from_slice(&bytes[8..8 + length]).unwrap();
    let mut body = serde_json::Map::new();
    let mut data = Vec::new();
    for (name, entry) in header.as_object().unwrap() {
        let Some(bare) = name.strip_prefix("bert.") else { continue };
        let (from, to): (usize, usize) = of(&entry["data_offsets"]);
        let start = data.len();
        data.extend_from_slice(&bytes[8 + length + from..8 + length + to]);
        body.insert(
            bare.to_owned(),
            json!({"dtype": entry["dtype"], "shape": entry["shape"], "data_offsets": [start, data.len()]}),
        );
    }
    let header = serde_json::to_vec(&body).unwrap();
    let file = [&(header.len() as u64).to_le_bytes(), header.as_slice(), data.as_slice()].concat();
    std::fs::write(&weights, file).unwrap();
    let Err(EngineError::TensorsMissing { names, .. }) = load_any(copy.path(), &LoadOptions::default())
    else {
        panic!("loaded")
    };
    assert_eq!(names.len(), 5, "{names:?}");
    assert!(names.iter().all(|name| name.starts_with("cls.predictions.")), "{names:?}");
}

#[test]
fn a_masked_model_is_refused_where_a_causal_one_is_needed() {
    let Err(error) = load(&golden().join("models/bert"), &LoadOptions::default()) else { panic!("loaded") };
    assert!(
        error
            .to_string()
            .ends_with("bert is a masked language model; what is asked for needs a causal language model")
    );
}

#[test]
fn every_masked_architecture_has_a_golden_checkpoint() {
    for row in MASKED_ARCHITECTURES {
        assert!(CHECKPOINTS.contains(&row.model_type), "{} has none", row.model_type);
    }
}

fn copy_of(name: &str) -> tempfile::TempDir {
    let directory = tempfile::tempdir().unwrap();
    for entry in std::fs::read_dir(golden().join("models").join(name)).unwrap() {
        let entry = entry.unwrap();
        std::fs::copy(entry.path(), directory.path().join(entry.file_name())).unwrap();
    }
    directory
}
