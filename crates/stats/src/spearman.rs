//! Do two orders agree, whatever the spacing?

use crate::{mean_ranks, pearson};

/// Spearman's ρ: [`pearson`] of the two sides' mean ranks.
///
/// From −1 (reversed) over 0 (neutral) to 1 (the same order). `None` where `pearson` has none: fewer than three points,
/// or a side on which all are tied.
pub fn spearman(points: &[(f64, f64)]) -> Option<f64> {
    let ranks = |side: fn(&(f64, f64)) -> f64| {
        let values: Vec<Option<f64>> = points.iter().map(|point| Some(side(point))).collect();
        mean_ranks(&values).into_iter().flatten()
    };
    let points: Vec<(f64, f64)> = ranks(|point| point.0).zip(ranks(|point| point.1)).collect();
    pearson(&points)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_order_counts() {
        let rising = [(1.0, 1.0), (2.0, 10.0), (3.0, 1000.0)];
        assert!((spearman(&rising).unwrap() - 1.0).abs() < 1e-12);
        assert!((spearman(&rising.map(|(x, y)| (x, -y))).unwrap() + 1.0).abs() < 1e-12);
    }

    #[test]
    fn nothing_is_said_of_two_points_or_a_constant() {
        assert_eq!(spearman(&[(1.0, 1.0), (2.0, 2.0)]), None);
        assert_eq!(spearman(&[(1.0, 5.0), (2.0, 5.0), (3.0, 5.0)]), None);
    }
}
