//! The register tile of the matrix product: a few weight rows times the lanes of a panel.
//!
//! For each row r and lane l: target[r][l] (+)= Σ_k weights[r][k] · panel[k][l], k ascending, from an accumulator that
//! starts at zero. All instruction sets keep exactly this order; those with fused multiply-add give the same bits.
//!
//! Weights enter as broadcast scalars and tokens as vectors: neither has to be transposed, and what comes out of one
//! product is laid out as the next one needs it. The other way round (weights as vectors) transposes every weight panel
//! for every batch.

use super::level::Set;
use super::{LANES, Lanes, Level};

/// Most rows of a tile: 12 rows of two AVX-512 vectors fill 24 of the 32 registers.
pub(super) const TILE_ROWS: usize = 12;

/// What one tile reads and writes: weights of type W, features of type F.
pub(super) struct Tile<'a, W, F> {
    /// Row r starts at `r * stride`.
    pub weights: &'a [W],
    pub stride: usize,
    /// Depth of the sum: as many features of the panel.
    pub panel: &'a [F],
    /// One entry a row, at most [`TILE_ROWS`].
    pub target: &'a mut [Lanes],
    /// Whether to add to the target or to overwrite it.
    pub add: bool,
    /// Whether only the first half of the lanes holds tokens. The others are left as they are.
    pub half: bool,
}

impl<W, F> Tile<'_, W, F> {
    /// Whether every access of a tile is within bounds.
    pub(super) fn check(&self) {
        let n_rows = self.target.len();
        assert!(n_rows <= TILE_ROWS && n_rows > 0 && self.panel.len() <= self.stride);
        assert!(self.weights.len() >= (n_rows - 1) * self.stride + self.panel.len());
    }
}

impl Tile<'_, f32, Lanes> {
    /// Computes the tile.
    #[allow(unsafe_code)]
    pub(super) fn run(&mut self, level: Level) {
        self.check();
        match level.set() {
            Set::Portable => portable(self),
            // SAFETY: the level proves that the instructions exist; `check` bounds every access.
            #[cfg(target_arch = "x86_64")]
            Set::Avx2 => unsafe { x86::avx2(self) },
            // SAFETY: as above.
            #[cfg(target_arch = "x86_64")]
            Set::Avx512 | Set::Avx512Vnni | Set::Avx512Bf16 => unsafe { x86::avx512(self) },
        }
    }

    fn store(&mut self, row: usize, lane: usize, sums: &[f32]) {
        let target = &mut self.target[row].0[lane..lane + sums.len()];
        for (slot, &sum) in target.iter_mut().zip(sums) {
            *slot = if self.add { *slot + sum } else { sum };
        }
    }
}

fn portable(tile: &mut Tile<f32, Lanes>) {
    const ROWS: usize = 4;
    // As many sums as leave registers for the operands: x86-64 has 16 of four numbers, others 32.
    const WIDTH: usize = if cfg!(target_arch = "x86_64") { 8 } else { 16 };
    let n_lanes = if tile.half { LANES / 2 } else { LANES };
    let n_rows = tile.target.len();
    for first_row in (0..n_rows).step_by(ROWS) {
        for lane in (0..n_lanes).step_by(WIDTH) {
            match n_rows - first_row {
                1 => portable_part::<1, WIDTH>(tile, first_row, lane),
                2 => portable_part::<2, WIDTH>(tile, first_row, lane),
                3 => portable_part::<3, WIDTH>(tile, first_row, lane),
                _ => portable_part::<ROWS, WIDTH>(tile, first_row, lane),
            }
        }
    }
}

fn portable_part<const ROWS: usize, const WIDTH: usize>(
    tile: &mut Tile<f32, Lanes>,
    first_row: usize,
    lane: usize,
) {
    use super::dispatch::{PORTABLE_FMA, fma};
    let mut sums = [[0.0_f32; WIDTH]; ROWS];
    let rows: [&[f32]; ROWS] = std::array::from_fn(|row| {
        let start = (first_row + row) * tile.stride;
        &tile.weights[start..start + tile.panel.len()]
    });
    for (k, lanes) in tile.panel.iter().enumerate() {
        let values: [f32; WIDTH] = std::array::from_fn(|i| lanes.0[lane + i]);
        for (row_sums, weights) in sums.iter_mut().zip(&rows) {
            let weight = weights[k];
            for (sum, value) in row_sums.iter_mut().zip(values) {
                *sum = fma::<PORTABLE_FMA>(weight, value, *sum);
            }
        }
    }
    for (row, row_sums) in sums.iter().enumerate() {
        tile.store(first_row + row, lane, row_sums);
    }
}

#[cfg(target_arch = "x86_64")]
#[allow(unsafe_code)]
pub(super) mod x86 {
    use std::arch::x86_64::{
        __m256, __m512, _mm256_add_ps, _mm256_fmadd_ps, _mm256_load_ps, _mm256_set1_ps, _mm256_setzero_ps,
        _mm256_store_ps, _mm512_add_ps, _mm512_fmadd_ps, _mm512_load_ps, _mm512_set1_ps, _mm512_setzero_ps,
        _mm512_store_ps,
    };

    use super::{LANES, Lanes, Tile};

