//! Where is a smooth function of a few variables least?
//!
//! The simplex of Nelder and Mead (1965), started anew from its best point until a start gains nothing, then steps of
//! Newton's with a numerical Hessian, taken only where they gain. It ends after a fixed number of evaluations at the
//! latest, and says so. Values that cannot be had count as infinitely high.

use nalgebra::{Cholesky, DMatrix, DVector};

/// Spread of values in a simplex that counts as none: a deviance to which no digit that is shown is sensitive.
const FLAT: f64 = 1e-7;

/// What was found.
#[derive(Debug, Clone, PartialEq)]
pub struct Minimum {
    /// Where.
    pub at: Vec<f64>,
    /// The least value.
    pub value: f64,
    /// How often the function was asked.
    pub evaluations: usize,
    /// Whether the last start gained nothing, before the evaluations ran out.
    pub is_settled: bool,
    /// Evaluation and value of every gain.
    pub trace: Vec<(usize, f64)>,
}

struct Search<'a> {
    function: &'a dyn Fn(&[f64]) -> Option<f64>,
    limit: usize,
    best: Minimum,
}

/// Searches from `start`, with at most about `limit` evaluations.
pub fn minimise(function: &dyn Fn(&[f64]) -> Option<f64>, start: &[f64], limit: usize) -> Minimum {
    let best = Minimum {
        at: start.to_vec(),
        value: f64::INFINITY,
        evaluations: 0,
        is_settled: false,
        trace: Vec::new(),
    };
    let mut search = Search { function, limit, best };
    search.ask(start);
    let mut size = 0.5;
    while !search.is_over() {
        let before = search.best.value;
        search.simplex(size);
        if before - search.best.value <= FLAT {
            search.best.is_settled = search.best.value.is_finite();
            break;
        }
        size = 0.1;
    }
    search.newton();
    search.best
}

impl Search<'_> {
    fn ask(&mut self, at: &[f64]) -> f64 {
        let value = (self.function)(at).unwrap_or(f64::INFINITY);
        self.best.evaluations += 1;
        if value < self.best.value {
            self.best.at = at.to_vec();
            self.best.value = value;
            self.best.trace.push((self.best.evaluations, value));
        }
        value
    }

    fn is_over(&self) -> bool {
        self.best.evaluations >= self.limit
    }

    fn simplex(&mut self, size: f64) {
        let d = self.best.at.len();
        let mut points = vec![(self.best.at.clone(), self.best.value)];
        for place in 0..d {
            let mut at = self.best.at.clone();
            at[place] += size;
            let value = self.ask(&at);
            points.push((at, value));
        }
        while !self.is_over() {
            points.sort_by(|a, b| a.1.total_cmp(&b.1));
            if points[d].1 - points[0].1 <= FLAT {
                return;
            }
            let middle: Vec<f64> =
                (0..d).map(|i| points[..d].iter().map(|(at, _)| at[i]).sum::<f64>() / d as f64).collect();
            let worst = points[d].clone();
            let along =
                |t: f64| -> Vec<f64> { middle.iter().zip(&worst.0).map(|(m, w)| m + t * (w - m)).collect() };
            let (reflected, value) = self.at(along(-1.0));
            if value < points[0].1 {
                let (expanded, further) = self.at(along(-2.0));
                points[d] = if further < value { (expanded, further) } else { (reflected, value) };
            } else if value < points[d - 1].1 {
                points[d] = (reflected, value);
            } else {
                let (contracted, nearer) = self.at(along(if value < worst.1 { -0.5 } else { 0.5 }));
                if nearer < value.min(worst.1) {
                    points[d] = (contracted, nearer);
                } else {
                    let best = points[0].0.clone();
                    for point in &mut points[1..] {
                        let at = point.0.iter().zip(&best).map(|(x, b)| f64::midpoint(*x, *b)).collect();
                        *point = self.at(at);
                    }
                }
            }
        }
    }

    fn at(&mut self, at: Vec<f64>) -> (Vec<f64>, f64) {
        let value = self.ask(&at);
        (at, value)
    }

    fn newton(&mut self) {
        for _ in 0..3 {
            let before = self.best.value;
            let Some((gradient, hessian)) = derivatives(self.function, &self.best.at) else { return };
            let Some(factor) = Cholesky::new(hessian) else { return };
            let step = factor.solve(&gradient);
            let at: Vec<f64> = self.best.at.iter().zip(step.iter()).map(|(x, s)| x - s).collect();
            self.ask(&at);
            if before - self.best.value <= 1e-12 * before.abs() {
                return;
            }
        }
    }
}

