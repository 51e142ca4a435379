//! Every format of the export, read back by another reader than its writer.

#![allow(clippy::unwrap_used)] // a failed helper is a failed test

use std::fs::{self, File};
use std::io::Read as _;
use std::path::{Path, PathBuf};

use parquet::file::reader::{FileReader as _, SerializedFileReader};
use parquet::record::Field;
use stereometer_record::WholeFile;
use stereometer_report::export::{FORMATS, Format, TABLES};
use stereometer_report::{Cell, Column, Holds, ReportError, Table};

fn table() -> Table {
    Table {
        name: "tiny",
        caption: "A tiny table.".to_owned(),
        columns: vec![
            Column::new("text", "text", "a text"),
            Column::new("count", "count", "a count").holding(Holds::Counts),
            Column::new("number", "number", "a number").holding(Holds::Numbers),
        ],
        rows: vec![
            vec![
                Cell::text("=1+1, \"ž\" & 50%_"),
                Cell::Count(7),
                Cell::Number(0.1 + 0.2, "0.300".to_owned()),
            ],
            vec![Cell::Missing("why"), Cell::Missing("why"), Cell::Missing("why")],
            vec![Cell::text("@x\ny"), Cell::Count(0), Cell::Number(-1e-300, "−0.000".to_owned())],
        ],
    }
}

fn write(format: &Format, table: &Table, folder: &Path) -> Result<PathBuf, ReportError> {
    let path = folder.join(format!("{}.{}", table.name, format.extension));
    let mut sink = (format.open)(table, WholeFile::create(&path)?)?;
    for row in &table.rows {
        sink.add(row)?;
    }
    sink.finish()?.finish()?;
    Ok(path)
}

/// What a reader finds in a file: header and rows as text, numbers as their shortest spelling, missing as nothing.
fn read(format: &Format, path: &Path) -> Vec<Vec<Option<String>>> {
    let some = |text: &str| (!text.is_empty()).then(|| text.to_owned());
    match format.name {
        "csv" => {
            let mut reader = csv::ReaderBuilder::new().has_headers(false).from_path(path).unwrap();
            reader.records().map(|record| record.unwrap().iter().map(some).collect()).collect()
        }
        "jsonl" => {
            let text = fs::read_to_string(path).unwrap();
            let rows: Vec<serde_json::Map<_, _>> =
                text.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
            let head = rows[0].keys().map(|key| Some(key.clone())).collect();
            let cell = |value: &serde_json::Value| match value {
                serde_json::Value::Null => None,
                serde_json::Value::String(text) => Some(text.clone()),
                number => Some(number.as_f64().unwrap().to_string()),
            };
            std::iter::once(head).chain(rows.iter().map(|row| row.values().map(cell).collect())).collect()
        }
        "parquet" => {
            let reader = SerializedFileReader::new(File::open(path).unwrap()).unwrap();
            let columns = reader.metadata().file_metadata().schema().get_fields().iter();
            let head = columns.map(|field| Some(field.name().to_owned())).collect();
            let cell = |field: &Field| match field {
                Field::Null => None,
                Field::Str(text) => Some(text.clone()),
                Field::Long(count) => Some(count.to_string()),
                Field::Double(number) => Some(number.to_string()),
                other => panic!("{other:?}"),
            };
            let rows = reader.get_row_iter(None).unwrap();
            let rows = rows.map(|row| row.unwrap().get_column_iter().map(|(_, field)| cell(field)).collect());
            std::iter::once(head).chain(rows).collect()
        }
        "xlsx" => xlsx(path),
        "latex" => {
            let text = fs::read_to_string(path).unwrap();
            let body = text.split("\\endlastfoot\n").nth(1).unwrap();
            let rows = body.lines().filter_map(|line| line.strip_suffix(" \\\\"));
            let cells =
                |line: &str| line.split(" & ").map(|cell| (cell != "--").then(|| cell.to_owned())).collect();
            let head = text.lines().find_map(|line| line.strip_suffix(" \\\\")).unwrap();
            std::iter::once(head).chain(rows).map(cells).collect()
        }
        other => panic!("no reader for {other}"),
    }
}

