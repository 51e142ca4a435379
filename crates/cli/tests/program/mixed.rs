//! `mixed`, on the tables that lme4 has fitted (crates/stats/tests/mixed.rs compares the numbers).

use std::fs;

use serde_json::Value;
use stereometer_testkit::golden;

use crate::{path, run};

const CROSSED: &str = "y ~ en + ru + zh + hi + (1 | trait) + (1 | group)";

fn data(name: &str) -> String {
    path(&golden("mixed").join(name))
}

#[test]
fn a_fit_as_json_has_the_keys_that_are_documented() {
    let folder = tempfile::tempdir().unwrap();
    let done =
        run(folder.path(), &["mixed", "--formula", CROSSED, "--data", &data("leakage_zero.csv"), "--json"]);
    assert_eq!((done.code, done.stderr.as_str()), (0, ""), "{}", done.stdout);
    let fit: Value = serde_json::from_str(&done.stdout).unwrap();
    let keys = |value: &Value| value.as_object().unwrap().keys().cloned().collect::<Vec<_>>();
    let all = ["fixed", "random", "sigma", "criterion", "n", "converged", "singular", "warnings"];
    assert_eq!(keys(&fit), all);
    let effect = ["term", "estimate", "std_error", "z", "p_z", "df", "t", "p_t", "ci_low", "ci_high"];
    assert_eq!(keys(&fit["fixed"][1]), effect);
    assert_eq!(keys(&fit["random"][1]), ["group", "term", "sd"]);
    assert_eq!((&fit["n"], &fit["converged"], &fit["singular"]), (&960.into(), &true.into(), &false.into()));
    assert!((fit["criterion"].as_f64().unwrap() - 6_747.943_873_42).abs() < 1e-6);
}

#[test]
fn drawn_intervals_stand_with_standard_deviations_too() {
    let folder = tempfile::tempdir().unwrap();
    let data = data("planted.csv");
    let common = ["mixed", "--formula", "y ~ x + (1 | g)", "--data", &data];
    let drawn = ["--intervals", "bootstrap", "--resamples", "50", "--seed", "3"];
    let done = run(folder.path(), &[&common[..], &drawn, &["--json"]].concat());
    assert_eq!((done.code, done.stderr.as_str()), (0, ""), "{}", done.stdout);
    let fit: Value = serde_json::from_str(&done.stdout).unwrap();
    assert_eq!(fit["bootstrap"], serde_json::json!({"drawn": 50, "failed": 0}));
    let between = |low: &Value, value: &Value, high: &Value| {
        let of = |value: &Value| value.as_f64().unwrap();
        assert!(of(low) < of(value) && of(value) < of(high), "{low} {value} {high}");
    };
    let (effect, term) = (&fit["fixed"][1], &fit["random"][0]);
    between(&effect["ci_low"], &effect["estimate"], &effect["ci_high"]);
    between(&term["ci_low"], &term["sd"], &term["ci_high"]);
    between(&fit["sigma_ci"][0], &fit["sigma"], &fit["sigma_ci"][1]);
    let again = run(folder.path(), &[&common[..], &drawn].concat());
    assert_eq!(again.code, 0, "{}", again.stderr);
    let headings = again.stdout.lines().filter(|line| line.contains("95 % interval, drawn"));
    assert_eq!(headings.count(), 2, "{}", again.stdout);
}

#[test]
fn a_fit_as_tables() {
    let folder = tempfile::tempdir().unwrap();
    let done = run(folder.path(), &["mixed", "--formula", CROSSED, "--data", &data("leakage_zero.csv")]);
    assert_eq!((done.code, done.stderr.as_str()), (0, ""), "{}", done.stdout);
    let row = |start: &str| {
        let line = done.stdout.lines().find(|line| line.starts_with(start));
        line.unwrap_or_else(|| panic!("{}", done.stdout)).split_whitespace().collect::<Vec<_>>().join(" ")
    };
    assert_eq!(row("zh"), "zh 0.4392 0.0453 9.695 < 0.001 892.0 < 0.001 0.3503 to 0.5281");
    assert_eq!(row("trait"), "trait (Intercept) 5.0741");
    assert_eq!(row("error"), "error 7.5326");
    assert_eq!(
        row("−2"),
        "−2 restricted log-likelihood 6747.9439 · n = 960, 32 levels of trait, 30 levels of group"
    );
}

