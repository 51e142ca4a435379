//! What cannot be computed is said in words, and what is not needed is not asked for.

use std::fs;
use std::path::Path;

use serde_json::Value;

use crate::{Done, command, model, run};

/// A copy of the tiny llama in which one tensor's first number is another.
fn with_weight(folder: &Path, tensor: &str, value: f32) {
    let copy = folder.join("model");
    fs::create_dir(&copy).unwrap();
    for entry in fs::read_dir(model("llama")).unwrap() {
        let entry = entry.unwrap();
        fs::copy(entry.path(), copy.join(entry.file_name())).unwrap();
    }
    let file = copy.join("model.safetensors");
    let mut bytes = fs::read(&file).unwrap();
    let header = usize::try_from(u64::from_le_bytes(bytes[..8].try_into().unwrap())).unwrap();
    let json: Value = serde_json::from_slice(&bytes[8..8 + header]).unwrap();
    assert_eq!(json[tensor]["dtype"], "F32");
    let begin = usize::try_from(json[tensor]["data_offsets"][0].as_u64().unwrap()).unwrap();
    bytes[8 + header + begin..][..4].copy_from_slice(&value.to_le_bytes());
    fs::write(file, bytes).unwrap();
}

#[test]
fn explain_says_that_an_answer_is_not_a_number() {
    let folder = tempfile::tempdir().unwrap();
    with_weight(folder.path(), "model.norm.weight", f32::NAN);
    for texts in [&["He said"][..], &["He said", "She said"]] {
        let mut arguments = vec!["explain", "--model", "model"];
        arguments.extend(texts);
        let done = run(folder.path(), &arguments);
        assert_eq!(done.code, 5, "{}", done.stderr);
        assert_eq!(done.stdout, "the model gave a log-probability that is not a finite number\n");
    }
}

#[test]
fn explain_scores_nothing_where_nothing_is_scored() {
    let folder = tempfile::tempdir().unwrap();
    let done = run(folder.path(), &["explain", "--model", &model("qwen2"), "a", "b"]);
    assert_eq!(done.code, 5, "{}{}", done.stdout, done.stderr);
    let unscorable = done.stdout.matches("unscorable: the text has no scored token").count();
    assert_eq!(unscorable, 6, "{}", done.stdout);
    assert!(!done.stdout.contains("-0"), "{}", done.stdout);
    assert!(done.stdout.contains("0 scored tokens: no sum, no mean"), "{}", done.stdout);
    let alone = run(folder.path(), &["explain", "--model", &model("qwen2"), "a"]);
    assert_eq!(alone.code, 5, "{}", alone.stdout);
}

#[test]
fn a_check_whose_answers_are_no_numbers_fails() {
    let folder = tempfile::tempdir().unwrap();
    with_weight(folder.path(), "model.layers.0.mlp.down_proj.weight", 1e6); // beyond f16
    let audit =
        ["audit", "--model", "model", "--languages", "en", "--quick", "--resamples", "20", "--out", "run"];
    assert_eq!(run(folder.path(), &audit).code, 0);
    let done =
        run(folder.path(), &["verify", "run", "--model", "model", "--dtype", "f16", "--tolerance", "1e30"]);
    assert_eq!(done.code, 7, "{}{}", done.stdout, done.stderr);
    assert!(done.stdout.contains("not a finite number     "), "{}", done.stdout);
}

#[test]
fn limits_of_options_are_errors_of_the_command_line() {
    let folder = tempfile::tempdir().unwrap();
    for tolerance in ["NaN", "inf", "-1"] {
        let done = run(folder.path(), &["verify", "run", &format!("--tolerance={tolerance}")]);
        assert_eq!(done.code, 2, "{tolerance}");
        assert!(done.stderr.contains("a finite number, 0 or more"), "{}", done.stderr);
    }
    let done = run(folder.path(), &["logprobs", "--threads", "1025"]);
    assert_eq!(done.code, 2);
    assert!(done.stderr.contains("1024"), "{}", done.stderr);
}

#[test]
fn no_home_is_needed_where_nothing_is_fetched() {
    let folder = tempfile::tempdir().unwrap();
    let llama = model("llama");
    let homeless = |arguments: &[&str]| -> Done {
        let mut command = command(folder.path(), arguments);
        command.env_remove("HOME").env_remove("STEREOMETER_CACHE").output().unwrap().into()
    };
    let commands: [&[&str]; 5] = [
        &["set", "list"],
        &["set", "info", "mini"],
        &["set", "check", "mini"],
        &["model", "list"],
        &["audit", "--model", &llama, "--languages", "en", "--quick", "--resamples", "20", "--out", "run"],
    ];
    for arguments in commands {
        let done = homeless(arguments);
        assert_eq!(done.code, 0, "{arguments:?}: {}", done.stderr);
    }
    assert_ne!(homeless(&["set", "info", "eurogest"]).code, 0);
}

const HEADER: &str = "id,stereotype,neutral,masculine,feminine\n";

