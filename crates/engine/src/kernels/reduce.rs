//! Largest value and sum of exponentials down the rows, lane by lane: the inner loop of the vocabulary head.

use super::dispatch::per_level;
use super::exp::exp;
use super::{LANES, Lanes};

/// For each lane the largest value so far and Σ e^(value − largest).
#[derive(Debug, Clone, Copy)]
pub(crate) struct MaxSumExp {
    pub max: [f32; LANES],
    pub sum: [f64; LANES],
}

impl MaxSumExp {
    /// Of no rows.
    pub(crate) const EMPTY: Self = Self { max: [f32::NEG_INFINITY; LANES], sum: [0.0; LANES] };
}

per_level! {
    /// Takes some rows in.
    pub(crate) fn max_sum_exp(state: &mut MaxSumExp, rows: &[Lanes]) = max_sum_exp_body
}

#[inline(always)]
fn max_sum_exp_body<const FMA: bool>(state: &mut MaxSumExp, rows: &[Lanes]) {
    // f32 over few rows, f64 over the groups: the sum keeps seven digits however long the vocabulary.
    const GROUP: usize = 16;
    let mut max = state.max;
    for row in rows {
        for (max, value) in max.iter_mut().zip(row.0) {
            // Not `f32::max`: a NaN must come through, and it does in the sum.
            *max = if value > *max { value } else { *max };
        }
    }
    for ((sum, old), max) in state.sum.iter_mut().zip(state.max).zip(max) {
        *sum *= f64::from(exp::<FMA>(old - max));
    }
    for group in rows.chunks(GROUP) {
        let mut group_sum = [0.0_f32; LANES];
        for row in group {
            for ((sum, value), max) in group_sum.iter_mut().zip(row.0).zip(max) {
                // The product is NaN for an infinite value: −∞ would drop out of the sum and leave a finite number.
                *sum += exp::<FMA>(value - max) + value * 0.0;
            }
        }
        for (sum, group_sum) in state.sum.iter_mut().zip(group_sum) {
            *sum += f64::from(group_sum);
        }
    }
    state.max = max;
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kernels::Level;

    #[test]
    fn agrees_with_f64_and_lets_no_infinite_number_pass() {
        let mut rows: Vec<Lanes> = (0..100)
            .map(|r| Lanes(std::array::from_fn(|l| ((r * 37 + l * 11) % 64) as f32 * 0.4 - 20.0)))
            .collect();
        for level in Level::available() {
            let mut result = MaxSumExp::EMPTY;
            for part in rows.chunks(23) {
                max_sum_exp(level, &mut result, part);
            }
            for lane in 0..LANES {
                let max = rows.iter().map(|row| row.0[lane]).fold(f32::NEG_INFINITY, f32::max);
                let sum: f64 = rows.iter().map(|row| f64::from(row.0[lane] - max).exp()).sum();
                assert_eq!(result.max[lane], max);
                assert!((result.sum[lane] / sum - 1.0).abs() < 1e-6);
            }
        }
        for odd in [f32::NAN, f32::INFINITY, f32::NEG_INFINITY] {
            rows[50].0[3] = odd;
            let mut result = MaxSumExp::EMPTY;
            max_sum_exp(Level::detect(), &mut result, &rows);
            assert!(result.sum[3].is_nan() && result.sum[4].is_finite(), "{odd}");
        }
    }
}
