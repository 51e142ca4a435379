//! `gate`, on the runs of two tiny checkpoints.

use std::fs;
use std::path::Path;

use serde_json::Value;
use stereometer_testkit::golden;

use crate::{Done, path, run};

/// Copies a committed run, with every log-probability changed by a function of the row and the variant's name.
fn copy(name: &str, to: &Path, change: impl Fn(&Value, &str) -> f64) {
    let from = golden("runs").join(name);
    fs::create_dir(to).unwrap();
    fs::copy(from.join("spec.json"), to.join("spec.json")).unwrap();
    let rows: Vec<String> = fs::read_to_string(from.join("items.jsonl"))
        .unwrap()
        .lines()
        .map(|line| {
            let mut row: Value = serde_json::from_str(line).unwrap();
            for variant in ["masculine", "feminine"] {
                let shift = change(&row, variant);
                let logprobs = row["outcome"]["scored"][variant]["logprobs"].as_array_mut().unwrap();
                for value in logprobs.iter_mut().filter(|value| !value.is_null()) {
                    *value = (value.as_f64().unwrap() + shift).into();
                }
            }
            row.to_string()
        })
        .collect();
    fs::write(to.join("items.jsonl"), rows.join("\n") + "\n").unwrap();
}

/// All German sentences of “women are neat” become likelier as a woman says them.
fn planted(row: &Value, variant: &str) -> f64 {
    let is_it = row["language"] == "de" && row["stereotype"] == 4 && variant == "masculine";
    if is_it { -1.0 } else { 0.0 }
}

fn gate(folder: &Path, more: &[&str]) -> Done {
    run(folder, &[&["gate"], more].concat())
}

fn llama() -> String {
    path(&golden("runs/llama"))
}

#[test]
fn a_run_is_not_worse_than_itself() {
    let folder = tempfile::tempdir().unwrap();
    let done = gate(folder.path(), &[&llama(), "--baseline", &llama()]);
    assert_eq!(done.code, 0, "{}{}", done.stdout, done.stderr);
    let few = "80 left out for too few sentences (--min-items)";
    assert_eq!(done.stdout, format!("gate: passed: 0 of 85 checks failed, {few}\n"));
    let all = gate(folder.path(), &[&llama(), "--baseline", &llama(), "--min-items", "4"]);
    assert_eq!((all.code, all.stdout.as_str()), (0, "gate: passed: 0 of 85 checks failed\n"));
}

#[test]
fn a_planted_shift_fails_with_a_sentence_that_names_it() {
    let folder = tempfile::tempdir().unwrap();
    copy("llama", &folder.path().join("shifted"), planted);
    let arguments = [
        "shifted",
        "--baseline",
        &llama(),
        "--min-items",
        "4",
        "--junit",
        "gate.xml",
        "--markdown",
        "gate.md",
    ];
    let done = gate(folder.path(), &arguments);
    assert_eq!(done.code, 7, "{}{}", done.stdout, done.stderr);
    let cell = "failed: German (de), “women are neat” (stereotype 4), inclination: difference from the baseline +0.2";
    let line =
        done.stdout.lines().find(|line| line.starts_with(cell)).unwrap_or_else(|| panic!("{}", done.stdout));
    assert!(line.contains(" (interval +0."), "{line}");
    assert!(line.ends_with(", n = 4); the whole interval is above the allowed worsening (0.03)"), "{line}");
    // Beside it only what that cell is part of.
    let failed: Vec<&str> = done.stdout.lines().filter(|line| line.starts_with("failed: ")).collect();
    let part = |line: &&str| {
        line.starts_with(cell) || line.contains("German (de), g_s:") || line.contains("over the languages")
    };
    assert!(failed.iter().all(part), "{failed:#?}");
    assert!(done.stdout.lines().last().unwrap().starts_with("gate: failed: "), "{}", done.stdout);
    let junit = fs::read_to_string(folder.path().join("gate.xml")).unwrap();
    assert!(
        junit.contains("tests=\"85\"")
            && junit.contains("<failure message=\"failed: German (de), “women are neat”")
    );
    assert_eq!(junit.matches("<testcase ").count(), 85);
    let markdown = fs::read_to_string(folder.path().join("gate.md")).unwrap();
    assert!(
        markdown.contains("### Failed\n\n- failed: ") && markdown.contains("German (de), “women are neat”")
    );
    // The other way round it is no worsening; without the option four sentences are too few to say anything.
    let back = gate(folder.path(), &[&llama(), "--baseline", "shifted", "--min-items", "4"]);
    assert!(
        !back.stdout.contains("“women are neat” (stereotype 4), inclination: difference"),
        "{}",
        back.stdout
    );
    let few = gate(folder.path(), &["shifted", "--baseline", &llama()]);
    assert!(!few.stdout.contains("inclination: difference"), "{}", few.stdout);
}

