//! Products of 8-bit integers: weights and tokens in blocks of 32 features with a scale each, sums of blocks in f32.
//!
//! The form of ggml's Q8_0, for weights and tokens alike. A block's products are summed in integers, exactly; then
//! y += sum · scale of the token · scale of the weights, each operation rounded by itself, so that every machine gives
//! the same bits. `vpdpbusd` (VNNI) multiplies unsigned by signed bytes: tokens are stored with 128 added, and the sum
//! starts at −128 · Σ weights.
//!
//! Against f32 the rounding of the tokens costs about 0.4 % of a block's largest number; what it moves is measured by
//! `stereometer verify RUN --dtype f32`.

use bytemuck::{Pod, Zeroable};

use super::dispatch::per_level;
use super::level::Set;
use super::{LANES, Lanes, Level, WordLanes};

/// Features that share a scale.
pub(crate) const BLOCK: usize = 32;

/// Features in one word.
const WORD: usize = 4;

/// Words of a block.
pub(super) const WORDS: usize = BLOCK / WORD;

/// Weight rows of a tile: their sums and integer sums fill 24 of the 32 registers.
pub(super) const TILE_ROWS: usize = 6;

/// A block of weights.
#[derive(Debug, Clone, Copy, PartialEq, Pod, Zeroable)]
#[repr(C)]
pub(crate) struct ByteBlock {
    pub scale: f32,
    pub values: [i8; BLOCK],
}

impl ByteBlock {
    /// The nearest block: the largest number becomes ±127. Fewer than [`BLOCK`] numbers are followed by zeros. A number
    /// that is not finite makes the whole block NaN, so that it is not lost.
    pub(crate) fn of(numbers: &[f32]) -> Self {
        let largest = numbers.iter().fold(0.0_f32, |largest, number| larger(largest, number.abs()));
        let (scale, inverse) = scales(largest);
        let mut values = [0; BLOCK];
        for (value, number) in values.iter_mut().zip(numbers) {
            *value = nearest(number * inverse) as i8;
        }
        Self { scale, values }
    }
}

/// The larger one, or NaN.
#[inline(always)]
fn larger(a: f32, b: f32) -> f32 {
    if a >= b || a.is_nan() { a } else { b }
}

/// What one step is worth, and how many steps a unit is, for numbers up to this one.
#[inline(always)]
fn scales(largest: f32) -> (f32, f32) {
    // The inverse of a denormal scale would be infinite.
    const SMALLEST: f32 = 1e-30;
    if largest > SMALLEST && largest < f32::INFINITY {
        (largest / 127.0, 127.0 / largest)
    } else if largest <= SMALLEST {
        (0.0, 0.0)
    } else {
        (f32::NAN, 0.0)
    }
}

/// The nearest integer, ties to even, of a number between ±2²².
#[inline(always)]
fn nearest(number: f32) -> i32 {
    const ROUND: f32 = 12_582_912.0;
    (number + ROUND).to_bits().wrapping_sub(ROUND.to_bits()).cast_signed()
}

per_level! {
    /// Tokens as words of four features each, 128 added, and a scale for each block.
    pub(crate) fn quantise(source: &[Lanes], words: &mut [WordLanes], scales: &mut [Lanes]) = quantise_body
}

#[inline(always)]
fn quantise_body<const FMA: bool>(source: &[Lanes], words: &mut [WordLanes], scales_of: &mut [Lanes]) {
    let blocks = source.chunks(BLOCK).zip(words.chunks_exact_mut(WORDS)).zip(scales_of);
    for ((features, words), scale_of) in blocks {
        let mut largest = [0.0_f32; LANES];
        for lanes in features {
            for (largest, value) in largest.iter_mut().zip(lanes.0) {
                *largest = larger(*largest, value.abs());
            }
        }
        let mut inverses = [0.0_f32; LANES];
        for ((scale, inverse), largest) in scale_of.0.iter_mut().zip(&mut inverses).zip(largest) {
            (*scale, *inverse) = scales(largest);
        }
        words.fill(WordLanes([0x8080_8080; LANES]));
        for (index, lanes) in features.iter().enumerate() {
            let shift = 8 * (index % WORD);
            for ((word, value), inverse) in words[index / WORD].0.iter_mut().zip(lanes.0).zip(inverses) {
                // The low byte of value + 128 is the value's with its highest bit turned, as it stands there already.
                *word ^= (nearest(value * inverse).cast_unsigned() & 0xff) << shift;
            }
        }
    }
}

