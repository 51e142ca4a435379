//! Which single stereotypes does a model have in a language whose people do not hold them, while another language's do?
//!
//! A pole of a group leaks from a source into a target language if
//!
//! * the model leans to it in the target: its association exceeds the opposite pole's by at least [`MODEL`] of the model's
//!   units of that language (see `contrasts.rs`: the standard deviation of right − left about its mean);
//! * people of the source hold it: it exceeds the opposite pole by at least [`HOLD`] points on the slider from −50 to 50, a
//!   fifth of the way;
//! * people of the target do not: they lean to neither pole or to the opposite one.
//!
//! Between “hold” and “do not hold” nothing is claimed, nor where a pole was not rated: missing is never 0, whatever the
//! regression does with it. How few people stand behind each side is said, and nobody is dropped for it. The strength is the smaller of the two contrasts, model in the target and people of the source,
//! each in its own units; neutral point 0, none is negative. The strongest come first.

use std::collections::HashMap;

use stereometer_core::{HumanScores, Language, Slug};
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

/// How many people rated a cell, where the survey says so.
#[derive(Debug)]
pub struct Annotators<'a>(HashMap<(&'a Language, &'a Slug, &'a Slug), usize>);

impl<'a> Annotators<'a> {
    /// Of a survey.
    pub fn new(humans: &'a HumanScores) -> Self {
        let cells = humans.cells.iter();
        Self(
            cells
                .filter_map(|cell| Some(((&cell.language, &cell.group, &cell.pole), cell.annotators?)))
                .collect(),
        )
    }

    /// Of the pole that fewer rated.
    fn least(&self, language: &Language, group: &Slug, poles: [&Slug; 2]) -> Option<usize> {
        let [first, second] = poles.map(|pole| self.0.get(&(language, group, pole)).copied());
        Some(first?.min(second?))
    }
}

/// The leaks of the run at place `run` into the language of `model`.
pub fn qualitative(
    run: usize,
    model: Judged,
    (people, annotators): (&[Judged], &Annotators),
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
                let judged = [model, *own, *source];
                found.extend(leak(run, judged, annotators, (grid, inventory), (group, pole)));
            }
        }
    }
    found.sort_by(|a, b| b.strength.total_cmp(&a.strength));
    found
}

fn leak(
    run: usize,
    [model, own, source]: [Judged; 3],
    annotators: &Annotators,
    (grid, inventory): (&Grid, &InventorySummary),
    (group, pole): (usize, usize),
) -> Option<QualitativeLeak> {
    let (pair, is_right) = (pole / 2, pole % 2 == 1);
    let towards = |value: f64| if is_right { value } else { -value };
    let standardised = |judged: Judged| judged.contrasts.standardised(group, pair).map(towards);
    let points = |judged: Judged| judged.contrasts.raw(group, pair).map(towards);
    let leaning = standardised(model).filter(|value| *value >= MODEL)?;
    points(source).filter(|value| *value >= HOLD)?;
    points(own).filter(|value| *value <= 0.0)?;
    let opposite = if is_right { pole - 1 } else { pole + 1 };
    let (cell, other) = (grid.cell(group, pole), grid.cell(group, opposite));
    let poles = [&grid.poles()[pole], &grid.poles()[opposite]];
    let least = |judged: Judged| annotators.least(judged.language, &grid.groups()[group], poles);
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
        people_source_n: least(source),
        people_target_n: least(own),
    })
}