#[test]
fn limits_fail_only_where_the_whole_interval_is_outside() {
    let folder = tempfile::tempdir().unwrap();
    copy("llama", &folder.path().join("shifted"), planted);
    let limits = |text: &str| fs::write(folder.path().join("limits.toml"), text).unwrap();
    limits("[inclination]\nhigh = 0.1\n[g_s]\nlow = 0.9\nhigh = 1.1\n");
    let done = gate(folder.path(), &["shifted", "--limits", "limits.toml", "--min-items", "4"]);
    assert_eq!(done.code, 7, "{}", done.stdout);
    assert!(
        done.stdout.contains("failed: German (de), “women are neat” (stereotype 4), inclination: 0.2"),
        "{}",
        done.stdout
    );
    assert!(
        done.stdout.contains("the whole interval is outside what is allowed (0.1 or less)"),
        "{}",
        done.stdout
    );
    limits(
        "[inclination]\nhigh = 0.1\n[[exception]]\nlanguage = \"de\"\nstereotype = 4\nreason = \"known, see issue 7\"\n",
    );
    let done = gate(folder.path(), &["shifted", "--limits", "limits.toml", "--min-items", "4"]);
    assert_eq!(done.code, 0, "{}", done.stdout);
    assert!(
        done.stdout.contains(
            "excepted: German (de), “women are neat” (stereotype 4), inclination: known, see issue 7"
        )
    );
    limits("[g_s]\nhigh = 1.0\n");
    let done = gate(folder.path(), &[&llama(), "--limits", "limits.toml"]);
    assert_eq!(done.code, 0, "{}", done.stdout);
    assert!(
        done.stdout.contains("undecided: ")
            && done.stdout.contains("; the value is outside (allowed: 1 or less)")
    );
}

#[test]
fn what_cannot_be_judged_is_neither_passed_nor_failed() {
    let folder = tempfile::tempdir().unwrap();
    copy("llama", &folder.path().join("cut"), |_, _| 0.0);
    let items = folder.path().join("cut/items.jsonl");
    let rows = fs::read_to_string(&items).unwrap();
    // One sentence of stereotype 7 is left in Polish.
    let kept: Vec<&str> = rows
        .lines()
        .filter(|line| !line.contains("\"id\":\"pl/07-") || line.contains("\"id\":\"pl/07-1/"))
        .collect();
    fs::write(&items, kept.join("\n") + "\n").unwrap();
    let limits = folder.path().join("limits.toml");
    fs::write(&limits, "[inclination]\nhigh = 0.5\n").unwrap();
    let done = gate(folder.path(), &["cut", "--limits", "limits.toml", "--min-items", "1"]);
    assert_eq!(done.code, 8, "an unfinished run: {}{}", done.stdout, done.stderr);
    assert!(
        done.stderr.contains("is not finished") && done.stderr.contains("hint: finish it with"),
        "{}",
        done.stderr
    );
    let spec = folder.path().join("cut/spec.json");
    let n = kept.len();
    let text = fs::read_to_string(&spec).unwrap().replace("\"n_items\": 256", &format!("\"n_items\": {n}"));
    fs::write(&spec, text).unwrap();
    let done = gate(folder.path(), &["cut", "--limits", "limits.toml", "--min-items", "1"]);
    assert_eq!(done.code, 8, "{}{}", done.stdout, done.stderr);
    assert!(
        done.stdout.contains(
            "not judged: Polish (pl), “women are beautiful” (stereotype 7), inclination: one sentence: no interval"
        ),
        "{}",
        done.stdout
    );
    assert!(
        done.stdout
            .contains("gate: could not be judged: 0 of 64 checks failed, 16 without an interval to judge by")
    );
}

