//! Which cells take part in a fit, and in which units?
//!
//! A cell is a group × a pole. One without an association of the model (or of the monolingual model beside it) never
//! takes part: nothing is known of it. One that the people of a language did not rate is left out (`drop`) or counts as
//! “no stereotype”, 0, as in the released analysis (`zero`). A language in which nobody rated anything is no predictor
//! under either: it would leave no cell, or be 0 throughout.
//!
//! Units: `raw` as in the paper (people 0 to 50, SeT × 100, log-probabilities × 10); `standardised`: every variable less
//! its mean, in its own standard deviations over the cells that take part, so that coefficients of models and languages
//! can be compared. A variable that does not vary stays as it is, and is then named as collinear with the intercept.

use stereometer_core::{AssociationMethod, Language};
use stereometer_record::{FitChoice, FitScale, MissingCells, Predictor};
use stereometer_stats::mixed::{MixedError, Table};
use stereometer_stats::standard_deviation;

use crate::grid::Grid;

/// Name of the response.
pub const RESPONSE: &str = "association";
/// Name of the monolingual model's column.
pub const MONOLINGUAL: &str = "monolingual";

/// A variable over all cells of the grid.
#[derive(Debug, Clone)]
pub struct Column {
    /// Whose scores these are.
    pub predictor: Predictor,
    /// One a cell.
    pub values: Vec<Option<f64>>,
    /// What they are multiplied by on the raw scale.
    pub factor: f64,
}

/// The variables of a regression.
#[derive(Debug, Clone)]
pub struct Variables {
    /// The model's associations, one a cell.
    pub response: Vec<Option<f64>>,
    /// What they are multiplied by on the raw scale.
    pub factor: f64,
    /// The predictors, in order.
    pub predictors: Vec<Column>,
}

/// What a fit is made from.
#[derive(Debug)]
pub struct Cells {
    /// As the fit sees it.
    pub table: Table,
    /// Cells that take part.
    pub n: usize,
    /// Cells that do not.
    pub left_out: usize,
}

/// By how much the paper multiplies the scores of a method.
pub fn raw_factor(method: AssociationMethod) -> f64 {
    match method {
        AssociationMethod::Set => 100.0,
        AssociationMethod::Ilps
        | AssociationMethod::Pll
        | AssociationMethod::Continuation
        | AssociationMethod::Choice => 10.0,
    }
}

/// The column of people's scores.
pub fn people(language: &Language, values: Vec<Option<f64>>) -> Column {
    Column { predictor: Predictor::People(language.clone()), values, factor: 1.0 }
}

impl Column {
    /// Its name in the table and in the formula.
    pub fn name(&self) -> &str {
        match &self.predictor {
            Predictor::People(language) => language.as_str(),
            Predictor::Monolingual(_) => MONOLINGUAL,
        }
    }

    fn value(&self, cell: usize, missing: MissingCells) -> Option<f64> {
        match (&self.predictor, missing) {
            (Predictor::People(_), MissingCells::Zero) => Some(self.values[cell].unwrap_or(0.0)),
            (Predictor::People(_), MissingCells::Drop) | (Predictor::Monolingual(_), _) => self.values[cell],
        }
    }
}

/// The table of a choice.
pub fn table(variables: &Variables, grid: &Grid, choice: FitChoice) -> Result<Cells, MixedError> {
    let row = |cell: usize| -> Option<Vec<f64>> {
        let predictors = variables.predictors.iter().map(|column| column.value(cell, choice.missing));
        [variables.response[cell]].into_iter().chain(predictors).collect()
    };
    let (cells, rows): (Vec<usize>, Vec<Vec<f64>>) =
        (0..grid.len()).filter_map(|cell| Some((cell, row(cell)?))).unzip();
    let names = [RESPONSE].into_iter().chain(variables.predictors.iter().map(Column::name));
    let factors =
        [variables.factor].into_iter().chain(variables.predictors.iter().map(|column| column.factor));
    let mut columns: Vec<(String, Vec<Option<String>>)> = vec![
        ("group".to_owned(), cells.iter().map(|&cell| Some(grid.at(cell).0.to_string())).collect()),
        ("trait".to_owned(), cells.iter().map(|&cell| Some(grid.at(cell).1.to_string())).collect()),
    ];
    for (place, (name, factor)) in names.zip(factors).enumerate() {
        let values: Vec<f64> = rows.iter().map(|row| row[place]).collect();
        let values = match choice.scale {
            FitScale::Raw => values.iter().map(|value| value * factor).collect(),
            FitScale::Standardised => standardised(values),
        };
        columns.push((name.to_owned(), values.into_iter().map(|value| Some(value.to_string())).collect()));
    }
    let table = Table::new(columns)?;
    Ok(Cells { table, n: cells.len(), left_out: grid.len() - cells.len() })
}

fn standardised(values: Vec<f64>) -> Vec<f64> {
    let mean = values.iter().sum::<f64>() / values.len() as f64;
    match standard_deviation(&values) {
        Some(deviation) if deviation > 1e-12 * mean.abs() => {
            values.into_iter().map(|value| (value - mean) / deviation).collect()
        }
        _ => values,
    }
}
