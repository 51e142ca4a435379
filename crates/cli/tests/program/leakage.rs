//! `leakage`, on runs whose associations are made of people's scores: what was planted is found, and what cannot be fitted
//! is said.

use std::collections::BTreeMap;
use std::fmt::Write;
use std::fs;
use std::path::Path;

use serde_json::Value;
use stereometer_core::{
    AssociationItem, AssociationMethod, Language, Outcome, Seed, Slug, Subject, Unscorable,
};
use stereometer_data::Inventory;
use stereometer_leakage::inventory_identity;
use stereometer_record::{
    AssociationDirectory, AssociationIdentity, AssociationRecord, AssociationSpec, FORMAT_VERSION,
    ModelIdentity, TraitAnswer,
};

use crate::run;

const LANGUAGES: [&str; 4] = ["en", "ru", "zh", "hi"];

/// Language, group, pole.
type Scores = BTreeMap<(String, String, String), f64>;

/// A number from −1 to 1 that hangs on the name alone.
fn chance(name: &str) -> f64 {
    Seed(1).stream(name) as f64 / u64::MAX as f64 * 2.0 - 1.0
}

fn people(inventory: &Inventory) -> Scores {
    let mut scores = Scores::new();
    for language in LANGUAGES {
        for group in inventory.groups() {
            for pair in inventory.pairs() {
                let lean = 40.0 * chance(&format!("{language} {} {}", group.id, pair.left.id));
                for (pole, lean) in [(&pair.left, -lean), (&pair.right, lean)] {
                    let cell = (language.to_owned(), group.id.to_string(), pole.id.to_string());
                    scores.insert(cell, lean.max(0.0));
                }
            }
        }
    }
    scores
}

fn write_people(path: &Path, scores: &Scores, languages: &[&str]) {
    let mut text = "language,group,pole,annotators,score,std_error,low,high\n".to_owned();
    for wanted in languages {
        for ((_, group, pole), score) in scores.iter().filter(|((language, ..), _)| language == wanted) {
            writeln!(text, "{wanted},{group},{pole},7,{score},,,").unwrap();
        }
    }
    fs::write(path, text).unwrap();
}

fn spec(languages: &[Language], n_items: usize, inventory: &Inventory) -> AssociationSpec {
    let model = ModelIdentity {
        name: "by hand".to_owned(),
        architecture: "none".to_owned(),
        parameters: 0,
        weights_sha256: String::new(),
        tokenizer_sha256: String::new(),
        prefix_ids: Vec::new(),
        chat: None,
        stored_dtype: "f32".to_owned(),
        compute_dtype: "f32".to_owned(),
        context_length: 512,
        backend: "none".to_owned(),
        origin: "by hand".to_owned(),
        licence: None,
    };
    AssociationSpec {
        format_version: FORMAT_VERSION,
        tool_version: "0".to_owned(),
        started: "2026-01-01T00:00:00Z".to_owned(),
        command: Vec::new(),
        association: AssociationIdentity {
            model,
            inventory: inventory_identity(inventory),
            languages: languages.to_vec(),
            method: AssociationMethod::Set,
            subset: None,
            items_sha256: String::new(),
        },
        threads: 1,
        batch_tokens: 1,
        n_items,
        warnings: Vec::new(),
    }
}

/// A run with own effects, and Chinese people's scores in Russian.
fn planted(folder: &Path, people: &Scores, inventory: &Inventory) {
    let languages: Vec<Language> = ["ru", "zh"].map(|tag| tag.parse().unwrap()).to_vec();
    let run = AssociationDirectory::create(folder, spec(&languages, 62, inventory)).unwrap();
    let (mut writer, _) = run.items_writer().unwrap();
    let slug = |text: &str| text.parse::<Slug>().unwrap();
    for language in &languages {
        let groups = inventory.groups().iter().map(|group| Subject::Group(group.id.clone()));
        for subject in groups.chain([Subject::Prior]) {
            let (template, form) = (slug("number-1"), slug("singular"));
            let item = AssociationItem {
                id: AssociationItem::id_of(language, &template, &form, &subject),
                language: language.clone(),
                template,
                kind: slug("number"),
                form,
                subject: subject.clone(),
                text: "The one is {trait}.".to_owned(),
                traits: inventory.poles().map(|pole| (pole.id.clone(), pole.name.clone())).collect(),
            };
            let score = |pole: &Slug| {
                let Subject::Group(group) = &subject else { return 0.0 };
                let said = |tag: &str| people[&(tag.to_owned(), group.to_string(), pole.to_string())];
                let own = 0.3 * said(language.as_str());
                let leak = if language.as_str() == "ru" { 0.36 * said("zh") } else { 0.0 };
                let noise = 6.0 * chance(&format!("{language} {group}"))
                    + 5.0 * chance(&format!("{language} {pole}"))
                    + 12.0 * chance(&format!("noise {language} {group} {pole}"));
                (own + leak + noise) / 100.0
            };
            let answer = |pole: &Slug| TraitAnswer::Steps {
                token_ids: vec![1],
                norms: vec![-(score(pole) - 3.0).exp_m1()],
            };
            // One trait of one group lies too far off.
            let is_lost = |pole: &Slug| subject.to_string() == "woman" && pole.as_str() == "powerless";
            let outcomes = inventory.poles().map(|pole| {
                if is_lost(&pole.id) {
                    Outcome::Unscored(Unscorable::SensitivityUndefined)
                } else {
                    Outcome::Scored(answer(&pole.id))
                }
            });
            let record = AssociationRecord::new(&run.identity_hash(), &item, outcomes.collect());
            writer.append(&[record]).unwrap();
        }
    }
}

