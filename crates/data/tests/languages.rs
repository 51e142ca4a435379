//! Every language pack, one test a property.

mod common;

use std::fs;
use std::path::Path;

use common::{LANGUAGES, packs, script};
use stereometer_data::{Template, TemplateKind};
use unicode_normalization::is_nfc;

/// The languages whose first person never shows the speaker's gender (EuroGEST, table 1).
const GENDERLESS: [&str; 10] = ["da", "en", "et", "fi", "ga", "hu", "nl", "no", "sv", "tr"];
/// The languages in which “he said” and “she said” are the same words.
const WITHOUT_PRONOUN: [&str; 7] = ["el", "es", "et", "fi", "gl", "hu", "tr"];

#[test]
fn the_packs_are_the_files_of_the_directory() {
    let directory = Path::new(env!("CARGO_MANIFEST_DIR")).join("languages");
    let mut files: Vec<String> = fs::read_dir(directory)
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    files.sort();
    let packs: Vec<String> = packs().iter().map(|pack| format!("{}.toml", pack.tag())).collect();
    assert_eq!(packs, files);
    assert_eq!(packs, LANGUAGES.map(|tag| format!("{tag}.toml")));
}

#[test]
fn ten_languages_are_genderless_and_the_others_say_what_shows_gender() {
    for pack in packs().iter() {
        let genderless = GENDERLESS.contains(&pack.tag().as_str());
        assert_eq!(pack.genderless_first_person(), genderless, "{}", pack.tag());
        assert_eq!(pack.gender_marked_on().is_empty(), genderless, "{}", pack.tag());
    }
}

#[test]
fn seven_languages_have_no_pronoun_template_and_all_have_a_noun_template() {
    for pack in packs().iter() {
        let has = |kind| matches!(pack.template(kind), Template::Present { .. });
        assert_eq!(
            has(TemplateKind::Pronoun),
            !WITHOUT_PRONOUN.contains(&pack.tag().as_str()),
            "{}",
            pack.tag()
        );
        assert!(has(TemplateKind::Noun), "{}", pack.tag());
    }
}

#[test]
fn a_wrapped_sentence_is_one_clean_line_and_its_variants_differ() {
    for pack in packs().iter() {
        for kind in [TemplateKind::Pronoun, TemplateKind::Noun] {
            let Some((masculine, feminine)) = pack.wrap(" ¿I cook, and I sing…! ", kind) else { continue };
            assert_ne!(masculine, feminine, "{}", pack.tag());
            for text in [masculine, feminine] {
                let expected = format!("{}I cook, and I sing{} ", pack.quotes().open, pack.quotes().close);
                assert!(text.starts_with(&expected), "{text}");
                assert!(is_nfc(&text) && text == text.trim() && !text.contains("  "), "{text}");
                assert!(!text.contains([',', '.', '“', '”', '"']) || !text.contains(",,"), "{text}");
            }
        }
    }
}

#[test]
fn a_pack_has_the_marks_and_names_that_reports_need() {
    for pack in packs().iter() {
        let tag = pack.tag();
        assert!(!pack.quotes().open.trim().is_empty() && !pack.quotes().close.trim().is_empty(), "{tag}");
        assert!(["Latn", "Cyrl", "Grek"].contains(&pack.script()), "{tag}");
        assert!(pack.name().is_ascii() && !pack.name().is_empty() && !pack.endonym().is_empty(), "{tag}");
        assert!(!pack.checked_by().is_empty(), "{tag}");
        assert_eq!(pack.sha256().len(), 64, "{tag}");
        // Everything is in the language's script, so a Latin “a” in a Cyrillic template cannot hide.
        for kind in [TemplateKind::Pronoun, TemplateKind::Noun] {
            let Template::Present { masculine, feminine } = pack.template(kind) else { continue };
            for c in masculine.chars().chain(feminine.chars()).filter(|c| c.is_alphabetic()) {
                assert_eq!(script(c), pack.script(), "{tag}: {c}");
            }
        }
    }
}
