//! e^x in f32, written so that the compiler turns a loop over lanes into vector instructions.
//!
//! x = n·ln 2 + r with |r| ≤ ln 2 / 2; e^r by a polynomial (Cephes `expf`, Moshier 1989); 2ⁿ by writing the exponent.
//! Relative error below 2e-7 (tested against f64). Below −87.3 the result stays at the smallest normal number, about
//! 1e-38, rather than going through the slow denormal range: in a sum with a term of 1 it is nothing. Above 88 it stays
//! at e^88, so that 1 / (1 + e^x) is 0 to f32 precision and never a NaN.

use super::dispatch::fma;

const LOWEST: f32 = -87.3;
const HIGHEST: f32 = 88.0;

/// e^x, clamped to the range of normal numbers. NaN stays NaN.
#[inline(always)]
pub(super) fn exp<const FMA: bool>(x: f32) -> f32 {
    // Adding and subtracting 1.5·2²³ rounds to the nearest integer without a library call.
    const ROUND: f32 = 12_582_912.0;
    // ln 2 in two parts: the first has few bits, so its product with n is exact.
    const LN_2_HIGH: f32 = 0.693_359_4;
    const LN_2_LOW: f32 = -2.121_944_4e-4;
    let clamped = if x < LOWEST { LOWEST } else { x };
    let clamped = if clamped > HIGHEST { HIGHEST } else { clamped };
    let rounded = fma::<FMA>(clamped, std::f32::consts::LOG2_E, ROUND);
    let n = rounded - ROUND;
    let r = fma::<FMA>(n, -LN_2_HIGH, clamped);
    let r = fma::<FMA>(n, -LN_2_LOW, r);
    let mut polynomial = 1.987_569_1e-4;
    for coefficient in [1.398_199_9e-3, 8.333_452e-3, 4.166_579_6e-2, 1.666_666_5e-1, 0.5] {
        polynomial = fma::<FMA>(polynomial, r, coefficient);
    }
    let e_r = fma::<FMA>(polynomial, r * r, r) + 1.0;
    // The low bits of `rounded` hold n; a cast from float would bring its checks for NaN into the loop.
    let power = f32::from_bits(rounded.to_bits().wrapping_add(127) << 23);
    e_r * power
}

/// 1 / (1 + e^−x).
#[inline(always)]
pub(super) fn sigmoid<const FMA: bool>(x: f32) -> f32 {
    1.0 / (1.0 + exp::<FMA>(-x))
}

/// tanh x; its absolute error is that of f32 near 1.
#[inline(always)]
pub(super) fn tanh<const FMA: bool>(x: f32) -> f32 {
    1.0 - 2.0 / (exp::<FMA>(2.0 * x) + 1.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_exponential_is_within_two_ten_millionths_of_f64() {
        let mut worst = [0.0_f64; 2];
        for step in 0..2_000_000 {
            let x = -87.0 + step as f32 * (175.0 / 2_000_000.0);
            let truth = f64::from(x).exp();
            for (fused, value) in [exp::<false>(x), exp::<true>(x)].into_iter().enumerate() {
                worst[fused] = worst[fused].max((f64::from(value) - truth).abs() / truth);
            }
        }
        assert!(worst.iter().all(|&error| error < 2e-7), "{worst:?}");
    }

    #[test]
    fn the_ends_of_the_range_are_finite() {
        for x in [f32::NEG_INFINITY, -1e30, -88.0, 88.0, 89.0, 1e30, f32::INFINITY] {
            assert!(exp::<true>(x).is_finite(), "{x}");
        }
        assert!(exp::<true>(-1e30) < 2e-38);
        assert!(exp::<true>(f32::NAN).is_nan());
        assert_eq!(exp::<true>(0.0), 1.0);
        assert_eq!(sigmoid::<true>(-1e4), 0.0_f32.max(sigmoid::<true>(-1e4)));
        assert!((tanh::<true>(0.3) - 0.3_f32.tanh()).abs() < 2e-7);
    }
}
