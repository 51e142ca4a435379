//! The model as matrices: y = Xβ + Zb + ε.
//!
//! Categorical predictors are coded by treatment: a column for every level but the first, or for every level where
//! there is no intercept and no other factor before it. X is kept as QR with orthonormal Q, by Gram–Schmidt in the
//! order of the formula (twice, which is enough: Kahan and Parlett), so that a column which earlier ones make up is found
//! and named with them. Beside an intercept what counts is how a column varies about its mean, so that one far from 0 is not
//! mistaken for a constant; as a slope it has to lie nearer, and the error says so. Columns of Z are divided by their root mean square: θ is then of order one whatever the units
//! of a slope.

use nalgebra::{DMatrix, DVector};

use super::schema::Values;
use super::{Formula, MixedError, Random, Schema};

/// What is left of a column behind the earlier ones, relative to its length, below which it counts as made up by them;
/// R's `lm` and lme4 use the same.
const TOLERANCE: f64 = 1e-7;
/// Variation about the mean, relative to the length of the column, that is no more than rounding.
const ROUNDING: f64 = 1e-14;
/// Sizes whose squares, and products of squares, can be computed.
const SIZES: std::ops::RangeInclusive<f64> = 1e-60..=1e60;
/// Its name among the columns, as in R.
const INTERCEPT: &str = "(Intercept)";

/// All matrices of a model.
#[derive(Debug, Clone)]
pub struct Matrices {
    /// The response.
    pub y: DVector<f64>,
    /// Names of the fixed effects.
    pub fixed: Vec<String>,
    /// Fixed effects, orthonormal.
    pub q: DMatrix<f64>,
    /// X = QR.
    pub r: DMatrix<f64>,
    /// In the order of the formula.
    pub random: Vec<RandomTerm>,
}

/// What varies over the levels of one factor, correlated.
#[derive(Debug, Clone)]
pub struct RandomTerm {
    /// The grouping factor.
    pub group: String,
    /// Intercept and slopes.
    pub terms: Vec<String>,
    /// How many levels.
    pub levels: usize,
    /// Place of every record's level.
    pub level_of: Vec<usize>,
    /// A record's coefficients, divided by `scale`.
    pub z: DMatrix<f64>,
    /// Root mean square of every column.
    pub scale: Vec<f64>,
}

impl Matrices {
    /// The matrices of a formula.
    pub fn new(formula: &Formula, schema: &Schema) -> Result<Self, MixedError> {
        let n = schema.n();
        let y = DVector::from_vec(in_reach(&formula.response, schema.numbers(&formula.response)?)?);
        let (fixed, columns) = code(schema, formula.intercept, &formula.fixed)?;
        if n <= columns.len() {
            return Err(MixedError::TooManyEffects {
                what: "fixed part".to_owned(),
                effects: columns.len(),
                records: n,
            });
        }
        let (q, r) = orthonormal(&fixed, &columns, n)?;
        let random = formula.random.iter().map(|term| random_term(schema, term)).collect::<Result<_, _>>()?;
        Ok(Self { y, fixed, q, r, random })
    }

    /// Number of records.
    pub fn n(&self) -> usize {
        self.y.len()
    }

    /// Number of fixed effects.
    pub fn p(&self) -> usize {
        self.fixed.len()
    }
}

impl RandomTerm {
    /// Number of parameters in θ: the lower triangle of Λ's block.
    pub fn parameters(&self) -> usize {
        self.terms.len() * (self.terms.len() + 1) / 2
    }

    /// As in the formula.
    pub fn shown(&self) -> String {
        shown(&self.terms, &self.group)
    }

    /// Number of random effects.
    pub fn effects(&self) -> usize {
        self.terms.len() * self.levels
    }
}

fn shown(terms: &[String], group: &str) -> String {
    let is_bare = terms.first().is_some_and(|name| name != INTERCEPT);
    let names = terms.iter().map(|name| if name == INTERCEPT { "1" } else { name });
    let names = [is_bare.then_some("0")].into_iter().flatten().chain(names).collect::<Vec<_>>();
    format!("({} | {group})", names.join(" + "))
}

