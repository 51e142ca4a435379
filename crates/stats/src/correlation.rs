//! Correlation.

/// Pearson's ρ, from −1 to 1; `None` for fewer than three points or when one side does not vary.
pub fn pearson(points: &[(f64, f64)]) -> Option<f64> {
    let n = points.len() as f64;
    if points.len() < 3 {
        return None;
    }
    let mean_x = points.iter().map(|point| point.0).sum::<f64>() / n;
    let mean_y = points.iter().map(|point| point.1).sum::<f64>() / n;
    let (mut xx, mut yy, mut xy) = (0.0, 0.0, 0.0);
    for &(x, y) in points {
        let (dx, dy) = (x - mean_x, y - mean_y);
        xx += dx * dx;
        yy += dy * dy;
        xy += dx * dy;
    }
    // Rounding leaves a constant column with a variation near the square of the machine epsilon.
    let varies = |sum: f64, mean: f64| sum > 1e-24 * n * (1.0 + mean * mean);
    (varies(xx, mean_x) && varies(yy, mean_y)).then(|| (xy / (xx.sqrt() * yy.sqrt())).clamp(-1.0, 1.0))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn agrees_with_scipy() {
        // scipy.stats.pearsonr([1, 2, 3, 4, 5], [2, 1, 4, 3, 7.5]).statistic, SciPy 1.17.1
        let points = [(1.0, 2.0), (2.0, 1.0), (3.0, 4.0), (4.0, 3.0), (5.0, 7.5)];
        assert!(
            (pearson(&points).unwrap() - 0.822_192_191_643_778_7).abs() < 1e-12,
            "{:?}",
            pearson(&points)
        );
    }

    #[test]
    fn nothing_is_said_without_variation() {
        assert_eq!(pearson(&[(0.1, 1.0), (0.1, 2.0), (0.1, 3.0)]), None);
        assert_eq!(pearson(&[(1.0, 1.0), (2.0, 2.0)]), None);
    }
}
