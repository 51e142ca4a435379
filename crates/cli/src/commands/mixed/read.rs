//! A table from a CSV, or what is wrong with the file.

use std::path::Path;

use stereometer_stats::mixed::Table;

use super::failure;
use crate::failure::{Exit, Failure};

/// What spreadsheets put between cells when it is not a comma.
const OTHER_DELIMITERS: [(char, &str); 3] = [(';', "semicolons"), ('\t', "tabs"), ('|', "vertical bars")];

/// Reads it.
pub fn table(path: &Path) -> Result<Table, Failure> {
    let bytes = std::fs::read(path).map_err(Failure::io(path, "cannot read"))?;
    let wrong = |what: &str| Failure::new(Exit::Input, format!("{}: {what}", path.display()));
    let text = match std::str::from_utf8(&bytes) {
        Ok(text) if !text.contains('\0') => text.trim_start_matches('\u{feff}'),
        _ => {
            return Err(
                wrong("the file is not UTF-8 text").hint("`--data` is a CSV: save the table as “CSV UTF-8”")
            );
        }
    };
    if text.trim().is_empty() {
        return Err(wrong("the file is empty")
            .hint("the first line names the columns, every further line is a record"));
    }
    let header = text.lines().next().unwrap_or_default();
    let found = OTHER_DELIMITERS.iter().find(|(sign, _)| header.contains(*sign));
    if let Some((_, found)) = found.filter(|_| !header.contains(',')) {
        let what = format!("line 1: the cells are separated by {found}, not by commas");
        return Err(
            wrong(&what).hint("save the table with commas between the cells, and points in the numbers")
        );
    }
    let unread = |error: csv::Error| {
        wrong(&in_words(&error))
            .hint("a cell that holds a comma or a line break goes in double quotation marks")
    };
    let mut reader = csv::Reader::from_reader(text.as_bytes());
    let names = reader.headers().map_err(unread)?.iter().map(|name| name.trim().to_owned());
    let mut columns: Vec<(String, Vec<Option<String>>)> = names.map(|name| (name, Vec::new())).collect();
    for record in reader.records() {
        let record = record.map_err(unread)?;
        for ((_, cells), cell) in columns.iter_mut().zip(&record) {
            cells.push(Some(cell.to_owned()));
        }
    }
    if columns.iter().all(|(_, cells)| cells.is_empty()) {
        return Err(wrong("a header without records").hint("every line below the first is a record"));
    }
    Table::new(columns).map_err(|error| failure(path, &error))
}

/// What the reader of the text says, with the record.
fn in_words(error: &csv::Error) -> String {
    match error.kind() {
        csv::ErrorKind::UnequalLengths { pos: Some(place), expected_len, len } => format!(
            "record {}, line {}: {len} cells where the header has {expected_len}",
            place.record(),
            place.line()
        ),
        _ => error.to_string(),
    }
}
