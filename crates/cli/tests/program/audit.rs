//! `audit` and `report`.

use std::fs;
use std::path::Path;
use std::thread::sleep;
use std::time::Duration;

use crate::{Done, command, model, run};

fn audit(folder: &Path, more: &[&str]) -> Done {
    let model = model("llama");
    let mut arguments = vec!["audit", "--model", &model, "--languages", "en,de,pl", "--resamples", "100"];
    arguments.extend(more);
    run(folder, &arguments)
}

fn items(folder: &Path, run: &str) -> String {
    fs::read_to_string(folder.join(run).join("items.jsonl")).unwrap()
}

#[test]
fn an_audit_ends_with_a_table_and_a_report() {
    let folder = tempfile::tempdir().unwrap();
    let done = audit(folder.path(), &["--out", "run"]);
    assert_eq!(done.code, 0, "{}", done.stderr);
    let lines: Vec<&str> = done.stdout.lines().collect();
    assert!(lines[0].starts_with("language") && lines[0].contains("g_s"), "{}", done.stdout);
    let languages: Vec<&str> = lines[1..4].iter().map(|line| line.split(' ').next().unwrap()).collect();
    assert_eq!(languages, ["Polish", "German", "English"], "the highest g_s first: {}", done.stdout);
    assert_eq!(*lines.last().unwrap(), "report: run/report/index.html");
    let page = fs::read_to_string(folder.path().join("run/report/index.html")).unwrap();
    assert!(page.contains("German") && !page.contains("NaN"));
    assert_eq!(items(folder.path(), "run").lines().count(), 192);
}

#[test]
fn a_report_under_another_rule_needs_no_model() {
    let folder = tempfile::tempdir().unwrap();
    assert_eq!(audit(folder.path(), &["--out", "run", "--quick"]).code, 0);
    let before = fs::read_to_string(folder.path().join("run/results.json")).unwrap();
    let done =
        run(folder.path(), &["report", "run", "--out", "other", "--rule", "sum", "--average", "arithmetic"]);
    assert_eq!(done.code, 0, "{}", done.stderr);
    assert!(folder.path().join("other/index.html").exists());
    let other = fs::read_to_string(folder.path().join("other/results.json")).unwrap();
    assert!(other.contains("\"rule\": \"sum\""));
    assert_eq!(fs::read_to_string(folder.path().join("run/results.json")).unwrap(), before);
    assert_eq!(run(folder.path(), &["report", "run"]).code, 0);
    assert_eq!(fs::read_to_string(folder.path().join("run/results.json")).unwrap(), before);
}

/// Kills the program at moments spread over a run, then resumes, until the run is whole.
#[test]
fn a_killed_audit_resumes_to_the_same_rows() {
    let folder = tempfile::tempdir().unwrap();
    assert_eq!(audit(folder.path(), &["--out", "whole"]).code, 0);
    let model = model("llama");
    let arguments = [
        "audit",
        "--model",
        &model,
        "--languages",
        "en,de,pl",
        "--resamples",
        "100",
        "--batch-tokens",
        "40",
        "--out",
        "killed",
        "--resume",
    ];
    for milliseconds in [5, 30, 60, 90, 120, 150, 200, 250] {
        let mut child = command(folder.path(), &arguments).spawn().unwrap();
        sleep(Duration::from_millis(milliseconds));
        child.kill().unwrap();
        child.wait().unwrap();
    }
    let done = run(folder.path(), &arguments);
    assert_eq!(done.code, 0, "{}", done.stderr);
    assert!(items(folder.path(), "killed") == items(folder.path(), "whole"));
}

#[test]
fn threads_and_batches_change_no_row() {
    let folder = tempfile::tempdir().unwrap();
    audit(folder.path(), &["--out", "a", "--threads", "1", "--batch-tokens", "1"]);
    audit(folder.path(), &["--out", "b", "--threads", "2", "--batch-tokens", "100000"]);
    assert!(items(folder.path(), "a") == items(folder.path(), "b"));
}

#[test]
fn a_run_is_not_overwritten_and_not_mixed() {
    let folder = tempfile::tempdir().unwrap();
    assert_eq!(audit(folder.path(), &["--out", "run", "--quick"]).code, 0);
    let again = audit(folder.path(), &["--out", "run", "--quick"]);
    assert_eq!(again.code, 2);
    assert!(again.stderr.contains("there is a run in this folder already"), "{}", again.stderr);
    assert!(again.stderr.contains("hint: continue it with --resume"), "{}", again.stderr);
    let rows = items(folder.path(), "run");
    for (more, reason) in [
        (&["--template", "noun"][..], "the template was Auto, now Noun"),
        (&["--model", &model("qwen2")], "the model's architecture was llama, now qwen2"),
        (&["--languages", "en"], "the languages were"),
    ] {
        let model = model("llama");
        let mut arguments = vec!["audit", "--quick", "--out", "run", "--resume", "--resamples", "100"];
        if !more.contains(&"--model") {
            arguments.extend(["--model", &model]);
        }
        if !more.contains(&"--languages") {
            arguments.extend(["--languages", "en,de,pl"]);
        }
        arguments.extend(more);
        let done = run(folder.path(), &arguments);
        assert_eq!(done.code, 2, "{}", done.stderr);
        assert!(done.stderr.contains("cannot resume") && done.stderr.contains(reason), "{}", done.stderr);
    }
    assert_eq!(items(folder.path(), "run"), rows);
}

