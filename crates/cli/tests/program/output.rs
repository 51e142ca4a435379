//! Where output goes: readers that leave, full disks, links, pipes, and names that are not text.

use std::ffi::OsStr;
use std::fs::{self, File};
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::symlink;
use std::path::Path;
use std::process::Stdio;

use crate::{Done, command, model, run};

/// The exit code and stderr of a command whose reader has gone.
fn unread(folder: &Path, arguments: &[&str]) -> (Option<i32>, String) {
    let (reader, writer) = std::io::pipe().unwrap();
    drop(reader);
    let child = command(folder, arguments).stdout(writer).stderr(Stdio::piped()).spawn().unwrap();
    let output = child.wait_with_output().unwrap();
    (output.status.code(), String::from_utf8(output.stderr).unwrap())
}

fn to_full_disk(folder: &Path, arguments: &[&str]) -> Done {
    let full = File::options().write(true).open("/dev/full").unwrap();
    let child = command(folder, arguments).stdout(full).stderr(Stdio::piped()).spawn().unwrap();
    child.wait_with_output().unwrap().into()
}

fn texts(folder: &Path) {
    fs::write(folder.join("texts.jsonl"), "{\"id\": 1, \"text\": \"So what?\"}\n".repeat(300)).unwrap();
}

#[test]
fn a_reader_that_leaves_ends_every_command_quietly() {
    let folder = tempfile::tempdir().unwrap();
    texts(folder.path());
    let llama = model("llama");
    let audit = [
        "-q",
        "audit",
        "--model",
        &llama,
        "--languages",
        "en",
        "--quick",
        "--resamples",
        "20",
        "--out",
        "run",
    ];
    let commands: [&[&str]; 8] = [
        &["model", "list"],
        &["set", "list"],
        &["set", "info", "mini"],
        &["set", "check", "mini"],
        &["model", "info", "--model", &llama],
        &["explain", "--model", &llama, "He said", "She said"],
        &["logprobs", "--model", &llama, "--input", "texts.jsonl"],
        &audit,
    ];
    for arguments in commands {
        assert_eq!(unread(folder.path(), arguments), (Some(0), String::new()), "{arguments:?}");
    }
    assert!(folder.path().join("run/report/index.html").exists());
    assert_eq!(unread(folder.path(), &["-q", "report", "run"]), (Some(0), String::new()));
    assert_eq!(unread(folder.path(), &["verify", "run", "--model", &llama]), (Some(0), String::new()));
}

#[test]
fn a_full_disk_is_one_sentence() {
    let folder = tempfile::tempdir().unwrap();
    texts(folder.path());
    let llama = model("llama");
    let commands: [&[&str]; 3] = [
        &["model", "list"],
        &["set", "info", "mini"],
        &["logprobs", "--model", &llama, "--input", "texts.jsonl"],
    ];
    for arguments in commands {
        let done = to_full_disk(folder.path(), arguments);
        assert_eq!(done.code, 1, "{arguments:?}: {}", done.stderr);
        assert_eq!(
            done.stderr, "error: stdout: cannot write: No space left on device (os error 28)\n",
            "{arguments:?}"
        );
    }
}

#[test]
fn timing_to_a_full_disk_does_no_harm() {
    let folder = tempfile::tempdir().unwrap();
    texts(folder.path());
    let full = File::options().write(true).open("/dev/full").unwrap();
    let arguments = ["logprobs", "--model", &model("llama"), "--input", "texts.jsonl", "--timing"];
    let child = command(folder.path(), &arguments).stdout(Stdio::piped()).stderr(full).spawn().unwrap();
    let done: Done = child.wait_with_output().unwrap().into();
    assert_eq!((done.code, done.stdout.lines().count()), (0, 300));
}

fn logprobs_to(folder: &Path, output: &str) -> Done {
    texts(folder);
    run(folder, &["logprobs", "--model", &model("llama"), "--input", "texts.jsonl", "--output", output])
}

#[test]
fn a_file_of_the_users_is_not_taken_for_a_temporary_one() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("out.jsonl.tmp"), "mine").unwrap();
    assert_eq!(logprobs_to(folder.path(), "out.jsonl").code, 0);
    assert_eq!(fs::read_to_string(folder.path().join("out.jsonl.tmp")).unwrap(), "mine");
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 3);
}

#[test]
fn a_link_stays_a_link() {
    let folder = tempfile::tempdir().unwrap();
    fs::create_dir(folder.path().join("real")).unwrap();
    symlink("real/out.jsonl", folder.path().join("link")).unwrap();
    for _ in 0..2 {
        assert_eq!(logprobs_to(folder.path(), "link").code, 0);
        assert!(folder.path().join("link").is_symlink());
        let real = fs::read_to_string(folder.path().join("real/out.jsonl")).unwrap();
        assert_eq!(real.lines().count(), 300);
        assert_eq!(fs::read_dir(folder.path().join("real")).unwrap().count(), 1);
    }
}

#[test]
fn devices_and_pipes_are_written_straight_through() {
    let folder = tempfile::tempdir().unwrap();
    let done = logprobs_to(folder.path(), "/dev/stdout");
    assert_eq!((done.code, done.stdout.lines().count()), (0, 300), "{}", done.stderr);
    assert_eq!(logprobs_to(folder.path(), "/dev/full").code, 1);
    assert_eq!(logprobs_to(folder.path(), "/dev/null").code, 0);
    let fifo = folder.path().join("fifo");
    assert!(std::process::Command::new("mkfifo").arg(&fifo).status().unwrap().success());
    let reader = std::thread::spawn(move || fs::read_to_string(fifo).unwrap());
    assert_eq!(logprobs_to(folder.path(), "fifo").code, 0);
    assert_eq!(reader.join().unwrap().lines().count(), 300);
}

#[test]
fn a_missing_folder_is_named() {
    let folder = tempfile::tempdir().unwrap();
    let done = logprobs_to(folder.path(), "nowhere/out.jsonl");
    assert_eq!(done.code, 1);
    assert!(done.stderr.contains("error: nowhere/out.jsonl: cannot write: "), "{}", done.stderr);
    assert!(done.stderr.contains("hint: create the folder first"), "{}", done.stderr);
}

#[test]
fn a_path_that_is_not_text_is_a_path() {
    let folder = tempfile::tempdir().unwrap();
    let name = OsStr::from_bytes(b"run-\xff");
    let llama = model("llama");
    let arguments =
        ["audit", "--model", &llama, "--languages", "en", "--quick", "--resamples", "20", "--out"];
    let done: Done = command(folder.path(), &arguments).arg(name).output().unwrap().into();
    assert_eq!(done.code, 0, "{}", done.stderr);
    let spec = fs::read_to_string(folder.path().join(name).join("spec.json")).unwrap();
    assert!(spec.contains("run-\u{fffd}"), "{spec}");
}

#[test]
fn a_bad_line_is_counted_once() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("bad.jsonl"), "{\"id\": 1, \"text\": \"a\"}\n{\"id\": 2, \"text\": }\n")
        .unwrap();
    let done = run(folder.path(), &["logprobs", "--model", &model("llama"), "--input", "bad.jsonl"]);
    assert_eq!(done.code, 3);
    assert!(
        done.stderr.contains("error: bad.jsonl: line 2: expected value at column 19\n"),
        "{}",
        done.stderr
    );
}
