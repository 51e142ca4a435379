//! Parquet as rows of strings, through the record interface of the `parquet` crate.

mod claims;
mod thrift;

use std::path::Path;

use parquet::errors::ParquetError;
use parquet::file::metadata::RowGroupMetaData;
use parquet::file::reader::{FileReader as _, SerializedFileReader};
use parquet::record::Field;
use stereometer_core::caught;

use crate::Fault;
use crate::read::InputFile;

/// Rows in one file. EuroGEST has 3,565 a language.
const MAX_ROWS: usize = 1_000_000;
/// Bytes of all its texts.
const MAX_TEXT: usize = 256 << 20;

/// The columns of a file as text.
pub(super) struct Strings {
    /// The names of all columns that the file has.
    pub found: Vec<String>,
    /// The rows, each with the wanted columns in the wanted order; empty where the file has no such column, or null.
    pub rows: Vec<Vec<String>>,
}

/// Reads columns by their names.
pub(super) fn strings(file: &InputFile, wanted: &[&str]) -> Result<Strings, Fault> {
    let fault = |detail: String| Fault::Parquet { detail };
    let path = file.path.as_deref().ok_or_else(|| fault("it is not on a disk".to_owned()))?;
    // The crate checks most of what it reads, but a damaged file can still trip an assertion inside it.
    match caught(|| read(path, &file.bytes, wanted)) {
        Ok(result) => result.map_err(|error| {
            let words = error.to_string();
            let words = words.strip_prefix("Parquet error: ").unwrap_or(&words);
            match words.strip_prefix("Disabled feature at compile time: ") {
                Some(codec) => Fault::ParquetCodec { codec: codec.to_owned() },
                None => fault(words.to_owned()),
            }
        }),
        Err(_) => Err(fault("it is damaged".to_owned())),
    }
}

fn read(path: &Path, bytes: &[u8], wanted: &[&str]) -> Result<Strings, ParquetError> {
    claims::check_schema(bytes).map_err(ParquetError::General)?;
    let reader = SerializedFileReader::try_from(path)?;
    let columns = reader.metadata().row_groups().iter().flat_map(RowGroupMetaData::columns);
    let pages = columns.map(|column| {
        let (start, length) = column.byte_range();
        let [start, end] = [start, start.saturating_add(length)];
        usize::try_from(start).unwrap_or(usize::MAX)..usize::try_from(end).unwrap_or(usize::MAX)
    });
    claims::check_pages(bytes, pages).map_err(ParquetError::General)?;
    let metadata = reader.metadata().file_metadata();
    if usize::try_from(metadata.num_rows()).is_ok_and(|rows| rows > MAX_ROWS) {
        return Err(ParquetError::General(format!("it claims {} rows", metadata.num_rows())));
    }
    let found = metadata.schema().get_fields().iter().map(|field| field.name().to_owned()).collect();
    let (mut rows, mut text) = (Vec::new(), 0);
    for row in reader.get_row_iter(None)? {
        let row = row?;
        let mut cells = vec![String::new(); wanted.len()];
        for (name, field) in row.get_column_iter() {
            if let Some(i) = wanted.iter().position(|column| column == name) {
                cells[i] = string(field)?;
                text += cells[i].len();
            }
        }
        rows.push(cells);
        if text > MAX_TEXT || rows.len() > MAX_ROWS {
            return Err(ParquetError::General("it is larger than any set of sentences".to_owned()));
        }
    }
    Ok(Strings { found, rows })
}

/// A value as a CSV file would have it. pandas stores whole numbers beside missing ones as floating point.
fn string(field: &Field) -> Result<String, ParquetError> {
    Ok(match field {
        Field::Null => String::new(),
        Field::Str(text) => text.clone(),
        Field::Bytes(bytes) => bytes.as_utf8()?.to_owned(),
        Field::Double(number) => number.to_string(),
        Field::Float(number) => number.to_string(),
        Field::Byte(_)
        | Field::Short(_)
        | Field::Int(_)
        | Field::Long(_)
        | Field::UByte(_)
        | Field::UShort(_)
        | Field::UInt(_)
        | Field::ULong(_) => field.to_string(),
        _ => return Err(ParquetError::General("a column is neither text nor number".to_owned())),
    })
}
