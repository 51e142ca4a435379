//! Do several raters put the same objects into one order?
//!
//! Kendall's W (Kendall & Babington Smith 1939; tie correction of Kendall & Gibbons 1990) compares how far the objects'
//! sums of ranks lie apart with how far they could:
//!
//! ```text
//! W    = 12 Σ_j (R_j − m (n + 1) / 2)² / (m² (n³ − n) − m Σ_i Σ_ties (t³ − t))     m raters, n objects
//! chi² = m (n − 1) W, with n − 1 degrees of freedom: Friedman's statistic
//! ```
//!
//! Range 0 (no agreement; the neutral point) to 1 (all the same order). Two raters who contradict each other have 0: W
//! knows no disagreement. Raters without any agreement have a mean W of 1/m, so that W of few raters is never compared with
//! W of many. The chi² distribution is an approximation that is poor for few objects and raters; the permutation p value
//! holds for any number.
//!
//! `None` for fewer than two raters, fewer than three objects, raters with different numbers of objects, or when every
//! rater ties all. An object that some rater lacks must be dropped by the caller, for all raters: W is defined for a full
//! table only.

use rand::SeedableRng;
use rand::seq::SliceRandom;
use rand_chacha::ChaCha8Rng;
use statrs::distribution::{ChiSquared, ContinuousCDF};
use stereometer_core::Seed;

use crate::mean_ranks;

/// Agreement of raters on an order.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Concordance {
    /// Kendall's W, corrected for ties: 0 = none, 1 = perfect.
    pub w: f64,
    /// Number of raters.
    pub raters: usize,
    /// Number of objects.
    pub objects: usize,
    /// Friedman's statistic, m (n − 1) W.
    pub chi_square: f64,
    /// Its p value by the chi² distribution.
    pub p_chi_square: f64,
    /// (1 + hits) / (1 + permutations): never below 1 / (1 + permutations), and 1 if there are none.
    pub p_permutation: f64,
}

/// Kendall's W of a table with a row a rater and a value (or rank) an object.
///
/// For the permutation p value each rater's ranks are shuffled independently, from the seed's stream
/// `permutation/concordance`.
pub fn kendall_w(rows: &[Vec<f64>], permutations: usize, seed: Seed) -> Option<Concordance> {
    let (raters, objects) = (rows.len(), rows.first()?.len());
    if raters < 2 || objects < 3 || rows.iter().any(|row| row.len() != objects) {
        return None;
    }
    let mut ranks: Vec<Vec<f64>> = rows.iter().map(|row| ranks(row)).collect();
    let (m, n) = (raters as f64, objects as f64);
    let ties: f64 = ranks.iter().map(|row| ties(row)).sum();
    let possible = m * m * (n * n * n - n) - m * ties;
    if possible <= 0.0 {
        return None;
    }
    let observed = deviation(&ranks);
    let w = (12.0 * observed / possible).clamp(0.0, 1.0);
    let chi_square = m * (n - 1.0) * w;
    let mut rng = ChaCha8Rng::seed_from_u64(seed.stream("permutation/concordance"));
    let hits = (0..permutations)
        .filter(|_| {
            for row in &mut ranks {
                row.shuffle(&mut rng);
            }
            // Ranks are whole or half, so that equal deviations are equal to the bit.
            deviation(&ranks) >= observed
        })
        .count();
    Some(Concordance {
        w,
        raters,
        objects,
        chi_square,
        p_chi_square: ChiSquared::new(n - 1.0).ok()?.sf(chi_square),
        p_permutation: (1 + hits) as f64 / (1 + permutations) as f64,
    })
}

fn ranks(row: &[f64]) -> Vec<f64> {
    let values: Vec<Option<f64>> = row.iter().copied().map(Some).collect();
    mean_ranks(&values).into_iter().flatten().collect()
}

/// Σ (t³ − t) over groups of t equal ranks: each member of a group adds t² − 1.
fn ties(ranks: &[f64]) -> f64 {
    let equal = |rank: &f64| ranks.iter().filter(|other| *other == rank).count() as f64;
    ranks.iter().map(|rank| equal(rank).powi(2) - 1.0).sum()
}

/// Σ_j (R_j − mean)² of the objects' sums of ranks.
fn deviation(ranks: &[Vec<f64>]) -> f64 {
    let objects = ranks[0].len();
    let mean = ranks.len() as f64 * (objects + 1) as f64 / 2.0;
    (0..objects).map(|object| (ranks.iter().map(|row| row[object]).sum::<f64>() - mean).powi(2)).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn w(rows: &[&[f64]]) -> Option<f64> {
        let rows: Vec<Vec<f64>> = rows.iter().map(|row| row.to_vec()).collect();
        Some(kendall_w(&rows, 19, Seed(1))?.w)
    }

    #[test]
    fn perfect_agreement_is_one_and_contradiction_zero() {
        let order: &[f64] = &[0.1, 0.2, 0.5, 0.9];
        assert!((w(&[order, order, order]).unwrap() - 1.0).abs() < 1e-12);
        assert_eq!(w(&[order, &[0.9, 0.5, 0.2, 0.1]]), Some(0.0));
        // Perfect with ties, too: that is what the correction is for.
        assert!((w(&[&[1.0, 1.0, 2.0], &[5.0, 5.0, 7.0]]).unwrap() - 1.0).abs() < 1e-12);
    }

    #[test]
    fn degenerate_tables_have_none() {
        let row: &[f64] = &[1.0, 2.0, 3.0];
        assert_eq!(w(&[]), None);
        assert_eq!(w(&[row]), None);
        assert_eq!(w(&[&[1.0, 2.0], &[1.0, 2.0]]), None);
        assert_eq!(w(&[&[4.0; 3], &[2.0; 3]]), None);
        assert_eq!(w(&[row, &[1.0, 2.0]]), None);
        assert!(w(&[row, &[4.0; 3]]).is_some());
    }

    #[test]
    fn permutation_p_values_are_seeded_and_above_zero() {
        let rows = vec![vec![1.0, 2.0, 3.0, 4.0, 5.0, 6.0]; 5];
        let p = |permutations| kendall_w(&rows, permutations, Seed(1)).unwrap().p_permutation;
        assert_eq!((p(99), p(0)), (0.01, 1.0));
    }
}
