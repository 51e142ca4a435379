//! Which single stereotypes does a model have in a language whose people do not hold them, while another language's do?
//!
//! A pole of a group leaks from a source into a target language if
//!
//! * the model leans to it in the target: its association exceeds the opposite pole's by at least [`MODEL`] of the model's
//!   standard deviations of such contrasts in that language;
//! * people of the source hold it: it exceeds the opposite pole by at least [`HOLD`] points on the slider from −50 to 50, a
//!   fifth of the way;
//! * people of the target do not: they lean to neither pole or to the opposite one.
//!
//! Between “hold” and “do not hold” nothing is claimed, nor where a pole was not rated: missing is never 0, whatever the
//! regression does with it. The strength is the smaller of the two contrasts, model in the target and people of the source,
//! each in its own standard deviations; neutral point 0, none is negative. The strongest come first.

use stereometer_core::Language;
use stereometer_record::{InventorySummary, QualitativeLeak};

use crate::contrasts::Contrasts;
use crate::grid::Grid;

/// Standard deviations from which on a model leans to a pole.
pub const MODEL: f64 = 0.5;
/// Points from which on people hold a pole.
pub const HOLD: f64 = 10.0;

/// The scores of one judge in one language, one a cell, with their contrasts.
#[derive(Debug, Clone, Copy)]
pub struct Judged<'a> {
    /// The language.
    pub language: &'a Language,
    /// One a cell.
    pub scores: &'a [Option<f64>],
    /// Right − left.
    pub contrasts: &'a Contrasts,
}

/// The leaks of the run at place `run` into the language of `model`.
pub fn qualitative(
    run: usize,
    model: Judged,
    people: &[Judged],
    grid: &Grid,
    inventory: &InventorySummary,
) -> Vec<QualitativeLeak> {
    let Some(own) = people.iter().find(|judged| judged.language == model.language) else {
        return Vec::new();
    };
    let mut found = Vec::new();
    for source in people.iter().filter(|judged| judged.language != model.language) {
        for group in 0..grid.groups().len() {
            for pole in 0..grid.poles().len() {
                found.extend(leak(run, [model, *own, *source], grid, inventory, (group, pole)));
            }
        }
    }
    found.sort_by(|a, b| b.strength.total_cmp(&a.strength));
    found
}

fn leak(
    run: usize,
    [model, own, source]: [Judged; 3],
    grid: &Grid,
    inventory: &InventorySummary,
    (group, pole): (usize, usize),
) -> Option<QualitativeLeak> {
    let (pair, is_right) = (pole / 2, pole % 2 == 1);
    let towards = |value: f64| if is_right { value } else { -value };
    let standardised = |judged: Judged| judged.contrasts.standardised(group, pair).map(towards);
    let points = |judged: Judged| judged.contrasts.raw(group, pair).map(towards);
    let leaning = standardised(model).filter(|value| *value >= MODEL)?;
    points(source).filter(|value| *value >= HOLD)?;
    points(own).filter(|value| *value <= 0.0)?;
    let cell = grid.cell(group, pole);
    let other = grid.cell(group, if is_right { pole - 1 } else { pole + 1 });
    let both = &inventory.pairs[pair];
    Some(QualitativeLeak {
        run,
        source: source.language.clone(),
        target: model.language.clone(),
        group: grid.groups()[group].clone(),
        pole: grid.poles()[pole].clone(),
        valence: if is_right { both.right.valence } else { both.left.valence },
        strength: leaning.min(standardised(source)?),
        model: model.scores[cell]?,
        model_other: model.scores[other],
        people_source: source.scores[cell]?,
        people_target: own.scores[cell]?,
    })
}
