//! The study's own inputs as an inventory, on the real files; skipped, visibly, where they are not.

#![allow(clippy::unwrap_used)] // a failed helper is a failed test

mod common;

use std::collections::BTreeSet;
use std::fs;

use common::leakage;
use serde_json::Value;
use stereometer_core::{AssociationItem, BLANK, Slug, Subject};
use stereometer_data::{Inventory, StudyInputs};

fn open(inputs: StudyInputs) -> Option<Inventory> {
    leakage("association_inputs.json")?;
    let folder = leakage("")?;
    Some(Inventory::open_study(folder.to_str().unwrap(), inputs).unwrap())
}

fn items(inventory: &Inventory, tag: &str) -> Vec<AssociationItem> {
    let (items, warnings) = inventory.items(&inventory.select(tag).unwrap());
    assert!(warnings.is_empty(), "{warnings:?}");
    items
}

/// Templates times the groups of their list, and the neutral noun once for each list: 31 for a list of all 30 groups. Russian
/// singulars have lists of 26 and 19 groups (47 with two nouns), Hindi sentences of 26 and 4 (32).
#[test]
fn the_items_are_as_many_as_the_lists_make() {
    for (inputs, counts) in [
        (StudyInputs::Bert, [35 * 31, 42 * 31 + 3 * 47, 23 * 31, 40 * 32 + 5 * 31]),
        (StudyInputs::Mbert, [35 * 31, 42 * 31 + 3 * 47, 23 * 31, 32 + 5 * 31]),
        (StudyInputs::Mt5, [35 * 31, 27 * 31 + 3 * 47, 10 * 31, 40 * 32 + 5 * 31]),
    ] {
        let Some(inventory) = open(inputs) else { return };
        assert_eq!((inventory.name(), inventory.version()), ("abc-released", inputs.name()));
        let found = ["en", "ru", "zh", "hi"].map(|tag| items(&inventory, tag).len());
        assert_eq!(found, counts, "{inputs}");
    }
}

/// Puts every surface form of the lists into every template by plain replacement, and compares the sentences.
#[test]
fn every_sentence_is_the_studys_to_the_letter() {
    let groups_of = |placeholder: &str| -> &[&str] {
        match placeholder {
            "<sgroup>" => &["groups_sing"],
            "<pgroup>" => &["groups_plur", "pluralgroups/pgroup"],
            "<cpgroup>" => &["groups_cap_plur", "pluralgroups/cpgroup"],
            "<group>" => &["groups"],
            "<csgroup>" => &["csgroup/masculine", "csgroup/feminine"],
            "<smgroup>" => &["smgroup", "sngroup"],
            "<pmgroup>" => &["pmgroup", "pngroup"],
            "<sfgroup>" => &["sfgroup"],
            "<pfgroup>" => &["pfgroup"],
            "<pgroup2>" => &["pgroup2"],
            _ => panic!("{placeholder}"),
        }
    };
    let Some(path) = leakage("association_inputs.json") else { return };
    let json: Value = serde_json::from_str(&fs::read_to_string(path).unwrap()).unwrap();
    for inputs in StudyInputs::ALL {
        let Some(inventory) = open(inputs) else { return };
        for tag in ["en", "ru", "zh", "hi"] {
            let of_language = &json[format!("{inputs}_{tag}")];
            let tables = ["tplts", "tplts_msc", "tplts_fem", "tplts_extra"];
            let templates = tables
                .iter()
                .filter_map(|table| of_language[*table].as_object())
                .flat_map(|table| table.values());
            let mut expected = Vec::new();
            for template in
                templates.flat_map(|list| list.as_array().unwrap()).map(|text| text.as_str().unwrap())
            {
                let (at, end) = (template.find('<').unwrap(), template.find('>').unwrap());
                let first = &template[at..=end];
                let is_group = first.contains("group");
                let rest = &template[end + 1..];
                let second = &rest[rest.find('<').unwrap()..=rest.find('>').unwrap()];
                let (group, trait_) = if is_group { (first, second) } else { (second, first) };
                for list in groups_of(group) {
                    for surface in of_language
                        .pointer(&format!("/{list}"))
                        .and_then(Value::as_array)
                        .into_iter()
                        .flatten()
                    {
                        expected
                            .push(template.replace(trait_, BLANK).replace(group, surface.as_str().unwrap()));
                    }
                }
            }
            let mut found: Vec<String> = items(&inventory, tag)
                .into_iter()
                .filter(|item| item.subject != Subject::Prior)
                .map(|item| item.text)
                .collect();
            expected.sort();
            found.sort();
            assert!(found == expected, "{inputs} {tag}: {} and {}", found.len(), expected.len());
        }
    }
}

