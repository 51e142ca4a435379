//! The figures of a comparison: one file each, one row here.

mod agreement;
mod beyond_neutral;
mod differences;
mod differences_by_language;
mod differences_by_stereotype;
mod dots;
pub(crate) mod forest;
mod g_s_by_model;
mod grid;
mod inclination_by_model;
pub(crate) mod mean_g_s;
mod ranks_by_model;
mod sensitivity;

use stereometer_record::Comparison;

use crate::figures::{Figure, Parts};

/// Draws a figure, unless the comparison has nothing for it.
pub type Draw = fn(&Comparison) -> Option<Figure>;

/// A figure that a comparison may have.
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
pub const FIGURES: [Entry; 10] = [
    mean_g_s::ENTRY,
    differences::ENTRY,
    g_s_by_model::ENTRY,
    differences_by_language::ENTRY,
    inclination_by_model::ENTRY,
    differences_by_stereotype::ENTRY,
    beyond_neutral::ENTRY,
    ranks_by_model::ENTRY,
    agreement::ENTRY,
    sensitivity::ENTRY,
];

impl Entry {
    /// The figure with its title.
    fn figure(&self, parts: Parts) -> Figure {
        parts.titled(self.name, self.title)
    }
}
