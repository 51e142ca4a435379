//! `runs`.

use std::fs::{self, File};
use std::os::unix::fs::symlink;
use std::path::Path;

use stereometer_testkit::golden;

use crate::run;

fn copy(name: &str, to: &Path) {
    fs::create_dir_all(to).unwrap();
    for file in ["spec.json", "items.jsonl"] {
        fs::copy(golden("runs").join(name).join(file), to.join(file)).unwrap();
    }
}

#[test]
fn runs_are_listed_newest_first_and_the_rest_is_named() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join("runs").join(name);
    copy("llama", &at("a"));
    copy("qwen2", &at("deep/b"));
    let spec = fs::read_to_string(at("deep/b/spec.json")).unwrap();
    fs::write(at("deep/b/spec.json"), spec.replace("2026-11-30T09:15:00Z", "2026-12-01T08:00:00Z")).unwrap();
    let rows = fs::read_to_string(at("deep/b/items.jsonl")).unwrap();
    fs::write(at("deep/b/items.jsonl"), &rows[..rows.len() / 2]).unwrap();
    copy("llama", &at("broken"));
    fs::write(at("broken/spec.json"), "{").unwrap();
    copy("llama", &at("headless"));
    fs::remove_file(at("headless/spec.json")).unwrap();
    fs::create_dir(at("never a run")).unwrap();
    let done = run(folder.path(), &["runs", "list"]);
    assert_eq!(done.code, 0, "{}", done.stderr);
    let lines: Vec<&str> = done.stdout.lines().collect();
    assert_eq!(lines.len(), 3, "{}", done.stdout);
    assert!(lines[0].starts_with("run "), "{}", done.stdout);
    assert!(
        lines[1].starts_with("runs/deep/b  qwen2  mini              likelihood  de,en,fi,pl"),
        "{}",
        done.stdout
    );
    assert!(
        lines[1].ends_with(" 256  2026-12-01 08:00") && !lines[1].contains("256  256"),
        "{}",
        done.stdout
    );
    assert!(lines[2].starts_with("runs/a ") && lines[2].contains("256  256"), "{}", done.stdout);
    assert!(done.stderr.contains("runs/broken/spec.json: line 1: "), "{}", done.stderr);
    assert!(done.stderr.contains("runs/headless: not a run directory (no spec.json)"), "{}", done.stderr);
    assert_eq!(done.stderr.lines().count(), 2, "{}", done.stderr);
}

#[test]
fn no_run_is_a_hint() {
    let folder = tempfile::tempdir().unwrap();
    let done = run(folder.path(), &["runs", "list"]);
    assert_eq!(
        (done.code, done.stderr.as_str()),
        (
            4,
            "error: runs: no run there\nhint: `audit` and `associate` make one in `runs`; another folder can be named\n"
        )
    );
}

#[test]
fn a_run_is_shown_with_what_is_there() {
    let folder = tempfile::tempdir().unwrap();
    copy("qwen2", &folder.path().join("run"));
    let done = run(folder.path(), &["runs", "show", "run"]);
    assert_eq!((done.code, done.stderr.as_str()), (0, ""));
    for line in [
        "model           qwen2\n",
        "weights         sha256 f13aaedf8d5894a40546040c8c1cc8b0d7d12f5f312abb9c444bb6a71dc923bd\n",
        "special tokens  none before a text: its first token is not scored\n",
        "languages       de, en, fi, pl\n",
        "rows            256 of 256 items\n",
        "scored          256\n",
        "report          no\n",
    ] {
        assert!(done.stdout.contains(line), "{line}: {}", done.stdout);
    }
    fs::write(folder.path().join("run/items.jsonl"), "{}\n").unwrap();
    let done = run(folder.path(), &["runs", "show", "run"]);
    assert_eq!(done.code, 3);
    assert!(done.stderr.contains("error: run/items.jsonl: line 1: missing field"), "{}", done.stderr);
}

