//! `logprobs` against the float64 references of `golden/expected`.

use std::fs;
use std::io::Write;
use std::process::Stdio;

use serde_json::{Value, json};
use stereometer_testkit::golden;

use crate::{command, model, run};

/// Every causal checkpoint of part one, with the tolerance of its stored type.
const CASES: [(&str, &str); 7] = [
    ("llama", "llama"),
    ("llama-tied", "llama-tied"),
    ("llama-sharded", "llama-sharded"),
    ("llama-bf16", "llama-bf16"),
    ("llama-f16", "llama-f16"),
    ("qwen2", "qwen2"),
    ("gemma3_text", "gemma3_text"),
];
const TOLERANCE: f64 = 1e-4;

#[test]
fn every_token_is_within_the_tolerance_and_every_id_is_equal() {
    let folder = tempfile::tempdir().unwrap();
    for (name, checkpoint) in CASES {
        let expected: Value =
            serde_json::from_str(&fs::read_to_string(golden(&format!("expected/{name}.json"))).unwrap())
                .unwrap();
        let texts = expected["texts"].as_array().unwrap();
        let lines: Vec<String> =
            texts.iter().map(|text| json!({"id": text["id"], "text": text["text"]}).to_string()).collect();
        fs::write(folder.path().join("texts.jsonl"), lines.join("\n")).unwrap();
        let done = run(
            folder.path(),
            &["logprobs", "--model", &model(checkpoint), "--input", "texts.jsonl", "--output", "out.jsonl"],
        );
        assert_eq!(done.code, 0, "{name}: {}", done.stderr);
        let out = fs::read_to_string(folder.path().join("out.jsonl")).unwrap();
        let answers: Vec<Value> = out.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
        assert_eq!(answers.len(), texts.len());
        for (answer, text) in answers.iter().zip(texts) {
            assert_eq!(answer["id"], text["id"]);
            assert_eq!(answer["token_ids"], text["ids"], "{name} {}", text["id"]);
            assert_eq!(answer["n_scored"], text["n_scored"]);
            assert!(answer["logprobs"][0].is_null());
            let pairs =
                answer["logprobs"].as_array().unwrap().iter().zip(text["logprobs"].as_array().unwrap());
            for (ours, reference) in pairs.skip(1) {
                let difference = (ours.as_f64().unwrap() - reference.as_f64().unwrap()).abs();
                assert!(difference < TOLERANCE, "{name} {}: {ours} {reference}", text["id"]);
            }
            match text["mean"].as_f64() {
                Some(mean) => assert!((answer["mean"].as_f64().unwrap() - mean).abs() < TOLERANCE),
                None => assert!(answer["mean"].is_null()),
            }
        }
    }
}

const MASKED: [&str; 8] =
    ["bert", "bert-hubnames", "bert-small", "roberta", "xlm-roberta", "distilbert", "electra", "albert"];

