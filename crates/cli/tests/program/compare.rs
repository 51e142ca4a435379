//! `compare`, on the runs of two tiny checkpoints.

use std::fs;
use std::path::Path;

use serde_json::Value;
use stereometer_testkit::golden;

use crate::{Done, path, run};

fn runs() -> [String; 2] {
    ["llama", "qwen2"].map(|name| path(&golden("runs").join(name)))
}

fn compare(folder: &Path, more: &[&str]) -> Done {
    let [first, second] = runs();
    run(folder, &[&["compare", &first, &second, "--resamples", "100", "--out", "out"], more].concat())
}

fn comparison(folder: &Path) -> Value {
    serde_json::from_str(&fs::read_to_string(folder.join("out/comparison.json")).unwrap()).unwrap()
}

/// Copies a run with its specification changed.
fn copy(name: &str, to: &Path, from: &str, into: &str) {
    fs::create_dir(to).unwrap();
    let source = golden("runs").join(name);
    let spec = fs::read_to_string(source.join("spec.json")).unwrap();
    assert!(spec.contains(from), "{from}");
    fs::write(to.join("spec.json"), spec.replace(from, into)).unwrap();
    fs::copy(source.join("items.jsonl"), to.join("items.jsonl")).unwrap();
}

#[test]
fn a_comparison_ends_with_a_table_and_a_page() {
    let folder = tempfile::tempdir().unwrap();
    let done = compare(folder.path(), &[]);
    assert_eq!(done.code, 0, "{}", done.stderr);
    let lines: Vec<&str> = done.stdout.lines().collect();
    assert!(lines[0].starts_with("run ") && lines[0].contains("difference") && lines[0].contains("Holm p"));
    assert!(lines[1].starts_with("llama") && lines[1].contains("reference"), "{}", done.stdout);
    assert!(lines[2].starts_with("qwen2"), "{}", done.stdout);
    assert_eq!(*lines.last().unwrap(), "report: out/index.html");
    assert!(done.stderr.contains("warning: llama and qwen2: only one of the tokenizers puts a start token"));
    let page = fs::read_to_string(folder.path().join("out/index.html")).unwrap();
    assert!(page.contains("qwen2") && !page.contains("NaN"));
    assert!(folder.path().join("out/tables/differences.csv").exists());
}

#[test]
fn rows_of_the_table_are_what_was_asked_for() {
    let folder = tempfile::tempdir().unwrap();
    for (by, first, rows) in
        [("language", "de ", 4), ("stereotype", "1 emotional", 16), ("rule", "mean, all forms", 9)]
    {
        let done = compare(folder.path(), &["--by", by]);
        let lines: Vec<&str> = done.stdout.lines().take_while(|line| !line.is_empty()).collect();
        assert!(lines[1].starts_with(first), "{by}: {}", done.stdout);
        assert_eq!(lines.len(), rows + 1, "{by}: {}", done.stdout);
    }
}

#[test]
fn the_order_of_two_runs_turns_the_sign_alone() {
    let folder = tempfile::tempdir().unwrap();
    compare(folder.path(), &[]);
    let one = comparison(folder.path());
    let [first, second] = runs();
    run(folder.path(), &["compare", &second, &first, "--resamples", "100", "--out", "out"]);
    let other = comparison(folder.path());
    let all = |comparison: &Value| comparison["differences"].as_array().unwrap().clone();
    let (one, other) = (all(&one), all(&other));
    assert!(one.len() == other.len() && one.len() > 150);
    let close = |a: &Value, b: &Value, sign: f64| {
        let (a, b) = (a.as_f64().unwrap(), b.as_f64().unwrap());
        (a - sign * b).abs() < 1e-12
    };
    for (a, b) in one.iter().zip(&other) {
        assert!(
            close(&a["first"], &b["second"], 1.0)
                && close(&a["difference"]["value"], &b["difference"]["value"], -1.0)
        );
        if !a["test"].is_null() {
            assert!(close(&a["test"]["p"], &b["test"]["p"], 1.0), "{a}\n{b}");
        }
    }
}

