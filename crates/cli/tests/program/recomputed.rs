//! The CSV tables of a report against `golden/expected/recomputed.json`, which `golden/generators/recompute/` makes from
//! the rows of the same run with NumPy and SciPy.
//!
//! A table holds full precision; tolerance 1e-9 of the value and 1e-12, ends of intervals 1e-10, for the reasons in
//! `crates/audit/tests/recomputed.rs`. What is missing there is an empty cell here.

use std::collections::{BTreeMap, HashMap};
use std::fs;
use std::path::Path;

use serde_json::Value;
use stereometer_testkit::golden;

use crate::{path, run};

type Row = HashMap<String, String>;

fn expected() -> Value {
    let file = fs::read(golden("expected/recomputed.json")).unwrap();
    let mut file: Value = serde_json::from_slice(&file).unwrap();
    file["whole"]["runs"][0]["results"].take()
}

fn table(report: &Path, name: &str) -> Vec<Row> {
    let mut reader = csv::Reader::from_path(report.join("tables").join(name)).unwrap();
    reader.deserialize().map(|row| row.unwrap()).collect()
}

/// The row of a table with these cells.
fn row<'a>(table: &'a [Row], cells: &[(&str, &str)]) -> &'a Row {
    let mut found = table.iter().filter(|row| cells.iter().all(|(column, value)| row[*column] == *value));
    let row = found.next().unwrap_or_else(|| panic!("no row {cells:?}"));
    assert!(found.next().is_none(), "two rows {cells:?}");
    row
}

fn assert_number(cell: &str, expected: &Value) {
    assert_within(cell, expected, 1e-12);
}

fn assert_within(cell: &str, expected: &Value, absolute: f64) {
    let Some(expected) = expected.as_f64() else { return assert_eq!(cell, "", "missing is empty") };
    let ours: f64 = cell.parse().unwrap();
    assert!((ours - expected).abs() <= 1e-9 * expected.abs() + absolute, "{ours} is not {expected}");
}

fn assert_estimate(row: &Row, column: &str, expected: &Value) {
    assert_number(&row[column], &expected["value"]);
    let interval = if expected["bca"].is_null() { &expected["percentile"] } else { &expected["bca"] };
    assert_within(&row[&format!("{column}_low")], &interval["low"], 1e-10);
    assert_within(&row[&format!("{column}_high")], &interval["high"], 1e-10);
}

fn list(value: &Value) -> &[Value] {
    value.as_array().unwrap()
}

#[test]
fn the_tables_hold_what_is_recomputed_from_the_rows_and_the_run_stays_as_it_is() {
    let folder = tempfile::tempdir().unwrap();
    let llama = golden("runs/llama");
    let files = || -> BTreeMap<_, _> {
        let entries = fs::read_dir(&llama).unwrap().map(|entry| entry.unwrap().path());
        entries.map(|file| (file.clone(), fs::read(file).unwrap())).collect()
    };
    let before = files();
    let done = run(folder.path(), &["-q", "report", &path(&llama), "--out", "report", "--resamples", "400"]);
    assert_eq!((done.code, done.stderr.as_str()), (0, ""));
    assert!(files() == before, "a run is only read");

    let (report, expected) = (folder.path().join("report"), expected());
    let g_s = table(&report, "g_s_by_language.csv");
    let rates = table(&report, "masculine_rates.csv");
    let ranks = table(&report, "rank_heat_map.csv");
    let rules = table(&report, "rule_sensitivity.csv");
    let inclinations = table(&report, "inclination_by_stereotype.csv");
    let mut compared = 0;
    for language in list(&expected["languages"]) {
        let tag = ("language", language["language"].as_str().unwrap());
        let one = row(&g_s, &[tag]);
        assert_estimate(one, "g_s", &language["g_s"]);
        assert_estimate(one, "g_s_arithmetic", &language["g_s_arithmetic"]);
        assert_number(&one["n_items"], &language["n_items"]);
        assert_number(&one["n_sources"], &language["n_sources"]);
        for rate in ["q_feminine", "q_masculine", "default_masculine_rate"] {
            assert_estimate(row(&rates, &[tag]), rate, &language[rate]);
        }
        for cell in list(&language["stereotypes"]) {
            let one = row(&ranks, &[tag, ("stereotype", &cell["stereotype"].to_string())]);
            assert_estimate(one, "rank", &cell["rank"]);
            assert_estimate(one, "q", &cell["q"]);
            assert_number(&one["n_items"], &cell["n"]);
            let one = row(&inclinations, &[tag, ("stereotype", &cell["stereotype"].to_string())]);
            assert_estimate(one, "inclination", &cell["inclination"]);
            compared += 1;
        }
        for under in list(&language["by_rule"]) {
            let one = row(&rules, &[tag, ("rule", under["rule"].as_str().unwrap())]);
            assert_estimate(one, "g_s", &under["g_s"]);
            assert_estimate(one, "default_masculine_rate", &under["default_masculine_rate"]);
            compared += 1;
        }
    }
    assert_estimate(row(&g_s, &[("language", "mean")]), "g_s", &expected["mean_g_s"]);
    assert_eq!(compared, 4 * (16 + 6));
}