/// What one tile reads and writes: rows of weights as words, a scale and a start of the sum for each block.
pub(super) struct ByteTile<'a> {
    /// Row r starts at `r * stride` words, block b of it at [`WORDS`] · b.
    pub weights: &'a [u32],
    pub stride: usize,
    /// Scale and start of each block; row r starts at `r * block_stride`.
    pub blocks: &'a [(f32, i32)],
    pub block_stride: usize,
    pub panel: &'a [WordLanes],
    pub scales: &'a [Lanes],
    /// One entry a row, at most [`TILE_ROWS`].
    pub target: &'a mut [Lanes],
    pub add: bool,
    pub half: bool,
}

impl ByteTile<'_> {
    /// Computes the tile.
    #[allow(unsafe_code)]
    pub(super) fn run(&mut self, level: Level) {
        let (n_rows, n_blocks) = (self.target.len(), self.scales.len());
        assert!(n_rows <= TILE_ROWS && n_rows > 0 && self.panel.len() == n_blocks * WORDS);
        assert!(self.weights.len() >= (n_rows - 1) * self.stride + self.panel.len());
        assert!(self.blocks.len() >= (n_rows - 1) * self.block_stride + n_blocks);
        match level.set() {
            // SAFETY: the level proves that the instructions exist; the assertions above bound every access.
            #[cfg(target_arch = "x86_64")]
            Set::Avx512Bf16 | Set::Avx512Vnni => unsafe { x86::vnni(self) },
            #[cfg(target_arch = "x86_64")]
            Set::Avx512 | Set::Avx2 => tile(level, self),
            Set::Portable => tile(level, self),
        }
    }
}

per_level! {
    fn tile(tile: &mut ByteTile) = tile_body
}

#[inline(always)]
fn tile_body<const FMA: bool>(tile: &mut ByteTile) {
    for (row, target) in tile.target.iter_mut().enumerate() {
        let mut sums = [0.0_f32; LANES];
        for (block, scales) in tile.scales.iter().enumerate() {
            let (weight_scale, start) = tile.blocks[row * tile.block_stride + block];
            let mut integers = [start; LANES];
            let words = &tile.weights[row * tile.stride + block * WORDS..][..WORDS];
            for (word, lanes) in words.iter().zip(&tile.panel[block * WORDS..]) {
                for (index, byte) in word.to_le_bytes().into_iter().enumerate() {
                    let weight = i32::from(byte.cast_signed());
                    for (integer, token) in integers.iter_mut().zip(lanes.0) {
                        *integer += ((token >> (8 * index)) & 0xff).cast_signed() * weight;
                    }
                }
            }
            for ((sum, integer), scale) in sums.iter_mut().zip(integers).zip(scales.0) {
                *sum += integer as f32 * scale * weight_scale;
            }
        }
        for (slot, sum) in target.0.iter_mut().zip(sums) {
            *slot = if tile.add { *slot + sum } else { sum };
        }
    }
}

#[cfg(target_arch = "x86_64")]
#[allow(unsafe_code)]
mod x86 {
    use std::arch::x86_64::{
        __m512, __m512i, _mm512_add_ps, _mm512_cvtepi32_ps, _mm512_dpbusd_epi32, _mm512_load_ps,
        _mm512_load_si512, _mm512_mul_ps, _mm512_set1_epi32, _mm512_set1_ps, _mm512_setzero_ps,
    };

    use super::{ByteTile, LANES, WORDS};
    use crate::kernels::tile::x86::store;

    /// # Safety
    /// The machine has AVX-512 with VNNI, and `ByteTile::run` has checked the lengths.
    #[target_feature(enable = "avx512f,avx512vnni")]
    pub(super) unsafe fn vnni(tile: &mut ByteTile) {
        macro_rules! by_rows {
            ($($rows:literal)*) => {
                // SAFETY: the caller's promises are passed on.
                match (tile.target.len(), tile.half) {
                    $(($rows, false) => unsafe { part::<$rows, 2>(tile) },
                    ($rows, true) => unsafe { part::<$rows, 1>(tile) },)*
                    _ => unreachable!("checked by ByteTile::run"),
                }
            };
        }
        by_rows!(1 2 3 4 5 6);
    }