    /// # Safety
    /// The machine has AVX-512F, and `Tile::run` has checked the lengths.
    #[target_feature(enable = "avx512f")]
    pub(super) unsafe fn avx512(tile: &mut Tile<f32, Lanes>) {
        macro_rules! by_rows {
            ($($rows:literal)*) => {
                // SAFETY: the caller's promises are passed on.
                match (tile.target.len(), tile.half) {
                    $(($rows, false) => unsafe { avx512_part::<$rows, 2>(tile) },
                    ($rows, true) => unsafe { avx512_part::<$rows, 1>(tile) },)*
                    _ => unreachable!("checked by Tile::run"),
                }
            };
        }
        by_rows!(1 2 3 4 5 6 7 8 9 10 11 12);
    }

    /// Writes a tile's sums to its rows, or adds them.
    #[inline]
    #[target_feature(enable = "avx512f")]
    pub(in crate::kernels) fn store<const VECTORS: usize>(
        sums: &[[__m512; VECTORS]],
        target: &mut [Lanes],
        add: bool,
    ) {
        const { assert!(VECTORS * 16 <= LANES) };
        for (row_sums, target) in sums.iter().zip(target) {
            let target = target.0.as_mut_ptr();
            for (v, &sum) in row_sums.iter().enumerate() {
                // SAFETY: `Lanes` is aligned to 64 bytes and v * 16 + 16 ≤ LANES.
                unsafe {
                    let at = target.add(v * 16);
                    let sum = if add { _mm512_add_ps(_mm512_load_ps(at), sum) } else { sum };
                    _mm512_store_ps(at, sum);
                }
            }
        }
    }

    #[target_feature(enable = "avx512f")]
    unsafe fn avx512_part<const ROWS: usize, const VECTORS: usize>(tile: &mut Tile<f32, Lanes>) {
        let weights = tile.weights.as_ptr();
        let panel = tile.panel.as_ptr().cast::<f32>();
        let mut sums: [[__m512; VECTORS]; ROWS] = [[_mm512_setzero_ps(); VECTORS]; ROWS];
        for k in 0..tile.panel.len() {
            // SAFETY: k < panel.len(), and each of its entries holds LANES aligned floats.
            let values: [__m512; VECTORS] =
                std::array::from_fn(|v| unsafe { _mm512_load_ps(panel.add(k * LANES + v * 16)) });
            for (row, row_sums) in sums.iter_mut().enumerate() {
                // SAFETY: row < target.len() and k < panel.len(), the bounds that `Tile::run` checked.
                let weight = _mm512_set1_ps(unsafe { *weights.add(row * tile.stride + k) });
                for (sum, value) in row_sums.iter_mut().zip(values) {
                    *sum = _mm512_fmadd_ps(weight, value, *sum);
                }
            }
        }
        store(&sums, tile.target, tile.add);
    }

    /// # Safety
    /// The machine has AVX2 and FMA, and `Tile::run` has checked the lengths.
    #[target_feature(enable = "avx2,fma")]
    pub(super) unsafe fn avx2(tile: &mut Tile<f32, Lanes>) {
        const ROWS: usize = 6;
        let n_rows = tile.target.len();
        let n_lanes = if tile.half { LANES / 2 } else { LANES };
        for first_row in (0..n_rows).step_by(ROWS) {
            for lane in (0..n_lanes).step_by(16) {
                // SAFETY: the caller's promises are passed on; first_row and the rows after it are below n_rows.
                unsafe {
                    match n_rows - first_row {
                        1 => avx2_part::<1>(tile, first_row, lane),
                        2 => avx2_part::<2>(tile, first_row, lane),
                        3 => avx2_part::<3>(tile, first_row, lane),
                        4 => avx2_part::<4>(tile, first_row, lane),
                        5 => avx2_part::<5>(tile, first_row, lane),
                        _ => avx2_part::<ROWS>(tile, first_row, lane),
                    }
                }
            }
        }
    }

    #[target_feature(enable = "avx2,fma")]
    unsafe fn avx2_part<const ROWS: usize>(tile: &mut Tile<f32, Lanes>, first_row: usize, lane: usize) {
        // SAFETY: first_row < target.len(), so the row starts inside the weights.
        let weights = unsafe { tile.weights.as_ptr().add(first_row * tile.stride) };
        let panel = tile.panel.as_ptr().cast::<f32>();
        let mut sums: [[__m256; 2]; ROWS] = [[_mm256_setzero_ps(); 2]; ROWS];
        for k in 0..tile.panel.len() {
            // SAFETY: k < panel.len(), lane + 16 ≤ LANES, and lane is a multiple of 16: aligned to 64 bytes.
            let values: [__m256; 2] =
                std::array::from_fn(|v| unsafe { _mm256_load_ps(panel.add(k * LANES + lane + v * 8)) });
            for (row, row_sums) in sums.iter_mut().enumerate() {
                // SAFETY: first_row + row < target.len() and k < panel.len(), the bounds that `Tile::run` checked.
                let weight = _mm256_set1_ps(unsafe { *weights.add(row * tile.stride + k) });
                for (sum, value) in row_sums.iter_mut().zip(values) {
                    *sum = _mm256_fmadd_ps(weight, value, *sum);
                }
            }
        }
        for (row_sums, target) in sums.iter().zip(&mut tile.target[first_row..]) {
            let target = target.0.as_mut_ptr();
            for (v, &sum) in row_sums.iter().enumerate() {
                // SAFETY: lane + v * 8 + 8 ≤ LANES, at a multiple of 32 bytes from an aligned start.
                unsafe {
                    let at = target.add(lane + v * 8);
                    let sum = if tile.add { _mm256_add_ps(_mm256_load_ps(at), sum) } else { sum };
                    _mm256_store_ps(at, sum);
                }
            }
        }
    }
}
