//! The figures: one file each, one row here.

mod forms;
mod g_s_by_language;
mod grid;
mod inclination;
mod masculine_rates;
mod rank_heat_map;
mod rates_by_form;
pub(crate) mod rows;
mod rule_sensitivity;
mod sentences_by_language;
mod sentences_by_stereotype;
mod template_sensitivity;
mod token_counts;

use stereometer_record::Results;

use crate::{Svg, Table};

/// A drawing with what is needed to read it without seeing it.
#[derive(Debug, Clone, PartialEq)]
pub struct Figure {
    /// File name without ending, and part of ids on the page.
    pub name: &'static str,
    /// What it shows.
    pub title: &'static str,
    /// How to read it: direction, neutral point, signs.
    pub reading: String,
    /// What it says, for those who do not see it.
    pub alt: String,
    /// The drawing.
    pub svg: Svg,
    /// Its numbers.
    pub table: Table,
}

/// What a drawing adds to the name and the title that its row of a table of figures has.
pub(crate) struct Parts {
    pub reading: String,
    pub alt: String,
    pub svg: Svg,
    pub table: Table,
}

impl Parts {
    /// The figure.
    pub(crate) fn titled(self, name: &'static str, title: &'static str) -> Figure {
        let Self { reading, alt, svg, table } = self;
        Figure { name, title, reading, alt, svg, table }
    }
}

/// Draws a figure from the results.
pub type Draw = fn(&Results) -> Figure;

/// What stands behind the numbers of a run, rather than what they say.
pub const BEHIND: [Draw; 4] =
    [sentences_by_language::draw, sentences_by_stereotype::draw, rates_by_form::draw, token_counts::draw];

/// Every figure, in the order of the page.
pub const FIGURES: [Draw; 10] = [
    g_s_by_language::draw,
    rank_heat_map::draw,
    inclination::draw,
    masculine_rates::draw,
    rule_sensitivity::draw,
    template_sensitivity::draw,
    rates_by_form::draw,
    token_counts::draw,
    sentences_by_language::draw,
    sentences_by_stereotype::draw,
];