    #[target_feature(enable = "avx512f,avx512vnni")]
    unsafe fn part<const ROWS: usize, const VECTORS: usize>(tile: &mut ByteTile) {
        let weights = tile.weights.as_ptr();
        let panel = tile.panel.as_ptr().cast::<u32>();
        let scales = tile.scales.as_ptr().cast::<f32>();
        let blocks = tile.blocks.as_ptr();
        let mut sums: [[__m512; VECTORS]; ROWS] = [[_mm512_setzero_ps(); VECTORS]; ROWS];
        for block in 0..tile.scales.len() {
            // SAFETY: row < target.len() and block < scales.len(), the bounds that `ByteTile::run` checked.
            let block_of = |row: usize| unsafe { *blocks.add(row * tile.block_stride + block) };
            let mut integers: [[__m512i; VECTORS]; ROWS] =
                std::array::from_fn(|row| [_mm512_set1_epi32(block_of(row).1); VECTORS]);
            for k in block * WORDS..(block + 1) * WORDS {
                // SAFETY: k < panel.len(), and each of its entries holds LANES aligned words.
                let tokens: [__m512i; VECTORS] = std::array::from_fn(|v| unsafe {
                    _mm512_load_si512(panel.add(k * LANES + v * 16).cast())
                });
                for (row, integers) in integers.iter_mut().enumerate() {
                    // SAFETY: row < target.len() and k < panel.len(), the bounds that `ByteTile::run` checked.
                    let word = unsafe { *weights.add(row * tile.stride + k) };
                    let weight = _mm512_set1_epi32(word.cast_signed());
                    for (integer, token) in integers.iter_mut().zip(tokens) {
                        *integer = _mm512_dpbusd_epi32(*integer, token, weight);
                    }
                }
            }
            // SAFETY: block < scales.len(), and each of its entries holds LANES aligned floats.
            let token_scales: [__m512; VECTORS] =
                std::array::from_fn(|v| unsafe { _mm512_load_ps(scales.add(block * LANES + v * 16)) });
            for (row, (sums, integers)) in sums.iter_mut().zip(integers).enumerate() {
                let weight_scale = _mm512_set1_ps(block_of(row).0);
                for ((sum, integer), token_scale) in sums.iter_mut().zip(integers).zip(token_scales) {
                    let scaled = _mm512_mul_ps(_mm512_cvtepi32_ps(integer), token_scale);
                    *sum = _mm512_add_ps(*sum, _mm512_mul_ps(scaled, weight_scale));
                }
            }
        }
        store(&sums, tile.target, tile.add);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_block_keeps_its_largest_number_and_rounds_the_rest() {
        let numbers: Vec<f32> = (0..BLOCK).map(|i| (i as f32 - 20.0) * 0.37).collect();
        let block = ByteBlock::of(&numbers);
        assert_eq!(block.values[0], -127);
        for (value, number) in block.values.iter().zip(&numbers) {
            assert!((f32::from(*value) * block.scale - number).abs() <= 0.500_01 * block.scale);
        }
        // A block that is stored in this form already comes back as it was.
        let again: Vec<f32> = block.values.iter().map(|&value| f32::from(value) * block.scale).collect();
        assert_eq!(ByteBlock::of(&again).values, block.values);
        assert_eq!(ByteBlock::of(&[0.0; 5]), ByteBlock { scale: 0.0, values: [0; BLOCK] });
        for odd in [f32::NAN, f32::INFINITY, f32::NEG_INFINITY] {
            assert!(ByteBlock::of(&[1.0, odd, 2.0]).scale.is_nan());
        }
    }

    #[test]
    fn tokens_are_rounded_as_weights_are() {
        let source: Vec<Lanes> = (0..40)
            .map(|f| Lanes(std::array::from_fn(|l| ((f * 37 + l * 11) % 101) as f32 * 0.3 - 15.0)))
            .collect();
        for level in Level::available() {
            let mut words = vec![WordLanes([0; LANES]); 2 * WORDS];
            let mut scales = vec![Lanes::ONE; 2];
            quantise(level, &source, &mut words, &mut scales);
            for lane in 0..LANES {
                for block in 0..2 {
                    let numbers: Vec<f32> =
                        source.iter().skip(block * BLOCK).take(BLOCK).map(|lanes| lanes.0[lane]).collect();
                    let expected = ByteBlock::of(&numbers);
                    assert_eq!(scales[block].0[lane], expected.scale);
                    let bytes = words[block * WORDS..][..WORDS].iter().flat_map(|w| w.0[lane].to_le_bytes());
                    let values: Vec<i8> = bytes.map(|byte| (byte ^ 0x80).cast_signed()).collect();
                    assert_eq!(values, expected.values);
                }
            }
        }
    }
}
