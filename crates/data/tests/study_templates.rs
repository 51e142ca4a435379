//! Our language packs beside the study's templates (`prompt_scaffolds.json` and `punc_map.json`, which its evaluation code reads).
//!
//! The packs are written from knowledge of the languages, not copied. Wherever the two differ, the difference stands here with its
//! reason; a difference that is not listed fails the test, and so does a listed one that is gone.

mod common;

use std::collections::BTreeMap;
use std::fs;

use common::{packs, study};
use stereometer_core::Gender;
use stereometer_data::{LanguagePack, Template, TemplateKind};

/// One place in which a pack says something else than the study.
struct Difference {
    language: &'static str,
    part: &'static str,
    ours: &'static str,
    theirs: &'static str,
    reason: &'static str,
}

const OWN_MARKS: &str =
    "the language's own quotation marks, as in its books and newspapers; the study has straight ones";
const APOSTROPHE: &str =
    "the typographic apostrophe, as in the quotation marks around it and in the study's own French";
const NO_PRONOUN: &str =
    "the study's two variants are one string (P10), so this construction cannot be scored";
const COMMA_OUTSIDE: &str =
    "the comma belongs to the frame and stands after the closing mark in this language";
const COMMA: &str = "a statement that its speaker follows needs a comma, which the study leaves out";

#[rustfmt::skip]
const DIFFERENCES: &[Difference] = &[
    differs("ca", "open", "«", "\"", OWN_MARKS),
    differs("ca", "close", "»,", "\",", OWN_MARKS),
    differs("ca", "pronoun masculine", "va dir ell", "va dir", "the feminine variant names its pronoun, so the masculine one does too (corrected by the study's authors)"),
    differs("ca", "noun masculine", "va dir l’home", "va dir l'home", APOSTROPHE),
    differs("cs", "open", "„", "\"", OWN_MARKS),
    differs("cs", "close", ",“", ",\"", OWN_MARKS),
    differs("da", "open", "»", "\"", OWN_MARKS),
    differs("da", "close", ",«", ",\"", OWN_MARKS),
    differs("el", "pronoun masculine", "", "είπε", NO_PRONOUN),
    differs("el", "pronoun feminine", "", "είπε", NO_PRONOUN),
    differs("en", "open", "“", "\"", OWN_MARKS),
    differs("en", "close", ",”", ",\"", OWN_MARKS),
    differs("es", "pronoun masculine", "", "dijo", NO_PRONOUN),
    differs("es", "pronoun feminine", "", "dijo", NO_PRONOUN),
    differs("et", "open", "„", "\"", OWN_MARKS),
    differs("et", "close", ",“", ",\"", OWN_MARKS),
    differs("et", "pronoun masculine", "", "ütles ta", NO_PRONOUN),
    differs("et", "pronoun feminine", "", "ütles ta", NO_PRONOUN),
    differs("fi", "open", "”", "\"", OWN_MARKS),
    differs("fi", "close", "”,", "\",", OWN_MARKS),
    differs("fi", "pronoun masculine", "", "hän sanoi", NO_PRONOUN),
    differs("fi", "pronoun feminine", "", "hän sanoi", NO_PRONOUN),
    differs("fr", "open", "«\u{a0}", "« ", "the space inside guillemets does not break"),
    differs("fr", "close", "\u{a0}»,", " »,", "the space inside guillemets does not break"),
    differs("fr", "pronoun masculine", "dit-il", "a-t-il déclaré ", "the verb of the noun template, “dit”; the study changes verb and tense between its two and ends in a space"),
    differs("fr", "pronoun feminine", "dit-elle", "a-t-elle déclaré ", "as in the masculine"),
    differs("ga", "open", "“", "'", OWN_MARKS),
    differs("ga", "close", ",”", ",'", OWN_MARKS),
    differs("gl", "open", "«", "\"", OWN_MARKS),
    differs("gl", "close", "»,", "\"", OWN_MARKS),
    differs("gl", "pronoun masculine", "", "dixo", "the subject pronoun is left out in Galician, as the paper says, which counts it among the seven languages without this template"),
    differs("gl", "pronoun feminine", "", "dixo ela", "as in the masculine: with a pronoun in one variant only, the pair would measure that pronoun"),
    differs("hr", "open", "„", "'", OWN_MARKS),
    differs("hr", "close", "”,", ",'", OWN_MARKS),
    differs("hr", "noun masculine", "rekao je muškarac", "rekao je čovjek", "“čovjek” is a human being as well; “muškarac” is the counterpart of “žena”"),
    differs("hu", "pronoun masculine", "", "mondta", NO_PRONOUN),
    differs("hu", "pronoun feminine", "", "mondta", NO_PRONOUN),
    differs("it", "open", "«", "\"", OWN_MARKS),
    differs("it", "close", "»,", "\",", OWN_MARKS),
    differs("it", "pronoun masculine", "disse lui", "disse", "“disse” alone shows no gender (corrected by the study's authors)"),
    differs("it", "pronoun feminine", "disse lei", "disse", "“disse” alone shows no gender (corrected by the study's authors)"),
    differs("it", "noun masculine", "disse l’uomo", "disse l'uomo", APOSTROPHE),
    differs("lt", "open", "„", "“", "Lithuanian opens low and closes high; the study opens with the closing mark"),
    differs("lt", "close", "“, –", "“,", "a dash follows the comma before the speaker is named"),
    differs("lv", "open", "„", "\"", OWN_MARKS),
    differs("lv", "close", ",”", ",\"", OWN_MARKS),
    differs("lv", "noun masculine", "teica vīrietis", "vīrietis teica", "after direct speech the verb comes before a noun"),
    differs("lv", "noun feminine", "teica sieviete", "sieviete teica", "after direct speech the verb comes before a noun"),
    differs("mt", "open", "“", "‘", "double marks for speech; single ones are for a quotation within it"),
    differs("mt", "close", ",”", ",’", "double marks for speech; single ones are for a quotation within it"),
    differs("nl", "open", "‘", "'", OWN_MARKS),
    differs("nl", "close", "’,", ",'", COMMA_OUTSIDE),
    differs("no", "close", "»,", ",»", COMMA_OUTSIDE),
    differs("pt", "open", "«", "\"", OWN_MARKS),
    differs("pt", "close", "»,", "\"", COMMA),
    differs("sl", "open", "»", "\"", OWN_MARKS),
    differs("sl", "close", ",«", ",\"", OWN_MARKS),
    differs("sv", "open", "”", "\"", OWN_MARKS),
    differs("sv", "close", "”,", ",\"", COMMA_OUTSIDE),
    differs("tr", "open", "“", "\"", OWN_MARKS),
    differs("tr", "close", ",”", "\"", COMMA),
    differs("tr", "pronoun masculine", "", "dedi", NO_PRONOUN),
    differs("tr", "pronoun feminine", "", "dedi", NO_PRONOUN),
];

