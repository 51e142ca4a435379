//! How far would the numbers of a fit move if the records were drawn again?
//!
//! The parametric bootstrap: responses are drawn from the fitted model, with new random effects and new errors, every such
//! table is fitted anew by the same criterion, and the interval of a number goes from the 2.5th to the 97.5th percentile of
//! what comes out (Davison and Hinkley 1997, §5.3; lme4's `confint(method = "boot")`). Unlike Wald's it needs no symmetry, and
//! there is one for standard deviations too: they are 0 or more, and an interval that begins at 0 says that the data do not
//! tell whether the levels differ. Percentile intervals of standard deviations sit somewhat low with few levels.
//!
//! A drawn table whose search does not end takes no part and is counted. Each has a random stream of its own (ChaCha8):
//! the numbers do not depend on the number of threads.

use std::f64::consts::TAU;

use nalgebra::DVector;
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;
use rayon::prelude::*;
use stereometer_core::{Interval, Seed};

use super::fit::{Peak, blocks};
use super::matrices::Matrices;
use super::objective::lower_triangle;
use super::{Criterion, Formula, MixedError, Schema, Table};
use crate::percentile;

/// What is drawn.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Resamples {
    /// How many tables; fewer than 20 give no interval.
    pub n: usize,
    /// From which seed.
    pub seed: Seed,
}

/// Intervals of every number, of [`LEVEL`](crate::LEVEL).
#[derive(Debug, Clone, PartialEq)]
pub struct Bootstrap {
    /// Tables that were drawn.
    pub drawn: usize,
    /// Of these, how many could not be fitted.
    pub failed: usize,
    /// Of the fixed effects, in the order of the fit.
    pub fixed: Vec<Interval>,
    /// Of the standard deviations, term by term in the order of the fit.
    pub random: Vec<Vec<Interval>>,
    /// Of the standard deviation of the errors.
    pub sigma: Interval,
}

/// Draws tables from the fit of `formula` to `table` and fits them.
pub fn bootstrap(
    formula: &Formula,
    table: &Table,
    criterion: Criterion,
    resamples: Resamples,
) -> Result<Bootstrap, MixedError> {
    let schema = Schema::new(table, formula)?;
    let matrices = Matrices::new(formula, &schema)?;
    let peak = Peak::from_scratch(&matrices, criterion, &formula.response)?;
    let stream_seed = resamples.seed.stream("mixed/bootstrap");
    let fitted: Vec<Vec<f64>> = (0..resamples.n)
        .into_par_iter()
        .filter_map(|number| {
            let mut rng = ChaCha8Rng::seed_from_u64(stream_seed);
            rng.set_stream(number as u64);
            let drawn = Matrices { y: draw(&matrices, &peak, &mut rng), ..matrices.clone() };
            let again = Peak::new(&drawn, criterion, &formula.response, &peak.theta).ok()?;
            again.found.is_settled.then(|| numbers(&drawn, &again))
        })
        .collect();
    let too_few = || MixedError::TooFewResamples { fitted: fitted.len(), resamples: resamples.n };
    let mut intervals = (0..numbers(&matrices, &peak).len()).map(|place| {
        let mut values: Vec<f64> = fitted.iter().map(|numbers| numbers[place]).collect();
        values.sort_by(f64::total_cmp);
        percentile(&values, &[]).ok_or_else(too_few)
    });
    let mut next = |n: usize| intervals.by_ref().take(n).collect::<Result<Vec<_>, _>>();
    let fixed = next(matrices.p())?;
    let random = matrices.random.iter().map(|term| next(term.terms.len())).collect::<Result<_, _>>()?;
    let sigma = next(1)?.first().copied().ok_or_else(too_few)?;
    Ok(Bootstrap { drawn: resamples.n, failed: resamples.n - fitted.len(), fixed, random, sigma })
}

/// Fixed effects, standard deviations of the random ones, and that of the errors.
fn numbers(matrices: &Matrices, peak: &Peak) -> Vec<f64> {
    let variations = peak.variations(matrices);
    let deviations = variations.iter().flat_map(|term| term.terms.iter().map(|(_, deviation)| *deviation));
    peak.solution.beta.iter().copied().chain(deviations).chain([peak.sigma]).collect()
}

/// A response drawn from the model.
fn draw(matrices: &Matrices, peak: &Peak, rng: &mut ChaCha8Rng) -> DVector<f64> {
    let mut y = &matrices.q * (&matrices.r * &peak.solution.beta);
    for (term, theta) in blocks(&matrices.random, &peak.theta) {
        let width = term.terms.len();
        let lower = lower_triangle(width, theta);
        let effects: Vec<DVector<f64>> =
            (0..term.levels).map(|_| &lower * DVector::from_fn(width, |_, _| normal(rng))).collect();
        for (row, value) in y.iter_mut().enumerate() {
            let effect = term.z.row(row).transpose().dot(&effects[term.level_of[row]]);
            *value += peak.sigma * effect;
        }
    }
    y.apply(|value| *value += peak.sigma * normal(rng));
    y
}

/// By Box and Muller (1958).
fn normal(rng: &mut ChaCha8Rng) -> f64 {
    let (radius, angle): (f64, f64) = (rng.random(), rng.random());
    (-2.0 * (1.0 - radius).ln()).sqrt() * (TAU * angle).cos()
}
