//! How likely are the data under given relative variances θ, with all else at its best?
//!
//! The profiled deviance of Bates, Mächler, Bolker and Walker (2015, doi:10.18637/jss.v067.i01), −2 log-likelihood at
//! the best β and σ for a θ; restricted (REML) or not (ML). The random effects are b = Λu, with the block Λ(θ) lower
//! triangular for every term.
//!
//! The penalised normal equations of u, β and the response are one symmetric matrix. The block of the factor with the
//! most levels is block-diagonal and is eliminated level by level, the rest by one dense Cholesky factorisation; its
//! last row holds the solution and the root of the penalised residual sum of squares. All cross-products are formed
//! once, of the response less its projection on X, so that a far-off mean costs no digits.
//!
//! The deviance does not change with the sign of a column of Λ: it is even in θ around zero variance. The optimiser
//! needs no bounds for that reason.

use std::f64::consts::TAU;

use nalgebra::{Cholesky, DMatrix, DVector};

use super::matrices::{Matrices, RandomTerm};
use super::{Criterion, MixedError};

/// Most random effects beside the factor with the most levels: the dense part.
const MAX_DENSE: usize = 2000;

/// The deviance as a function of θ.
#[derive(Debug)]
pub struct Objective {
    criterion: Criterion,
    n: usize,
    r: DMatrix<f64>,
    log_det_r: f64,
    /// Q'y.
    projected: DVector<f64>,
    /// Root mean square of what X leaves of y.
    scale: f64,
    lead: Block,
    others: Vec<Block>,
    /// Cross-products of the lead's columns within every level.
    lead_gram: Vec<DMatrix<f64>>,
    /// Of the lead's columns with all others, the fixed effects and the response.
    lead_cross: DMatrix<f64>,
    /// Of those among themselves.
    gram: DMatrix<f64>,
}

/// Where a random term stands.
#[derive(Debug, Clone, Copy)]
struct Block {
    theta: usize,
    width: usize,
    levels: usize,
    /// First column among the dense ones.
    start: usize,
}

/// The model at one θ.
#[derive(Debug, Clone)]
pub struct Solution {
    /// −2 log-likelihood, restricted or not.
    pub deviance: f64,
    /// The part of it that does not hang on σ.
    pub log_det: f64,
    /// Penalised residual sum of squares.
    pub residual: f64,
    /// Fixed effects.
    pub beta: DVector<f64>,
    /// K with Var(β) = σ² KK'.
    pub root: DMatrix<f64>,
}

impl Objective {
    /// Forms the cross-products.
    pub fn new(matrices: &Matrices, criterion: Criterion, response: &str) -> Result<Self, MixedError> {
        let (n, p) = (matrices.n(), matrices.p());
        let projected = matrices.q.tr_mul(&matrices.y);
        let mut left = &matrices.y - &matrices.q * &projected;
        let scale = left.norm() / ((n - p) as f64).sqrt();
        if scale <= 1e-12 * matrices.y.norm() / (n as f64).sqrt() {
            return Err(MixedError::NothingLeft(response.to_owned()));
        }
        left /= scale;
        let (lead, others, dense) = blocks(&matrices.random);
        if dense > MAX_DENSE {
            return Err(MixedError::TooLarge { effects: dense, limit: MAX_DENSE });
        }
        let first = &matrices.random[lead.0];
        let k = lead.1.width;
        let width = dense + p + 1;
        let mut lead_gram = vec![DMatrix::zeros(k, k); lead.1.levels];
        let mut lead_cross = DMatrix::zeros(first.effects(), width);
        let mut gram = DMatrix::zeros(width, width);
        let mut cells: Vec<(usize, f64)> = Vec::new();
        for row in 0..n {
            cells.clear();
            for (term, block) in &others {
                let term = &matrices.random[*term];
                let place = block.start + term.level_of[row] * block.width;
                cells.extend((0..block.width).map(|column| (place + column, term.z[(row, column)])));
            }
            cells.extend((0..p).map(|column| (dense + column, matrices.q[(row, column)])));
            cells.push((dense + p, left[row]));
            for &(a, x) in &cells {
                for &(b, y) in &cells {
                    gram[(a, b)] += x * y;
                }
            }
            let level = first.level_of[row];
            for a in 0..k {
                let x = first.z[(row, a)];
                for b in 0..k {
                    lead_gram[level][(a, b)] += x * first.z[(row, b)];
                }
                for &(b, y) in &cells {
                    lead_cross[(level * k + a, b)] += x * y;
                }
            }
        }
        let log_det_r = 2.0 * matrices.r.diagonal().iter().map(|r| r.ln()).sum::<f64>();
        let others = others.into_iter().map(|(_, block)| block).collect();
        let (r, lead) = (matrices.r.clone(), lead.1);
        Ok(Self { criterion, n, r, log_det_r, projected, scale, lead, others, lead_gram, lead_cross, gram })
    }

