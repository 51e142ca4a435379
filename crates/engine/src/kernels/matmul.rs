//! The matrix product: y = W x over panels of tokens, in blocks that fit the caches.
//!
//! Each element of y is Σ over blocks of [`DEPTH_BLOCK`] features of the block's sum (see `tile`): one order, whatever
//! the batch and the threads. Summing block by block also halves the digits lost in long sums.
//!
//! Measured against the alternatives on two cores with AVX-512 (about 190 GFLOP/s at best): candle's product (the `gemm`
//! crate) reaches the same speed, but its blocking depends on the shapes and the number of threads, so the same text
//! gets other last bits in another batch; it also wants f32 weights, and all logits at once.

use super::q8_product::{ByteOutput, UnpackedBytes, multiply};
use super::tile::{TILE_ROWS, Tile};
use super::widen::StoredRow;
use super::{ByteOperand, LANES, Lanes, Level, WordLanes};

/// Features in one sum. 256 features of a panel are 32 KiB: they stay close to the core while the rows go by.
const DEPTH_BLOCK: usize = 256;

/// Weight rows that one task unpacks at once: four tiles.
pub(crate) const ROW_BLOCK: usize = 4 * TILE_ROWS;

/// Features that are unpacked at once: whole rows of most layers, so that memory is read in one long stream.
const PIECE: usize = 8 * DEPTH_BLOCK;

/// A panel of tokens in the form in which it is multiplied.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Operand<'a> {
    /// As it is.
    F32(&'a [Lanes]),
    /// Rounded to bf16, in pairs.
    Pairs(&'a [WordLanes]),
    /// The same numbers for machines without an instruction for pairs.
    Swapped(&'a [Lanes]),
    /// Rounded to bytes.
    Bytes(ByteOperand<'a>),
}

/// Where one panel's results go: one entry a weight row, and how many of its lanes hold tokens.
pub(crate) struct Output<'a> {
    /// All features of the panel. All outputs of a product have the same form.
    pub panel: Operand<'a>,
    /// One entry a weight row of the block.
    pub target: &'a mut [Lanes],
    /// Tokens in this panel, 1 to [`LANES`].
    pub n_tokens: usize,
}

/// Memory that is kept between products.
#[derive(Debug, Default)]
pub(crate) struct Scratch {
    floats: Vec<f32>,
    pairs: Vec<u32>,
    bytes: UnpackedBytes,
}

/// The product of a block of weight rows with panels of tokens.
pub(crate) struct BlockProduct<'a> {
    pub level: Level,
    /// At most [`ROW_BLOCK`] rows.
    pub rows: &'a [StoredRow<'a>],
    /// Length of each row.
    pub depth: usize,
}

impl BlockProduct<'_> {
    /// Computes the block for all panels.
    pub(crate) fn run(&self, outputs: &mut [Output], scratch: &mut Scratch) {
        match outputs.first().map(|output| output.panel) {
            None => {}
            Some(Operand::F32(_)) => self.sweep::<Whole>(outputs, &mut scratch.floats),
            Some(Operand::Swapped(_)) => self.sweep::<Swapped>(outputs, &mut scratch.floats),
            Some(Operand::Pairs(_)) => self.sweep::<Pairs>(outputs, &mut scratch.pairs),
            Some(Operand::Bytes(_)) => self.bytes(outputs, &mut scratch.bytes),
        }
    }

    fn bytes(&self, outputs: &mut [Output], unpacked: &mut UnpackedBytes) {
        let mut outputs: Vec<ByteOutput> = outputs
            .iter_mut()
            .map(|output| match output.panel {
                Operand::Bytes(panel) => {
                    ByteOutput { panel, target: output.target, n_tokens: output.n_tokens }
                }
                Operand::F32(_) | Operand::Pairs(_) | Operand::Swapped(_) => {
                    unreachable!("one form a product")
                }
            })
            .collect();
        multiply(self.level, self.rows, self.depth, &mut outputs, unpacked);
    }

    fn sweep<F: Form>(&self, outputs: &mut [Output], unpacked: &mut Vec<F::Weight>) {
        for piece in (0..self.depth).step_by(PIECE) {
            let depth = F::entries(PIECE.min(self.depth - piece));
            // Rows a power of two apart would all fall into the same cache sets.
            let stride = depth + 16;
            unpacked.resize(ROW_BLOCK * stride, F::Weight::default());
            for (row, target) in self.rows.iter().zip(unpacked.chunks_exact_mut(stride)) {
                F::unpack(row, piece, &mut target[..depth]);
            }
            let first = F::entries(piece);
            for start in (0..depth).step_by(F::entries(DEPTH_BLOCK)) {
                let end = depth.min(start + F::entries(DEPTH_BLOCK));
                for output in &mut *outputs {
                    let panel = &F::panel(output.panel)[first + start..first + end];
                    let rows = unpacked.chunks_exact(TILE_ROWS * stride);
                    for (target, weights) in output.target.chunks_mut(TILE_ROWS).zip(rows) {
                        let (add, half) = (first + start > 0, output.n_tokens <= LANES / 2);
                        let weights = &weights[start..];
                        F::run(Tile { weights, stride, panel, target, add, half }, self.level);
                    }
                }
            }
        }
    }
}