#[test]
fn planted_leakage_is_found_from_runs_to_page() {
    let folder = tempfile::tempdir().unwrap();
    let inventory = Inventory::open("abc").unwrap();
    let people = people(&inventory);
    planted(&folder.path().join("run"), &people, &inventory);
    write_people(&folder.path().join("people.csv"), &people, &LANGUAGES);
    let common = ["leakage", "--runs", "run", "--humans", "people.csv"];
    let done = run(folder.path(), &[&common[..], &["--scale", "raw", "--out", "out"]].concat());
    assert_eq!(done.code, 0, "{}\n{}", done.stdout, done.stderr);
    assert_eq!(done.stderr, "", "{}", done.stdout);
    let lines: Vec<&str> = done.stdout.lines().collect();
    assert_eq!(lines[0], "by hand by set");
    let words = |start: &str| -> Vec<&str> {
        let line = lines.iter().find(|line| line.starts_with(start));
        line.unwrap_or_else(|| panic!("{}", done.stdout)).split_whitespace().collect()
    };
    assert_eq!(words("model in"), ["model", "in", "en", "ru", "zh", "hi", "cells"]);
    let russian = words("ru ").join(" ");
    assert!(russian.ends_with(" 959"), "{russian}");
    assert_eq!(russian.matches('▲').count(), 2, "{russian}");
    assert!(russian.contains("[+0.3"), "{russian}");
    assert!(done.stdout.contains("missing cells left out, random intercepts by trait and group, raw scale"));

    let text = fs::read(folder.path().join("out/leakage.json")).unwrap();
    let results: Value = serde_json::from_slice(&text).unwrap();
    assert_eq!(results["fits"].as_array().unwrap().len(), 16);
    let mut fits = results["fits"].as_array().unwrap().iter();
    let fit = fits.find(|fit| fit["choice"] == results["settings"]["choice"]).unwrap();
    let leak = &fit["coefficients"][2];
    assert_eq!(leak["predictor"], serde_json::json!({"people": "zh"}));
    let of = |value: &Value| value.as_f64().unwrap();
    assert!(of(&leak["interval"]["low"]) < 0.36 && 0.36 < of(&leak["interval"]["high"]), "{leak}");
    assert_eq!(results["runs"][0]["unscored"][0][1], 2);
    assert!(folder.path().join("out/report/index.html").is_file());
    let refused = run(folder.path(), &[&common[..], &["--out", "run"]].concat());
    assert_eq!((refused.code, refused.stderr.contains("something else lies in this folder")), (2, true));
}

#[test]
fn what_cannot_be_fitted_is_said() {
    let folder = tempfile::tempdir().unwrap();
    let inventory = Inventory::open("abc").unwrap();
    let people = people(&inventory);
    planted(&folder.path().join("run"), &people, &inventory);
    write_people(&folder.path().join("few.csv"), &people, &["en", "hi"]);
    let done = run(folder.path(), &["leakage", "--runs", "run", "--humans", "few.csv"]);
    assert_eq!((done.code, done.stdout.as_str()), (4, ""), "{}", done.stderr);
    let said = "warning: by hand, ru: not fitted: nobody was asked in ru: what its people think is unknown";
    assert!(done.stderr.contains(said), "{}", done.stderr);
    assert!(done.stderr.contains("error: no regression could be made"), "{}", done.stderr);

    write_people(&folder.path().join("people.csv"), &people, &LANGUAGES);
    let cases = [
        (&["--runs", "nowhere", "--humans", "people.csv"][..], 3, "nowhere"),
        (&["--runs", "run", "--humans", "nobody.csv"], 3, "nobody.csv"),
        (&["--runs", "run", "--humans", "people.csv", "--alpha", "1.5"], 2, "a number between 0 and 1"),
        (&["--runs", "run", "--humans", "people.csv", "--random", "group"], 2, "trait+group"),
    ];
    for (arguments, code, said) in cases {
        let done = run(folder.path(), &[&["leakage"], arguments].concat());
        assert_eq!(done.code, code, "{arguments:?}: {}", done.stderr);
        assert!(done.stderr.contains(said), "{arguments:?}: {}", done.stderr);
        assert_eq!(done.stdout, "");
    }
}
