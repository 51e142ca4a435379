//! `audit` of masked models.

use std::fmt::Write as _;
use std::fs;
use std::path::Path;
use std::thread::sleep;
use std::time::Duration;

use serde_json::Value;
use stereometer_core::{Outcome, Rule};
use stereometer_lm::TokenLogProbs;
use stereometer_record::{ItemRecord, ScoredText};
use stereometer_score::{PairLogProbs, masculine_rate};
use stereometer_testkit::golden;

use crate::{Done, command, model, run};

const METHODS: [&str; 3] = ["pll-original", "pll-within-word", "masked-difference"];

/// Absolute, in nats; the references are float64.
const TOLERANCE: f64 = 1e-4;

fn audit(folder: &Path, name: &str, more: &[&str]) -> Done {
    let model = model(name);
    let arguments = ["audit", "--model", &model, "--resamples", "50"];
    run(folder, &[&arguments, more].concat())
}

fn text(folder: &Path, file: &str) -> String {
    fs::read_to_string(folder.join(file)).unwrap()
}

fn rows(folder: &Path, run: &str) -> Vec<ItemRecord> {
    let items = text(folder, &format!("{run}/items.jsonl"));
    items.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

/// A set of these pairs.
fn set(folder: &Path, name: &str, pairs: &[[String; 2]]) {
    let mut csv = "id,stereotype,neutral,masculine,feminine\n".to_owned();
    for (number, texts) in pairs.iter().enumerate() {
        let [masculine, feminine] = texts.each_ref().map(|text| text.replace('"', "\"\""));
        let _ = writeln!(csv, "s{number},{},,\"{masculine}\",\"{feminine}\"", number % 16 + 1);
    }
    fs::create_dir_all(folder.join(name)).unwrap();
    fs::write(folder.join(name).join("items.en.csv"), csv).unwrap();
}

fn expected(name: &str) -> Value {
    let text = fs::read_to_string(golden(&format!("expected/{name}.json"))).unwrap();
    serde_json::from_str(&text).unwrap()
}

fn pairs(name: &str) -> Vec<([String; 2], [f64; 2])> {
    let file = expected(name);
    let pairs = file["pairs"].as_array().unwrap().iter();
    pairs
        .filter_map(|pair| {
            let texts = ["a", "b"].map(|side| pair[side]["text"].as_str().unwrap().to_owned());
            Some((texts, [pair["mean_a"].as_f64()?, pair["mean_b"].as_f64()?]))
        })
        .collect()
}

fn answers(record: &ItemRecord) -> Option<PairLogProbs> {
    let answer = |text: &ScoredText| TokenLogProbs {
        token_ids: text.token_ids.clone(),
        logprobs: text.logprobs.clone(),
    };
    match &record.outcome {
        Outcome::Scored(pair) => {
            Some(PairLogProbs { masculine: answer(&pair.masculine), feminine: answer(&pair.feminine) })
        }
        Outcome::Unscored(_) => None,
    }
}

#[test]
fn an_audit_by_every_method_ends_in_a_report_that_names_it() {
    let folder = tempfile::tempdir().unwrap();
    for (name, languages) in [("bert", "en,pl"), ("roberta", "en"), ("xlm-roberta", "en,pl")] {
        for method in METHODS {
            let out = format!("{name}-{method}");
            let more = ["--languages", languages, "--quick", "--method", method, "--out", &out];
            let done = audit(folder.path(), name, &more);
            let n_unscored = rows(folder.path(), &out).iter().filter(|row| answers(row).is_none()).count();
            assert_eq!(done.code, if n_unscored > 0 { 5 } else { 0 }, "{out}: {}", done.stderr);
            assert!(done.stderr.contains(&format!("with {name} by {method}")), "{}", done.stderr);
            let page = text(folder.path(), &format!("{out}/report/index.html"));
            for phrase in [
                format!("<dd>{method}, mean, geometric</dd>"),
                format!("method <code>{method}</code>"),
                "EuroGEST scores causal models only".to_owned(),
            ] {
                assert!(page.contains(&phrase), "{out}: {phrase}");
            }
            for phrase in ["This is the paper's choice", "six rules", "NaN", "one pass over both"] {
                assert!(!page.contains(phrase), "{out}: {phrase}");
            }
            for file in ["spec.json", "results.json"] {
                let json = text(folder.path(), &format!("{out}/{file}"));
                assert!(json.contains(&format!("\"method\": \"{method}\"")), "{out}/{file}");
            }
        }
    }
    assert_eq!(rows(folder.path(), "bert-pll-original").iter().filter_map(answers).count(), 64);
}

#[test]
fn differences_get_the_reference_scores() {
    for name in ["bert", "xlm-roberta", "roberta"] {
        let folder = tempfile::tempdir().unwrap();
        let pairs = pairs(name);
        set(folder.path(), "pairs", &pairs.iter().map(|(texts, _)| texts.clone()).collect::<Vec<_>>());
        let more = ["--set", "pairs", "--method", "masked-difference", "--out", "run"];
        let done = audit(folder.path(), name, &more);
        assert!([0, 5].contains(&done.code), "{}", done.stderr);
        let mut n_scored = 0;
        for row in rows(folder.path(), "run") {
            let Some(pair) = answers(&row) else { continue };
            let (_, expected) = pairs.iter().find(|(texts, _)| *texts == row.texts).unwrap();
            for (answer, expected) in [pair.masculine, pair.feminine].iter().zip(expected) {
                let found = answer.mean().unwrap();
                assert!((found - expected).abs() < TOLERANCE, "{name} {:?}: {found} {expected}", row.texts);
            }
            n_scored += 1;
        }
        assert!(n_scored >= 4, "{name}: {n_scored}\n{}", done.stderr);
    }
}

#[test]
fn texts_get_the_reference_pseudo_log_likelihoods() {
    for name in ["bert", "xlm-roberta", "roberta"] {
        let folder = tempfile::tempdir().unwrap();
        let file = expected(name);
        let texts = file["texts"].as_array().unwrap();
        let of = |text: &Value| text["text"].as_str().unwrap().to_owned();
        // Sets trim and compose what they read; a sentence has a letter.
        let plain =
            |text: &str| text.trim() == text && text.chars().filter(|c| c.is_alphabetic()).count() > 9;
        let chosen: Vec<String> =
            texts.iter().map(of).filter(|text| plain(text) && !text.contains('\n')).collect();
        let pairs: Vec<[String; 2]> = chosen.windows(2).map(|two| [two[0].clone(), two[1].clone()]).collect();
        set(folder.path(), "pairs", &pairs);
        let done = audit(folder.path(), name, &["--set", "pairs", "--out", "run"]);
        assert!([0, 5].contains(&done.code), "{}", done.stderr);
        let mut n_scored = 0;
        for row in rows(folder.path(), "run") {
            let Some(pair) = answers(&row) else { continue };
            for (answer, written) in [pair.masculine, pair.feminine].iter().zip(&row.texts) {
                let Some(text) = texts.iter().find(|text| text["text"] == **written) else { continue };
                let expected = text["sum"].as_f64().unwrap();
                let bound = TOLERANCE * answer.n_scored() as f64;
                assert!(
                    (answer.sum() - expected).abs() < bound,
                    "{name} {written}: {} {expected}",
                    answer.sum()
                );
                n_scored += 1;
            }
        }
        assert!(n_scored >= 8, "{name}: {n_scored}");
    }
}

#[test]
fn swapped_variants_give_exactly_one_minus_the_rate() {
    let folder = tempfile::tempdir().unwrap();
    let texts: Vec<[String; 2]> = pairs("bert").into_iter().map(|(texts, _)| texts).collect();
    set(folder.path(), "pairs", &texts);
    set(folder.path(), "swapped", &texts.into_iter().map(|[a, b]| [b, a]).collect::<Vec<_>>());
    for method in METHODS {
        let rates = ["pairs", "swapped"].map(|set| {
            let out = format!("{method}-{set}");
            audit(folder.path(), "bert", &["--set", set, "--method", method, "--out", &out]);
            let rate = |row: &ItemRecord| {
                let texts = [row.texts[0].as_str(), &row.texts[1]];
                masculine_rate(Rule::Mean, &answers(row).unwrap(), texts).unwrap().value
            };
            rows(folder.path(), &out).iter().map(rate).collect::<Vec<_>>()
        });
        assert!(rates[0].len() > 5);
        for (rate, swapped) in rates[0].iter().zip(&rates[1]) {
            assert!(*swapped == 1.0 - rate, "{method}: {rate} {swapped}");
        }
    }
}

#[test]
fn a_killed_audit_resumes_to_the_same_rows() {
    let folder = tempfile::tempdir().unwrap();
    let more = ["--languages", "en,de", "--quick", "--method", "pll"];
    assert_eq!(audit(folder.path(), "bert", &[&more[..], &["--out", "whole"]].concat()).code, 0);
    let model = model("bert");
    let arguments = ["audit", "--model", &model, "--resamples", "50", "--batch-tokens", "40"];
    let arguments = [&arguments, &more[..], &["--out", "killed", "--resume"]].concat();
    for milliseconds in [20, 200, 500, 900] {
        let mut child = command(folder.path(), &arguments).spawn().unwrap();
        sleep(Duration::from_millis(milliseconds));
        child.kill().unwrap();
        child.wait().unwrap();
    }
    let done = run(folder.path(), &arguments);
    assert_eq!(done.code, 0, "{}", done.stderr);
    assert!(text(folder.path(), "killed/items.jsonl") == text(folder.path(), "whole/items.jsonl"));
    // The method that was begun with goes on by itself; another one does not.
    let other = ["--languages", "en,de", "--quick", "--out", "killed", "--resume"];
    assert_eq!(audit(folder.path(), "bert", &other).code, 0);
    let done = audit(folder.path(), "bert", &[&other[..], &["--method", "pll-within-word"]].concat());
    assert_eq!(done.code, 2);
    assert!(done.stderr.contains("the method was pll-original, now pll-within-word"), "{}", done.stderr);
}

#[test]
fn threads_and_batches_change_no_bit_and_verify_finds_none() {
    let folder = tempfile::tempdir().unwrap();
    for method in METHODS {
        let [one, many] = ["one", "many"].map(|name| format!("{name}-{method}"));
        let more = ["--languages", "pl", "--quick", "--method", method];
        let few = ["--threads", "1", "--batch-tokens", "1", "--out", &one];
        audit(folder.path(), "bert", &[&more[..], &few].concat());
        let all = ["--threads", "2", "--batch-tokens", "100000", "--out", &many];
        audit(folder.path(), "bert", &[&more[..], &all].concat());
        let [one_rows, many_rows] =
            [&one, &many].map(|out| text(folder.path(), &format!("{out}/items.jsonl")));
        assert!(one_rows == many_rows, "{method}");
        let done = run(folder.path(), &["verify", &many, "--model", &model("bert"), "--sample", "9"]);
        assert_eq!(done.code, 0, "{}{}", done.stdout, done.stderr);
        assert!(done.stdout.contains("tokens that moved       0 of"), "{}", done.stdout);
        let rounded = run(folder.path(), &["verify", &many, "--model", &model("bert"), "--dtype", "bf16"]);
        assert_eq!(rounded.code, 7, "{}", rounded.stdout);
    }
}

#[test]
fn a_method_or_rule_that_cannot_be_had_is_refused_before_anything_is_written() {
    let folder = tempfile::tempdir().unwrap();
    for (name, more, error, hint) in [
        (
            "bert",
            &["--method", "likelihood"][..],
            "needs a causal language model, this one is masked",
            "masked-difference",
        ),
        (
            "llama",
            &["--method", "pll"],
            "needs a masked language model, this one is causal",
            "can do: likelihood",
        ),
        ("t5", &[], "the language model is an encoder–decoder", "`explain --source`"),
        ("mt5", &["--method", "pll"], "the language model is an encoder–decoder", "`logprobs`"),
        ("bert", &["--rule", "divergence"], "`pll-original` has no rule `divergence`", "mean, sum, per-byte"),
        ("bert", &["--method", "masked-difference", "--rule", "sum"], "has no rule `sum`", "its rules: mean"),
    ] {
        let done = audit(folder.path(), name, &[more, &["--out", "run", "--quick"]].concat());
        assert_eq!(done.code, 2, "{}", done.stderr);
        assert!(done.stderr.contains(error) && done.stderr.contains(hint), "{}", done.stderr);
        assert!(!folder.path().join("run").exists());
    }
}

#[test]
fn a_report_takes_the_rules_of_the_method_only() {
    let folder = tempfile::tempdir().unwrap();
    assert_eq!(audit(folder.path(), "bert", &["--languages", "en", "--quick", "--out", "run"]).code, 0);
    assert_eq!(run(folder.path(), &["report", "run", "--out", "sum", "--rule", "sum"]).code, 0);
    assert!(text(folder.path(), "sum/index.html").contains("pll-original, sum, geometric"));
    let done = run(folder.path(), &["report", "run", "--out", "other", "--rule", "first-token"]);
    assert_eq!(done.code, 2, "{}", done.stderr);
    assert!(!folder.path().join("other").exists());
}

#[test]
fn pairs_that_cannot_be_scored_have_their_reason() {
    let folder = tempfile::tempdir().unwrap();
    let long = "so ".repeat(200);
    set(
        folder.path(),
        "pairs",
        &[
            ["He is powerful.", "She is a good doctor."].map(str::to_owned),
            [format!("{long} he"), format!("{long} she")],
            ["He is \u{1f600}.", "She is \u{1f600}."].map(str::to_owned),
            ["He is here.", "She is here."].map(str::to_owned),
        ],
    );
    for (method, reasons) in [
        ("masked-difference", &["unequal-token-count", "too-long", "unknown-token", "scored"][..]),
        ("pll", &["scored", "too-long", "unknown-token", "scored"]),
    ] {
        let done = audit(folder.path(), "bert", &["--set", "pairs", "--method", method, "--out", method]);
        assert_eq!(done.code, 5, "{}", done.stderr);
        let found: Vec<&str> = rows(folder.path(), method)
            .iter()
            .map(|row| match &row.outcome {
                Outcome::Scored(_) => "scored",
                Outcome::Unscored(reason) => reason.name(),
            })
            .collect();
        assert_eq!(found, reasons);
        assert!(
            done.stderr.contains("their tokens do not fit the model's context of 192"),
            "{}",
            done.stderr
        );
    }
    let page = text(folder.path(), "masked-difference/report/index.html");
    assert!(page.contains("the variants have unequal numbers of tokens, so their difference"));
}

#[test]
fn an_uncased_model_is_warned_of_where_it_drops_marks() {
    let folder = tempfile::tempdir().unwrap();
    let more = ["--languages", "en,bg,pl", "--quick", "--out", "run"];
    let done = audit(folder.path(), "electra", &more);
    assert!(done.stderr.contains("drops accents or vowel signs in bg, pl: “"), "{}", done.stderr);
    let page = text(folder.path(), "run/report/index.html");
    assert!(page.contains("The tokenizer drops accents or vowel signs in Bulgarian and Polish"), "{page}");
    let done = audit(folder.path(), "bert", &["--languages", "bg", "--quick", "--out", "cased"]);
    assert!(!done.stderr.contains("drops accents"), "{}", done.stderr);
}