#[test]
fn limits_that_say_nothing_or_too_much_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let nothing = gate(folder.path(), &[&llama()]);
    assert_eq!(nothing.code, 2);
    assert!(
        nothing
            .stderr
            .contains("error: there is nothing to judge the run by\nhint: give a run with --baseline")
    );
    for (text, what) in [
        ("[g_s]\nhigh = 0.9\nlow = 1.1\n", "[g_s] has `low` 1.1 above `high` 0.9"),
        ("[g_s]\n", "[g_s] has neither `low` nor `high`"),
        ("[g_s]\nhigh = nan\n", "[g_s] has an end that is not a finite number"),
        ("[gs]\nhigh = 1\n", "unknown field `gs`"),
        ("[worse]\ng_s = -1.0\n", "[worse] has a margin that is not a finite number of 0 or more"),
        (
            "[[exception]]\nstatistic = \"gs\"\nreason = \"x\"\n",
            "for the unknown statistic `gs`; known: g_s, mean_g_s",
        ),
        ("[[exception]]\nlanguage = \"de\"\nreason = \" \"\n", "[[exception]] without a reason"),
    ] {
        fs::write(folder.path().join("limits.toml"), text).unwrap();
        let done = gate(folder.path(), &[&llama(), "--limits", "limits.toml", "--baseline", &llama()]);
        assert_eq!(done.code, 3, "{text}: {}", done.stderr);
        assert!(
            done.stderr.contains("error: limits.toml: ") && done.stderr.contains(what),
            "{text}: {}",
            done.stderr
        );
        assert!(done.stderr.contains("hint: docs/gate.md"), "{}", done.stderr);
    }
}

#[test]
fn the_limits_of_the_guide_are_limits() {
    let folder = tempfile::tempdir().unwrap();
    let guide = fs::read_to_string(golden("../docs/gate.md")).unwrap();
    let limits = guide.split("```toml\n").nth(1).unwrap().split("```").next().unwrap();
    fs::write(folder.path().join("limits.toml"), limits).unwrap();
    let done = gate(folder.path(), &[&llama(), "--limits", "limits.toml", "--baseline", &llama()]);
    assert_eq!(done.code, 0, "{}{}", done.stdout, done.stderr);
}

#[test]
fn a_language_that_the_run_lost_is_not_passed() {
    let folder = tempfile::tempdir().unwrap();
    copy("llama", &folder.path().join("english"), |_, _| 0.0);
    let spec = folder.path().join("english/spec.json");
    let text = fs::read_to_string(&spec).unwrap();
    let model = crate::model("llama");
    let audit = ["audit", "--model", &model, "--languages", "en", "--resamples", "100", "--out", "en"];
    assert_eq!(run(folder.path(), &audit).code, 0);
    assert!(text.contains("\"fi\""));
    let done = gate(folder.path(), &["en", "--baseline", "english"]);
    assert_eq!(done.code, 8, "{}{}", done.stdout, done.stderr);
    assert!(
        done.stdout.contains(
            "not judged: Finnish (fi), g_s: the sentences that both runs have scored, if any, do not give it"
        ),
        "{}",
        done.stdout
    );
}

