//! The figures of a leakage analysis: one file each, one row here.

mod abc_map;
mod associations_heat_map;
mod category_correlations;
mod choices;
mod coefficients;
mod human_model_scatter;
mod leakage_flow;

use super::study::Study;
use crate::figures::{Figure, Parts};
pub(super) use choices::changing_in_words;

/// Draws a figure, unless there is nothing for it.
pub type Draw = fn(&Study<'_>) -> Option<Figure>;

/// A figure that an analysis may have.
pub struct Entry {
    /// File name without ending.
    pub name: &'static str,
    /// What it shows.
    pub title: &'static str,
    /// Why it may be missing, in a sentence.
    pub absent: &'static str,
    /// Draws it.
    pub draw: Draw,
}

/// Every figure, in the order of the page.
pub const FIGURES: [Entry; 7] = [
    leakage_flow::ENTRY,
    coefficients::ENTRY,
    choices::ENTRY,
    abc_map::ENTRY,
    human_model_scatter::ENTRY,
    associations_heat_map::ENTRY,
    category_correlations::ENTRY,
];

impl Entry {
    /// The figure with its title.
    fn figure(&self, parts: Parts) -> Figure {
        parts.titled(self.name, self.title)
    }
}