#[test]
fn changed_weights_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let copy = folder.path().join("model");
    fs::create_dir(&copy).unwrap();
    for entry in fs::read_dir(model("llama")).unwrap() {
        let entry = entry.unwrap();
        fs::copy(entry.path(), copy.join(entry.file_name())).unwrap();
    }
    let arguments = [
        "audit",
        "--model",
        "model",
        "--languages",
        "en",
        "--quick",
        "--out",
        "run",
        "--resume",
        "--resamples",
        "100",
    ];
    assert_eq!(run(folder.path(), &arguments).code, 0);
    let weights = copy.join("model.safetensors");
    let mut bytes = fs::read(&weights).unwrap();
    let last = bytes.len() - 3;
    bytes[last] ^= 1;
    fs::write(&weights, bytes).unwrap();
    let done = run(folder.path(), &arguments);
    assert_eq!(done.code, 2, "{}", done.stderr);
    assert!(done.stderr.contains("the weights' hash was"), "{}", done.stderr);
}

#[test]
fn a_renamed_folder_changes_no_row_key() {
    let folder = tempfile::tempdir().unwrap();
    audit(folder.path(), &["--out", "a", "--quick"]);
    let copy = folder.path().join("gemma-something");
    fs::create_dir(&copy).unwrap();
    for entry in fs::read_dir(model("llama")).unwrap() {
        let entry = entry.unwrap();
        fs::copy(entry.path(), copy.join(entry.file_name())).unwrap();
    }
    let done = run(
        folder.path(),
        &[
            "audit",
            "--model",
            "gemma-something",
            "--languages",
            "en,de,pl",
            "--quick",
            "--out",
            "b",
            "--resamples",
            "100",
        ],
    );
    assert_eq!(done.code, 0, "{}", done.stderr);
    let logprobs = |text: String| -> Vec<String> {
        text.lines().map(|line| line.split("\"outcome\"").nth(1).unwrap().to_owned()).collect()
    };
    assert_eq!(logprobs(items(folder.path(), "a")), logprobs(items(folder.path(), "b")));
}

/// A full disk ends with one clear error, and the run goes on when there is room again.
#[test]
fn a_full_disk_loses_nothing_that_was_written() {
    let folder = tempfile::tempdir().unwrap();
    let disk = folder.path().join("disk");
    fs::create_dir(&disk).unwrap();
    let target = disk.to_str().unwrap().to_owned();
    let mount = |options: &str| {
        std::process::Command::new("mount").args(["-t", "tmpfs", "-o", options, "tmpfs", &target]).output()
    };
    if !mount("size=96k").is_ok_and(|output| output.status.success()) {
        eprintln!("skipped: a small disk can be mounted by root only");
        return;
    }
    let done = audit(folder.path(), &["--out", "disk/run", "--batch-tokens", "40"]);
    let resized =
        std::process::Command::new("mount").args(["-o", "remount,size=64m", &target]).output().unwrap();
    let resumed = audit(folder.path(), &["--out", "disk/run", "--batch-tokens", "40", "--resume"]);
    let rows = fs::read_to_string(disk.join("run/items.jsonl"));
    std::process::Command::new("umount").args(["-l", &target]).output().unwrap();
    assert_eq!(done.code, 1, "{}", done.stderr);
    assert!(done.stderr.contains("items.jsonl: cannot write: No space left on device"), "{}", done.stderr);
    assert!(done.stderr.contains("hint: free some space"), "{}", done.stderr);
    assert!(resized.status.success());
    assert_eq!(resumed.code, 0, "{}", resumed.stderr);
    audit(folder.path(), &["--out", "whole"]);
    assert!(rows.unwrap() == items(folder.path(), "whole"));
}

#[test]
fn a_folder_that_cannot_be_written_is_one_clear_error() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("file"), "").unwrap();
    let done = audit(folder.path(), &["--out", "file/run"]);
    assert_eq!(done.code, 1, "{}", done.stderr);
    assert!(
        done.stderr.contains("error: file/run: cannot create the folder: Not a directory"),
        "{}",
        done.stderr
    );
}

#[test]
fn a_run_verifies_to_the_last_bit_and_another_dtype_is_noticed() {
    let folder = tempfile::tempdir().unwrap();
    assert_eq!(audit(folder.path(), &["--out", "run", "--quick"]).code, 0);
    let (there, other) = (model("llama"), model("qwen2"));
    let same = run(folder.path(), &["verify", "run", "--model", &there, "--threads", "1"]);
    assert_eq!(same.code, 0, "{}", same.stderr);
    assert!(
        same.stdout.contains("largest difference      0e0 nats a token\ntokens that moved       0 of"),
        "{}",
        same.stdout
    );
    let rounded = run(folder.path(), &["verify", "run", "--model", &there, "--dtype", "bf16"]);
    assert_eq!(rounded.code, 7, "{}", rounded.stdout);
    let foreign = run(folder.path(), &["verify", "run", "--model", &other]);
    assert_eq!(foreign.code, 3);
    assert!(foreign.stderr.contains("not the weights of the run"), "{}", foreign.stderr);
}

#[test]
fn a_resumed_run_keeps_the_choices_it_began_with() {
    let folder = tempfile::tempdir().unwrap();
    audit(folder.path(), &["--out", "run", "--quick", "--rule", "sum", "--seed", "5"]);
    let results = || fs::read_to_string(folder.path().join("run/results.json")).unwrap();
    let before = results();
    let (there, resumed) =
        (model("llama"), ["--languages", "en,de,pl", "--quick", "--out", "run", "--resume"]);
    let done = run(folder.path(), &[&["audit", "--model", &there], &resumed[..]].concat());
    assert_eq!(done.code, 0, "{}", done.stderr);
    assert!(before.contains("\"rule\": \"sum\"") && results() == before);
}