#[test]
fn a_singular_fit_is_printed_explained_and_ends_with_6() {
    let folder = tempfile::tempdir().unwrap();
    let done = run(
        folder.path(),
        &["mixed", "--formula", CROSSED, "--data", &data("leakage_singular.csv"), "--json"],
    );
    assert_eq!(done.code, 6, "{}", done.stderr);
    let fit: Value = serde_json::from_str(&done.stdout).unwrap();
    assert_eq!((&fit["singular"], &fit["random"][0]["sd"]), (&true.into(), &0.0.into()));
    assert_eq!(fit["warnings"].as_array().unwrap().len(), 2);
    let said = "warning: singular fit: (1 | trait) has a variance of 0: its levels differ no more than chance alone makes";
    assert!(done.stderr.contains(said), "{}", done.stderr);
}

#[test]
fn wrong_formulas_end_with_2_and_wrong_tables_with_3() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(
        folder.path().join("t.csv"),
        "\u{feff}y,x,x2,g\n1,2,4,a\n2,5,10,b\n3,4,8,a\n4,1,2,b\n5,0,0,a\n",
    )
    .unwrap();
    fs::write(folder.path().join("ragged.csv"), "y,x,g\n1,2\n").unwrap();
    fs::write(folder.path().join("twice.csv"), "y,y,g\n1,2,a\n").unwrap();
    let cases = [
        (
            "y ~ x",
            "t.csv",
            2,
            "error: formula `y ~ x`: no random effect such as `(1 | group)`: that is not a mixed model\nhint: for example: y ~ en",
        ),
        (
            "y ~ z + (1 | g)",
            "t.csv",
            2,
            "error: formula: the table has no column `z`\nhint: its columns are y, x, x2, g\n",
        ),
        (
            "y ~ g + (1 | x)",
            "t.csv",
            3,
            "error: t.csv: (1 | x): 5 effects cannot be told apart with 5 records\nhint: ",
        ),
        (
            "y ~ x + x2 + (1 | g)",
            "t.csv",
            3,
            "error: t.csv: column x2 is collinear with x\nhint: leave one of them out",
        ),
        (
            "y ~ x + (1 | g)",
            "ragged.csv",
            3,
            "error: ragged.csv: record 1, line 2: 2 cells where the header has 3\nhint: ",
        ),
        ("y ~ x + (1 | g)", "twice.csv", 3, "error: twice.csv: table: two columns are called `y`\nhint: "),
        ("y ~ x + (1 | g)", "absent.csv", 3, "error: absent.csv: cannot read: "),
    ];
    for (formula, table, code, said) in cases {
        let done = run(folder.path(), &["mixed", "--formula", formula, "--data", table]);
        assert_eq!((done.code, done.stdout.as_str()), (code, ""), "{formula} {table}: {}", done.stderr);
        assert!(done.stderr.starts_with(said), "{}", done.stderr);
    }
}

#[test]
fn files_that_are_no_tables_and_options_without_effect_are_named() {
    let folder = tempfile::tempdir().unwrap();
    let files: [(&str, &[u8], &str); 6] = [
        ("empty.csv", b"", "error: empty.csv: the file is empty\nhint: "),
        ("heading.csv", b"y,x,g\n", "error: heading.csv: a header without records\nhint: "),
        (
            "semicolons.csv",
            b"y;x;g\n1;2;a\n",
            "error: semicolons.csv: line 1: the cells are separated by semicolons, not by commas\nhint: ",
        ),
        (
            "tabs.csv",
            b"y\tx\tg\n1\t2\ta\n",
            "error: tabs.csv: line 1: the cells are separated by tabs, not by commas\nhint: ",
        ),
        ("binary.csv", b"PK\x03\x04\xff\x00", "error: binary.csv: the file is not UTF-8 text\nhint: "),
        (
            "comma.csv",
            b"y,x,g\n1,\"0,5\",a\n2,\"1,5\",b\n3,\"2,5\",a\n4,\"3,5\",b\n",
            "error: comma.csv: record 1, column x: `0,5` is not a finite number\nhint: decimals have a point",
        ),
    ];
    for (name, bytes, said) in files {
        fs::write(folder.path().join(name), bytes).unwrap();
        let done = run(folder.path(), &["mixed", "--formula", "y ~ x + (1 | g)", "--data", name]);
        assert_eq!((done.code, done.stdout.as_str()), (3, ""), "{name}: {}", done.stderr);
        assert!(done.stderr.starts_with(said), "{}", done.stderr);
    }
    let data = data("planted.csv");
    let done =
        run(folder.path(), &["mixed", "--formula", "y ~ x + (1 | g)", "--data", &data, "--resamples", "50"]);
    assert_eq!(done.code, 2, "{}", done.stderr);
    let said = "error: `--resamples` has no effect without `--intervals bootstrap`\nhint: ";
    assert!(done.stderr.starts_with(said), "{}", done.stderr);
}