#[test]
fn what_the_rule_leaves_unscored_is_told_by_audit_and_report_alike() {
    let folder = tempfile::tempdir().unwrap();
    let csv = format!("{HEADER}a,1,,Aaa tu.,Baa tu.\nb,2,,Jestem gotowy.,Jestem gotowa.\n");
    fs::write(folder.path().join("items.pl.csv"), csv).unwrap();
    let qwen = model("qwen2");
    let arguments = ["audit", "--model", &qwen, "--set", "items.pl.csv", "--resamples", "20", "--out", "run"];
    let audit = run(folder.path(), &arguments);
    let report = run(folder.path(), &["report", "run"]);
    for done in [&audit, &report] {
        assert_eq!(done.code, 5, "{}", done.stderr);
        assert!(
            done.stderr.contains("pl: 1 item unscored: the variants differ at the first"),
            "{}",
            done.stderr
        );
        assert!(!done.stderr.contains("items.jsonl"), "{}", done.stderr);
    }
    assert!(audit.stderr.contains("scoring 2 items in 1 language with"), "{}", audit.stderr);
    let sum = run(folder.path(), &["report", "run", "--rule", "sum"]);
    assert_eq!(sum.code, 0, "{}", sum.stderr);
}

#[test]
fn the_table_says_why_there_is_no_interval() {
    let folder = tempfile::tempdir().unwrap();
    let csv = format!("{HEADER}a,1,,Jestem miły.,Jestem miła.\n");
    fs::write(folder.path().join("items.pl.csv"), csv).unwrap();
    let llama = model("llama");
    let arguments =
        ["audit", "--model", &llama, "--set", "items.pl.csv", "--resamples", "20", "--out", "run"];
    let done = run(folder.path(), &arguments);
    assert_eq!(done.code, 0, "{}", done.stderr);
    assert!(done.stdout.contains("no interval") && !done.stdout.contains("unknown"), "{}", done.stdout);
    assert!(done.stdout.starts_with("language  items  "), "{}", done.stdout);
    assert!(done.stderr.contains("scoring 1 item in 1 language with"), "{}", done.stderr);
}

#[test]
fn a_resumed_run_says_what_is_there() {
    let folder = tempfile::tempdir().unwrap();
    let llama = model("llama");
    let arguments = [
        "audit",
        "--model",
        &llama,
        "--languages",
        "en",
        "--limit",
        "7",
        "--resamples",
        "20",
        "--out",
        "run",
        "--resume",
    ];
    for there in ["0 of 7 items there already", "7 of 7 items there already"] {
        let done = run(folder.path(), &arguments);
        assert_eq!(done.code, 0, "{}", done.stderr);
        assert!(done.stderr.contains(there), "{}", done.stderr);
    }
}

const ESPERANTO: &str = r#"
tag = "eo"
name = "Esperanto"
endonym = "Esperanto"
script = "Latn"
genderless_first_person = true
gender_marked_on = []
checked_by = "nobody"

[quotes]
open = "“"
close = "”,"

[templates.pronoun]
masculine = "li diris"
feminine = "ŝi diris"

[templates.noun]
masculine = "la viro diris"
feminine = "la virino diris"
"#;

#[test]
fn a_language_of_the_users_own_is_audited() {
    let folder = tempfile::tempdir().unwrap();
    fs::create_dir(folder.path().join("packs")).unwrap();
    fs::write(folder.path().join("packs/eo.toml"), ESPERANTO).unwrap();
    let csv = format!("{HEADER}a,1,Mi estas ĉi tie.,,\nb,9,Mi gvidas.,,\n");
    fs::write(folder.path().join("items.eo.csv"), csv).unwrap();
    let packs = ["--language-packs", "packs"];
    for what in ["check", "info"] {
        let set = ["set", what, "items.eo.csv"];
        assert_ne!(run(folder.path(), &set).code, 0);
        let done = run(folder.path(), &[&set[..], &packs].concat());
        assert_eq!(done.code, 0, "{what}: {}", done.stderr);
    }
    let llama = model("llama");
    let audit = ["audit", "--model", &llama, "--set", "items.eo.csv", "--resamples", "20", "--out", "run"];
    let done = run(folder.path(), &[&audit[..], &packs].concat());
    assert_eq!(done.code, 0, "{}", done.stderr);
    assert!(done.stdout.contains("\nEsperanto"), "{}", done.stdout);
    assert!(fs::read_to_string(folder.path().join("run/items.jsonl")).unwrap().contains("ŝi diris"));
    let report = run(folder.path(), &[&["report", "run"][..], &packs].concat());
    assert_eq!(report.code, 0, "{}", report.stderr);
    let missing = run(folder.path(), &["set", "info", "mini", "--language-packs", "nowhere"]);
    assert_eq!(missing.code, 3, "{}", missing.stderr);
    assert!(missing.stderr.contains("nowhere"), "{}", missing.stderr);
}