#[test]
fn threads_change_no_number() {
    let folder = tempfile::tempdir().unwrap();
    let [first, second] = runs();
    let with = |threads: &str, out: &str| {
        let done =
            crate::command(folder.path(), &["compare", &first, &second, "--resamples", "60", "--out", out])
                .env("RAYON_NUM_THREADS", threads)
                .output()
                .unwrap();
        assert!(done.status.success());
        fs::read(folder.path().join(out).join("comparison.json")).unwrap()
    };
    assert!(with("1", "a") == with("2", "b"));
}

#[test]
fn what_does_not_measure_the_same_is_refused_with_the_way_out() {
    let folder = tempfile::tempdir().unwrap();
    let other = |from: &str, into: &str| {
        let to = folder.path().join("other");
        let _ = fs::remove_dir_all(&to);
        copy("qwen2", &to, from, into);
        run(folder.path(), &["compare", &runs()[0], "other", "--out", "out"])
    };
    let rule = other("\"rule\": \"mean\"", "\"rule\": \"sum\"");
    assert_eq!(rule.code, 2, "{}", rule.stderr);
    assert_eq!(
        rule.stderr,
        "error: the runs have other rules: mean and sum\nhint: say which one is to be used for all: --rule mean\n"
    );
    let same = run(
        folder.path(),
        &["compare", &runs()[0], "other", "--rule", "mean", "--resamples", "20", "--out", "out"],
    );
    assert_eq!(same.code, 0, "{}", same.stderr);
    let alone = run(folder.path(), &["compare", &runs()[0]]);
    assert_eq!(alone.code, 2);
    assert!(alone.stderr.contains("error: a comparison needs at least two runs\nhint: "), "{}", alone.stderr);
    let absent = run(folder.path(), &["compare", &runs()[0], "nowhere"]);
    assert_eq!(absent.code, 3, "{}", absent.stderr);
}

#[test]
fn a_file_names_the_models_and_their_families() {
    let folder = tempfile::tempdir().unwrap();
    let models = folder.path().join("models.csv");
    fs::write(&models, "run,label,family,tuning\nllama,small,tiny,base\nqwen2,small tuned,tiny,instruct\n")
        .unwrap();
    let done = compare(folder.path(), &["--models", "models.csv"]);
    assert_eq!(done.code, 0, "{}", done.stderr);
    let found = comparison(folder.path());
    assert_eq!(found["runs"][1]["label"], "small tuned");
    assert_eq!(found["runs"][1]["tuning"], "instruct");
    assert_eq!(found["trends"].as_array().unwrap().len(), 0, "a base and an instruct model are no trend");
    for (text, what) in [
        ("run,label\nlama,x\n", "error: --models: no run is called `lama`"),
        ("label\nx\n", "error: models.csv: the column `run` is missing"),
        ("run,size\nllama,7\n", "error: models.csv: unknown column `size`"),
        (
            "run,tuning\nllama,chat\n",
            "error: models.csv, record 1: unknown tuning `chat`; known: base, instruct",
        ),
        (
            "run,label\nllama,a\nllama,b\n",
            "error: models.csv, record 2: the run `llama` stands in the file twice",
        ),
    ] {
        fs::write(&models, text).unwrap();
        let done = compare(folder.path(), &["--models", "models.csv"]);
        assert_eq!(done.code, 3, "{text}: {}", done.stderr);
        assert!(done.stderr.starts_with(what), "{text}: {}", done.stderr);
    }
}

#[test]
fn a_folder_of_something_else_is_left_alone() {
    let folder = tempfile::tempdir().unwrap();
    fs::create_dir(folder.path().join("out")).unwrap();
    fs::write(folder.path().join("out/index.html"), "mine").unwrap();
    let done = compare(folder.path(), &[]);
    assert_eq!(done.code, 2, "{}", done.stderr);
    assert!(
        done.stderr.contains("error: out: something else lies in this folder\nhint: choose a new folder"),
        "{}",
        done.stderr
    );
    assert_eq!(fs::read_to_string(folder.path().join("out/index.html")).unwrap(), "mine");
    let report = run(folder.path(), &["report", &runs()[0], "--out", "out"]);
    assert_eq!(report.code, 2, "{}", report.stderr);
    fs::remove_dir_all(folder.path().join("out")).unwrap();
    assert_eq!(
        (compare(folder.path(), &[]).code, compare(folder.path(), &[]).code),
        (0, 0),
        "its own it may replace"
    );
}
