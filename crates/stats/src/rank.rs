//! Ranks with ties.

/// Values that differ by less, relative to the larger one, differ in how their sums were rounded.
const ROUNDING: f64 = 1e-12;

/// Rank of each value, 1 = highest; values that are equal but for rounding share the mean of their ranks. Missing values
/// have no rank.
pub fn mean_ranks(values: &[Option<f64>]) -> Vec<Option<f64>> {
    let tied = |a: f64, b: f64| (a - b).abs() <= ROUNDING * a.abs().max(b.abs());
    let mut sorted: Vec<f64> = values.iter().flatten().copied().collect();
    sorted.sort_by(f64::total_cmp);
    let rank = |value: f64| {
        let below = sorted.partition_point(|&other| other < value && !tied(other, value));
        let not_above = sorted.partition_point(|&other| other <= value || tied(other, value));
        let (above, equal) = ((sorted.len() - not_above) as f64, (not_above - below) as f64);
        above + f64::midpoint(equal, 1.0)
    };
    values.iter().map(|value| value.map(rank)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ties_share_the_mean_rank_and_missing_values_have_none() {
        let ranks = mean_ranks(&[Some(0.5), Some(0.7), None, Some(0.5), Some(0.1)]);
        assert_eq!(ranks, [Some(2.5), Some(1.0), None, Some(2.5), Some(4.0)]);
    }

    #[test]
    fn all_tied_is_the_middle() {
        assert_eq!(mean_ranks(&[Some(0.5); 16])[3], Some(8.5));
        // 0.1 + 0.2 is not 0.3 to the bit.
        assert_eq!(
            mean_ranks(&[Some(0.1 + 0.2), Some(0.3), Some(1e-20), Some(2e-20)]),
            [Some(1.5), Some(1.5), Some(4.0), Some(3.0)]
        );
    }
}