const fn differs(
    language: &'static str,
    part: &'static str,
    ours: &'static str,
    theirs: &'static str,
    reason: &'static str,
) -> Difference {
    Difference { language, part, ours, theirs, reason }
}

/// What the study calls the four templates.
const KEYS: [(&str, TemplateKind, Gender); 4] = [
    ("he said", TemplateKind::Pronoun, Gender::Masculine),
    ("she said", TemplateKind::Pronoun, Gender::Feminine),
    ("the man said", TemplateKind::Noun, Gender::Masculine),
    ("the woman said", TemplateKind::Noun, Gender::Feminine),
];

fn ours(pack: &LanguagePack, kind: TemplateKind, gender: Gender) -> &str {
    match (pack.template(kind), gender) {
        (Template::Absent { .. }, _) => "",
        (Template::Present { masculine, .. }, Gender::Masculine) => masculine,
        (Template::Present { feminine, .. }, Gender::Feminine) => feminine,
    }
}

#[test]
fn every_difference_from_the_study_is_listed_with_a_reason() {
    let (Some(scaffolds), Some(marks)) = (study("prompt_scaffolds.json"), study("punc_map.json")) else {
        return;
    };
    let scaffolds: BTreeMap<String, BTreeMap<String, String>> =
        serde_json::from_str(&fs::read_to_string(scaffolds).unwrap()).unwrap();
    let marks: BTreeMap<String, [String; 2]> =
        serde_json::from_str(&fs::read_to_string(marks).unwrap()).unwrap();
    let mut found = Vec::new();
    for pack in packs().iter() {
        let mut compare = |part: &str, ours: &str, theirs: &str| {
            if ours != theirs {
                found.push(format!("{} {part}: ours `{ours}`, theirs `{theirs}`", pack.tag()));
            }
        };
        let [open, close] = &marks[pack.name()];
        compare("open", &pack.quotes().open, open);
        compare("close", &pack.quotes().close, close);
        // The study has no English column: there the keys are the templates.
        for (key, kind, gender) in KEYS {
            let theirs = scaffolds[key].get(pack.name()).map_or(key, String::as_str);
            let kind_name = kind.form().to_string();
            compare(&format!("{kind_name} {gender}"), ours(pack, kind, gender), theirs);
        }
    }
    let listed: Vec<String> = DIFFERENCES
        .iter()
        .map(|d| format!("{} {}: ours `{}`, theirs `{}`", d.language, d.part, d.ours, d.theirs))
        .collect();
    assert!(DIFFERENCES.iter().all(|difference| !difference.reason.is_empty()));
    assert_eq!(found, listed);
}
