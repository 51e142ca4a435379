//! The items of the built-in inventory, and sentences for a reviewer to read.

#![allow(clippy::unwrap_used)] // a failed helper is a failed test

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::path::Path;
use std::{env, fs};

use stereometer_core::{AssociationItem, BLANK, Subject};
use stereometer_data::{ErrorKind, Inventory, TemplateFilter};

const TAGS: [&str; 4] = ["en", "ru", "zh", "hi"];

fn items(name: &str, tag: &str) -> Vec<AssociationItem> {
    let inventory = Inventory::open(name).unwrap();
    let (items, warnings) = inventory.items(&inventory.select(tag).unwrap());
    assert!(warnings.is_empty(), "{warnings:?}");
    items
}

fn filled(item: &AssociationItem, trait_: usize) -> String {
    item.text.replace(BLANK, &item.traits[trait_].1)
}

#[test]
fn every_template_meets_every_group_and_its_neutral_noun() {
    for (tag, count) in [("en", 775), ("ru", 792), ("zh", 682), ("hi", 768)] {
        let items = items("abc", tag);
        assert_eq!(items.len(), count, "{tag}");
        let ids: BTreeSet<&str> = items.iter().map(|item| item.id.as_str()).collect();
        assert_eq!(ids.len(), items.len());
        let mut subjects: BTreeMap<&str, BTreeSet<String>> = BTreeMap::new();
        let mut priors: BTreeMap<(&str, &str), usize> = BTreeMap::new();
        for item in &items {
            assert_eq!(item.text.matches(BLANK).count(), 1, "{}", item.id);
            assert!(!item.text.replace(BLANK, "").contains(['{', '}']), "{}", item.text);
            assert_eq!(item.traits.len(), 32);
            let form = (item.template.as_str(), item.form.as_str());
            match &item.subject {
                Subject::Group(group) => drop(subjects.entry(form.0).or_default().insert(group.to_string())),
                Subject::Prior => *priors.entry(form).or_default() += 1,
            }
        }
        assert!(subjects.values().all(|groups| groups.len() == 30), "{tag}");
        assert!(priors.values().all(|n| *n == 1), "{tag}");
        assert!(items.iter().all(|item| priors.contains_key(&(item.template.as_str(), item.form.as_str()))));
    }
}

#[test]
fn a_group_and_its_neutral_noun_are_asked_of_the_same_traits() {
    for (name, tag) in ["abc", "abc-paper"].iter().flat_map(|name| TAGS.map(|tag| (*name, tag))) {
        let items = items(name, tag);
        let mut traits = BTreeMap::new();
        for item in &items {
            let first = *traits.entry((&item.template, &item.form)).or_insert(&item.traits);
            assert_eq!(&item.traits, first, "{}", item.id);
        }
    }
}

#[test]
fn a_quick_run_takes_the_first_templates_of_a_kind() {
    let inventory = Inventory::open("abc").unwrap();
    let languages = inventory.select("all").unwrap();
    let all = inventory.items(&languages).0;
    let kinds: BTreeSet<&str> = all.iter().map(|item| item.kind.as_str()).collect();
    let expected =
        ["adverb", "belief", "comparison", "inverted-order", "mood", "number", "social-expectation"];
    assert_eq!(kinds.into_iter().collect::<Vec<_>>(), expected);
    let filter = TemplateFilter { kinds: vec!["belief".parse().unwrap()], per_kind: Some(1) };
    let (few, _) = inventory.items_of(&languages, &filter);
    let templates: Vec<String> = few
        .iter()
        .filter(|item| item.subject == Subject::Prior)
        .map(|item| format!("{}/{}/{}", item.language, item.template, item.form))
        .collect();
    assert_eq!(
        templates,
        [
            "en/belief-said/plural",
            "ru/belief-considered/plural",
            "zh/belief-hearsay/plain",
            "hi/belief-said/plural-masculine",
            "hi/belief-said/plural-feminine",
        ]
    );
    assert!(few.iter().all(|item| all.contains(item)));
}

#[test]
fn languages_are_chosen_by_tag_or_name() {
    let inventory = Inventory::open("abc").unwrap();
    let select = |choice: &str| -> Result<String, _> {
        inventory
            .select(choice)
            .map(|chosen| chosen.iter().map(ToString::to_string).collect::<Vec<_>>().join(","))
    };
    assert_eq!(select("ru, Hindi,中文,ru").unwrap(), "ru,zh,hi");
    assert_eq!(select("all").unwrap(), "en,ru,zh,hi");
    let error = select("en,de").unwrap_err();
    assert_eq!(error.to_string(), "the inventory has no language `de`; it has: en, ru, zh, hi");
    assert_eq!(error.kind(), ErrorKind::CommandLine);
    assert_eq!(select("").unwrap_err().kind(), ErrorKind::NothingSelected);
}

/// Every template about a few groups, with traits that differ in gender or length, as a page to read.
#[test]
fn the_sentences_are_those_that_were_read() {
    let mut page = String::new();
    let inventory = Inventory::open("abc").unwrap();
    let groups = ["prior", "woman", "gay-man", "civil-servant", "hui-person"];
    for tag in TAGS {
        writeln!(page, "# {tag}").unwrap();
        let items: Vec<AssociationItem> = items("abc", tag);
        let shown = items.iter().filter(|item| groups.contains(&item.subject.to_string().as_str()));
        for (index, item) in shown.enumerate() {
            let pole = (index * 5) % item.traits.len();
            writeln!(page, "{:<16} {}", item.traits[pole].0.as_str(), filled(item, pole)).unwrap();
        }
        let language = inventory.language(&tag.parse().unwrap()).unwrap();
        let [group, first, second] = ["single-mother", "cold", "warm"].map(|key| key.parse().unwrap());
        let prompt = language.choice_prompt(&group, &first, &second).unwrap();
        writeln!(page, "{:<16} {prompt}\n", "choice").unwrap();
    }
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/inventory_sentences.txt");
    if env::var_os("WRITE_SENTENCES").is_some() {
        fs::write(&path, &page).unwrap();
    }
    let expected = fs::read_to_string(&path).unwrap();
    assert!(page == expected, "read {} and run with WRITE_SENTENCES=1", path.display());
}
