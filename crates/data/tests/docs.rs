//! The examples of `docs/formats.md` are what the program reads.

mod common;

use std::fs;
use std::path::Path;

use common::packs;
use stereometer_core::{StereotypeId, TemplateChoice};
use stereometer_data::{Inventory, LanguagePack, open, read_bytes};

fn page() -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/formats.md");
    fs::read_to_string(path).expect("docs/formats.md")
}

/// The examples that have a file name: name and content.
fn examples(page: &str) -> Vec<(&str, &str)> {
    let blocks = page.split("\n```").skip(1).step_by(2);
    blocks
        .filter_map(|block| {
            let (info, content) = block.split_once('\n')?;
            let (_, name) = info.split_once(' ')?;
            Some((name, content))
        })
        .collect()
}

#[test]
fn every_example_is_read() {
    let page = page();
    let mut seen = Vec::new();
    for (name, content) in examples(&page) {
        seen.push(name);
        match name {
            "set.toml" => {
                let directory = tempfile::tempdir().unwrap();
                fs::write(directory.path().join(name), content).unwrap();
                let rows = examples(&page).into_iter().find(|(name, _)| *name == "items.de.csv").unwrap().1;
                fs::write(directory.path().join("items.de.csv"), rows).unwrap();
                let set = open(directory.path().to_str().unwrap(), None, packs()).unwrap();
                assert_eq!((set.name(), set.version()), ("mine", Some("1")));
            }
            "inventory.toml" => {
                let folder = tempfile::tempdir().unwrap();
                fs::write(folder.path().join(name), content).unwrap();
                let german = examples(&page).into_iter().find(|(name, _)| *name == "de.toml").unwrap().1;
                fs::write(folder.path().join("de.toml"), german).unwrap();
                let inventory = Inventory::open(folder.path().to_str().unwrap()).unwrap();
                let (items, warnings) = inventory.items(&inventory.select("all").unwrap());
                assert_eq!((items.len(), warnings.len(), inventory.notes().len()), (9, 0, 0));
                assert_eq!(items[8].text, "Von Ingenieuren wird erwartet, dass sie {trait} sind.");
            }
            "de.toml" => {} // beside inventory.toml
            "is.toml" => {
                let pack = LanguagePack::parse(name, content).unwrap();
                assert_eq!(pack.name(), "Icelandic");
            }
            _ => {
                let set =
                    read_bytes(name, content.as_bytes(), packs()).unwrap_or_else(|e| panic!("{name}: {e}"));
                let (items, warnings) = set.items(packs(), TemplateChoice::Auto, &set.languages());
                assert!(!items.is_empty() && warnings.is_empty() && set.notes().is_empty(), "{name}");
            }
        }
    }
    assert_eq!(
        seen,
        [
            "items.de.csv",
            "set.toml",
            "my.jsonl",
            "gest_translations_gender_insensitive.csv",
            "gest_translations_gender_sensitive.csv",
            "Bulgarian.csv",
            "is.toml",
            "inventory.toml",
            "de.toml",
        ]
    );
}

#[test]
fn the_stereotypes_are_listed_by_their_names() {
    let page = page();
    for id in StereotypeId::all() {
        assert!(page.contains(&format!("**{id}** {}", id.info().name)), "{id}");
    }
}
