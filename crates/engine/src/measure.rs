//! The matrix product alone: the limit that a language model's speed is compared with.

use std::sync::Arc;
use std::time::Instant;

use rayon::ThreadPoolBuilder;

use crate::checkpoint::in_dtype;
use crate::kernels::Level;
use crate::layers::Panels;
use crate::layers::linear::Linear;
use crate::matrix::{Buffer, Matrix, Values};
use crate::{Dtype, EngineError};

/// Operations a second (a product and a sum are two) of this machine's fastest instructions for a dtype: a matrix of
/// 3072 × 1024 with 1024 tokens, the best of `rounds`.
pub fn product_speed(dtype: Dtype, threads: usize, rounds: usize) -> Result<f64, EngineError> {
    const N_ROWS: usize = 3072;
    const N_COLUMNS: usize = 1024;
    const N_TOKENS: usize = 1024;
    let pool = ThreadPoolBuilder::new()
        .num_threads(threads)
        .build()
        .map_err(|error| EngineError::Threads { threads, detail: error.to_string() })?;
    Ok(pool.install(|| {
        let values = (0..N_ROWS * N_COLUMNS).map(|i| (i % 251) as f32 * 0.01 - 1.0).collect();
        let matrix = Matrix::new(Values::F32(Buffer::Owned(values)), N_ROWS, N_COLUMNS);
        let linear = Linear { weight: Arc::new(in_dtype(matrix, dtype)), bias: None };
        let x = Panels::zeros(N_COLUMNS, N_TOKENS);
        let mut y = Panels::zeros(N_ROWS, N_TOKENS);
        let mut fastest = f64::INFINITY;
        for _ in 0..=rounds {
            let start = Instant::now();
            linear.forward(Level::detect(), &x, &mut y);
            fastest = fastest.min(start.elapsed().as_secs_f64());
        }
        2.0 * (N_ROWS * N_COLUMNS * N_TOKENS) as f64 / fastest
    }))
}
