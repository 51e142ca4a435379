//! Every kind of bad input gives one clear error with its file, record and column, and a hint where it helps.

mod common;

use std::fs;
use std::path::Path;

use common::packs;
use stereometer_data::{DataError, ErrorKind, StereotypeSet, check, open, read_bytes};

const HEADER: &str = "id,stereotype,neutral,masculine,feminine\n";

fn read(name: &str, bytes: impl AsRef<[u8]>) -> Result<StereotypeSet, DataError> {
    read_bytes(name, bytes.as_ref(), packs())
}

/// The message and the hint of a refused file.
fn refused(name: &str, bytes: impl AsRef<[u8]>) -> String {
    let error = read(name, bytes).expect_err("the file should be refused");
    assert_eq!(error.kind(), ErrorKind::Input);
    error.hint().map_or_else(|| error.to_string(), |hint| format!("{error}\nhint: {hint}"))
}

/// The same for rows below the usual header, in German.
fn refused_rows(rows: &str) -> String {
    refused("items.de.csv", format!("{HEADER}{rows}"))
}

/// The notes of an accepted file.
fn notes(name: &str, bytes: impl AsRef<[u8]>) -> Vec<String> {
    read(name, bytes).expect("the file should be accepted").notes().iter().map(ToString::to_string).collect()
}

#[test]
fn an_empty_file() {
    assert_eq!(refused("items.de.csv", ""), "items.de.csv: the file is empty");
    assert_eq!(refused("items.de.csv", "\n \n"), "items.de.csv: the file is empty");
    assert_eq!(refused("items.de.csv", HEADER), "items.de.csv: the file has a header and no rows");
    assert_eq!(refused("items.de.jsonl", "\n\n"), "items.de.jsonl: the file is empty");
}

#[test]
fn no_format_that_is_known() {
    let hint = "\nhint: docs/formats.md shows every format with an example";
    assert_eq!(
        refused("my.csv", "a,b\n1,2\n"),
        format!("my.csv: this is no known format of a stereotype set: the columns a, b{hint}")
    );
    assert_eq!(
        refused("my.xlsx", b"PK\x03\x04rest"),
        format!(
            "my.xlsx: this is no known format of a stereotype set: a ZIP archive or a spreadsheet; \
             export it as “CSV UTF-8”{hint}"
        )
    );
}

#[test]
fn a_semicolon_or_a_tab_between_the_cells() {
    for (delimiter, words) in [(";", "semicolons"), ("\t", "tabs"), ("|", "vertical bars")] {
        assert_eq!(
            refused("items.de.csv", format!("{HEADER}a,1,Ich koche.,,\n").replace(',', delimiter)),
            format!(
                "items.de.csv, line 1: the cells are separated by {words}, not by commas\nhint: save the file with commas \
                 between the cells; a cell that holds a comma goes in double quotation marks"
            )
        );
    }
}

#[test]
fn a_byte_order_mark_is_accepted_and_noted() {
    let file = format!("\u{feff}{HEADER}a,1,Ich koche.,,\n");
    assert_eq!(
        notes("items.de.csv", file),
        ["items.de.csv: begins with a byte-order mark, which was skipped"]
    );
    let line = "\u{feff}{\"id\":\"a\",\"stereotype\":1,\"neutral\":\"Ich koche.\"}";
    assert_eq!(
        notes("items.de.jsonl", line),
        ["items.de.jsonl: begins with a byte-order mark, which was skipped"]
    );
}

#[test]
fn a_broken_quotation() {
    let hint = "\nhint: inside a quoted cell, a quotation mark is written twice: \"I say \"\"no\"\"\"";
    assert_eq!(
        refused_rows("a,1,Ich koche.,,\nb,1,\"Ich singe.,,\nc,1,Ich tanze.,,\n"),
        format!(
            "items.de.csv, record 2 (line 3), column `neutral`: the quotation mark that opens this cell is never closed{hint}"
        )
    );
    assert_eq!(
        refused_rows("a,1,\"Ich sage \"nein\".\",,\n"),
        format!(
            "items.de.csv, record 1 (line 2), column `neutral`: text follows the closing quotation mark of this cell{hint}"
        )
    );
}