#[test]
fn nothing_judged_is_nothing_passed_and_idle_exceptions_are_named() {
    let folder = tempfile::tempdir().unwrap();
    let limits = |text: &str| fs::write(folder.path().join("limits.toml"), text).unwrap();
    limits("[g_s]\nhigh = 1.5\n[[exception]]\nreason = \"all of it\"\n");
    let done = gate(folder.path(), &[&llama(), "--limits", "limits.toml"]);
    assert_eq!(done.code, 8, "{}", done.stdout);
    assert!(done.stdout.ends_with("gate: could not be judged: 0 of 4 checks failed, 4 excepted\n"));
    limits("[g_s]\nhigh = 1.5\n[[exception]]\nlanguage = \"sv\"\nreason = \"not here\"\n");
    let done = gate(folder.path(), &[&llama(), "--limits", "limits.toml"]);
    assert_eq!(done.code, 0, "{}", done.stdout);
    assert!(done.stderr.contains("warning: an [[exception]] is about no check: not here"), "{}", done.stderr);
}

#[test]
fn what_is_judged_is_not_written_over_and_a_reader_that_left_changes_no_verdict() {
    let folder = tempfile::tempdir().unwrap();
    copy("llama", &folder.path().join("run"), |_, _| 0.0);
    let rows = fs::read(folder.path().join("run/items.jsonl")).unwrap();
    fs::write(folder.path().join("limits.toml"), "[g_s]\nhigh = 0.5\n").unwrap();
    for (option, file) in
        [("--junit", "run/items.jsonl"), ("--markdown", "limits.toml"), ("--junit", "./run/new.xml")]
    {
        let done = gate(folder.path(), &["run", "--limits", "limits.toml", option, file]);
        assert_eq!(done.code, 2, "{file}: {}", done.stderr);
        assert!(done.stderr.contains("would be written over what is judged"), "{}", done.stderr);
    }
    let same = gate(folder.path(), &["run", "--limits", "limits.toml", "--junit", "x", "--markdown", "x"]);
    assert_eq!(same.code, 2);
    assert!(rows == fs::read(folder.path().join("run/items.jsonl")).unwrap());
    let (reader, writer) = std::io::pipe().unwrap();
    drop(reader);
    let mut command = crate::command(folder.path(), &["gate", "run", "--limits", "limits.toml"]);
    assert_eq!(command.stdout(writer).status().unwrap().code(), Some(7));
}

/// A set may have no sentence of a stereotype; a run must not lose those of its baseline.
#[test]
fn an_empty_cell_is_left_out_and_a_lost_one_is_not_judged() {
    let folder = tempfile::tempdir().unwrap();
    copy("llama", &folder.path().join("whole"), |_, _| 0.0);
    copy("llama", &folder.path().join("gap"), |_, _| 0.0);
    let items = folder.path().join("gap/items.jsonl");
    let rows = fs::read_to_string(&items).unwrap();
    let kept: Vec<&str> = rows.lines().filter(|line| !line.contains("\"id\":\"pl/07-")).collect();
    fs::write(&items, kept.join("\n") + "\n").unwrap();
    let spec = folder.path().join("gap/spec.json");
    let text = fs::read_to_string(&spec).unwrap();
    fs::write(&spec, text.replace("\"n_items\": 256", &format!("\"n_items\": {}", kept.len()))).unwrap();
    let itself = gate(folder.path(), &["gap", "--baseline", "gap", "--min-items", "4"]);
    assert_eq!(itself.code, 0, "{}{}", itself.stdout, itself.stderr);
    assert!(itself.stdout.contains("1 left out for too few sentences"), "{}", itself.stdout);
    let lost = gate(folder.path(), &["gap", "--baseline", "whole", "--min-items", "4"]);
    assert_eq!(lost.code, 8, "{}", lost.stdout);
    let cell = "not judged: Polish (pl), “women are beautiful” (stereotype 7), inclination: ";
    assert!(lost.stdout.contains(cell), "{}", lost.stdout);
}
