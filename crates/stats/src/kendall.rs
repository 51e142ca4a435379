//! Of two things that one side orders, does the other side order them alike?
//!
//! Kendall's τ-b (1945) counts pairs: concordant less discordant, over the pairs that are untied on either side. It runs
//! from −1 (reversed) over 0 (neutral: as many pairs agree as disagree) to 1 (the same order); with ties on one side
//! only it cannot reach ±1. `None` for fewer than two points, or when one side is constant.
//!
//! The p value says how often |τ| would be as large if the two sides had nothing to do with each other, by permuting one
//! side: over all orders up to seven points (5,040 orders; below four points p is never under 1/3), else over random
//! ones.

use rand::SeedableRng;
use rand::seq::SliceRandom;
use rand_chacha::ChaCha8Rng;
use stereometer_core::Seed;

/// Up to this many points all orders are visited.
const MAX_EXACT: usize = 7;

/// Kendall's τ-b.
pub fn kendall_tau_b(points: &[(f64, f64)]) -> Option<f64> {
    let untied =
        |side: fn(&(f64, f64)) -> f64| pairs(points).filter(|(a, b)| side(a) != side(b)).count() as f64;
    let (x, y) = (untied(|point| point.0), untied(|point| point.1));
    (x > 0.0 && y > 0.0).then(|| (balance(points) as f64 / (x.sqrt() * y.sqrt())).clamp(-1.0, 1.0))
}

/// Two-sided permutation p value of [`kendall_tau_b`], above 0; `None` where τ is.
///
/// Beyond seven points it is (1 + hits) / (1 + permutations), from the seed's stream `permutation/kendall`: never below
/// 1 / (1 + permutations), and 1 if there are none.
pub fn tau_permutation_p(points: &[(f64, f64)], permutations: usize, seed: Seed) -> Option<f64> {
    kendall_tau_b(points)?;
    // Ties stay what they are under permutation, so that |τ| is as large when the balance of pairs is.
    let observed = balance(points).abs();
    let mut points = points.to_vec();
    if points.len() <= MAX_EXACT {
        let (mut hits, mut all) = (0_u32, 0_u32);
        visit_orders(&mut points, 0, &mut |order| {
            all += 1;
            hits += u32::from(balance(order).abs() >= observed);
        });
        return Some(f64::from(hits) / f64::from(all));
    }
    let mut rng = ChaCha8Rng::seed_from_u64(seed.stream("permutation/kendall"));
    let (x, mut y): (Vec<f64>, Vec<f64>) = points.into_iter().unzip();
    let hits = (0..permutations)
        .filter(|_| {
            y.shuffle(&mut rng);
            let order: Vec<(f64, f64)> = x.iter().copied().zip(y.iter().copied()).collect();
            balance(&order).abs() >= observed
        })
        .count();
    Some((1 + hits) as f64 / (1 + permutations) as f64)
}

/// Concordant less discordant pairs.
fn balance(points: &[(f64, f64)]) -> i64 {
    let sign = |a: f64, b: f64| i64::from(a > b) - i64::from(a < b);
    pairs(points).map(|(a, b)| sign(a.0, b.0) * sign(a.1, b.1)).sum()
}

fn pairs(points: &[(f64, f64)]) -> impl Iterator<Item = (&(f64, f64), &(f64, f64))> {
    points.iter().enumerate().flat_map(|(place, a)| points[..place].iter().map(move |b| (a, b)))
}

/// Every order of the second side from `first` on, each once; the points are left as they were.
fn visit_orders(points: &mut [(f64, f64)], first: usize, visit: &mut impl FnMut(&[(f64, f64)])) {
    if first == points.len() {
        return visit(points);
    }
    for other in first..points.len() {
        swap_second(points, first, other);
        visit_orders(points, first + 1, visit);
        swap_second(points, first, other);
    }
}

fn swap_second(points: &mut [(f64, f64)], a: usize, b: usize) {
    (points[a].1, points[b].1) = (points[b].1, points[a].1);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_same_order_and_its_reverse() {
        let points: Vec<(f64, f64)> = (0..6).map(|i| (f64::from(i), f64::from(i * i))).collect();
        assert!((kendall_tau_b(&points).unwrap() - 1.0).abs() < 1e-12);
        // Of 720 orders this one and its reverse.
        assert!((tau_permutation_p(&points, 0, Seed(1)).unwrap() - 2.0 / 720.0).abs() < 1e-12);
        let reversed: Vec<(f64, f64)> = points.iter().map(|&(x, y)| (x, -y)).collect();
        assert!((kendall_tau_b(&reversed).unwrap() + 1.0).abs() < 1e-12);
    }

    #[test]
    fn nothing_is_said_of_one_point_or_a_constant() {
        for points in [&[][..], &[(1.0, 1.0)], &[(1.0, 5.0), (2.0, 5.0)]] {
            assert_eq!((kendall_tau_b(points), tau_permutation_p(points, 9, Seed(1))), (None, None));
        }
    }

    #[test]
    fn random_orders_come_near_the_exact_p_and_never_reach_zero() {
        let points: Vec<(f64, f64)> = (0..8).map(|i| (f64::from(i), f64::from(i))).collect();
        assert_eq!(tau_permutation_p(&points, 99, Seed(1)), Some(0.01));
        assert_eq!(tau_permutation_p(&points, 0, Seed(1)), Some(1.0));
    }
}
