//! CSV: RFC 4180, UTF-8 without a byte order mark, numbers at full precision.
//!
//! Texts stand as they are. A spreadsheet may take one that begins with `=`, `+`, `-` or `@` for a formula; xlsx has no
//! such doubt.

use std::io;
use std::path::PathBuf;

use stereometer_record::WholeFile;

use super::{Format, Sink, unwritten};
use crate::table::raw;
use crate::{Cell, ReportError, Table};

/// The row in the table of formats.
pub const FORMAT: Format = Format {
    name: "csv",
    extension: "csv",
    note: "UTF-8, RFC 4180, full precision; an empty cell is missing. Texts stand as they are: a spreadsheet may take one \
           that begins with `=`, `+`, `-` or `@` for a formula",
    tables: &["items", "scores", "estimates"],
    open,
};

struct Csv {
    writer: ::csv::Writer<WholeFile>,
    path: PathBuf,
}

fn open(table: &Table, file: WholeFile) -> Result<Box<dyn Sink>, ReportError> {
    let path = file.path().to_owned();
    let writer = ::csv::WriterBuilder::new().terminator(::csv::Terminator::CRLF).from_writer(file);
    let mut sink = Csv { writer, path };
    sink.record(table.columns.iter().map(|column| column.key.clone()))?;
    Ok(Box::new(sink))
}

impl Csv {
    fn record(&mut self, cells: impl Iterator<Item = String>) -> Result<(), ReportError> {
        self.writer.write_record(cells).map_err(|error| match error.into_kind() {
            ::csv::ErrorKind::Io(source) => unwritten(&self.path)(source),
            other => ReportError::Format { path: self.path.clone(), detail: format!("{other:?}") },
        })
    }
}

impl Sink for Csv {
    fn add(&mut self, row: &[Cell]) -> Result<(), ReportError> {
        self.record(row.iter().map(raw))
    }

    fn finish(self: Box<Self>) -> Result<WholeFile, ReportError> {
        self.writer.into_inner().map_err(|error| {
            let (code, kind) = (error.error().raw_os_error(), error.error().kind());
            unwritten(&self.path)(code.map_or_else(|| kind.into(), io::Error::from_raw_os_error))
        })
    }
}
