//! The file as a table: its form, its header, its bytes.

use crate::{HEADER, notes, read, refused, refused_rows};

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
