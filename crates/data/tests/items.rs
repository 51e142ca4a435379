//! From sentences to items.

mod common;

use common::packs;
use stereometer_core::{Form, Item, Seed, TemplateChoice};
use stereometer_data::{StereotypeSet, read_bytes};

const ROWS: &str = "id,stereotype,neutral,masculine,feminine,language\n\
                    b,1,Itken.,,,fi\n\
                    a,9,Johdan.,,,fi\n\
                    a,9,,Jestem pewien.,Jestem pewna.,pl\n\
                    b,1,Płaczę.,,,pl\n\
                    c,2,,Jestem miły.,Jestem miły.,pl\n\
                    b,1,Jeg gråter.,,,nn\n";

fn set() -> StereotypeSet {
    read_bytes("rows.csv", ROWS.as_bytes(), packs()).expect("the rows are in order")
}

fn ids(items: &[Item]) -> Vec<&str> {
    items.iter().map(|item| &*item.id).collect()
}

#[test]
fn items_are_ordered_by_language_then_by_source_then_pronoun_before_noun() {
    let set = set();
    let (items, _) = set.items(packs(), TemplateChoice::Both, &set.languages());
    assert_eq!(
        ids(&items),
        [
            "fi/b/noun",
            "fi/a/noun",
            "nn/b/pronoun",
            "nn/b/noun",
            "pl/b/pronoun",
            "pl/b/noun",
            "pl/a/gendered",
            "pl/c/gendered"
        ]
    );
    let (items, _) = set.items(packs(), TemplateChoice::Auto, &set.languages());
    assert_eq!(
        ids(&items),
        ["fi/b/noun", "fi/a/noun", "nn/b/pronoun", "pl/b/pronoun", "pl/a/gendered", "pl/c/gendered"]
    );
    assert_eq!(items[0].masculine, "”Itken”, mies sanoi");
    assert_eq!(items[3].feminine, "„Płaczę” – powiedziała");
    let gendered = &items[4];
    assert_eq!((&*gendered.masculine, &*gendered.feminine), ("Jestem pewien.", "Jestem pewna."));
    assert_eq!((&*gendered.source, gendered.stereotype.get(), gendered.form), ("a", 9, Form::Gendered));
}

#[test]
fn a_pair_of_equal_texts_stays_an_item() {
    let set = set();
    let (items, _) = set.items(packs(), TemplateChoice::Auto, &set.languages());
    let equal = items.iter().find(|item| item.id == "pl/c/gendered").unwrap();
    assert_eq!(equal.masculine, equal.feminine);
}

#[test]
fn what_has_no_item_and_what_borrows_its_templates_is_said() {
    let set = set();
    let (items, warnings) = set.items(packs(), TemplateChoice::Pronoun, &set.languages());
    assert_eq!(ids(&items), ["nn/b/pronoun", "pl/b/pronoun", "pl/a/gendered", "pl/c/gendered"]);
    let warnings: Vec<String> = warnings.iter().map(ToString::to_string).collect();
    assert_eq!(
        warnings,
        [
            "fi: no pronoun template, so its 2 neutral sentences are left out",
            "nn: its neutral sentences are wrapped in the templates of `no`",
        ]
    );
    let polish = packs().select("pl", &set.languages()).unwrap();
    let (items, warnings) = set.items(packs(), TemplateChoice::Pronoun, &polish);
    assert_eq!((items.len(), warnings.len()), (3, 0));
}

#[test]
fn nfc_and_nfd_input_make_the_same_items() {
    let nfd: String = unicode_normalization::UnicodeNormalization::nfd(ROWS).collect();
    let (composed, decomposed) = (set(), read_bytes("rows.csv", nfd.as_bytes(), packs()).unwrap());
    assert_ne!(nfd, ROWS);
    let items = |set: &StereotypeSet| set.items(packs(), TemplateChoice::Both, &set.languages()).0;
    assert_eq!(items(&composed), items(&decomposed));
    assert_eq!(composed.content_sha256(), decomposed.content_sha256());
    assert_ne!(composed.provenance().files[0].sha256, decomposed.provenance().files[0].sha256);
    assert!(composed.notes().is_empty() && !decomposed.notes().is_empty());
}

#[test]
fn a_subset_takes_the_same_sources_in_every_language() {
    let set = set();
    let (subset, warning) = set.subset(&set.languages(), 0, Seed(1));
    assert!(subset.sentences().is_empty() && warning.is_some());
    let mini = stereometer_data::open("mini", None, packs()).unwrap();
    let (subset, _) = mini.subset(&mini.languages(), 1, Seed::default());
    assert_eq!(subset.sentences().len(), 16 * 30);
    let sources = |language: &str| -> Vec<&str> {
        let here = subset.sentences().iter().filter(|sentence| sentence.language.as_str() == language);
        here.map(|sentence| &*sentence.source).collect()
    };
    for language in common::LANGUAGES {
        assert_eq!(sources(language), sources("en"), "{language}");
    }
}
