//! The built-in demonstration set.

mod common;

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use common::{LANGUAGES, packs};
use stereometer_core::{Form, StereotypeId, TemplateChoice};
use stereometer_data::{Info, StereotypeSet, Text, check, open};
use unicode_normalization::is_nfc;

fn mini() -> StereotypeSet {
    open("mini", None, packs()).expect("the built-in set is in order")
}

#[test]
fn nothing_is_wrong_or_doubtful() {
    let report = check("mini", None, packs()).unwrap();
    assert_eq!(report.problems, []);
    assert_eq!(report.notes, []);
}

#[test]
fn every_language_has_four_sentences_of_every_stereotype() {
    let set = mini();
    let tags: Vec<String> = set.languages().iter().map(ToString::to_string).collect();
    assert_eq!(tags, LANGUAGES);
    for info in Info::of(&set).languages {
        for id in StereotypeId::all() {
            assert_eq!(
                info.neutral[id.index()] + info.gendered[id.index()],
                4,
                "{}, stereotype {id}",
                info.language
            );
        }
    }
}

#[test]
fn every_language_has_the_same_sources_in_the_same_order() {
    let mut by_language: BTreeMap<String, Vec<(String, StereotypeId)>> = BTreeMap::new();
    for sentence in mini().sentences() {
        let sources = by_language.entry(sentence.language.to_string()).or_default();
        sources.push((sentence.source.clone(), sentence.stereotype));
    }
    let english = by_language["en"].clone();
    assert_eq!(english.len(), 64);
    for (language, sources) in by_language {
        assert_eq!(sources, english, "{language}");
    }
    for (source, stereotype) in english {
        assert!(source.starts_with(&format!("{:02}-", stereotype.get())), "{source}");
    }
}

#[test]
fn pairs_differ_and_genderless_languages_have_none() {
    let packs = packs();
    for sentence in mini().sentences() {
        let at = &sentence.origin;
        match &sentence.text {
            Text::Neutral(text) => assert!(is_nfc(text) && text == text.trim(), "{at}"),
            Text::Gendered { masculine, feminine } => {
                assert!(!packs.get(&sentence.language).unwrap().genderless_first_person(), "{at}");
                assert_ne!(masculine, feminine, "{at}");
                assert!(
                    [masculine, feminine].into_iter().all(|text| is_nfc(text) && text == text.trim()),
                    "{at}"
                );
            }
        }
    }
}

#[test]
fn every_sentence_becomes_items_with_different_variants() {
    let set = mini();
    let packs = packs();
    for choice in [TemplateChoice::Auto, TemplateChoice::Noun, TemplateChoice::Both] {
        let (items, warnings) = set.items(packs, choice, &set.languages());
        assert_eq!(warnings, []);
        assert!(items.iter().all(|item| item.masculine != item.feminine));
        if choice != TemplateChoice::Both {
            assert_eq!(items.len(), 64 * 30);
        }
    }
    let (items, warnings) = set.items(packs, TemplateChoice::Pronoun, &set.languages());
    assert_eq!(warnings.len(), 7);
    assert!(items.iter().all(|item| item.form != Form::Noun));
}

#[test]
fn every_letter_is_of_the_language_s_script() {
    // A Latin “a” in a Cyrillic word looks right and is tokenised as something else.
    let packs = packs();
    for sentence in mini().sentences() {
        let script = packs.get(&sentence.language).unwrap().script();
        let texts = match &sentence.text {
            Text::Neutral(text) => vec![text],
            Text::Gendered { masculine, feminine } => vec![masculine, feminine],
        };
        for c in texts.into_iter().flat_map(|text| text.chars()).filter(|c| c.is_alphabetic()) {
            assert_eq!(common::script(c), script, "{}: {c}", sentence.origin);
        }
    }
}

#[test]
fn its_source_file_states_its_hash() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("sets/mini/SOURCE.md");
    let source = fs::read_to_string(path).unwrap();
    let hash = mini().content_sha256();
    assert!(source.contains(&hash), "SOURCE.md has to state the hash of the sentences: {hash}");
}