/// Gradient and Hessian by central differences, extrapolated once (Richardson).
pub fn derivatives(
    function: &dyn Fn(&[f64]) -> Option<f64>,
    at: &[f64],
) -> Option<(DVector<f64>, DMatrix<f64>)> {
    let d = at.len();
    let steps: Vec<f64> = at.iter().map(|x| 4e-3 * x.abs().max(0.25)).collect();
    let centre = function(at)?;
    let moved = |moves: &[(usize, f64)]| {
        let mut point = at.to_vec();
        for &(place, t) in moves {
            point[place] += t * steps[place];
        }
        function(&point)
    };
    let extrapolate = |fine: f64, coarse: f64| (4.0 * fine - coarse) / 3.0;
    let mut gradient = DVector::zeros(d);
    let mut hessian = DMatrix::zeros(d, d);
    for i in 0..d {
        let pair = |t: f64| Some((moved(&[(i, t)])?, moved(&[(i, -t)])?));
        let ((up, down), (far_up, far_down)) = (pair(0.5)?, pair(1.0)?);
        gradient[i] = extrapolate(up - down, (far_up - far_down) / 2.0) / steps[i];
        let second = extrapolate(4.0 * (up - 2.0 * centre + down), far_up - 2.0 * centre + far_down);
        hessian[(i, i)] = second / (steps[i] * steps[i]);
        for j in 0..i {
            let mixed = |t: f64| {
                let same = moved(&[(i, t), (j, t)])? + moved(&[(i, -t), (j, -t)])?;
                let opposite = moved(&[(i, t), (j, -t)])? + moved(&[(i, -t), (j, t)])?;
                Some((same - opposite) / (4.0 * t * t))
            };
            let value = extrapolate(mixed(0.5)?, mixed(1.0)?) / (steps[i] * steps[j]);
            (hessian[(i, j)], hessian[(j, i)]) = (value, value);
        }
    }
    Some((gradient, hessian))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn finds_the_floor_of_rosenbrocks_valley() {
        let valley = |x: &[f64]| Some((1.0 - x[0]).powi(2) + 100.0 * (x[1] - x[0] * x[0]).powi(2));
        let found = minimise(&valley, &[-1.2, 1.0], 2000);
        assert!(found.is_settled, "{found:?}");
        assert!((found.at[0] - 1.0).abs() < 1e-6 && (found.at[1] - 1.0).abs() < 1e-6, "{found:?}");
        assert!(found.trace.windows(2).all(|pair| pair[1].1 < pair[0].1));
    }

    #[test]
    fn says_when_it_did_not_get_there() {
        let valley = |x: &[f64]| Some((1.0 - x[0]).powi(2) + 100.0 * (x[1] - x[0] * x[0]).powi(2));
        let found = minimise(&valley, &[-1.2, 1.0], 20);
        assert!(!found.is_settled && found.evaluations < 50, "{found:?}");
        assert!(!minimise(&|_| None, &[1.0], 50).is_settled);
    }

    #[test]
    fn derivatives_are_those_of_the_formula() {
        let f = |x: &[f64]| Some(x[0].exp() * x[1].sin());
        let (gradient, hessian) = derivatives(&f, &[0.3, 0.7]).unwrap();
        let (e, s, c) = (0.3_f64.exp(), 0.7_f64.sin(), 0.7_f64.cos());
        assert!((gradient - DVector::from_vec(vec![e * s, e * c])).norm() < 1e-9);
        assert!((hessian - DMatrix::from_row_slice(2, 2, &[e * s, e * c, e * c, -e * s])).norm() < 1e-6);
    }
}