/// What the program answers to these lines.
fn answers(checkpoint: &str, lines: &[Value]) -> Vec<Value> {
    let folder = tempfile::tempdir().unwrap();
    let text: Vec<String> = lines.iter().map(Value::to_string).collect();
    fs::write(folder.path().join("in.jsonl"), text.join("\n")).unwrap();
    let done = run(folder.path(), &["logprobs", "--model", &model(checkpoint), "--input", "in.jsonl"]);
    assert_eq!(done.code, 0, "{checkpoint}: {}", done.stderr);
    done.stdout.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

fn expected(name: &str) -> Value {
    serde_json::from_str(&fs::read_to_string(golden(&format!("expected/{name}.json"))).unwrap()).unwrap()
}

/// Entry by entry: both null, or within the tolerance.
fn assert_close(ours: &Value, reference: &Value, what: &str) {
    let (ours, reference) = (ours.as_array().unwrap(), reference.as_array().unwrap());
    assert_eq!(ours.len(), reference.len(), "{what}");
    for (ours, reference) in ours.iter().zip(reference) {
        assert_eq!(ours.is_null(), reference.is_null(), "{what}");
        if let (Some(ours), Some(reference)) = (ours.as_f64(), reference.as_f64()) {
            assert!((ours - reference).abs() < TOLERANCE, "{what}: {ours} {reference}");
        }
    }
}

#[test]
fn a_masked_model_answers_with_the_pseudo_log_likelihood_of_every_token() {
    for name in MASKED {
        let expected = expected(name);
        let texts = expected["texts"].as_array().unwrap();
        let lines: Vec<Value> =
            texts.iter().map(|text| json!({"id": text["id"], "text": text["text"]})).collect();
        for (answer, text) in answers(name, &lines).iter().zip(texts) {
            assert_eq!(answer["token_ids"], text["ids"], "{name} {}", text["id"]);
            assert_close(&answer["logprobs"], &text["pll"], &format!("{name} {}", text["id"]));
        }
    }
}

#[test]
fn an_encoder_decoder_answers_what_follows_a_source() {
    for name in ["t5", "mt5"] {
        let expected = expected(name);
        let cases = expected["cases"].as_array().unwrap();
        let line = |case: &Value| json!({"id": case["trait"], "source": case["template"], "target": case["target_text"]});
        let lines: Vec<Value> = cases.iter().map(line).collect();
        for (answer, case) in answers(name, &lines).iter().zip(cases) {
            assert_eq!(answer["token_ids"], case["target_ids"], "{name} {}", case["template"]);
            assert_close(&answer["logprobs"], &case["logprobs"], &format!("{name} {}", case["template"]));
        }
    }
}

#[test]
fn an_encoder_decoder_says_what_its_lines_have_to_be() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("in.jsonl"), "{\"id\": 1, \"text\": \"a\"}\n").unwrap();
    let done = run(folder.path(), &["logprobs", "--model", &model("t5"), "--input", "in.jsonl"]);
    assert_eq!(done.code, 3);
    assert!(done.stderr.contains("`id`, `source` and `target`"), "{}", done.stderr);
}

#[test]
fn stdin_and_stdout_do_as_well_as_files() {
    let folder = tempfile::tempdir().unwrap();
    let mut child = command(folder.path(), &["-q", "logprobs", "--model", &model("llama")])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut stdin = child.stdin.take().unwrap();
    writeln!(stdin, "{}", json!({"id": 7, "text": "Ich bin da."})).unwrap();
    drop(stdin);
    let output = child.wait_with_output().unwrap();
    let answer: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(answer["id"], 7);
    let sum: f64 = answer["logprobs"].as_array().unwrap().iter().filter_map(Value::as_f64).sum();
    assert!((sum - answer["sum"].as_f64().unwrap()).abs() < 1e-6);
}

#[test]
fn a_bad_line_is_named_and_nothing_is_written() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("texts.jsonl"), "{\"id\": 1, \"text\": \"a\"}\n{\"id\": 2}\n").unwrap();
    let done = run(
        folder.path(),
        &["logprobs", "--model", &model("llama"), "--input", "texts.jsonl", "--output", "out.jsonl"],
    );
    assert_eq!(done.code, 3);
    assert!(done.stderr.contains("error: texts.jsonl: line 2: missing field `text`"), "{}", done.stderr);
    assert!(!folder.path().join("out.jsonl").exists());
}

#[test]
fn a_text_longer_than_the_context_gets_a_line_that_says_so() {
    let folder = tempfile::tempdir().unwrap();
    let long = "so ".repeat(3000);
    let lines = [json!({"id": "long", "text": long}), json!({"id": "short", "text": "So what?"})];
    fs::write(folder.path().join("texts.jsonl"), lines.map(|line| line.to_string()).join("\n")).unwrap();
    let done = run(folder.path(), &["logprobs", "--model", &model("llama"), "--input", "texts.jsonl"]);
    assert_eq!(done.code, 5, "{}", done.stderr);
    let answers: Vec<Value> = done.stdout.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert!(
        answers[0]["error"].as_str().unwrap().contains("do not fit the model's context"),
        "{}",
        answers[0]
    );
    assert!(answers[1]["sum"].as_f64().unwrap() < 0.0);
}
