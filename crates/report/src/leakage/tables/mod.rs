//! Tables that belong to no figure.

mod cells;
pub mod coefficients;
mod fits;
mod qualitative;
mod runs;

use super::study::Study;
use crate::Table;

pub use qualitative::qualitative;

/// All of them, in the order of the page.
pub const TABLES: [fn(&Study<'_>) -> Table; 6] =
    [cells::associations, cells::human_scores, qualitative, fits::fits, fits::skipped, runs::runs];