    /// Degrees of freedom of σ²: records, less fixed effects under REML.
    pub fn freedom(&self) -> f64 {
        match self.criterion {
            Criterion::Reml => (self.n - self.r.nrows()) as f64,
            Criterion::Ml => self.n as f64,
        }
    }

    /// The model at θ; `None` where rounding leaves no positive definite system.
    pub fn solve(&self, theta: &[f64]) -> Option<Solution> {
        let p = self.r.nrows();
        let width = self.gram.nrows();
        let dense = width - p - 1;
        let (mut gram, mut cross) = (self.gram.clone(), self.lead_cross.clone());
        for block in &self.others {
            let factor = block.factor(theta);
            for level in 0..block.levels {
                let at = block.start + level * block.width;
                scale_columns(&mut cross, at, &factor);
                scale_columns(&mut gram, at, &factor);
                let rows = factor.tr_mul(&gram.rows(at, block.width));
                gram.rows_mut(at, block.width).copy_from(&rows);
            }
        }
        for place in 0..dense {
            gram[(place, place)] += 1.0;
        }
        let factor = self.lead.factor(theta);
        let k = self.lead.width;
        let mut log_det = 0.0;
        for (level, own) in self.lead_gram.iter().enumerate() {
            let own = factor.tr_mul(own) * &factor + DMatrix::identity(k, k);
            let lower = Cholesky::new(own)?.unpack();
            log_det += 2.0 * lower.diagonal().iter().map(|d| d.ln()).sum::<f64>();
            let mut rows = factor.tr_mul(&cross.rows(level * k, k));
            lower.solve_lower_triangular_mut(&mut rows);
            cross.rows_mut(level * k, k).copy_from(&rows);
        }
        gram.gemm_tr(-1.0, &cross, &cross, 1.0);
        let lower = Cholesky::new(gram)?.unpack();
        log_det += 2.0 * (0..dense).map(|place| lower[(place, place)].ln()).sum::<f64>();
        let fixed = lower.view((dense, dense), (p, p)).into_owned();
        if self.criterion == Criterion::Reml {
            log_det += 2.0 * fixed.diagonal().iter().map(|d| d.ln()).sum::<f64>() + self.log_det_r;
        }
        let residual = (lower[(width - 1, width - 1)] * self.scale).powi(2);
        let upper = fixed.transpose();
        let right = lower.view((width - 1, dense), (1, p)).transpose();
        let shares = upper.solve_upper_triangular(&right)? * self.scale + &self.projected;
        let root = self.r.solve_upper_triangular(&upper.solve_upper_triangular(&DMatrix::identity(p, p))?)?;
        let beta = self.r.solve_upper_triangular(&shares)?;
        let freedom = self.freedom();
        let deviance = log_det + freedom * (1.0 + (TAU * residual / freedom).ln());
        let beta = beta.column(0).into_owned();
        deviance.is_finite().then_some(Solution { deviance, log_det, residual, beta, root })
    }
}

impl Block {
    /// The block of Λ.
    fn factor(&self, theta: &[f64]) -> DMatrix<f64> {
        lower_triangle(self.width, &theta[self.theta..])
    }
}

/// A lower triangle from its columns, one after the other.
pub fn lower_triangle(width: usize, theta: &[f64]) -> DMatrix<f64> {
    let mut theta = theta.iter();
    let mut lower = DMatrix::zeros(width, width);
    for column in 0..width {
        for row in column..width {
            lower[(row, column)] = theta.next().copied().unwrap_or(0.0);
        }
    }
    lower
}

fn scale_columns(matrix: &mut DMatrix<f64>, at: usize, factor: &DMatrix<f64>) {
    if factor.nrows() == 1 {
        return matrix.column_mut(at).scale_mut(factor[(0, 0)]);
    }
    let columns = matrix.columns(at, factor.nrows()) * factor;
    matrix.columns_mut(at, factor.nrows()).copy_from(&columns);
}

/// The term with the most effects, the others with their place among the dense columns, and how many those are.
fn blocks(random: &[RandomTerm]) -> ((usize, Block), Vec<(usize, Block)>, usize) {
    let mut theta = 0;
    let mut all: Vec<(usize, Block)> = Vec::new();
    for (place, term) in random.iter().enumerate() {
        all.push((place, Block { theta, width: term.terms.len(), levels: term.levels, start: 0 }));
        theta += term.parameters();
    }
    let most = (0..all.len()).max_by_key(|&place| random[place].effects()).unwrap_or(0);
    let lead = all.remove(most);
    let mut dense = 0;
    for (_, block) in &mut all {
        block.start = dense;
        dense += block.width * block.levels;
    }
    (lead, all, dense)
}
