//! The report over several runs: what each says, how they differ, and what holds over all of them.
//!
//! Everything is read from the comparison; nothing is computed here but means of ranks and the order of rows.

mod each;
pub mod figures;
mod headline;
pub(crate) mod page;
pub(crate) mod runs;
mod tables;

use std::path::Path;

use stereometer_record::Comparison;

use crate::figures::Figure;
use crate::write::{Files, Written};
use crate::{Options, ReportError, Table};

pub use headline::headline as comparison_headline;

/// Writes `index.html`, `figures/` and `tables/` into a folder; the page last, so that its links lead somewhere.
pub fn write_comparison(
    comparison: &Comparison,
    out: &Path,
    options: &Options,
) -> Result<Written, ReportError> {
    let drawn = figures::FIGURES.iter().map(|entry| (entry, (entry.draw)(comparison)));
    let (there, absent): (Vec<_>, Vec<_>) = drawn.partition(|(_, figure)| figure.is_some());
    let figures: Vec<Figure> = there.into_iter().filter_map(|(_, figure)| figure).collect();
    let absent: Vec<&figures::Entry> = absent.into_iter().map(|(entry, _)| entry).collect();
    let tables = tables::tables(comparison);
    let each = each::each(comparison);
    let page = page::page(comparison, &figures, &absent, &tables, &each);
    let tables: Vec<Table> = tables.into_iter().chain(each.into_iter().map(|one| one.table)).collect();
    let absent: Vec<&'static str> = absent.iter().map(|entry| entry.name).collect();
    Files { figures: &figures, tables: &tables, absent: &absent, page: &page }.write(out, *options)
}
