//! Every number of an analysis and of a comparison against `golden/expected/recomputed.json`, which
//! `golden/generators/recompute/` makes from the same rows with NumPy and SciPy.
//!
//! Compared both ways: what was recomputed must be here, and what is here must have been recomputed, except for the
//! fields named below. Tolerance 1e-9 of the value, for sums in another order, and 1e-12, for differences of rates that
//! nearly cancel; 1e-10 for the ends of BCa intervals, which are read between resampled values at a level from statrs's
//! normal distribution function: it is off by up to 2.5e-11 (statrs 0.19.1 against SciPy's, both at x = −4, −3.99 … 4).
//! The log-probabilities are the same f32 on both sides, and so are the random draws.

#![allow(clippy::unwrap_used)] // a failed helper is a failed test

use std::collections::HashSet;

use serde_json::{Map, Value};
use stereometer_audit::{RunInput, Settings, analyse, compare};
use stereometer_core::{Average, Outcome, Rule};
use stereometer_lm::TokenLogProbs;
use stereometer_record::{ItemRecord, RunDirectory, ScoredText};
use stereometer_score::{PairLogProbs, masculine_rate};
use stereometer_testkit::golden;

/// Texts, doubts, what was copied from the run, and what needs families of models.
const NOT_RECOMPUTED: [&str; 10] =
    ["format_version", "name", "words", "warnings", "kind", "spec", "family", "tuning", "trends", "doubts"];

const RUNS: [&str; 2] = ["llama", "qwen2"];

fn expected() -> Value {
    serde_json::from_slice(&std::fs::read(golden("expected/recomputed.json")).unwrap()).unwrap()
}

fn run(name: &str) -> RunInput {
    let run = RunDirectory::open(&golden("runs").join(name)).unwrap();
    RunInput {
        label: name.to_owned(),
        family: None,
        tuning: None,
        items: run.items().unwrap(),
        languages: run.spec().identity.languages.iter().map(|tag| (tag.clone(), tag.to_string())).collect(),
        spec: run.spec().clone(),
    }
}

fn settings() -> Settings {
    Settings { resamples: 400, ..Settings::default() }
}

/// What was compared, and what differs.
#[derive(Default)]
struct Found {
    compared: usize,
    wrong: Vec<String>,
}

impl Found {
    fn check(mut self, expected: &Value, ours: &Value, at_least: usize) {
        self.walk("", expected, ours);
        assert!(
            self.wrong.is_empty(),
            "{} of {}:\n{}",
            self.wrong.len(),
            self.compared,
            self.wrong[..self.wrong.len().min(40)].join("\n")
        );
        assert!(self.compared >= at_least, "only {} values", self.compared);
    }

    fn walk(&mut self, path: &str, expected: &Value, ours: &Value) {
        match (expected, ours) {
            (Value::Object(expected), Value::Object(ours)) => self.objects(path, expected, ours),
            (Value::Array(expected), Value::Array(ours)) if expected.len() == ours.len() => {
                for (place, (expected, ours)) in expected.iter().zip(ours).enumerate() {
                    self.walk(&format!("{path}/{place}"), expected, ours);
                }
            }
            _ => {
                self.compared += 1;
                let absolute = if path.contains("/bca/") { 1e-10 } else { 1e-12 };
                if !equal(expected, ours, absolute) {
                    self.wrong.push(format!("{path}: {expected} recomputed, {ours} here"));
                }
            }
        }
    }

    fn objects(&mut self, path: &str, expected: &Map<String, Value>, ours: &Map<String, Value>) {
        for (key, value) in expected {
            self.walk(&format!("{path}/{key}"), value, ours.get(key).unwrap_or(&Value::Null));
        }
        let unknown = |key: &&String| !expected.contains_key(*key) && !NOT_RECOMPUTED.contains(&key.as_str());
        self.wrong.extend(ours.keys().filter(unknown).map(|key| format!("{path}/{key}: not recomputed")));
    }
}

fn equal(expected: &Value, ours: &Value, absolute: f64) -> bool {
    match (expected.as_f64(), ours.as_f64()) {
        (Some(expected), Some(ours)) => (expected - ours).abs() <= 1e-9 * expected.abs() + absolute,
        _ => expected == ours,
    }
}

fn rates(record: &ItemRecord) -> Value {
    let answer = |text: &ScoredText| TokenLogProbs {
        token_ids: text.token_ids.clone(),
        logprobs: text.logprobs.clone(),
    };
    let Outcome::Scored(variants) = &record.outcome else { return vec![Value::Null; Rule::ALL.len()].into() };
    let pair = PairLogProbs { masculine: answer(&variants.masculine), feminine: answer(&variants.feminine) };
    let rate = |rule| masculine_rate(rule, &pair, [&record.texts[0], &record.texts[1]]);
    Rule::ALL.map(|rule| rate(rule).map_or(Value::Null, |rate| rate.value.into())).to_vec().into()
}

#[test]
fn the_rate_of_every_item_under_every_rule() {
    let expected = expected();
    let rules: Vec<Value> = Rule::ALL.map(|rule| rule.name().into()).to_vec();
    assert_eq!(expected["rules"], Value::from(rules));
    for name in RUNS {
        let ours: Map<String, Value> =
            run(name).items.iter().map(|record| (record.id.clone(), rates(record))).collect();
        Found::default().check(&expected["rates"][name], &ours.into(), 256 * 6);
    }
}

#[test]
fn every_number_of_two_runs_and_of_their_comparison() {
    let comparison = compare(RUNS.map(run).to_vec(), &settings()).unwrap();
    Found::default().check(&expected()["whole"], &serde_json::to_value(comparison).unwrap(), 8000);
}

#[test]
fn every_number_of_a_run_with_gaps_under_another_rule_and_average() {
    let expected = expected();
    let without: HashSet<&str> =
        expected["without"].as_array().unwrap().iter().map(|id| id.as_str().unwrap()).collect();
    let mut runs = RUNS.map(run);
    runs[0].items.retain(|record| !without.contains(record.id.as_str()));
    let settings = Settings { rule: Rule::Divergence, average: Average::Arithmetic, ..settings() };
    let results = analyse(&runs[0].items, &runs[0].languages, runs[0].spec.identity.method, &settings);
    let has_gap = |tag: &str| {
        let language = results.languages.iter().find(|one| one.language.as_str() == tag).unwrap();
        language.g_s.as_ref().unwrap().interval().is_none() || language.stereotypes.len() < 16
    };
    assert!(has_gap("de") && has_gap("fi"), "the gaps are what this test is for");
    let comparison = compare(runs.to_vec(), &settings).unwrap();
    Found::default().check(&expected["thinned"], &serde_json::to_value(comparison).unwrap(), 7500);
}
