//! The tables: one file each, one row here.

mod estimates;
mod items;
mod scores;

use crate::export::Run;
use crate::{Cell, Column, ReportError, Table};

/// Takes one row.
pub type Take<'a> = &'a mut dyn FnMut(&[Cell]) -> Result<(), ReportError>;

/// A table.
#[derive(Debug, Clone, Copy)]
pub struct TableInfo {
    /// Name on the command line and of its file.
    pub name: &'static str,
    /// Its columns, without rows.
    pub head: fn() -> Table,
    /// The rows of one run, each as long as the head.
    pub rows: for<'a> fn(&Run<'a>, Take<'_>) -> Result<(), ReportError>,
}

/// Every table.
pub const TABLES: [&TableInfo; 3] = [&items::TABLE, &scores::TABLE, &estimates::TABLE];

/// The two columns that begin every table.
fn run_columns() -> [Column; 2] {
    [
        Column::new("run", "run", "the run's folder; made unique where two have the same name"),
        Column::new("model", "model", "the language model, as the run names it"),
    ]
}

fn run_cells(run: &Run<'_>) -> [Cell; 2] {
    [Cell::text(run.name), Cell::text(&run.spec.identity.model.name)]
}