/// How weights and tokens look to a tile.
trait Form {
    type Weight: Copy + Default;
    type Feature;

    /// Entries that hold so many features.
    fn entries(n_features: usize) -> usize;
    /// The row from feature `start` on.
    fn unpack(row: &StoredRow, start: usize, target: &mut [Self::Weight]);
    fn panel(operand: Operand<'_>) -> &[Self::Feature];
    fn run(tile: Tile<Self::Weight, Self::Feature>, level: Level);
}

struct Whole;

impl Form for Whole {
    type Weight = f32;
    type Feature = Lanes;

    fn entries(n_features: usize) -> usize {
        n_features
    }

    fn unpack(row: &StoredRow, start: usize, target: &mut [f32]) {
        row.widen(start, target);
    }

    fn panel(operand: Operand<'_>) -> &[Lanes] {
        match operand {
            Operand::F32(panel) => panel,
            Operand::Pairs(_) | Operand::Swapped(_) | Operand::Bytes(_) => unreachable!("one form a product"),
        }
    }

    fn run(mut tile: Tile<f32, Lanes>, level: Level) {
        tile.run(level);
    }
}

struct Swapped;

impl Form for Swapped {
    type Weight = f32;
    type Feature = Lanes;

    fn entries(n_features: usize) -> usize {
        n_features.next_multiple_of(2)
    }

    fn unpack(row: &StoredRow, start: usize, target: &mut [f32]) {
        row.round_swapped(start, target);
    }

    fn panel(operand: Operand<'_>) -> &[Lanes] {
        match operand {
            Operand::Swapped(panel) => panel,
            Operand::F32(_) | Operand::Pairs(_) | Operand::Bytes(_) => unreachable!("one form a product"),
        }
    }

    fn run(mut tile: Tile<f32, Lanes>, level: Level) {
        tile.run(level);
    }
}

struct Pairs;

impl Form for Pairs {
    type Weight = u32;
    type Feature = WordLanes;

    fn entries(n_features: usize) -> usize {
        n_features.div_ceil(2)
    }

    fn unpack(row: &StoredRow, start: usize, target: &mut [u32]) {
        row.pair_up(start, target);
    }

    fn panel(operand: Operand<'_>) -> &[WordLanes] {
        match operand {
            Operand::Pairs(panel) => panel,
            Operand::F32(_) | Operand::Swapped(_) | Operand::Bytes(_) => unreachable!("one form a product"),
        }
    }