fn random_term(schema: &Schema, term: &Random) -> Result<RandomTerm, MixedError> {
    let factor = schema.factor(&term.group)?;
    let (terms, columns) = code(schema, term.intercept, &term.slopes)?;
    let effects = terms.len() * factor.levels.len();
    if effects >= schema.n() {
        let what = shown(&terms, &term.group);
        return Err(MixedError::TooManyEffects { what, effects, records: schema.n() });
    }
    orthonormal(&terms, &columns, schema.n())?;
    let is_far = |column: &&DVector<f64>| variation(column) <= TOLERANCE * column.norm();
    let slopes = terms.iter().zip(&columns).skip(usize::from(term.intercept));
    if let Some((column, _)) = slopes.filter(|_| term.intercept).find(|(_, column)| is_far(column)) {
        return Err(MixedError::Scale { column: column.clone(), is_far: true });
    }
    let scale: Vec<f64> = columns.iter().map(|column| column.norm() / (column.len() as f64).sqrt()).collect();
    let scaled: Vec<DVector<f64>> =
        columns.iter().zip(&scale).map(|(column, scale)| column / *scale).collect();
    Ok(RandomTerm {
        group: term.group.clone(),
        terms,
        levels: factor.levels.len(),
        level_of: factor.codes,
        z: DMatrix::from_columns(&scaled),
        scale,
    })
}

/// Names and columns of a sum of terms.
fn code(
    schema: &Schema,
    intercept: bool,
    names: &[String],
) -> Result<(Vec<String>, Vec<DVector<f64>>), MixedError> {
    let n = schema.n();
    let mut is_spanned = intercept;
    let mut coded: Vec<(String, DVector<f64>)> = Vec::new();
    if intercept {
        coded.push((INTERCEPT.to_owned(), DVector::from_element(n, 1.0)));
    }
    for name in names {
        match schema.values(name)? {
            Values::Numeric(values) => coded.push((name.clone(), DVector::from_vec(in_reach(name, values)?))),
            Values::Factor(factor) => {
                let first = usize::from(is_spanned);
                is_spanned = true;
                coded.extend(factor.levels.iter().enumerate().skip(first).map(|(place, level)| {
                    let column = factor.codes.iter().map(|&code| f64::from(u8::from(code == place)));
                    (format!("{name}{level}"), DVector::from_iterator(n, column))
                }));
            }
        }
    }
    Ok(coded.into_iter().unzip())
}

/// The values, where their squares can be computed.
fn in_reach(name: &str, values: Vec<f64>) -> Result<Vec<f64>, MixedError> {
    let largest = values.iter().fold(0.0, |largest: f64, value| largest.max(value.abs()));
    if largest == 0.0 || SIZES.contains(&largest) {
        return Ok(values);
    }
    Err(MixedError::Scale { column: name.to_owned(), is_far: false })
}

/// Length of what a column has beside its mean.
fn variation(column: &DVector<f64>) -> f64 {
    column.add_scalar(-column.mean()).norm()
}

fn orthonormal(
    names: &[String],
    columns: &[DVector<f64>],
    n: usize,
) -> Result<(DMatrix<f64>, DMatrix<f64>), MixedError> {
    let p = columns.len();
    let mut q = DMatrix::zeros(n, p);
    let mut r = DMatrix::zeros(p, p);
    for (place, column) in columns.iter().enumerate() {
        let mut rest = column.clone();
        for _ in 0..2 {
            let done = q.columns(0, place);
            let along = done.tr_mul(&rest);
            rest -= done * &along;
            let mut above = r.view_mut((0, place), (place, 1));
            above += &along;
        }
        let norm = rest.norm();
        let has_intercept = place > 0 && names[0] == INTERCEPT;
        let whole = if has_intercept { variation(column) } else { column.norm() };
        if norm <= TOLERANCE * whole || whole <= ROUNDING * column.norm() {
            return Err(collinear(names, &r, place));
        }
        r[(place, place)] = norm;
        q.set_column(place, &(rest / norm));
    }
    Ok((q, r))
}

/// Names the columns that have a share in the column at `place`.
fn collinear(names: &[String], r: &DMatrix<f64>, place: usize) -> MixedError {
    let shares = r.view((0, 0), (place, place)).solve_upper_triangular(&r.view((0, place), (place, 1)));
    let weight = |other: usize| {
        shares
            .as_ref()
            .map_or(0.0, |shares| (shares[(other, 0)] * r.view((0, other), (place, 1)).norm()).abs())
    };
    let most = (0..place).map(weight).fold(0.0, f64::max);
    let others: Vec<String> =
        (0..place).filter(|&other| weight(other) > 1e-6 * most).map(|other| names[other].clone()).collect();
    MixedError::Collinear { column: names[place].clone(), others }
}
