//! Arrows point down only: the table in CONTRIBUTING.md is what `cargo metadata` says.

#![allow(clippy::unwrap_used)] // a failed helper is a failed test

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::process::Command;

use serde_json::Value;
use stereometer_testkit::workspace;

type Table = BTreeMap<String, BTreeSet<String>>;

fn written() -> Table {
    let text = fs::read_to_string(workspace().join("CONTRIBUTING.md")).unwrap();
    text.lines()
        .skip_while(|line| !line.starts_with("| crate |"))
        .skip(2)
        .take_while(|line| line.starts_with('|'))
        .map(|line| {
            let cells: Vec<&str> = line.trim_matches('|').split('|').map(str::trim).collect();
            let uses = cells[2].split(", ").filter(|name| !name.is_empty()).map(str::to_owned).collect();
            (cells[0].trim_matches('`').to_owned(), uses)
        })
        .collect()
}

fn actual() -> Table {
    let output = Command::new(env!("CARGO"))
        .args(["metadata", "--no-deps", "--format-version", "1", "--offline"])
        .current_dir(workspace())
        .output()
        .unwrap();
    let metadata: Value = serde_json::from_slice(&output.stdout).unwrap();
    let short = |name: &str| {
        if name == "stereometer" { "cli" } else { name.trim_start_matches("stereometer-") }.to_owned()
    };
    let packages = metadata["packages"].as_array().unwrap();
    packages
        .iter()
        .map(|package| {
            let uses = package["dependencies"]
                .as_array()
                .unwrap()
                .iter()
                .filter(|dependency| dependency["kind"].is_null())
                .filter_map(|dependency| dependency["name"].as_str())
                .filter(|name| name.starts_with("stereometer"))
                .map(short)
                .collect();
            (short(package["name"].as_str().unwrap()), uses)
        })
        .collect()
}

#[test]
fn the_table_of_crates_is_true() {
    assert_eq!(written(), actual());
}