    fn run(mut tile: Tile<u32, WordLanes>, level: Level) {
        tile.run(level);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kernels::{pair_up, round_swapped};

    fn values(n: usize, seed: u32) -> Vec<f32> {
        let mut state = seed;
        (0..n)
            .map(|_| {
                state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
                (state >> 8) as f32 / 8_388_608.0 - 1.0
            })
            .collect()
    }

    fn product(level: Level, n_rows: usize, depth: usize, n_tokens: usize) -> Vec<Lanes> {
        let weights = values(n_rows * depth, 1);
        let panel: Vec<Lanes> =
            values(depth * LANES, 2).chunks_exact(LANES).map(|c| Lanes(c.try_into().unwrap())).collect();
        let rows: Vec<StoredRow> = weights.chunks_exact(depth).map(StoredRow::F32).collect();
        let mut target = vec![Lanes([7.0; LANES]); n_rows];
        let mut outputs = [Output { panel: Operand::F32(&panel), target: &mut target, n_tokens }];
        BlockProduct { level, rows: &rows, depth }.run(&mut outputs, &mut Scratch::default());
        target
    }

    #[test]
    fn every_level_and_tail_agrees_with_f64() {
        for level in Level::available() {
            for (n_rows, depth) in [(1, 1), (5, 64), (12, 96), (13, 255), (48, 256), (47, 257), (30, 1000)] {
                let weights = values(n_rows * depth, 1);
                let panel = values(depth * LANES, 2);
                let result = product(level, n_rows, depth, LANES);
                for row in 0..n_rows {
                    for lane in 0..LANES {
                        let truth: f64 = (0..depth)
                            .map(|k| f64::from(weights[row * depth + k]) * f64::from(panel[k * LANES + lane]))
                            .sum();
                        let error = (f64::from(result[row].0[lane]) - truth).abs();
                        assert!(error < 2e-5, "{} {n_rows}×{depth} at {row}, {lane}: {error}", level.name());
                    }
                }
            }
        }
    }

    #[test]
    fn levels_with_fused_multiply_add_give_the_same_bits() {
        let fused: Vec<Level> =
            Level::available().into_iter().filter(|&level| level != Level::PORTABLE).collect();
        for pair in fused.windows(2) {
            assert_eq!(product(pair[0], 41, 700, LANES), product(pair[1], 41, 700, LANES));
        }
    }

    #[test]
    fn half_a_panel_gives_the_bits_of_a_whole_one() {
        for level in Level::available() {
            let (whole, half) = (product(level, 29, 300, LANES), product(level, 29, 300, 3));
            for (whole, half) in whole.iter().zip(&half) {
                assert_eq!(whole.0[..LANES / 2], half.0[..LANES / 2]);
                assert_eq!(half.0[LANES / 2..], [7.0; LANES / 2], "lanes without tokens are not touched");
            }
        }
    }

    #[test]
    fn bf16_products_have_the_same_bits_with_and_without_the_instruction() {
        let bits = |lanes: &[Lanes]| -> Vec<u32> {
            lanes.iter().flat_map(|lanes| lanes.0).map(f32::to_bits).collect()
        };
        for (n_rows, depth, n_tokens) in
            [(1, 1, 32), (5, 64, 3), (13, 255, 32), (48, 256, 17), (47, 1001, 32), (12, 2049, 16)]
        {
            let weights = values(n_rows * depth, 1);
            let panel: Vec<Lanes> =
                values(depth * LANES, 2).chunks_exact(LANES).map(|c| Lanes(c.try_into().unwrap())).collect();
            let rounded = |value: f32| f64::from(half::bf16::from_f32(value).to_f32());
            let mut found: Vec<(Level, Vec<Lanes>)> = Vec::new();
            for level in Level::available() {
                let rows: Vec<StoredRow> = weights.chunks_exact(depth).map(StoredRow::F32).collect();
                let mut pairs = vec![WordLanes([0; LANES]); depth.div_ceil(2)];
                let mut swapped = vec![Lanes::ZERO; depth.next_multiple_of(2)];
                pair_up(level, &panel, &mut pairs);
                round_swapped(level, &panel, &mut swapped);
                let operand = if level.multiplies_pairs() {
                    Operand::Pairs(&pairs)
                } else {
                    Operand::Swapped(&swapped)
                };
                let mut target = vec![Lanes::ZERO; n_rows];
                let mut outputs = [Output { panel: operand, target: &mut target, n_tokens }];
                BlockProduct { level, rows: &rows, depth }.run(&mut outputs, &mut Scratch::default());
                for (row, lanes) in target.iter().enumerate() {
                    for lane in 0..n_tokens {
                        let truth: f64 = (0..depth)
                            .map(|k| rounded(weights[row * depth + k]) * rounded(panel[k].0[lane]))
                            .sum();
                        let error = (f64::from(lanes.0[lane]) - truth).abs();
                        assert!(error < 2e-5, "{} {n_rows}×{depth}: {error}", level.name());
                    }
                }
                found.push((level, target));
            }
            // All levels but the portable one have fused multiply-add.
            for pair in found.windows(2).filter(|pair| pair[1].0 != Level::PORTABLE) {
                assert_eq!(bits(&pair[0].1), bits(&pair[1].1), "{} {n_rows}×{depth}", pair[0].0.name());
            }
        }
    }
}
