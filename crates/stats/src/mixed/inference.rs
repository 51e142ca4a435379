//! How sure is a fixed effect?
//!
//! Beside the estimate and its standard error there are two readings. Wald's z takes the variances as known: a little
//! too sure, the more so with few levels. Student's t has the degrees of freedom of Satterthwaite (1946), as lmerTest
//! (Kuznetsova, Brockhoff and Christensen 2017, doi:10.18637/jss.v082.i13) takes them:
//!
//! ```text
//! df = 2 V² / (g'Ag),   V = Var(β_j),  g = ∂V/∂(θ, σ),  A = 2 H⁻¹,  H = Hessian of the deviance in (θ, σ)
//! ```
//!
//! Directions in which the deviance is flat or bends downwards carry no variance in A, as there. Derivatives in θ are
//! numerical, in σ by formula. Both p values are two-sided, in (0, 1], small = evidence against 0; the interval is of
//! 95 %, from t. At zero variances df is n − p, that of least squares.

use nalgebra::{DMatrix, DVector, SymmetricEigen};
use statrs::distribution::{ContinuousCDF, StudentsT};
use statrs::function::erf::erfc;

use super::objective::{Objective, Solution};
use super::optimise::derivatives;
use crate::interval::student_quantile;

/// Curvature, relative to the strongest, that counts as none.
const FLAT: f64 = 1e-7;

/// A fixed effect. All are finite.
#[derive(Debug, Clone, PartialEq)]
pub struct Coefficient {
    /// Its column, or `(Intercept)`.
    pub term: String,
    /// Change of the response for one unit more; neutral point 0.
    pub estimate: f64,
    /// Standard error.
    pub std_error: f64,
    /// Estimate over standard error; it is also t.
    pub z: f64,
    /// p of z.
    pub p_z: f64,
    /// By Satterthwaite; `None` where the deviance has no curvature to tell them.
    pub student: Option<Student>,
}

/// What degrees of freedom add.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Student {
    /// Degrees of freedom.
    pub df: f64,
    /// p of t.
    pub p: f64,
    /// Lower end of the interval.
    pub low: f64,
    /// Upper end.
    pub high: f64,
}

/// Every fixed effect, by its name.
pub fn coefficients(
    names: &[String],
    objective: &Objective,
    theta: &[f64],
    solution: &Solution,
) -> Vec<Coefficient> {
    let variance = solution.residual / objective.freedom();
    let degrees = satterthwaite(objective, theta, solution);
    let names = names.iter().enumerate();
    names
        .map(|(place, term)| {
            let estimate = solution.beta[place];
            let std_error = (variance * solution.root.row(place).norm_squared()).sqrt();
            let z = estimate / std_error;
            let df = degrees.as_ref().map(|degrees| degrees[place]);
            Coefficient {
                term: term.clone(),
                estimate,
                std_error,
                z,
                p_z: erfc(z.abs() / std::f64::consts::SQRT_2),
                student: df.and_then(|df| student(estimate, std_error, df)),
            }
        })
        .collect()
}

fn student(estimate: f64, std_error: f64, df: f64) -> Option<Student> {
    let t = StudentsT::new(0.0, 1.0, df).ok()?;
    let half = student_quantile(df)? * std_error;
    let p = (2.0 * t.sf((estimate / std_error).abs())).min(1.0);
    let found = Student { df, p, low: estimate - half, high: estimate + half };
    (half.is_finite() && p.is_finite()).then_some(found)
}

/// Degrees of freedom of every fixed effect.
fn satterthwaite(objective: &Objective, theta: &[f64], solution: &Solution) -> Option<Vec<f64>> {
    let (d, freedom) = (theta.len(), objective.freedom());
    let variance = solution.residual / freedom;
    let sigma = variance.sqrt();
    let at_sigma = |theta: &[f64]| objective.solve(theta).map(|s| s.log_det + s.residual / variance);
    let (_, in_theta) = derivatives(&at_sigma, theta)?;
    let mut hessian = DMatrix::zeros(d + 1, d + 1);
    hessian.view_mut((0, 0), (d, d)).copy_from(&in_theta);
    hessian[(d, d)] = 4.0 * freedom / variance;
    let spread = |solution: &Solution| {
        DVector::from_iterator(
            solution.beta.len() + 1,
            solution.root.row_iter().map(|row| row.norm_squared()).chain([solution.residual]),
        )
    };
    let own = spread(solution);
    let p = solution.beta.len();
    let mut slopes = DMatrix::zeros(p, d + 1);
    for place in 0..d {
        let slope = slope(&|theta: &[f64]| objective.solve(theta).map(|s| spread(&s)), theta, place)?;
        slopes.set_column(place, &(slope.rows(0, p) * variance));
        let mixed = -2.0 * slope[p] / sigma.powi(3);
        (hessian[(place, d)], hessian[(d, place)]) = (mixed, mixed);
    }
    slopes.set_column(d, &(own.rows(0, p) * (2.0 * sigma)));
    let inverse = upward_inverse(hessian);
    let degrees = (0..p).map(|place| {
        let slope = slopes.row(place);
        let spread = 2.0 * (slope * &inverse * slope.transpose())[(0, 0)];
        2.0 * (variance * own[place]).powi(2) / spread
    });
    Some(degrees.collect())
}

/// Derivative of a vector by central differences, extrapolated once.
fn slope(
    function: &dyn Fn(&[f64]) -> Option<DVector<f64>>,
    at: &[f64],
    place: usize,
) -> Option<DVector<f64>> {
    let step = 4e-3 * at[place].abs().max(0.25);
    let moved = |t: f64| {
        let mut point = at.to_vec();
        point[place] += t;
        function(&point)
    };
    let difference = |t: f64| Some((moved(t)? - moved(-t)?) / (2.0 * t));
    Some((difference(step / 2.0)? * 4.0 - difference(step)?) / 3.0)
}

/// Inverse over the directions in which a symmetric matrix bends upwards.
fn upward_inverse(matrix: DMatrix<f64>) -> DMatrix<f64> {
    let d = matrix.nrows();
    // Parameters of different units are brought to one before "flat" is told from "bent".
    let bend = |i: usize| matrix[(i, i)].abs().sqrt();
    let units = DVector::from_fn(d, |i, _| if bend(i) > 0.0 { bend(i).recip() } else { 1.0 });
    let units = DMatrix::from_diagonal(&units);
    let eigen = SymmetricEigen::new(&units * matrix * &units);
    let floor = FLAT * eigen.eigenvalues.amax();
    let inverse = eigen.eigenvalues.map(|value| if value > floor { value.recip() } else { 0.0 });
    let scaled = &eigen.eigenvectors * DMatrix::from_diagonal(&inverse) * eigen.eigenvectors.transpose();
    &units * scaled * &units
}
