//! Bad sets: one clear error with file, record and column, the right exit code, nothing half-written.

use std::fs;
use std::path::Path;

use crate::{Done, model, run};

const HEADER: &str = "id,stereotype,neutral,masculine,feminine\n";

fn audit(folder: &Path, csv: &[u8]) -> Done {
    fs::write(folder.join("items.pl.csv"), csv).unwrap();
    run(
        folder,
        &["audit", "--model", &model("llama"), "--set", "items.pl.csv", "--out", "run", "--resamples", "100"],
    )
}

/// What is written, and what the error must say.
fn refused() -> Vec<(&'static str, Vec<u8>, &'static [&'static str])> {
    let rows = |rows: &str| format!("{HEADER}{rows}").into_bytes();
    vec![
        (
            "stereotype 17",
            rows("a,17,Jestem tu.,,\n"),
            &["items.pl.csv", "record 1", "stereotype", "17", "1 to 16"],
        ),
        ("semicolons", HEADER.replace(',', ";").into_bytes(), &["items.pl.csv", ";"]),
        ("a broken quote", rows("a,1,\"Jestem tu.,,\nb,1,Jestem tam.,,\n"), &["items.pl.csv", "quot"]),
        ("too few cells", rows("a,1,Jestem tu.\n"), &["items.pl.csv", "record 1"]),
        ("no text", rows("a,1,,,\n"), &["items.pl.csv", "record 1"]),
        ("half a pair", rows("a,1,,Jestem gotowy.,\n"), &["items.pl.csv", "record 1", "feminine"]),
        ("both kinds", rows("a,1,Jestem tu.,Jestem gotowy.,Jestem gotowa.\n"), &["items.pl.csv", "record 1"]),
        ("a repeated id", rows("a,1,Jestem tu.,,\na,2,Jestem tam.,,\n"), &["items.pl.csv", "record 2", "a"]),
        (
            "bytes that are not UTF-8",
            [HEADER.as_bytes(), b"a,1,\xff\xfe,,\n"].concat(),
            &["items.pl.csv", "UTF-8"],
        ),
        ("an empty file", Vec::new(), &["items.pl.csv", "empty"]),
    ]
}

#[test]
fn each_kind_of_bad_set_is_refused_with_its_place() {
    for (what, csv, words) in refused() {
        let folder = tempfile::tempdir().unwrap();
        let done = audit(folder.path(), &csv);
        assert_eq!(done.code, 3, "{what}: {}", done.stderr);
        assert_eq!(
            done.stderr.lines().filter(|line| line.starts_with("error:")).count(),
            1,
            "{what}: {}",
            done.stderr
        );
        for word in words {
            assert!(done.stderr.contains(word), "{what}: `{word}` is not in: {}", done.stderr);
        }
        assert!(!folder.path().join("run").exists(), "{what}");
        assert!(done.stdout.is_empty(), "{what}");
    }
}

#[test]
fn a_byte_order_mark_and_decomposed_text_are_repaired_and_said() {
    let folder = tempfile::tempdir().unwrap();
    let csv = format!("\u{feff}{HEADER}a,1,,Jestem zme\u{328}czony.,Jestem zme\u{328}czona.\n");
    let done = audit(folder.path(), csv.as_bytes());
    assert_eq!(done.code, 0, "{}", done.stderr);
    assert!(done.stderr.contains("byte-order mark"), "{}", done.stderr);
    assert!(done.stderr.contains("Unicode normal form C"), "{}", done.stderr);
    let rows = fs::read_to_string(folder.path().join("run/items.jsonl")).unwrap();
    assert!(rows.contains("zmęczony") && !rows.contains('\u{328}'), "{rows}");
}

#[test]
fn equal_variants_and_texts_beyond_the_context_are_unscored_with_a_reason() {
    let folder = tempfile::tempdir().unwrap();
    let long = "bardzo ".repeat(2000);
    let csv = format!(
        "{HEADER}a,1,,Jestem.,Jestem.\nb,2,,{long}gotowy.,{long}gotowa.\nc,9,,Jestem gotowy.,Jestem gotowa.\n"
    );
    let done = audit(folder.path(), csv.as_bytes());
    assert_eq!(done.code, 5, "{}", done.stderr);
    assert!(done.stderr.contains("the two variants are the same text"), "{}", done.stderr);
    assert!(done.stderr.contains("do not fit the model's context"), "{}", done.stderr);
}

#[test]
fn names_that_mean_nothing_are_errors_of_the_command_line() {
    let folder = tempfile::tempdir().unwrap();
    let model = model("llama");
    let cases: [(&[&str], &str); 5] = [
        (&["audit", "--model", &model, "--languages", "klingon"], "klingon"),
        (&["audit", "--model", &model, "--set", "eurogst"], "eurogst"),
        (&["audit", "--model", "gema-3-270m"], "gemma-3-270m"),
        (&["audit", "--model", &model, "--rule", "median"], "unknown rule `median`"),
        (&["set", "info", "nowhere"], "nowhere"),
    ];
    for (arguments, word) in cases {
        let done = run(folder.path(), arguments);
        assert_eq!(done.code, 2, "{arguments:?}: {}", done.stderr);
        assert!(done.stderr.contains(word), "{arguments:?}: {}", done.stderr);
    }
}

#[test]
fn a_set_that_has_to_be_fetched_says_how() {
    let folder = tempfile::tempdir().unwrap();
    let done = run(folder.path(), &["set", "info", "eurogest"]);
    assert_eq!(done.code, 8, "{}", done.stderr);
    assert!(done.stderr.contains("stereometer set pull eurogest"), "{}", done.stderr);
}

#[test]
fn a_language_without_the_template_leaves_nothing_to_score() {
    let folder = tempfile::tempdir().unwrap();
    let arguments =
        ["audit", "--model", &model("llama"), "--languages", "fi", "--template", "pronoun", "--out", "run"];
    let done = run(folder.path(), &arguments);
    assert_eq!(done.code, 4, "{}", done.stderr);
    assert!(!folder.path().join("run").exists());
}
