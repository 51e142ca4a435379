//! What does a mixed model say about a table?
//!
//! * Fixed effects: see [`Coefficient`](super::Coefficient).
//! * Standard deviations of the random effects, 0 (levels alike) or more, in units of the response for one unit of the
//!   column; correlations within a term, −1 to 1, neutral 0, `None` where one side does not vary.
//! * Marginal and conditional R² of Nakagawa and Schielzeth (2013, doi:10.1111/j.2041-210x.2012.00261.x), with slopes
//!   after Johnson (2014): the share of the variance that fixed effects explain, and fixed and random ones together,
//!   0 (nothing) to 1.
//!
//! A fit is singular when a term needs fewer dimensions than it has: a variance of 0 or a correlation of ±1. A variance
//! is called 0 when setting it to 0 costs nothing. A fit has converged when the search ended by itself, the gradient is
//! small against the curvature (lme4's bound, 0.002) and the deviance bends downwards nowhere.

use super::doubt::Doubt;
use super::inference::{Coefficient, coefficients};
use super::matrices::{Matrices, RandomTerm};
use super::objective::{Objective, Solution, lower_triangle};
use super::optimise::{Minimum, derivatives, minimise};
use super::{Criterion, Formula, MixedError, Schema, Table};

/// Relative standard deviation, of what is left within a term, that counts as 0; lme4's bound.
const SINGULAR: f64 = 1e-4;
/// How much deviance a variance of 0 may cost and still be called the best.
const NOTHING: f64 = 1e-8;
const GRADIENT: f64 = 2e-3;
/// Evaluations of the deviance for every parameter.
const PATIENCE: usize = 1000;

/// A fitted model. Every number is finite.
#[derive(Debug, Clone, PartialEq)]
pub struct Fit {
    /// Fixed effects, in the order of the formula.
    pub fixed: Vec<Coefficient>,
    /// Random terms, in the order of the formula.
    pub random: Vec<Variation>,
    /// Standard deviation of the errors.
    pub sigma: f64,
    /// −2 log-likelihood, restricted under REML.
    pub criterion: f64,
    /// Records that took part.
    pub n: usize,
    /// Share of the variance that fixed effects explain.
    pub r2_marginal: f64,
    /// Share that fixed and random effects explain.
    pub r2_conditional: f64,
    /// Whether the search found its end.
    pub converged: bool,
    /// Whether a random term needs fewer dimensions than it has.
    pub singular: bool,
    /// What the reader should know.
    pub doubts: Vec<Doubt>,
    /// The criterion at every gain of the search, with the number of the evaluation.
    pub trace: Vec<(usize, f64)>,
}

/// How a random term varies.
#[derive(Debug, Clone, PartialEq)]
pub struct Variation {
    /// The grouping factor.
    pub group: String,
    /// How many levels it has.
    pub levels: usize,
    /// Intercept and slopes, each with its standard deviation.
    pub terms: Vec<(String, f64)>,
    /// Correlation of every pair of terms, by their places.
    pub correlations: Vec<(usize, usize, Option<f64>)>,
}

/// The model where it fits best.
pub(super) struct Peak {
    pub objective: Objective,
    pub found: Minimum,
    pub theta: Vec<f64>,
    pub solution: Solution,
    pub sigma: f64,
}

impl Peak {
    /// Searches from `start`.
    pub fn new(
        matrices: &Matrices,
        criterion: Criterion,
        response: &str,
        start: &[f64],
    ) -> Result<Self, MixedError> {
        let objective = Objective::new(matrices, criterion, response)?;
        let deviance = |theta: &[f64]| objective.solve(theta).map(|solution| solution.deviance);
        let found = minimise(&deviance, start, PATIENCE * (start.len() + 1));
        let theta = tidied(&matrices.random, &found, &deviance);
        let nothing_left = || MixedError::NothingLeft(response.to_owned());
        let solution = objective.solve(&theta).ok_or_else(nothing_left)?;
        let sigma = (solution.residual / objective.freedom()).sqrt();
        Ok(Self { objective, found, theta, solution, sigma })
    }

    /// Without knowledge: every standard deviation is that of the errors, nothing is correlated.
    pub fn from_scratch(
        matrices: &Matrices,
        criterion: Criterion,
        response: &str,
    ) -> Result<Self, MixedError> {
        let start = matrices.random.iter().flat_map(|term| on_diagonal(term.terms.len()));
        let start: Vec<f64> = start.map(|is_on| f64::from(u8::from(is_on))).collect();
        Self::new(matrices, criterion, response, &start)
    }

    /// How the random terms vary.
    pub fn variations(&self, matrices: &Matrices) -> Vec<Variation> {
        let blocks = blocks(&matrices.random, &self.theta);
        blocks.map(|(term, block)| variation(term, block, self.sigma)).collect()
    }
}

