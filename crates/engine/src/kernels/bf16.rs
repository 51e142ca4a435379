//! Products of bf16: activations rounded to bf16 in pairs of features, sums in f32.
//!
//! `vdpbf16ps` multiplies two bf16 by two others and adds both products to an f32, first the second product, then the
//! first, each rounded once; denormal numbers count as zero. A machine without it gets the same bits from fused
//! multiply-adds over rounded numbers whose pairs are swapped ([`round_swapped`]), at the speed of f32; one without fused
//! multiply-add differs in the last places. No crate was found that gives one order of summation for every shape
//! (oneDNN and `gemm` block by shape and threads; candle's bf16 product runs at the speed of f32).

use super::dispatch::per_level;
use super::level::Set;
use super::tile::Tile;
use super::{Lanes, Level, WordLanes};

/// The bits of the nearest bf16, ties to even, in the low half; denormal numbers become zero, NaN stays NaN.
#[inline(always)]
pub(super) fn round(value: f32) -> u32 {
    let bits = value.to_bits();
    let rounded = bits.wrapping_add(0x7fff + ((bits >> 16) & 1)) >> 16;
    let magnitude = bits & 0x7fff_ffff;
    if magnitude > 0x7f80_0000 {
        (bits >> 16) | 0x40
    } else if magnitude < 0x0080_0000 {
        (bits >> 16) & 0x8000
    } else {
        rounded
    }
}

per_level! {
    /// The panel's features in pairs, the first in the low half of the word; a feature without a partner gets zero.
    pub(crate) fn pair_up(source: &[Lanes], target: &mut [WordLanes]) = pair_up_body
}

#[inline(always)]
fn pair_up_body<const FMA: bool>(source: &[Lanes], target: &mut [WordLanes]) {
    for (pair, slot) in source.chunks(2).zip(target) {
        let second = pair.get(1).unwrap_or(&Lanes::ZERO);
        for ((slot, &first), &second) in slot.0.iter_mut().zip(&pair[0].0).zip(&second.0) {
            *slot = round(first) | round(second) << 16;
        }
    }
}

per_level! {
    /// The rounded numbers as f32, each pair's second feature first.
    pub(crate) fn round_swapped(source: &[Lanes], target: &mut [Lanes]) = round_swapped_body
}

#[inline(always)]
fn round_swapped_body<const FMA: bool>(source: &[Lanes], target: &mut [Lanes]) {
    for (pair, slots) in source.chunks(2).zip(target.chunks_exact_mut(2)) {
        let second = pair.get(1).unwrap_or(&Lanes::ZERO);
        for (slot, feature) in slots.iter_mut().zip([second, &pair[0]]) {
            for (slot, &value) in slot.0.iter_mut().zip(&feature.0) {
                *slot = f32::from_bits(round(value) << 16);
            }
        }
    }
}

impl Tile<'_, u32, WordLanes> {
    /// Computes the tile.
    #[allow(unsafe_code)]
    pub(super) fn run(&mut self, level: Level) {
        self.check();
        match level.set() {
            // SAFETY: the level proves that the instructions exist; `check` bounds every access.
            #[cfg(target_arch = "x86_64")]
            Set::Avx512Bf16 => unsafe { x86::avx512(self) },
            #[cfg(target_arch = "x86_64")]
            Set::Avx512Vnni | Set::Avx512 | Set::Avx2 => {
                unreachable!("pairs are made for the instruction alone")
            }
            Set::Portable => unreachable!("pairs are made for the instruction alone"),
        }
    }
}

#[cfg(target_arch = "x86_64")]
#[allow(unsafe_code)]
mod x86 {
    use std::arch::x86_64::{
        __m512, __m512bh, __m512i, _mm512_dpbf16_ps, _mm512_load_si512, _mm512_set1_epi32, _mm512_setzero_ps,
    };

    use super::{Tile, WordLanes};
    use crate::kernels::LANES;
    use crate::kernels::tile::x86::store;

