//! Which records of a table take part, and what do the columns of a formula hold there?
//!
//! A cell is missing when it is empty, `NA` or `NaN`; a record with a missing cell in a column of the formula is left out
//! and counted, as in R. A column is numeric when all its cells are numbers and categorical when none is; anything in
//! between is an error that names the cell, and so are numbers with a decimal comma, which would be a level each. Grouping factors are categorical whatever they hold. Levels are sorted as
//! text.

use std::collections::BTreeSet;

use super::{Formula, MixedError};

/// Columns with names, of one length.
#[derive(Debug, Clone, PartialEq)]
pub struct Table {
    columns: Vec<(String, Vec<Option<String>>)>,
    records: usize,
}

impl Table {
    /// A table from its columns.
    pub fn new(columns: Vec<(String, Vec<Option<String>>)>) -> Result<Self, MixedError> {
        let records = columns.first().map_or(0, |(_, cells)| cells.len());
        for (place, (name, cells)) in columns.iter().enumerate() {
            if columns[..place].iter().any(|(other, _)| other == name) {
                return Err(MixedError::Table(format!("two columns are called `{name}`")));
            }
            if cells.len() != records {
                return Err(MixedError::Table(format!(
                    "`{name}` has {} records, not {records}",
                    cells.len()
                )));
            }
        }
        let is_missing = |cell: &String| matches!(cell.trim(), "" | "NA" | "NaN" | "nan");
        let keep = |cell: Option<String>| cell.filter(|cell| !is_missing(cell));
        let columns =
            columns.into_iter().map(|(name, cells)| (name, cells.into_iter().map(keep).collect())).collect();
        Ok(Self { columns, records })
    }

    fn column(&self, name: &str) -> Result<&[Option<String>], MixedError> {
        let found = self.columns.iter().find(|(column, _)| column == name);
        found.map(|(_, cells)| cells.as_slice()).ok_or_else(|| MixedError::UnknownColumn {
            name: name.to_owned(),
            known: self.columns.iter().map(|(column, _)| column.clone()).collect(),
        })
    }
}

/// The values of a column in the records that take part.
#[derive(Debug, Clone, PartialEq)]
pub enum Values {
    /// Numbers.
    Numeric(Vec<f64>),
    /// Levels.
    Factor(Factor),
}

/// A categorical column.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Factor {
    /// Sorted.
    pub levels: Vec<String>,
    /// Place of every record's level.
    pub codes: Vec<usize>,
}

/// A table seen through a formula.
#[derive(Debug)]
pub struct Schema<'a> {
    table: &'a Table,
    rows: Vec<usize>,
}

impl<'a> Schema<'a> {
    /// The records of `table` that have all that `formula` names.
    pub fn new(table: &'a Table, formula: &Formula) -> Result<Self, MixedError> {
        let random = formula.random.iter().flat_map(|term| term.slopes.iter().chain([&term.group]));
        let names: BTreeSet<&String> =
            [&formula.response].into_iter().chain(&formula.fixed).chain(random).collect();
        let columns = names.into_iter().map(|name| table.column(name)).collect::<Result<Vec<_>, _>>()?;
        let rows: Vec<usize> =
            (0..table.records).filter(|&row| columns.iter().all(|cells| cells[row].is_some())).collect();
        if rows.is_empty() {
            return Err(MixedError::NoRecords { records: table.records });
        }
        Ok(Self { table, rows })
    }

    /// How many records take part.
    pub fn n(&self) -> usize {
        self.rows.len()
    }

    /// How many records are left out.
    pub fn dropped(&self) -> usize {
        self.table.records - self.rows.len()
    }

    /// A column as numbers.
    pub fn numbers(&self, name: &str) -> Result<Vec<f64>, MixedError> {
        let wrong = |row: usize, text: &str| MixedError::NotANumber {
            column: name.to_owned(),
            record: row + 1,
            text: text.to_owned(),
        };
        self.cells(name)?
            .map(|(row, text)| number(text).filter(|value| value.is_finite()).ok_or_else(|| wrong(row, text)))
            .collect()
    }

    /// A column as what it holds.
    pub fn values(&self, name: &str) -> Result<Values, MixedError> {
        let is_number = |text: &str| number(text).is_some() || number(&text.replacen(',', ".", 1)).is_some();
        if self.cells(name)?.any(|(_, text)| is_number(text)) {
            return self.numbers(name).map(Values::Numeric);
        }
        self.factor(name).map(Values::Factor)
    }

    /// A column as levels.
    pub fn factor(&self, name: &str) -> Result<Factor, MixedError> {
        let cells: Vec<&str> = self.cells(name)?.map(|(_, text)| text).collect();
        let levels: Vec<&str> = cells.iter().copied().collect::<BTreeSet<_>>().into_iter().collect();
        if levels.len() < 2 {
            return Err(MixedError::TooFewLevels { column: name.to_owned(), levels: levels.len() });
        }
        let codes = cells.iter().map(|cell| levels.partition_point(|level| level < cell)).collect();
        Ok(Factor { levels: levels.into_iter().map(str::to_owned).collect(), codes })
    }

    fn cells(&self, name: &str) -> Result<impl Iterator<Item = (usize, &'a str)>, MixedError> {
        let cells = self.table.column(name)?;
        let cell = |&row: &usize| cells[row].as_deref().map(|text| (row, text.trim()));
        Ok(self.rows.iter().filter_map(cell).collect::<Vec<_>>().into_iter())
    }
}

fn number(text: &str) -> Option<f64> {
    text.parse().ok()
}