/// The first sheet, from its XML.
fn xlsx(path: &Path) -> Vec<Vec<Option<String>>> {
    let sheet = xml(path, "xl/worksheets/sheet1.xml");
    assert!(!sheet.contains("<f>"), "a formula: {sheet}");
    let rows = sheet.split("<row ").skip(1).map(|row| {
        let mut cells = vec![None; 3];
        for cell in row.split("<c r=\"").skip(1) {
            let place = usize::from(cell.as_bytes()[0] - b'A');
            let between = |from: &str, to: &str| cell.split_once(from)?.1.split_once(to).map(|found| found.0);
            let text =
                cell.contains("inlineStr").then(|| between("<t", "</t>").unwrap().split_once('>').unwrap().1);
            let text = text.or_else(|| between("<v>", "</v>")).unwrap();
            let plain =
                text.replace("&quot;", "\"").replace("&lt;", "<").replace("&gt;", ">").replace("&amp;", "&");
            let number = plain.parse::<f64>().map(|number| number.to_string());
            cells[place] = Some(if cell.contains("inlineStr") { plain } else { number.unwrap() });
        }
        cells
    });
    // A row without a cell may be left out.
    let mut rows: Vec<_> = rows.collect();
    if rows.len() == 3 {
        rows.insert(2, vec![None; 3]);
    }
    rows
}

fn xml(path: &Path, part: &str) -> String {
    let mut book = zip::ZipArchive::new(File::open(path).unwrap()).unwrap();
    let mut text = String::new();
    book.by_name(part).unwrap().read_to_string(&mut text).unwrap();
    text
}

#[test]
fn every_format_keeps_every_cell() {
    let folder = tempfile::tempdir().unwrap();
    let sum = (0.1_f64 + 0.2).to_string();
    let small = (-1e-300_f64).to_string();
    for format in FORMATS {
        let found = read(format, &write(format, &table(), folder.path()).unwrap());
        let rows: Vec<Vec<Option<&str>>> =
            found.iter().map(|row| row.iter().map(|cell| cell.as_deref()).collect()).collect();
        let [first, last] = match format.name {
            "latex" => [
                [Some("=1+1, \\textquotedbl{}ž\\textquotedbl{} \\& 50\\%\\_"), Some("7"), Some("$0.300$")],
                [Some("@x y"), Some("0"), Some("$-0.000$")],
            ],
            _ => [
                [Some("=1+1, \"ž\" & 50%_"), Some("7"), Some(sum.as_str())],
                [Some("@x\ny"), Some("0"), Some(small.as_str())],
            ],
        };
        let head = [Some("text"), Some("count"), Some("number")];
        assert_eq!(rows, [head.to_vec(), first.to_vec(), vec![None; 3], last.to_vec()], "{}", format.name);
    }
}

#[test]
fn what_columns_mean_is_in_the_files_that_can_hold_it() {
    let folder = tempfile::tempdir().unwrap();
    let by_name = |name: &str| FORMATS.into_iter().find(|format| format.name == name).unwrap();
    let parquet = write(by_name("parquet"), &table(), folder.path()).unwrap();
    let reader = SerializedFileReader::new(File::open(parquet).unwrap()).unwrap();
    let said = reader.metadata().file_metadata().key_value_metadata().unwrap();
    let of = |key: &str| said.iter().find(|pair| pair.key == key).unwrap().value.clone().unwrap();
    assert_eq!([of("stereometer:table"), of("stereometer:number")], ["A tiny table.", "a number"]);
    let xlsx = write(by_name("xlsx"), &table(), folder.path()).unwrap();
    assert!(xml(&xlsx, "xl/worksheets/sheet2.xml").contains("a number"));
    let latex = fs::read_to_string(write(by_name("latex"), &table(), folder.path()).unwrap()).unwrap();
    assert!(latex.contains("%   number: a number\n"), "{latex}");
}

#[test]
fn what_does_not_fit_into_a_cell_of_xlsx_is_an_error() {
    let folder = tempfile::tempdir().unwrap();
    let mut table = table();
    table.rows[2][0] = Cell::text("x".repeat(32_768));
    let format = FORMATS.into_iter().find(|format| format.name == "xlsx").unwrap();
    let error = write(format, &table, folder.path()).unwrap_err();
    let message = error.to_string();
    assert!(
        message.ends_with(
            "tiny.xlsx: row 4, column `text`: a cell of xlsx holds 32,767 characters, and the text has 32,768"
        ),
        "{message}"
    );
    assert_eq!(error.hint(), Some("csv, jsonl and parquet have no such limit"));
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0, "nothing is left");
}

#[test]
fn every_column_is_explained_and_no_two_have_one_name() {
    for info in TABLES {
        let head = (info.head)();
        assert_eq!((head.name, head.rows.len()), (info.name, 0));
        let keys: std::collections::BTreeSet<&String> =
            head.columns.iter().map(|column| &column.key).collect();
        assert_eq!(keys.len(), head.columns.len(), "{}", info.name);
        assert!(head.columns.iter().all(|column| !column.meaning.is_empty()), "{}", info.name);
    }
}