    /// # Safety
    /// The machine has AVX-512 with BF16, and `Tile::check` has passed.
    #[target_feature(enable = "avx512f,avx512bf16")]
    pub(super) unsafe fn avx512(tile: &mut Tile<u32, WordLanes>) {
        macro_rules! by_rows {
            ($($rows:literal)*) => {
                // SAFETY: the caller's promises are passed on.
                match (tile.target.len(), tile.half) {
                    $(($rows, false) => unsafe { part::<$rows, 2>(tile) },
                    ($rows, true) => unsafe { part::<$rows, 1>(tile) },)*
                    _ => unreachable!("checked by Tile::check"),
                }
            };
        }
        by_rows!(1 2 3 4 5 6 7 8 9 10 11 12);
    }

    #[target_feature(enable = "avx512f,avx512bf16")]
    unsafe fn part<const ROWS: usize, const VECTORS: usize>(tile: &mut Tile<u32, WordLanes>) {
        // SAFETY: both are 64 bytes of plain bits.
        let pairs = |bits: __m512i| unsafe { std::mem::transmute::<__m512i, __m512bh>(bits) };
        let weights = tile.weights.as_ptr();
        let panel = tile.panel.as_ptr().cast::<u32>();
        let mut sums: [[__m512; VECTORS]; ROWS] = [[_mm512_setzero_ps(); VECTORS]; ROWS];
        for k in 0..tile.panel.len() {
            // SAFETY: k < panel.len(), and each of its entries holds LANES aligned words.
            let values: [__m512bh; VECTORS] = std::array::from_fn(|v| {
                pairs(unsafe { _mm512_load_si512(panel.add(k * LANES + v * 16).cast()) })
            });
            for (row, row_sums) in sums.iter_mut().enumerate() {
                // SAFETY: row < target.len() and k < panel.len(), the bounds that `Tile::check` checked.
                let weight =
                    pairs(_mm512_set1_epi32(unsafe { *weights.add(row * tile.stride + k) }.cast_signed()));
                for (sum, value) in row_sums.iter_mut().zip(values) {
                    *sum = _mm512_dpbf16_ps(*sum, value, weight);
                }
            }
        }
        store(&sums, tile.target, tile.add);
    }
}

#[cfg(test)]
mod tests {
    use half::bf16;

    use super::*;
    use crate::kernels::LANES;

    #[test]
    fn rounding_is_that_of_the_half_crate_but_for_denormals() {
        for bits in (0..u32::MAX).step_by(65_521) {
            let value = f32::from_bits(bits);
            let rounded = f32::from_bits(round(value) << 16);
            if value.is_nan() {
                assert!(rounded.is_nan());
            } else if value.is_subnormal() {
                assert_eq!(rounded.abs(), 0.0);
            } else {
                assert_eq!(rounded.to_bits(), bf16::from_f32(value).to_f32().to_bits(), "{value:e}");
            }
        }
    }

    #[test]
    fn pairs_and_swapped_numbers_are_the_same_numbers() {
        let source: Vec<Lanes> =
            (0..5).map(|f| Lanes(std::array::from_fn(|l| (f * 37 + l) as f32 * 0.317 - 20.0))).collect();
        for level in Level::available() {
            let mut pairs = vec![WordLanes([9; LANES]); 3];
            let mut swapped = vec![Lanes::ONE; 6];
            pair_up(level, &source, &mut pairs);
            round_swapped(level, &source, &mut swapped);
            for (pair, swapped) in pairs.iter().zip(swapped.chunks_exact(2)) {
                for lane in 0..LANES {
                    assert_eq!(f32::from_bits(pair.0[lane] << 16), swapped[1].0[lane]);
                    assert_eq!(f32::from_bits(pair.0[lane] & 0xffff_0000), swapped[0].0[lane]);
                }
            }
            assert_eq!(swapped[4], Lanes::ZERO);
        }
    }
}
