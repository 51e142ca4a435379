//! The report of a leakage analysis: whose stereotypes show in which language of a language model.
//!
//! Everything is read from the results; nothing is computed here but descriptive correlations, distances between places, and
//! the order of rows.

pub mod figures;
mod headline;
mod page;
mod study;
mod tables;

use std::path::Path;

use stereometer_record::LeakageResults;

use crate::figures::Figure;
use crate::write::{Files, Written};
use crate::{Options, ReportError, Table};

pub use headline::leakage_headline;
pub use study::Study;
pub use tables::TABLES;

/// Writes `index.html`, `figures/` and `tables/` into a folder; the page last, so that its links lead somewhere.
pub fn write_leakage(results: &LeakageResults, out: &Path, options: Options) -> Result<Written, ReportError> {
    let study = Study::new(results);
    let drawn = figures::FIGURES.iter().map(|entry| (entry, (entry.draw)(&study)));
    let (there, absent): (Vec<_>, Vec<_>) = drawn.partition(|(_, figure)| figure.is_some());
    let figures: Vec<Figure> = there.into_iter().filter_map(|(_, figure)| figure).collect();
    let absent: Vec<&figures::Entry> = absent.into_iter().map(|(entry, _)| entry).collect();
    let tables: Vec<Table> = TABLES.iter().map(|make| make(&study)).collect();
    let page = page::page(&study, &figures, &absent, &tables);
    let absent: Vec<&'static str> = absent.iter().map(|entry| entry.name).collect();
    Files { figures: &figures, tables: &tables, absent: &absent, page: &page }.write(out, options)
}