/// Fits `formula` to `table`.
pub fn fit(formula: &Formula, table: &Table, criterion: Criterion) -> Result<Fit, MixedError> {
    let schema = Schema::new(table, formula)?;
    let matrices = Matrices::new(formula, &schema)?;
    let peak = Peak::from_scratch(&matrices, criterion, &formula.response)?;
    let Peak { objective, found, theta, solution, sigma } = &peak;
    let deviance = |theta: &[f64]| objective.solve(theta).map(|solution| solution.deviance);
    let (converged, gradient) = converged(found, theta, &deviance);
    let flat: Vec<bool> =
        blocks(&matrices.random, theta).map(|(term, block)| is_singular(term, block)).collect();
    let (r2_marginal, r2_conditional) = explained(&matrices, theta, solution, *sigma);
    let mut doubts = Vec::new();
    if schema.dropped() > 0 {
        doubts.push(Doubt::Dropped { dropped: schema.dropped(), records: schema.dropped() + schema.n() });
    }
    for (term, is_flat) in matrices.random.iter().zip(&flat) {
        doubts.extend(Doubt::of(term, *is_flat));
    }
    if !converged {
        doubts.push(Doubt::NotConverged { evaluations: found.evaluations, gradient });
    }
    Ok(Fit {
        fixed: coefficients(&matrices.fixed, objective, theta, solution),
        random: peak.variations(&matrices),
        sigma: *sigma,
        criterion: solution.deviance,
        n: matrices.n(),
        r2_marginal,
        r2_conditional,
        converged,
        singular: flat.contains(&true),
        doubts,
        trace: peak.found.trace,
    })
}

/// Which places of a lower triangle, column by column, are on the diagonal.
fn on_diagonal(width: usize) -> Vec<bool> {
    (0..width).flat_map(|column| (column..width).map(move |row| row == column)).collect()
}

/// Every term with its part of θ.
pub(super) fn blocks<'a>(
    random: &'a [RandomTerm],
    theta: &'a [f64],
) -> impl Iterator<Item = (&'a RandomTerm, &'a [f64])> {
    let mut rest = theta;
    random.iter().map(move |term| {
        let (own, others) = rest.split_at(term.parameters());
        rest = others;
        (term, own)
    })
}

/// The same deviance with no negative standard deviation, and with 0 where nothing speaks against it.
fn tidied(random: &[RandomTerm], found: &Minimum, deviance: &dyn Fn(&[f64]) -> Option<f64>) -> Vec<f64> {
    let mut theta = found.at.clone();
    let mut start = 0;
    for term in random {
        for column in 0..term.terms.len() {
            let end = start + term.terms.len() - column;
            if theta[start] < 0.0 {
                theta[start..end].iter_mut().for_each(|value| *value = -*value);
            }
            for place in start..end {
                let mut zeroed = theta.clone();
                zeroed[place] = 0.0;
                if deviance(&zeroed).is_some_and(|value| value <= found.value + NOTHING) {
                    theta = zeroed;
                }
            }
            start = end;
        }
    }
    theta
}

fn is_singular(term: &RandomTerm, theta: &[f64]) -> bool {
    let diagonal = on_diagonal(term.terms.len());
    theta.iter().zip(diagonal).any(|(value, is_on)| is_on && *value < SINGULAR)
}

/// Whether this is a minimum, and the largest entry of the gradient in units of the curvature.
fn converged(
    found: &Minimum,
    theta: &[f64],
    deviance: &dyn Fn(&[f64]) -> Option<f64>,
) -> (bool, Option<f64>) {
    let Some((gradient, hessian)) = derivatives(deviance, theta) else { return (false, None) };
    let steepness = |place: usize| gradient[place].abs() / hessian[(place, place)].abs().sqrt().max(1.0);
    let most = (0..theta.len()).map(steepness).fold(0.0, f64::max);
    let eigenvalues = hessian.symmetric_eigenvalues();
    let bends = eigenvalues.min() >= -1e-4 * eigenvalues.amax().max(1.0);
    (found.is_settled && most < GRADIENT && bends, Some(most))
}

fn variation(term: &RandomTerm, theta: &[f64], sigma: f64) -> Variation {
    let width = term.terms.len();
    let lower = lower_triangle(width, theta);
    let length = |place: usize| lower.row(place).norm();
    let sd = |place: usize| sigma * length(place) / term.scale[place];
    let pairs = (0..width).flat_map(|b| (0..b).map(move |a| (a, b)));
    let correlation = |(a, b): (usize, usize)| {
        let lengths = length(a) * length(b);
        let value = (lengths > 0.0).then(|| (lower.row(a).dot(&lower.row(b)) / lengths).clamp(-1.0, 1.0));
        (a, b, value)
    };
    Variation {
        group: term.group.clone(),
        levels: term.levels,
        terms: term.terms.iter().enumerate().map(|(place, name)| (name.clone(), sd(place))).collect(),
        correlations: pairs.map(correlation).collect(),
    }
}

/// Marginal and conditional R².
fn explained(matrices: &Matrices, theta: &[f64], solution: &Solution, sigma: f64) -> (f64, f64) {
    let n = matrices.n() as f64;
    let fitted = &matrices.q * (&matrices.r * &solution.beta);
    let fixed = fitted.add_scalar(-fitted.mean()).norm_squared() / (n - 1.0);
    let random: f64 = blocks(&matrices.random, theta)
        .map(|(term, block)| (&term.z * lower_triangle(term.terms.len(), block)).norm_squared() / n)
        .sum();
    let (random, error) = (random * sigma * sigma, sigma * sigma);
    let all = fixed + random + error;
    (fixed / all, (fixed + random) / all)
}
