//! Ranks with ties.

/// Rank of each value, 1 = highest; equal values share the mean of their ranks. Missing values have no rank.
pub fn mean_ranks(values: &[Option<f64>]) -> Vec<Option<f64>> {
    let present = |value: &f64| values.iter().flatten().filter(move |other| *other > value).count();
    values
        .iter()
        .map(|value| {
            value.as_ref().map(|value| {
                let above = present(value) as f64;
                let equal = values.iter().flatten().filter(|other| *other == value).count() as f64;
                above + f64::midpoint(equal, 1.0)
            })
        })
        .collect()
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
    }
}
