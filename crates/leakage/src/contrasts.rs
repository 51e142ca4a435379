//! How far does a judge, people or a model, lean to the right pole of each trait pair?
//!
//! ```text
//! contrast[g, pair] = score(right) − score(left)        0 = neither; above 0 = the right pole
//! ```
//!
//! in units of the standard deviation of right − left, about its mean, over all groups and pairs of the judge in the language,
//! so that people and models can be compared. The mean itself is not taken off: a judge that leans to the right poles
//! throughout does so here too.
//! Undefined where a pole has no score, and throughout where nothing varies.

use stereometer_stats::standard_deviation;

use crate::grid::Grid;

/// The contrasts of one judge in one language.
#[derive(Debug)]
pub struct Contrasts {
    /// Group by group, pair by pair.
    raw: Vec<Option<f64>>,
    pairs: usize,
    deviation: Option<f64>,
}

impl Contrasts {
    /// From one score a cell.
    pub fn new(scores: &[Option<f64>], grid: &Grid) -> Self {
        let pairs = grid.poles().len() / 2;
        let of = |place: usize| {
            let left = grid.cell(place / pairs, 2 * (place % pairs));
            Some(scores[left + 1]? - scores[left]?)
        };
        let raw: Vec<Option<f64>> = (0..grid.groups().len() * pairs).map(of).collect();
        let known: Vec<f64> = raw.iter().copied().flatten().collect();
        let deviation = standard_deviation(&known).filter(|deviation| *deviation > 0.0);
        Self { raw, pairs, deviation }
    }

    /// Right − left, in the judge's own units.
    pub fn raw(&self, group: usize, pair: usize) -> Option<f64> {
        self.raw[group * self.pairs + pair]
    }

    /// Right − left, in standard deviations.
    pub fn standardised(&self, group: usize, pair: usize) -> Option<f64> {
        Some(self.raw(group, pair)? / self.deviation?)
    }
}
