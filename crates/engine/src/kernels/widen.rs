//! A stretch of a stored weight row as a product wants it: as f32, exactly, so that the type in which weights are kept
//! does not move a bit; or rounded to bf16, which is exact where they are kept in it.

use half::slice::HalfFloatSliceExt;
use half::{bf16, f16};

use super::ByteBlock;
use super::bf16::round;
use super::q8::BLOCK;

/// Weights of one row in the type they are kept in.
#[derive(Debug, Clone, Copy)]
pub(crate) enum StoredRow<'a> {
    F32(&'a [f32]),
    Bf16(&'a [bf16]),
    F16(&'a [f16]),
    /// The last block may have features to spare.
    Q8(&'a [ByteBlock]),
}

impl StoredRow<'_> {
    /// Writes the values from `start` on, as many as `target` holds.
    pub(crate) fn widen(self, start: usize, target: &mut [f32]) {
        let range = start..start + target.len();
        match self {
            Self::F32(values) => target.copy_from_slice(&values[range]),
            Self::Bf16(values) => {
                for (slot, value) in target.iter_mut().zip(&values[range]) {
                    *slot = f32::from_bits(u32::from(value.to_bits()) << 16);
                }
            }
            Self::F16(values) => values[range].convert_to_f32_slice(target),
            Self::Q8(blocks) => {
                let values = blocks.iter().flat_map(|block| block.values.map(|v| f32::from(v) * block.scale));
                for (slot, value) in target.iter_mut().zip(values.skip(start)) {
                    *slot = value;
                }
            }
        }
    }

    /// Features from `start` on in pairs of bf16, as many pairs as `target` holds; after the last feature comes zero.
    pub(crate) fn pair_up(self, start: usize, target: &mut [u32]) {
        match self {
            Self::Bf16(values) => {
                for (slot, pair) in target.iter_mut().zip(values[start..].chunks(2)) {
                    let second = pair.get(1).map_or(0, |second| u32::from(second.to_bits()) << 16);
                    *slot = u32::from(pair[0].to_bits()) | second;
                }
            }
            Self::F32(values) => pairs(&values[start..], target, |value| value),
            Self::F16(values) => pairs(&values[start..], target, f16::to_f32),
            Self::Q8(_) => unreachable!("blocks are multiplied as bytes"),
        }
    }

    /// Each block of bytes: as it is kept, or rounded.
    pub(crate) fn blocks(self, mut each: impl FnMut(usize, ByteBlock)) {
        let mut all = |numbers: &mut dyn Iterator<Item = ByteBlock>| {
            for (index, block) in numbers.enumerate() {
                each(index, block);
            }
        };
        match self {
            Self::Q8(blocks) => all(&mut blocks.iter().copied()),
            Self::F32(values) => all(&mut values.chunks(BLOCK).map(ByteBlock::of)),
            Self::Bf16(values) => all(&mut values.chunks(BLOCK).map(|c| rounded(c, bf16::to_f32))),
            Self::F16(values) => all(&mut values.chunks(BLOCK).map(|c| rounded(c, f16::to_f32))),
        }
    }

    /// The same numbers as f32, each pair's second feature first.
    pub(crate) fn round_swapped(self, start: usize, target: &mut [f32]) {
        let mut words = vec![0; target.len() / 2];
        self.pair_up(start, &mut words);
        for (slots, word) in target.chunks_exact_mut(2).zip(words) {
            // Denormal numbers count as zero in the instruction that this stands for.
            slots[0] = f32::from_bits(round(f32::from_bits(word & 0xffff_0000)) << 16);
            slots[1] = f32::from_bits(round(f32::from_bits(word << 16)) << 16);
        }
    }
}

fn rounded<T: Copy>(values: &[T], widen: impl Fn(T) -> f32) -> ByteBlock {
    let mut numbers = [0.0; BLOCK];
    for (number, &value) in numbers.iter_mut().zip(values) {
        *number = widen(value);
    }
    ByteBlock::of(&numbers)
}

fn pairs<T: Copy>(values: &[T], target: &mut [u32], widen: impl Fn(T) -> f32) {
    for (slot, pair) in target.iter_mut().zip(values.chunks(2)) {
        let second = pair.get(1).map_or(0, |&second| round(widen(second)));
        *slot = round(widen(pair[0])) | second << 16;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn widening_is_exact_from_any_start() {
        let values: Vec<f32> = (0..100).map(|i| (i as f32 - 50.0) * 0.37).collect();
        let brain: Vec<bf16> = values.iter().map(|&v| bf16::from_f32(v)).collect();
        let half: Vec<f16> = values.iter().map(|&v| f16::from_f32(v)).collect();
        for (start, len) in [(0, 100), (3, 17), (99, 1), (50, 0)] {
            let mut target = vec![0.0; len];
            StoredRow::F32(&values).widen(start, &mut target);
            assert_eq!(target, values[start..start + len]);
            StoredRow::Bf16(&brain).widen(start, &mut target);
            assert!(target.iter().zip(&brain[start..]).all(|(a, b)| *a == b.to_f32()));
            StoredRow::F16(&half).widen(start, &mut target);
            assert!(target.iter().zip(&half[start..]).all(|(a, b)| *a == b.to_f32()));
        }
    }
}