#[test]
fn a_neutral_noun_keeps_the_masculine_sentence_and_traits() {
    let Some(inventory) = open(StudyInputs::Mt5) else { return };
    for (tag, masculine, feminine) in [
        ("ru", "singular-masculine", "singular-feminine"),
        ("hi", "singular-masculine", "singular-feminine"),
        ("hi", "plural-masculine", "plural-feminine"),
    ] {
        let items = items(&inventory, tag);
        let priors = |form: &str| -> Vec<(String, Vec<(Slug, String)>)> {
            let is_it =
                |item: &&AssociationItem| item.form.as_str() == form && item.subject == Subject::Prior;
            items.iter().filter(is_it).map(|item| (item.text.clone(), item.traits.clone())).collect()
        };
        assert!(!priors(masculine).is_empty());
        assert_eq!(priors(masculine), priors(feminine));
    }
}

#[test]
fn a_form_that_stands_for_two_traits_is_said() {
    let Some(inventory) = open(StudyInputs::Mbert) else { return };
    let notes: Vec<String> = inventory.notes().iter().map(ToString::to_string).collect();
    assert_eq!(notes.len(), 2, "{notes:?}");
    assert!(
        notes[0].ends_with("stands for untrustworthy and for dishonest: the two have one score"),
        "{}",
        notes[0]
    );
    assert!(
        notes[1].ends_with("template 3 repeats template 1; both are kept, as in the study"),
        "{}",
        notes[1]
    );
    let hindi = items(&inventory, "hi");
    let of = |key: &str| &hindi[0].traits.iter().find(|(pole, _)| pole.as_str() == key).unwrap().1;
    assert_eq!(of("untrustworthy"), of("dishonest"));
    let distinct: BTreeSet<&String> = hindi[0].traits.iter().map(|(_, text)| text).collect();
    assert_eq!((hindi[0].traits.len(), distinct.len()), (32, 31));
}

/// A change to a copy in a temporary folder, and what is said of it.
#[test]
fn inputs_that_were_changed_are_refused_with_their_place() {
    let (Some(inputs), Some(maps)) = (leakage("association_inputs.json"), leakage("name_maps.json")) else {
        return;
    };
    let refused = |change: &dyn Fn(&mut Value, &mut Value)| {
        let read = |path| serde_json::from_str::<Value>(&fs::read_to_string(path).unwrap()).unwrap();
        let (mut inputs, mut maps) = (read(&inputs), read(&maps));
        change(&mut inputs, &mut maps);
        let folder = tempfile::tempdir().unwrap();
        fs::write(folder.path().join("association_inputs.json"), inputs.to_string()).unwrap();
        fs::write(folder.path().join("name_maps.json"), maps.to_string()).unwrap();
        Inventory::open(folder.path().to_str().unwrap()).unwrap_err().to_string()
    };
    assert_eq!(
        refused(&|inputs, _| inputs["mbert_en"]["traits"][3] = "hi-status".into()),
        "association_inputs.json, key `mbert_en.traits`: `hi-status` stands for nothing known: not in `trait_en2en` of \
         name_maps.json, nor in the table of shared forms"
    );
    assert_eq!(
        refused(&|inputs, _| inputs["mbert_en"]["traits"][3] = "powerful".into()),
        "association_inputs.json, key `mbert_en.traits`: `powerful` is there twice"
    );
    assert_eq!(
        refused(&|inputs, _| inputs["mbert_zh"]["tplts"]["comp"][0] = "<group><mask><mask>".into()),
        "association_inputs.json, key `mbert_zh.tplts.comp`: <mask> is there 2 times, not once"
    );
    assert_eq!(
        refused(&|inputs, _| drop(inputs["mbert_ru"].as_object_mut().unwrap().remove("strait"))),
        "association_inputs.json, key `mbert_ru.strait.masculine`: these are not the study's inputs as released: a list is missing"
    );
}
