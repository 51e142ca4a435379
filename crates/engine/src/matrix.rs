//! A weight matrix in the type it is kept in: mapped from the checkpoint where its bytes can be used in place.

use std::ops::Range;
use std::sync::Arc;

use half::{bf16, f16};
use memmap2::Mmap;

use crate::kernels::StoredRow;

/// Weights in row-major order: a row an output feature.
#[derive(Debug)]
pub(crate) struct Matrix {
    values: Values,
    n_rows: usize,
    n_columns: usize,
}

/// The values of a matrix.
#[derive(Debug)]
pub(crate) enum Values {
    F32(Buffer<f32>),
    Bf16(Buffer<bf16>),
    F16(Buffer<f16>),
}

/// Numbers in memory or in a mapped file.
#[derive(Debug)]
pub(crate) enum Buffer<T> {
    Owned(Vec<T>),
    Mapped { map: Arc<Mmap>, bytes: Range<usize> },
}

impl<T: bytemuck::Pod> Buffer<T> {
    /// The stretch of a mapped file, in place if its alignment allows, else copied.
    pub(crate) fn mapped(map: &Arc<Mmap>, bytes: Range<usize>) -> Self {
        if bytemuck::try_cast_slice::<u8, T>(&map[bytes.clone()]).is_ok() {
            return Self::Mapped { map: Arc::clone(map), bytes };
        }
        Self::Owned(map[bytes].chunks_exact(size_of::<T>()).map(bytemuck::pod_read_unaligned).collect())
    }

    pub(crate) fn to_vec(&self) -> Vec<T> {
        self.as_slice().to_vec()
    }

    fn as_slice(&self) -> &[T] {
        match self {
            Self::Owned(values) => values,
            Self::Mapped { map, bytes } => bytemuck::cast_slice(&map[bytes.clone()]),
        }
    }
}

impl Matrix {
    /// The caller has checked that there are `n_rows * n_columns` values.
    pub(crate) fn new(values: Values, n_rows: usize, n_columns: usize) -> Self {
        Self { values, n_rows, n_columns }
    }

    pub(crate) fn n_rows(&self) -> usize {
        self.n_rows
    }

    pub(crate) fn n_columns(&self) -> usize {
        self.n_columns
    }

    /// One row as it is stored.
    pub(crate) fn row(&self, row: usize) -> StoredRow<'_> {
        let range = row * self.n_columns..(row + 1) * self.n_columns;
        match &self.values {
            Values::F32(values) => StoredRow::F32(&values.as_slice()[range]),
            Values::Bf16(values) => StoredRow::Bf16(&values.as_slice()[range]),
            Values::F16(values) => StoredRow::F16(&values.as_slice()[range]),
        }
    }
}
