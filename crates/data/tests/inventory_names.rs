//! Whatever the study's files call a group or a trait, the built-in inventory knows which one is meant.
//!
//! The files are not part of this repository; without them the tests about them are skipped, visibly.

#![allow(clippy::unwrap_used)] // a failed helper is a failed test

mod common;

use std::collections::BTreeSet;
use std::fs;

use common::leakage;
use serde_json::Value;
use stereometer_core::{GroupCategory, Slug};
use stereometer_data::Inventory;

const LANGUAGES: [(&str, &str); 4] =
    [("EN", "english"), ("RU", "russian"), ("ZH", "chinese"), ("HI", "hindi")];

fn abc() -> Inventory {
    Inventory::open("abc").unwrap()
}

#[test]
fn thirty_groups_in_three_categories() {
    let inventory = abc();
    let count = |category| inventory.groups().iter().filter(|group| group.category == category).count();
    assert_eq!(GroupCategory::ALL.map(count), [10, 8, 12]);
    let at_home = |tag: &str| {
        let is_home = |home: &stereometer_core::Language| home.as_str() == tag;
        inventory.groups().iter().filter(|group| group.home.as_ref().is_some_and(is_home)).count()
    };
    assert_eq!(["en", "ru", "zh", "hi"].map(at_home), [3; 4]);
}

#[test]
fn the_versions_differ_in_two_pairs() {
    let keys = |name: &str| {
        let inventory = Inventory::open(name).unwrap();
        assert_eq!((inventory.name(), inventory.pairs().len()), (name, 16));
        inventory.poles().map(|pole| pole.id.to_string()).collect::<BTreeSet<_>>()
    };
    let (released, paper) = (keys("abc"), keys("abc-paper"));
    let only = |a: &BTreeSet<String>, b: &BTreeSet<String>| a.difference(b).cloned().collect::<Vec<_>>();
    assert_eq!(only(&released, &paper), ["irrational", "non-religious", "rational"]);
    assert_eq!(only(&paper, &released), ["alternative", "conventional", "science-oriented"]);
}

#[test]
fn every_group_and_pole_of_the_aggregates_is_known() {
    for (tag, _) in LANGUAGES {
        let Some(path) = leakage(&format!("survey/aggregated_data_{tag}.csv")) else { return };
        let mut table = csv::Reader::from_path(path).unwrap();
        let inventory = abc();
        let groups: BTreeSet<&Slug> = table
            .headers()
            .unwrap()
            .iter()
            .skip(1)
            .map(|name| &inventory.group_named(name).unwrap_or_else(|| panic!("{tag}: {name}")).id)
            .collect();
        assert_eq!(groups.len(), 30);
        let poles: BTreeSet<Slug> = table
            .records()
            .map(|record| {
                let name = record.unwrap()[0].to_owned();
                inventory.pole_named(&name).unwrap_or_else(|| panic!("{tag}: {name}")).id.clone()
            })
            .collect();
        assert_eq!(poles.len(), 32);
    }
}

#[test]
fn every_group_and_pair_of_the_annotators_is_known() {
    for (_, language) in LANGUAGES {
        let Some(path) = leakage(&format!("survey/data_full_{language}.json")) else { return };
        let inventory = abc();
        let annotators: Value = serde_json::from_str(&fs::read_to_string(path).unwrap()).unwrap();
        for groups in annotators.as_object().unwrap().values() {
            for (group, pairs) in groups.as_object().unwrap() {
                assert!(inventory.group_named(group).is_some(), "{language}: {group}");
                for pair in pairs.as_object().unwrap().keys() {
                    let (left, right) = pair.split_once(" - ").unwrap();
                    let is_pair = inventory.pairs().iter().any(|pair| {
                        Some(&pair.left) == inventory.pole_named(left)
                            && Some(&pair.right) == inventory.pole_named(right)
                    });
                    assert!(is_pair, "{language}: {pair}");
                }
            }
        }
    }
}

#[test]
fn an_unknown_inventory_says_what_there_is() {
    let error = Inventory::open("abd").unwrap_err();
    let said = "unknown inventory `abd`: neither a known name (abc, abc-paper) nor an existing folder";
    assert_eq!(error.to_string(), said);
    assert!(error.hint().unwrap().contains("set list"));
}