#[test]
fn too_many_or_too_few_cells() {
    let hint = "\nhint: a cell that holds a comma or a line break goes in double quotation marks";
    assert_eq!(
        refused_rows("a,1,Ich koche, und ich singe.,,\n"),
        format!("items.de.csv, record 1 (line 2): 6 cells where the header has 5{hint}")
    );
    assert_eq!(
        refused_rows("a,1,Ich koche.\n"),
        format!("items.de.csv, record 1 (line 2): 3 cells where the header has 5{hint}")
    );
    assert_eq!(
        refused("items.de.csv", format!("{HEADER}{}", ",".repeat(5_000))),
        "items.de.csv, record 1 (line 2): more than 1024 cells in one record"
    );
}

#[test]
fn a_column_that_is_missing_or_there_twice() {
    let hint = "\nhint: docs/formats.md shows every format with an example";
    assert_eq!(
        refused("items.de.csv", "id,neutral\na,Ich koche.\n"),
        format!("items.de.csv: the column `stereotype` is missing; found: id, neutral{hint}")
    );
    assert_eq!(
        refused("items.de.csv", "id,stereotype,masculine\na,1,Ich koche.\n"),
        format!("items.de.csv: the column `feminine` is missing; found: id, stereotype, masculine{hint}")
    );
    assert_eq!(
        refused("items.de.csv", "id,stereotype\na,1\n"),
        format!("items.de.csv: the column `neutral` is missing; found: id, stereotype{hint}")
    );
    assert_eq!(
        refused("items.de.csv", "id,stereotype,neutral,neutral\na,1,x,y\n"),
        "items.de.csv: the header names the column `neutral` twice"
    );
    assert_eq!(
        refused("my.csv", format!("{HEADER}a,1,Ich koche.,,\n")),
        "my.csv: neither a column `language` nor the file's name says which language this is\nhint: add a column \
         `language`, or name the file `items.<language>.csv`"
    );
}

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
fn bytes_that_are_not_utf_8() {
    let hint = "\nhint: save the file as “CSV UTF-8”";
    let latin_1 = [HEADER.as_bytes(), b"a,1,,Ich bin Koch.,Ich bin K\xf6chin.\n"].concat();
    assert_eq!(
        refused("items.de.csv", latin_1),
        format!(
            "items.de.csv, record 1 (line 2), column `feminine`: the text is not UTF-8 (byte 0xf6){hint}"
        )
    );
    assert_eq!(
        refused("items.de.csv", b"\xff\xfei\0d\0"),
        format!("items.de.csv: the file is UTF-16, not UTF-8{hint}")
    );
    assert_eq!(
        refused("items.de.jsonl", b"{\"id\":\"a\"}\n{\"id\":\"\xf6\"}\n"),
        "items.de.jsonl, record 1 (line 1), key `stereotype`: the cell is empty\nhint: `stereometer set check` lists this \
         problem and 1 more"
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

#[test]
fn texts_are_brought_to_nfc_and_trimmed_and_both_are_counted() {
    let file = format!("{HEADER}a,1,Ich ho\u{308}re zu.,,\nb,1,  Ich koche.\u{a0},,\n");
    let set = read("items.de.csv", &file).unwrap();
    let composed = read("items.de.csv", format!("{HEADER}a,1,Ich höre zu.,,\nb,1,Ich koche.,,\n")).unwrap();
    assert_eq!(set.content_sha256(), composed.content_sha256());
    assert_eq!(
        notes("items.de.csv", file),
        [
            "items.de.csv: 1 cell had outer white space, which was taken off (first: record 2 (line 3), \
             column `neutral`)",
            "items.de.csv: 1 cell brought to Unicode normal form C (first: record 1 (line 2), column `neutral`)",
        ]
    );
}

#[test]
fn doubtful_texts_are_kept_and_noted() {
    let at = |record: u32| format!("(first: record {record} (line {}), column `neutral`)", record + 1);
    assert_eq!(
        notes(
            "items.de.csv",
            format!(
                "{HEADER}a,1,Ich sage &quot;nein&quot;.,,\nb,1,NA,,\nc,1,Ich h\u{fffd}re zu.,,\nd,1,Ich\u{ad}koche.,,\n"
            )
        ),
        [
            format!(
                "items.de.csv: 1 cell with an HTML entity such as `&quot;`, kept as text; decode it in the file {}",
                at(1)
            ),
            format!(
                "items.de.csv: 1 cell with a word such as `NA`, kept as text; leave a cell empty if it is empty {}",
                at(2)
            ),
            format!(
                "items.de.csv: 1 cell with the character U+FFFD, which stands for a lost letter {}",
                at(3)
            ),
            format!("items.de.csv: 1 cell with invisible characters, kept as they are {}", at(4)),
        ]
    );
}

#[test]
fn a_text_in_another_script_is_noted() {
    let file = format!("{HEADER}a,1,I cook.,,\nb,1,Гледам Netflix.,,\n");
    assert_eq!(
        notes("items.bg.csv", file),
        [
            "items.bg.csv: 1 cell without a letter of the language's script: is this the right language? (first: record 1 (line 2), column `neutral`)"
        ]
    );
}

#[test]
fn decomposed_letters_of_every_kind_are_composed() {
    for (decomposed, composed) in
        [("a\u{306}\u{301}", "ắ"), ("\u{1112}\u{1161}\u{11ab}", "한"), ("\u{aa}\u{300}", "ª\u{300}")]
    {
        let set = read("items.de.csv", format!("{HEADER}a,1,Wort {decomposed},,\n")).unwrap();
        assert_eq!(set.sentences()[0].text, stereometer_data::Text::Neutral(format!("Wort {composed}")));
    }
}

#[test]
fn a_line_break_inside_a_cell_is_kept_and_moves_no_record() {
    let set =
        read("items.de.csv", format!("{HEADER}a,1,\"Ich koche.\nUnd du?\",,\nb,1,Ich singe.,,\n")).unwrap();
    let records: Vec<(&str, u64)> = set.sentences().iter().map(|s| (&*s.source, s.origin.record)).collect();
    assert_eq!(records, [("a", 1), ("b", 2)]);
    let broken = format!("{HEADER}a,1,\"Ich koche.\nUnd du?\",,\nb,17,Ich singe.,,\n");
    assert!(
        refused("items.de.csv", broken).starts_with("items.de.csv, record 2 (line 4), column `stereotype`: ")
    );
}

#[test]
fn a_column_that_is_not_read_is_noted() {
    let file = "id,stereotype,neutral,source,comment\na,1,Ich koche.,I cook.,good\n";
    assert_eq!(notes("items.de.csv", file), ["items.de.csv: the column `comment` is not read"]);
}

#[test]
fn a_set_or_a_path_that_does_not_exist() {
    let packs = packs();
    let error = open("minni", None, packs).unwrap_err();
    assert_eq!(
        error.to_string(),
        "unknown set `minni`: neither a known name (mini, eurogest) nor an existing file or directory"
    );
    assert_eq!(error.kind(), ErrorKind::CommandLine);
    assert_eq!(error.hint().unwrap(), "`stereometer set list` shows the known sets");
    let error = open("eurogest", None, packs).unwrap_err();
    assert_eq!(error.to_string(), "the set `eurogest` is not on this machine yet");
    assert_eq!(error.kind(), ErrorKind::NotPulled);
    assert_eq!(error.hint().unwrap(), "`stereometer set pull eurogest` fetches it");
}

/// A directory with these files.
fn directory(files: &[(&str, &str)]) -> tempfile::TempDir {
    let directory = tempfile::tempdir().expect("a directory for the test");
    for (name, content) in files {
        fs::write(directory.path().join(name), content).expect("a file for the test");
    }
    directory
}

/// The message of a refused directory, without the directory's own path.
fn refused_directory(files: &[(&str, &str)]) -> String {
    let directory = directory(files);
    let error = open(path(directory.path()), None, packs()).expect_err("the directory should be refused");
    assert_eq!(error.kind(), ErrorKind::Input);
    error.to_string().replace(path(directory.path()), "DIR")
}

fn path(path: &Path) -> &str {
    path.to_str().expect("a path in UTF-8")
}

#[test]
fn a_directory_that_is_no_set() {
    let rows = format!("{HEADER}a,1,Ich koche.,,\n");
    assert_eq!(refused_directory(&[]), "DIR: the directory holds no file of a stereotype set");
    assert_eq!(
        refused_directory(&[("README.md", "words")]),
        "DIR: the directory holds no file of a stereotype set"
    );
    assert_eq!(
        refused_directory(&[("Bulgarian.csv", "GEST_ID,Stereotype_ID,Neutral\n"), ("my.csv", &rows)]),
        "DIR: the directory mixes formats: Bulgarian.csv and my.csv"
    );
    assert_eq!(
        refused_directory(&[
            ("items.de.csv", &rows),
            ("set.toml", "name = \"mine\"\nstereotypes = \"mine\"\n")
        ]),
        "DIR/set.toml, line 2: unknown variant `mine`, expected `gest`"
    );
    assert_eq!(
        refused_directory(&[("items.de.csv", &rows), ("items.fr.csv", &rows.replace("a,1", "a,1,"))]),
        "DIR/items.fr.csv, record 1 (line 2): 6 cells where the header has 5"
    );
}

#[test]
fn a_directory_of_the_plain_format_is_a_set() {
    let rows = format!("{HEADER}a,1,Ich koche.,,\n");
    let toml =
        "name = \"mine\"\nversion = \"2\"\nlicence = \"CC0-1.0\"\norigin = \"us\"\nstereotypes = \"gest\"\n";
    let json = "{\"id\":\"a\",\"stereotype\":1,\"neutral\":\"Je cuisine.\"}\n";
    let directory = directory(&[
        ("items.de.csv", &rows),
        ("items.fr.jsonl", json),
        ("set.toml", toml),
        ("other.csv", "a,b\n"),
    ]);
    let set = open(path(directory.path()), None, packs()).unwrap();
    assert_eq!((set.name(), set.version()), ("mine", Some("2")));
    assert_eq!(set.provenance().licence.as_deref(), Some("CC0-1.0"));
    let files: Vec<(&str, usize)> =
        set.provenance().files.iter().map(|file| (&*file.name, file.sentences)).collect();
    assert_eq!(files, [("items.de.csv", 1), ("items.fr.jsonl", 1)]);
    let origins: Vec<String> = set.sentences().iter().map(|sentence| sentence.origin.to_string()).collect();
    assert_eq!(origins, ["items.de.csv, record 1", "items.fr.jsonl, record 1"]);
}

#[test]
fn a_single_file_is_a_set_of_its_name() {
    let directory = directory(&[("items.de.csv", &format!("{HEADER}a,1,Ich koche.,,\n"))]);
    let set = open(path(&directory.path().join("items.de.csv")), None, packs()).unwrap();
    assert_eq!((set.name(), set.provenance().licence.as_deref()), ("items.de", None));
    assert_eq!(set.sentences()[0].origin.to_string(), "items.de.csv, record 1");
}

#[test]
fn a_check_lists_every_problem_and_every_doubt() {
    let rows = "a,17,Ich koche.,,\nb,1,,Ich bin Koch.,\nc,2,,Ich singe.,Ich singe.\nd,3,Ich tanze.,,\ne,3,Ich tanze.,,\n";
    let directory = directory(&[("items.de.csv", &format!("{HEADER}{rows}"))]);
    let report = check(path(directory.path()), None, packs()).unwrap();
    assert_eq!(report.problems.len(), 2);
    assert_eq!(report.info.summary(), "2 neutral sentences in 1 language and 1 gendered pair in 1 language");
    let notes: Vec<String> = report.notes.iter().map(ToString::to_string).collect();
    assert_eq!(
        notes,
        [
            "de: pairs whose two sentences are the same, which get no score: 1 (first: items.de.csv, record 3)",
            "de: sentences that another row has as well: 1 (first: items.de.csv, record 5)",
            "de: no sentence for stereotypes 1, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16",
        ]
    );
    let error = open(path(directory.path()), None, packs()).unwrap_err();
    assert_eq!(error.hint().unwrap(), "`stereometer set check` lists this problem and 1 more");
}

proptest::proptest! {
    #![proptest_config(proptest::prelude::ProptestConfig::with_cases(300))]

    /// Whatever a file holds, it is read or refused.
    #[test]
    fn no_file_makes_the_reader_panic(bytes in proptest::collection::vec(proptest::prelude::any::<u8>(), 0..300)) {
        let _ = read("items.de.csv", &bytes);
        let _ = read("items.de.csv", [HEADER.as_bytes(), &bytes].concat());
        let _ = read("items.de.jsonl", [b"{", &*bytes].concat());
        let _ = read("w.csv", [b",GEST_sentence,German,German,stereotype_number\n", &*bytes].concat());
    }

    #[test]
    fn no_table_makes_the_reader_panic(text in "[a1,\"\n\r;&é\u{301} ]{0,80}") {
        let _ = read("items.de.csv", format!("{HEADER}{text}"));
        let _ = read("German.csv", format!("GEST_ID,Source,Stereotype_ID,Neutral,Masculine,Feminine\n{text}"));
        let _ = read("w.csv", format!("Language,GEST_sentence,German,German,stereotype_number\n,,the man said,the woman said,\n{text}"));
    }
}
