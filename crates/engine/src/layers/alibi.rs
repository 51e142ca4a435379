//! Attention with linear biases (ALiBi, Press et al. 2022): a score loses slope · distance, with a slope a head.
//!
//! For n heads, a power of two, slope h is 2^(−8h/n), h from 1. Otherwise the slopes of the power of two below come first,
//! then every second one of the power of two above.

/// The slope of each head.
pub(crate) fn slopes(n_heads: usize) -> Vec<f32> {
    let below = 1_usize << n_heads.ilog2();
    let slope = |h: usize, n: usize| (-8.0 * h as f64 / n as f64).exp2() as f32;
    let first = (1..=below).map(|h| slope(h, below));
    let then = (0..n_heads - below).map(|i| slope(2 * i + 1, 2 * below));
    first.chain(then).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slopes_fall_by_halves_for_eight_heads_and_fill_in_for_others() {
        assert_eq!(slopes(8), [1, 2, 3, 4, 5, 6, 7, 8].map(|h| 0.5_f32.powi(h)));
        assert_eq!(slopes(6), [0.25, 0.0625, 0.015_625, 0.003_906_25, 0.5, 0.125]);
        assert_eq!(slopes(1), [0.003_906_25]);
    }
}
