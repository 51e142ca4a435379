//! Many tests at once: which of them still say something?
//!
//! Holm's (1979) adjusted p values hold the chance of *any* false finding at the level, whatever the dependence between
//! the tests; Benjamini and Hochberg's (1995) hold the expected *share* of false findings among all findings, for tests
//! that are independent or positively dependent.
//!
//! Range: 0 to 1, never below the p value that went in; small = evidence. There is no neutral point. No p value gives an
//! empty list, one p value stays as it is. Tests that do not exist must be left out, not entered as 1: every entry
//! counts. The order of the input is kept.

/// Holm's step-down adjusted p values.
pub fn holm(p: &[f64]) -> Vec<f64> {
    let mut adjusted = vec![0.0; p.len()];
    let mut floor = 0.0_f64;
    for (place, &index) in ascending(p).iter().enumerate() {
        floor = floor.max((p.len() - place) as f64 * p[index]).min(1.0);
        adjusted[index] = floor;
    }
    adjusted
}

/// Benjamini and Hochberg's step-up adjusted p values.
pub fn benjamini_hochberg(p: &[f64]) -> Vec<f64> {
    let mut adjusted = vec![0.0; p.len()];
    let mut ceiling = 1.0_f64;
    for (place, &index) in ascending(p).iter().enumerate().rev() {
        ceiling = ceiling.min(p.len() as f64 / (place + 1) as f64 * p[index]);
        adjusted[index] = ceiling;
    }
    adjusted
}

fn ascending(p: &[f64]) -> Vec<usize> {
    let mut order: Vec<usize> = (0..p.len()).collect();
    order.sort_by(|&a, &b| p[a].total_cmp(&p[b]));
    order
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn none_and_one() {
        assert_eq!((holm(&[]), benjamini_hochberg(&[])), (vec![], vec![]));
        assert_eq!((holm(&[0.03]), benjamini_hochberg(&[0.03])), (vec![0.03], vec![0.03]));
    }

    #[test]
    fn the_order_is_kept_and_nothing_exceeds_one() {
        assert_eq!(holm(&[0.9, 0.01, 0.6]), [1.0, 0.03, 1.0]);
        let swapped = benjamini_hochberg(&[0.01, 0.9, 0.6]);
        assert_eq!(benjamini_hochberg(&[0.9, 0.01, 0.6]), [swapped[1], swapped[0], swapped[2]]);
    }
}