#[test]
fn only_a_run_is_removed_and_only_what_is_its_own() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name);
    for name in ["a", "b"] {
        copy("llama", &at(name));
    }
    fs::create_dir_all(at("a/report/figures")).unwrap();
    fs::write(at("a/report/index.html"), "").unwrap();
    fs::write(at("a/.lock"), "").unwrap();
    fs::write(at("b/notes.txt"), "mine").unwrap();
    let done = run(folder.path(), &["runs", "rm", "a", "b"]);
    assert_eq!(
        (done.code, done.stderr.as_str()),
        (2, "error: without a terminal nobody can be asked; nothing was removed\nhint: say --yes\n")
    );
    assert!(at("a/spec.json").exists());
    let done = run(folder.path(), &["runs", "rm", "a", "./a/", "b", "--yes"]);
    assert_eq!((done.code, done.stdout.as_str()), (0, "removed a\nremoved b\n"), "{}", done.stderr);
    assert_eq!(done.stderr, "b: what is not of the run was left: notes.txt\n");
    assert!(!at("a").exists());
    assert_eq!(fs::read_dir(at("b")).unwrap().count(), 1);
}

#[test]
fn one_refusal_keeps_all() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name);
    for name in ["good", "busy", "linked", "target"] {
        copy("llama", &at(name));
    }
    fs::create_dir(at("foreign")).unwrap();
    let lock = File::create(at("busy/.lock")).unwrap();
    lock.lock().unwrap();
    symlink("target", at("link")).unwrap();
    fs::create_dir(at("linked/report")).unwrap();
    symlink("../../target", at("linked/report/figures")).unwrap();
    for (name, code, said) in [
        (
            "foreign",
            3,
            "foreign: not a run directory (no spec.json)\nhint: only runs are removed; nothing was removed\n",
        ),
        ("nowhere", 3, "nowhere: not a run directory (no spec.json)\n"),
        (
            "busy",
            1,
            "busy: another process is writing to this run\nhint: wait for it, or end it first; nothing",
        ),
        ("link", 2, "link: a symbolic link: what it leads to is not removed\nhint: remove the link yourself"),
        ("link/", 2, "link: a symbolic link"),
        ("target/../link", 2, "link: a symbolic link"),
        ("linked", 2, "linked/report/figures: a symbolic link"),
    ] {
        let done = run(folder.path(), &["runs", "rm", "good", name, "--yes"]);
        assert!(done.code == code && done.stderr.contains(said), "{name}: {} {}", done.code, done.stderr);
        assert_eq!(done.stdout, "");
    }
    for name in ["good", "busy", "linked", "target"] {
        assert!(at(name).join("items.jsonl").exists(), "{name}");
    }
}

#[test]
fn what_is_no_run_and_what_somebody_put_into_a_report_is_not_removed() {
    let folder = tempfile::tempdir().unwrap();
    let at = |path: &str| folder.path().join(path);
    fs::create_dir_all(at("other/report")).unwrap();
    fs::write(at("other/spec.json"), "{\"name\": \"not a run at all\"}").unwrap();
    fs::write(at("other/report/thesis.txt"), "years of work").unwrap();
    let done = run(folder.path(), &["runs", "rm", "other", "--yes"]);
    assert_eq!(done.code, 3, "{}{}", done.stdout, done.stderr);
    assert!(at("other/report/thesis.txt").exists() && at("other/spec.json").exists());
    let model = crate::model("llama");
    let audit =
        ["audit", "--model", &model, "--languages", "en", "--quick", "--resamples", "20", "--out", "run"];
    assert_eq!(run(folder.path(), &audit).code, 0);
    fs::write(at("run/report/tables/thesis.txt"), "years of work").unwrap();
    let done = run(folder.path(), &["runs", "rm", "run", "--yes"]);
    assert_eq!(done.code, 0, "{}", done.stderr);
    assert!(done.stderr.contains("what is not of the run was left: report"), "{}", done.stderr);
    assert!(at("run/report/tables/thesis.txt").exists() && !at("run/report/index.html").exists());
    assert!(!at("run/items.jsonl").exists());
}
