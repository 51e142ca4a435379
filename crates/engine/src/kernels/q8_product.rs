//! The matrix product of bytes: blocks of rows as words with their scales, then tile by tile over the panels.

use super::q8::{BLOCK, ByteBlock, ByteTile, TILE_ROWS, WORDS};
use super::{LANES, Lanes, Level, ROW_BLOCK, StoredRow, WordLanes};

/// Blocks in one sum, and in one pass over the panels: 256 features, as in the other products.
const BLOCKS_AT_ONCE: usize = 8;

/// Tokens as bytes.
#[derive(Debug, Clone, Copy)]
pub(crate) struct ByteOperand<'a> {
    /// Eight words a block.
    pub words: &'a [WordLanes],
    /// One entry a block.
    pub scales: &'a [Lanes],
}

/// One panel and where its results go.
pub(super) struct ByteOutput<'a> {
    pub panel: ByteOperand<'a>,
    /// One entry a weight row of the block.
    pub target: &'a mut [Lanes],
    pub n_tokens: usize,
}

/// Rows unpacked, kept between products.
#[derive(Debug, Default)]
pub(super) struct UnpackedBytes {
    words: Vec<u32>,
    blocks: Vec<(f32, i32)>,
}

/// Computes a block of at most [`ROW_BLOCK`] rows for all panels.
pub(super) fn multiply(
    level: Level,
    rows: &[StoredRow],
    depth: usize,
    outputs: &mut [ByteOutput],
    unpacked: &mut UnpackedBytes,
) {
    let n_blocks = depth.div_ceil(BLOCK);
    // Rows a power of two apart would all fall into the same cache sets.
    let stride = n_blocks * WORDS + 16;
    unpacked.words.resize(ROW_BLOCK * stride, 0);
    unpacked.blocks.resize(ROW_BLOCK * n_blocks, (0.0, 0));
    let each_row = unpacked.words.chunks_exact_mut(stride).zip(unpacked.blocks.chunks_exact_mut(n_blocks));
    for (row, (words, blocks)) in rows.iter().zip(each_row) {
        row.blocks(|index, block| {
            let words = &mut words[index * WORDS..(index + 1) * WORDS];
            blocks[index] = unpack(&block, words);
        });
    }
    for first in (0..n_blocks).step_by(BLOCKS_AT_ONCE) {
        let end = n_blocks.min(first + BLOCKS_AT_ONCE);
        for output in &mut *outputs {
            let rows = unpacked.words.chunks_exact(TILE_ROWS * stride);
            let rows = rows.zip(unpacked.blocks.chunks_exact(TILE_ROWS * n_blocks));
            for (target, (weights, blocks)) in output.target.chunks_mut(TILE_ROWS).zip(rows) {
                ByteTile {
                    weights: &weights[first * WORDS..],
                    stride,
                    blocks: &blocks[first..],
                    block_stride: n_blocks,
                    panel: &output.panel.words[first * WORDS..end * WORDS],
                    scales: &output.panel.scales[first..end],
                    target,
                    add: first > 0,
                    half: output.n_tokens <= LANES / 2,
                }
                .run(level);
            }
        }
    }
}

/// The block as words; its scale, and what its integer sum starts at.
fn unpack(block: &ByteBlock, words: &mut [u32]) -> (f32, i32) {
    let bytes = block.values.map(i8::cast_unsigned);
    for (word, four) in words.iter_mut().zip(bytes.chunks_exact(4)) {
        *word = u32::from_le_bytes([four[0], four[1], four[2], four[3]]);
    }
    let sum: i32 = block.values.iter().map(|&value| i32::from(value)).sum();
    (block.scale, -128 * sum)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kernels::quantise;

    fn wave(n: usize, step: f32) -> Vec<f32> {
        (0..n).map(|i| (i as f32 * step).sin() * (1.0 + (i % 7) as f32)).collect()
    }

    #[test]
    fn every_level_gives_the_bits_of_every_other_and_the_sum_of_the_rounded_numbers() {
        for (n_rows, depth, n_tokens) in
            [(1, 1, 32), (5, 64, 3), (13, 255, 32), (48, 256, 17), (47, 1001, 32), (7, 544, 16)]
        {
            let weights: Vec<Vec<f32>> = (0..n_rows).map(|row| wave(depth, 0.1 + row as f32)).collect();
            let stored: Vec<Vec<ByteBlock>> =
                weights.iter().map(|row| row.chunks(BLOCK).map(ByteBlock::of).collect()).collect();
            let rows: Vec<StoredRow> = stored.iter().map(|blocks| StoredRow::Q8(blocks)).collect();
            let tokens = wave(depth * LANES, 0.77);
            let panel: Vec<Lanes> =
                tokens.chunks_exact(LANES).map(|c| Lanes(c.try_into().unwrap())).collect();
            let mut first: Option<Vec<Lanes>> = None;
            for level in Level::available() {
                let n_blocks = depth.div_ceil(BLOCK);
                let mut words = vec![WordLanes([0; LANES]); n_blocks * WORDS];
                let mut scales = vec![Lanes::ZERO; n_blocks];
                quantise(level, &panel, &mut words, &mut scales);
                let mut target = vec![Lanes::ONE; n_rows];
                let operand = ByteOperand { words: &words, scales: &scales };
                let mut outputs = [ByteOutput { panel: operand, target: &mut target, n_tokens }];
                multiply(level, &rows, depth, &mut outputs, &mut UnpackedBytes::default());
                for (lanes, blocks) in target.iter().zip(&stored) {
                    for lane in 0..n_tokens {
                        let token: Vec<f32> = panel.iter().map(|lanes| lanes.0[lane]).collect();
                        let truth: f64 = token
                            .chunks(BLOCK)
                            .zip(blocks)
                            .map(|(numbers, weights)| {
                                let numbers = ByteBlock::of(numbers);
                                let products = numbers.values.iter().zip(weights.values);
                                let sum: i32 = products.map(|(&a, b)| i32::from(a) * i32::from(b)).sum();
                                f64::from(sum) * f64::from(numbers.scale) * f64::from(weights.scale)
                            })
                            .sum();
                        let error = (f64::from(lanes.0[lane]) - truth).abs();
                        assert!(
                            error < 2e-4 + 1e-6 * truth.abs(),
                            "{} {n_rows}×{depth}: {error}",
                            level.name()
                        );
                    }
                }
                let first = first.get_or_insert_with(|| target.clone());
                for (one, other) in first.iter().zip(&target) {
                    for lane in 0..n_tokens {
                        assert_eq!(one.0[lane].to_bits(), other.0[lane].to_bits(), "{}", level.name());
                    }
                }
            }
        }
    }
}
