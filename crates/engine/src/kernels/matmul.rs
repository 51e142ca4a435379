//! The matrix product: y = W x over panels of tokens, in blocks that fit the caches.
//!
//! Each element of y is Σ over blocks of [`DEPTH_BLOCK`] features of the block's sum (see `tile`): one order, whatever
//! the batch and the threads. Summing block by block also halves the digits lost in long sums.
//!
//! Measured against the alternatives on two cores with AVX-512 (about 190 GFLOP/s at best): candle's product (the `gemm`
//! crate) reaches the same speed, but its blocking depends on the shapes and the number of threads, so the same text
//! gets other last bits in another batch; it also wants f32 weights, and all logits at once.

use std::ops::Range;

use super::tile::{TILE_ROWS, Tile};
use super::widen::StoredRow;
use super::{LANES, Lanes, Level};

/// Features in one sum. 256 features of a panel are 32 KiB: they stay close to the core while the rows go by.
const DEPTH_BLOCK: usize = 256;

/// Weight rows that one task widens at once: four tiles.
pub(crate) const ROW_BLOCK: usize = 4 * TILE_ROWS;

/// Features that are widened at once: whole rows of most layers, so that memory is read in one long stream.
const PIECE: usize = 8 * DEPTH_BLOCK;

/// Where one panel's results go: one entry a weight row, and how many of its lanes hold tokens.
pub(crate) struct Output<'a> {
    /// All features of the panel.
    pub panel: &'a [Lanes],
    /// One entry a weight row of the block.
    pub target: &'a mut [Lanes],
    /// Tokens in this panel, 1 to [`LANES`].
    pub n_tokens: usize,
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
    /// Computes the block for all panels. `widened` is scratch that is kept between calls.
    pub(crate) fn run(&self, outputs: &mut [Output], widened: &mut Vec<f32>) {
        for piece in (0..self.depth).step_by(PIECE) {
            let depth = PIECE.min(self.depth - piece);
            // Rows a power of two apart would all fall into the same cache sets.
            let stride = depth + 16;
            widened.resize(ROW_BLOCK * stride, 0.0);
            for (row, target) in self.rows.iter().zip(widened.chunks_exact_mut(stride)) {
                row.widen(piece, &mut target[..depth]);
            }
            for start in (0..depth).step_by(DEPTH_BLOCK) {
                let block = start..depth.min(start + DEPTH_BLOCK);
                for output in &mut *outputs {
                    self.tiles(output, piece, block.clone(), &Widened { values: widened, stride });
                }
            }
        }
    }

    /// One panel with all rows, over the features of one sum: `block` counts from `piece`.
    fn tiles(&self, output: &mut Output, piece: usize, block: Range<usize>, widened: &Widened) {
        let panel = &output.panel[piece + block.start..piece + block.end];
        let rows = widened.values.chunks_exact(TILE_ROWS * widened.stride);
        for (target, weights) in output.target.chunks_mut(TILE_ROWS).zip(rows) {
            let mut tile = Tile {
                weights: &weights[block.start..],
                stride: widened.stride,
                panel,
                target,
                add: piece + block.start > 0,
                half: output.n_tokens <= LANES / 2,
            };
            tile.run(self.level);
        }
    }
}

/// Weight rows as f32, `stride` apart.
struct Widened<'a> {
    values: &'a [f32],
    stride: usize,
}

#[cfg(test)]
mod tests {
    use super::*;

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
        let mut outputs = [Output { panel: &panel, target: &mut target, n_tokens }];
        BlockProduct { level, rows: &rows, depth }.run(&mut outputs, &mut Vec::new());
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

    /// `cargo test --release -p stereometer-engine matmul_speed -- --ignored --nocapture`
    #[test]
    #[ignore = "a measurement"]
    fn matmul_speed() {
        use crate::layers::{Panels, linear::Linear};
        use crate::matrix::{Buffer, Matrix, Values};
        use std::{sync::Arc, time::Instant};

        for threads in [1, 2] {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
            for (n_rows, depth) in
                [(640, 640), (2048, 640), (640, 2048), (1024, 640), (256, 640), (4096, 4096)]
            {
                let stored = Values::F32(Buffer::Owned(values(n_rows * depth, 1)));
                let linear = Linear { weight: Arc::new(Matrix::new(stored, n_rows, depth)), bias: None };
                for n_tokens in [32, 128, 1024] {
                    let x = Panels::zeros(depth, n_tokens);
                    let mut y = Panels::zeros(n_rows, n_tokens);
                    let work = 2.0 * (n_rows * depth * n_tokens) as f64;
                    let runs = (2e10 / work).ceil() as usize;
                    let seconds = pool.install(|| {
                        linear.forward(Level::detect(), &x, &mut y);
                        let start = Instant::now();
                        for _ in 0..runs {
                            linear.forward(Level::detect(), &x, &mut y);
                        }
                        start.elapsed().as_secs_f64()
                    });
                    println!(
                        "{threads} threads, {n_rows} × {depth}, {n_tokens} tokens: {:.0} GFLOP/s",
                        work * runs as f64 / seconds / 1e9
                    );
                }
            }
        }
    }
}
