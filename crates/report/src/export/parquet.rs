//! Parquet: typed columns, Snappy; a missing value is null.
//!
//! What each column means is in the file's key-value metadata: `stereometer:table` for the table, `stereometer:<column>`
//! for a column.

use std::path::PathBuf;
use std::sync::Arc;

use ::parquet::basic::{Compression, LogicalType, Repetition, Type as Physical};
use ::parquet::data_type::{ByteArray, ByteArrayType, DoubleType, Int64Type};
use ::parquet::errors::ParquetError;
use ::parquet::file::metadata::KeyValue;
use ::parquet::file::properties::WriterProperties;
use ::parquet::file::writer::{SerializedColumnWriter, SerializedFileWriter};
use ::parquet::schema::types::Type;
use stereometer_record::WholeFile;

use super::{Format, Sink, unwritten};
use crate::{Cell, Holds, ReportError, Table};

/// The row in the table of formats.
pub const FORMAT: Format = Format {
    name: "parquet",
    extension: "parquet",
    note: "typed columns (text, int64, double), Snappy, full precision; null is missing. What each column means is in the \
           file's key-value metadata, `stereometer:<column>`",
    tables: &["items", "scores", "estimates"],
    open,
};

/// Rows that are held in memory until their group is written.
const GROUP: usize = 1 << 14;

struct Parquet {
    writer: SerializedFileWriter<WholeFile>,
    path: PathBuf,
    columns: Vec<Column>,
    rows: usize,
}

/// A column of the group that is being gathered: values, and for every row whether it has one.
enum Values {
    Text(Vec<ByteArray>),
    Counts(Vec<i64>),
    Numbers(Vec<f64>),
}

struct Column {
    key: String,
    values: Values,
    present: Vec<i16>,
}

fn open(table: &Table, file: WholeFile) -> Result<Box<dyn Sink>, ReportError> {
    let path = file.path().to_owned();
    let writer = begin(table, file).map_err(|error| failed(&path, error))?;
    let columns = table.columns.iter().map(|column| Column {
        key: column.key.clone(),
        values: match column.holds {
            Holds::Text => Values::Text(Vec::new()),
            Holds::Counts => Values::Counts(Vec::new()),
            Holds::Numbers => Values::Numbers(Vec::new()),
        },
        present: Vec::new(),
    });
    Ok(Box::new(Parquet { writer, path, columns: columns.collect(), rows: 0 }))
}

fn begin(table: &Table, file: WholeFile) -> Result<SerializedFileWriter<WholeFile>, ParquetError> {
    let field = |column: &crate::Column| {
        let (physical, logical) = match column.holds {
            Holds::Text => (Physical::BYTE_ARRAY, Some(LogicalType::String)),
            Holds::Counts => (Physical::INT64, None),
            Holds::Numbers => (Physical::DOUBLE, None),
        };
        let field = Type::primitive_type_builder(&column.key, physical)
            .with_repetition(Repetition::OPTIONAL)
            .with_logical_type(logical);
        field.build().map(Arc::new)
    };
    let fields = table.columns.iter().map(field).collect::<Result<Vec<_>, _>>()?;
    let schema = Type::group_type_builder(table.name).with_fields(fields).build()?;
    let said = table
        .columns
        .iter()
        .map(|column| KeyValue::new(format!("stereometer:{}", column.key), column.meaning.clone()));
    let metadata =
        std::iter::once(KeyValue::new("stereometer:table".to_owned(), table.caption.clone())).chain(said);
    let properties = WriterProperties::builder()
        .set_compression(Compression::SNAPPY)
        .set_created_by(format!("stereometer version {}", env!("CARGO_PKG_VERSION")))
        .set_key_value_metadata(Some(metadata.collect()));
    SerializedFileWriter::new(file, Arc::new(schema), Arc::new(properties.build()))
}

fn failed(path: &std::path::Path, error: ParquetError) -> ReportError {
    match error {
        ParquetError::External(source) => match source.downcast::<std::io::Error>() {
            Ok(source) => unwritten(path)(*source),
            Err(source) => ReportError::Format { path: path.to_owned(), detail: source.to_string() },
        },
        other => ReportError::Format { path: path.to_owned(), detail: other.to_string() },
    }
}

impl Column {
    fn add(&mut self, cell: &Cell) -> Result<(), String> {
        match (&mut self.values, cell) {
            (_, Cell::Missing(_)) => {
                self.present.push(0);
                return Ok(());
            }
            (Values::Text(values), Cell::Text(text)) => {
                values.push(ByteArray::from(text.as_bytes().to_vec()));
            }
            (Values::Counts(values), Cell::Count(count)) => {
                values.push(i64::try_from(*count).unwrap_or(i64::MAX));
            }
            (Values::Numbers(values), Cell::Number(value, _)) => values.push(*value),
            (Values::Text(_) | Values::Counts(_) | Values::Numbers(_), other) => {
                return Err(format!("column `{}` does not hold {other:?}", self.key));
            }
        }
        self.present.push(1);
        Ok(())
    }

    fn write(&mut self, writer: &mut SerializedColumnWriter<'_>) -> Result<(), ParquetError> {
        let present = Some(&self.present[..]);
        match &mut self.values {
            Values::Text(values) => {
                writer.typed::<ByteArrayType>().write_batch(values, present, None)?;
                values.clear();
            }
            Values::Counts(values) => {
                writer.typed::<Int64Type>().write_batch(values, present, None)?;
                values.clear();
            }
            Values::Numbers(values) => {
                writer.typed::<DoubleType>().write_batch(values, present, None)?;
                values.clear();
            }
        }
        self.present.clear();
        Ok(())
    }
}

impl Parquet {
    fn write_group(&mut self) -> Result<(), ParquetError> {
        let mut group = self.writer.next_row_group()?;
        for column in &mut self.columns {
            if let Some(mut writer) = group.next_column()? {
                column.write(&mut writer)?;
                writer.close()?;
            }
        }
        group.close()?;
        self.rows = 0;
        Ok(())
    }
}

impl Sink for Parquet {
    fn add(&mut self, row: &[Cell]) -> Result<(), ReportError> {
        for (column, cell) in self.columns.iter_mut().zip(row) {
            column.add(cell).map_err(|detail| ReportError::Format { path: self.path.clone(), detail })?;
        }
        self.rows += 1;
        if self.rows == GROUP {
            self.write_group().map_err(|error| failed(&self.path, error))?;
        }
        Ok(())
    }

    fn finish(mut self: Box<Self>) -> Result<WholeFile, ReportError> {
        if self.rows > 0 {
            self.write_group().map_err(|error| failed(&self.path, error))?;
        }
        self.writer.into_inner().map_err(|error| failed(&self.path, error))
    }
}
