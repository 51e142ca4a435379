//! Recorded results → tables, figures, one self-contained page.
//!
//! A pure function of the run: no network, no clock, no language model. The page is one HTML file that can be mailed,
//! reads without scripts and in print, and names no outside address. Every figure comes with its alternative text,
//! its numbers in a table, and these as CSV. Where scripts run, `assets/page.js` filters, sorts, opens the sentences
//! behind a cell and saves figures and tables; `tests/browser.rs` drives it in Chromium.
//!
//! Figures are drawn by [`svg`], not by a plotting crate. `kuva` 0.6 was tried on these very figures: its heat map has
//! no missing cell and prints black two-decimal numbers on dark colours, its logarithmic axis always spans whole
//! decades (0.1 to 10 for ratios near 1), its marks cannot change shape with the conclusion, and its colours are
//! baked in, so that a page cannot be dark.

// A page is small, and a fold with `write!` hides the markup that a `format!` shows.
#![allow(clippy::format_collect)]

pub mod comparison;
mod difference;
mod error;
mod examples;
pub mod export;
pub mod figures;
mod headline;
mod html;
pub mod leakage;
mod letters;
mod links;
mod overall;
mod page;
mod pair;
mod raster;
mod scale;
mod sentence;
mod svg;
mod table;
pub mod tables;
mod theme;
mod tokens;
mod words;
mod write;

use stereometer_record::{ItemRecord, Results, RunSpec};

pub use comparison::{comparison_headline, write_comparison};
pub use error::ReportError;
pub use headline::headline;
pub use leakage::{leakage_headline, write_leakage};
pub use links::{About, Links};
pub use raster::Flaws;
pub use svg::Svg;
pub use table::{Cell, Column, Holds, Table};
pub use write::{Written, write};

/// What a report is made from.
#[derive(Debug, Clone, Copy)]
pub struct ReportInput<'a> {
    /// What was run.
    pub spec: &'a RunSpec,
    /// What the rows say.
    pub results: &'a Results,
    /// The rows themselves, for the examples.
    pub items: &'a [ItemRecord],
}

impl ReportInput<'_> {
    /// Whether rows of the run are still missing.
    fn is_unfinished(&self) -> bool {
        self.items.len() < self.spec.n_items
    }
}

/// What is written besides the page, the SVG files and the tables.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Options {
    /// Every figure as PNG, at twice its nominal size.
    pub png: bool,
    /// Every figure as PDF.
    pub pdf: bool,
}
