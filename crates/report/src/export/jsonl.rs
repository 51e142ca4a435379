//! JSON Lines: one object a row, its keys in the order of the columns; `null` is missing.

use std::io::Write as _;

use stereometer_record::WholeFile;

use super::{Format, Sink, unwritten};
use crate::{Cell, ReportError, Table};

/// The row in the table of formats.
pub const FORMAT: Format = Format {
    name: "jsonl",
    extension: "jsonl",
    note: "UTF-8, one JSON object a row, full precision; `null` is missing",
    tables: &["items", "scores", "estimates"],
    open,
};

struct Jsonl {
    file: WholeFile,
    /// `"key":`, one a column.
    keys: Vec<String>,
}

#[expect(clippy::unnecessary_wraps, reason = "as every format opens")]
fn open(table: &Table, file: WholeFile) -> Result<Box<dyn Sink>, ReportError> {
    let keys = table.columns.iter().map(|column| format!("{}:", quoted(&column.key))).collect();
    Ok(Box::new(Jsonl { file, keys }))
}

impl Sink for Jsonl {
    fn add(&mut self, row: &[Cell]) -> Result<(), ReportError> {
        let mut line = String::from("{");
        for (key, cell) in self.keys.iter().zip(row) {
            if line.len() > 1 {
                line.push(',');
            }
            line.push_str(key);
            line.push_str(&value(cell));
        }
        line.push_str("}\n");
        self.file.write_all(line.as_bytes()).map_err(unwritten(self.file.path()))
    }

    fn finish(self: Box<Self>) -> Result<WholeFile, ReportError> {
        Ok(self.file)
    }
}

fn value(cell: &Cell) -> String {
    match cell {
        Cell::Text(text) => quoted(text),
        Cell::Number(value, _) => serde_json::Value::from(*value).to_string(),
        Cell::Count(count) => count.to_string(),
        Cell::Missing(_) => "null".to_owned(),
    }
}

fn quoted(text: &str) -> String {
    serde_json::Value::from(text).to_string()
}
