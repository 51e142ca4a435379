//! Rows: cells that are empty, wrong, or at odds with others.

use crate::common::packs;
use crate::{HEADER, notes, read, refused, refused_rows};

#[test]
fn an_empty_cell() {
    assert_eq!(
        refused_rows(",1,Ich koche.,,\n"),
        "items.de.csv, record 1 (line 2), column `id`: the cell is empty"
    );
    assert_eq!(
        refused_rows("a, ,Ich koche.,,\n"),
        "items.de.csv, record 1 (line 2), column `stereotype`: the cell is empty"
    );
    assert_eq!(
        refused_rows("a,1,,,\n"),
        "items.de.csv, record 1 (line 2): the row has no sentence: `neutral`, `masculine` and `feminine` are all empty"
    );
    assert_eq!(
        refused("my.csv", "id,stereotype,neutral,language\na,1,Ich koche.,\n"),
        "my.csv, record 1 (line 2), column `language`: the cell is empty"
    );
    // A record of nothing but commas is a spreadsheet's, not a mistake.
    assert_eq!(
        notes("items.de.csv", format!("{HEADER}a,1,Ich koche.,,\n,,,,\n\n,,\n")),
        ["items.de.csv: 2 rows without stereotype and text skipped (first: record 2 (line 3))"]
    );
}

#[test]
fn a_stereotype_that_does_not_exist() {
    assert_eq!(
        refused_rows("a,17,Ich koche.,,\n"),
        "items.de.csv, record 1 (line 2), column `stereotype`: stereotype 17 does not exist: the GEST stereotypes are \
         numbered 1 to 16"
    );
    for (text, message) in [
        ("0", "stereotype 0 does not exist: the GEST stereotypes are numbered 1 to 16"),
        ("99999999999", "stereotype 99999999999 does not exist: the GEST stereotypes are numbered 1 to 16"),
        ("x", "`x` is not the number of a stereotype"),
        ("-1", "`-1` is not the number of a stereotype"),
        ("1.5", "`1.5` is not the number of a stereotype"),
    ] {
        let expected = format!("items.de.csv, record 1 (line 2), column `stereotype`: {message}");
        assert_eq!(refused_rows(&format!("a,{text},Ich koche.,,\n")), expected);
    }
    assert!(read("items.de.csv", format!("{HEADER}a,9.0,Ich koche.,,\n")).is_ok());
}

#[test]
fn half_a_pair_or_a_pair_too_many() {
    let hint = "\nhint: a sentence that is the same for every speaker goes in `neutral`; else fill `masculine` and `feminine`";
    assert_eq!(
        refused_rows("a,1,,Ich bin Koch.,\n"),
        format!(
            "items.de.csv, record 1 (line 2), column `feminine`: the feminine sentence is missing beside its masculine one{hint}"
        )
    );
    assert_eq!(
        refused_rows("a,1,,,Ich bin Köchin.\n"),
        format!(
            "items.de.csv, record 1 (line 2), column `masculine`: the masculine sentence is missing beside its feminine one{hint}"
        )
    );
    assert_eq!(
        refused_rows("a,1,Ich koche.,Ich bin Koch.,Ich bin Köchin.\n"),
        "items.de.csv, record 1 (line 2): the row has both a neutral sentence and a gendered pair\nhint: fill either \
         `neutral` or the pair, or split the row in two"
    );
}

#[test]
fn a_language_that_is_not_known() {
    let packs = packs();
    let hint = "\nhint: a pack for a further language is one TOML file: see docs/formats.md";
    assert_eq!(
        refused("items.qq.csv", format!("{HEADER}a,1,Ich koche.,,\n")),
        format!("items.qq.csv: unknown language `qq`; known: {}{hint}", packs.tags())
    );
    assert_eq!(
        refused("my.csv", "id,stereotype,neutral,language\na,1,Ich koche.,Klingon\n"),
        format!(
            "my.csv, record 1 (line 2), column `language`: unknown language `Klingon`; known: {}{hint}",
            packs.tags()
        )
    );
    assert_eq!(
        refused("items.de.csv", "id,stereotype,neutral,language\na,1,Ich koche.,fr\n"),
        "items.de.csv, record 1 (line 2), column `language`: the row says `fr`, but the file's name says `de`"
    );
    // The Norwegian tag is a word for “false” in YAML; here it is a language, under each of its names.
    for tag in ["no", "nb", "Norwegian", "NO"] {
        assert!(
            read("my.csv", format!("id,stereotype,neutral,language\na,1,Jeg lager mat.,{tag}\n")).is_ok()
        );
    }
}

#[test]
fn two_rows_for_one_sentence() {
    assert_eq!(
        refused_rows("a,1,Ich koche.,,\nb,1,Ich singe.,,\na,1,Ich tanze.,,\n"),
        "items.de.csv, record 3 (line 4): `a` is there twice for `de`; first in items.de.csv, record 1 (line 2)\nhint: an \
         `id` stands for one source sentence; within a language it is used once"
    );
    let two = "id,stereotype,neutral,language\na,1,Ich koche.,de\na,2,Je cuisine.,fr\n";
    assert_eq!(
        refused("my.csv", two),
        "my.csv, record 2 (line 3), column `stereotype`: `a` has stereotype 2 here and stereotype 1 in my.csv, record 1 \
         (line 2)\nhint: a translation keeps the `id` and the `stereotype` of its source sentence"
    );
}

#[test]
fn an_identifier_that_breaks_lines() {
    assert_eq!(
        refused_rows("\"a\nb\",1,Ich koche.,,\n"),
        "items.de.csv, record 1 (line 2), column `id`: the identifier has a line break or another control character"
    );
    assert_eq!(
        refused_rows(&format!("{},1,Ich koche.,,\n", "a".repeat(201))),
        "items.de.csv, record 1 (line 2), column `id`: the identifier has more than 200 bytes"
    );
}

#[test]
fn a_sentence_that_is_none() {
    assert_eq!(
        refused_rows("a,1,123 …,,\n"),
        "items.de.csv, record 1 (line 2), column `neutral`: the sentence `123 …` has no letter"
    );
    assert_eq!(
        refused_rows(&format!("a,1,{},,\n", "a".repeat(1_000_001))),
        "items.de.csv, record 1 (line 2), column `neutral`: the sentence has 1000001 bytes; more than 1000000 are not accepted"
    );
}

#[test]
fn json_that_is_none() {
    let hint = "\nhint: write one object a line, without brackets or commas between the lines";
    assert_eq!(
        refused("items.de.jsonl", "{\"id\": \"a\","),
        format!(
            "items.de.jsonl, record 1 (line 1): not a JSON object: EOF while parsing a value at character 11{hint}"
        )
    );
    assert_eq!(
        refused("items.de.jsonl", "{\"id\":\"a\",\"stereotype\":1,\"neutral\":7}"),
        "items.de.jsonl, record 1 (line 1), key `neutral`: a number where a text is expected"
    );
    assert_eq!(
        refused("my.jsonl", "\n{\"id\":\"a\",\"stereotype\":1,\"neutral\":\"Ich koche.\"}"),
        "my.jsonl, record 1 (line 2), key `language`: the cell is empty"
    );
    let long = format!("{{\"id\":[{}]}}", "0,".repeat(600_000));
    assert!(
        refused("items.de.jsonl", long)
            .starts_with("items.de.jsonl, record 1 (line 1): not a JSON object: the line has 1200009 bytes")
    );
    let deep = format!("{{\"id\":{}", "[".repeat(100_000));
    assert!(refused("items.de.jsonl", deep).contains("recursion limit exceeded"));
}
