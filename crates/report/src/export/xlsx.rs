//! Excel: the table on the first sheet, what its columns mean on the second.
//!
//! Texts are written as texts, so that one that begins with `=`, `+`, `-` or `@` is never a formula. A sheet holds
//! 1,048,576 rows and a cell 32,767 characters; what does not fit is an error, never cut.

use std::path::PathBuf;

use rust_xlsxwriter::{Format as Style, Workbook, XlsxError};
use stereometer_record::WholeFile;

use super::{Format, Sink, unwritten};
use crate::words::count;
use crate::{Cell, ReportError, Table};

/// The row in the table of formats.
pub const FORMAT: Format = Format {
    name: "xlsx",
    extension: "xlsx",
    note: "the table on the first sheet, its columns explained on the second; an empty cell is missing. Texts are never \
           formulas. A sheet holds 1,048,576 rows and a cell 32,767 characters: what does not fit is an error, never cut",
    tables: &["items", "scores", "estimates"],
    open,
};

const ROWS: u32 = 1_048_576;
const CHARACTERS: usize = 32_767;

struct Xlsx {
    book: Workbook,
    file: WholeFile,
    keys: Vec<String>,
    next: u32,
}

fn open(table: &Table, file: WholeFile) -> Result<Box<dyn Sink>, ReportError> {
    let path = file.path().to_owned();
    let book = begin(table).map_err(|error| failed(path, error))?;
    let keys = table.columns.iter().map(|column| column.key.clone()).collect();
    Ok(Box::new(Xlsx { book, file, keys, next: 1 }))
}

/// A workbook whose sheets go to temporary files; the guide is written first, and stands second.
fn begin(table: &Table) -> Result<Workbook, XlsxError> {
    let mut book = Workbook::new();
    let bold = Style::new().set_bold();
    let sheet = book.add_worksheet_with_constant_memory()?.set_name(table.name)?;
    sheet.set_freeze_panes(1, 0)?;
    for (place, column) in (0..).zip(&table.columns) {
        sheet.write_string_with_format(0, place, &column.key, &bold)?;
    }
    let guide = book.add_worksheet_with_constant_memory()?.set_name("columns")?;
    guide.set_column_width(0, 24)?;
    guide.set_column_width(1, 100)?;
    guide.write_string(0, 0, "table")?.write_string(0, 1, &table.caption)?;
    guide.write_string_with_format(1, 0, "column", &bold)?;
    guide.write_string_with_format(1, 1, "meaning", &bold)?;
    for (row, column) in (2..).zip(&table.columns) {
        guide.write_string(row, 0, &column.key)?.write_string(row, 1, &column.meaning)?;
    }
    Ok(book)
}

fn failed(path: PathBuf, error: XlsxError) -> ReportError {
    match error {
        XlsxError::IoError(source) => unwritten(&path)(source),
        other => ReportError::Format { path, detail: other.to_string() },
    }
}

impl Xlsx {
    fn too_small(&self, detail: String) -> ReportError {
        ReportError::TooSmall { path: self.file.path().to_owned(), detail }
    }

    fn check(&self, row: &[Cell]) -> Result<(), ReportError> {
        if self.next == ROWS {
            let detail =
                format!("a sheet of xlsx holds {} rows, and the table has more", count(ROWS as usize));
            return Err(self.too_small(detail));
        }
        for (key, cell) in self.keys.iter().zip(row) {
            if let Cell::Text(text) = cell {
                // Excel counts in UTF-16.
                let length = text.encode_utf16().count();
                if length > CHARACTERS {
                    return Err(self.too_small(format!(
                        "row {}, column `{key}`: a cell of xlsx holds {} characters, and the text has {}",
                        self.next + 1,
                        count(CHARACTERS),
                        count(length)
                    )));
                }
            }
        }
        Ok(())
    }

    fn put(&mut self, row: &[Cell]) -> Result<(), XlsxError> {
        let sheet = self.book.worksheet_from_index(0)?;
        for (place, cell) in (0..).zip(row) {
            match cell {
                Cell::Text(text) => sheet.write_string(self.next, place, text)?,
                Cell::Number(value, _) => sheet.write_number(self.next, place, *value)?,
                Cell::Count(count) => sheet.write_number(self.next, place, *count as f64)?,
                Cell::Missing(_) => continue,
            };
        }
        self.next += 1;
        Ok(())
    }
}

impl Sink for Xlsx {
    fn add(&mut self, row: &[Cell]) -> Result<(), ReportError> {
        self.check(row)?;
        self.put(row).map_err(|error| failed(self.file.path().to_owned(), error))
    }

    fn finish(mut self: Box<Self>) -> Result<WholeFile, ReportError> {
        let saved = self.book.save_to_writer(&mut self.file);
        saved.map_err(|error| failed(self.file.path().to_owned(), error))?;
        Ok(self.file)
    }
}
