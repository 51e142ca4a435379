//! A weight matrix in the type it is kept in: mapped from the checkpoint where its bytes can be used in place.

use std::ops::Range;
use std::sync::Arc;

use half::{bf16, f16};
use memmap2::Mmap;

use crate::kernels::{BLOCK, ByteBlock, StoredRow};

/// How a product with these weights is computed. Sums are in f32 always.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Arithmetic {
    /// Weights and tokens as f32.
    F32,
    /// Weights and tokens rounded to bf16.
    Bf16,
    /// Weights and tokens rounded to 8 bits in blocks.
    Q8,
}

/// Weights in row-major order: a row an output feature.
#[derive(Debug, Clone)]
pub(crate) struct Matrix {
    values: Arc<Values>,
    arithmetic: Arithmetic,
    rows: RowPattern,
    n_rows: usize,
    n_columns: usize,
}

/// Which stored rows a matrix has: `block` rows at `first`, as many a `stride` further on, and so forth.
///
/// Fused products (query, key and value in one tensor) are read in place through it, whichever way they are woven.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct RowPattern {
    pub first: usize,
    pub block: usize,
    pub stride: usize,
}

impl RowPattern {
    /// All rows from `first` on.
    pub(crate) fn from(first: usize) -> Self {
        Self { first, block: usize::MAX, stride: 0 }
    }

    /// The stored row.
    pub(crate) fn stored(self, row: usize) -> usize {
        self.first + row / self.block * self.stride + row % self.block
    }
}

/// The values of a matrix.
#[derive(Debug)]
pub(crate) enum Values {
    F32(Buffer<f32>),
    Bf16(Buffer<bf16>),
    F16(Buffer<f16>),
    /// Whole blocks in each row.
    Q8(Vec<ByteBlock>),
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
        let rows = RowPattern::from(0);
        Self { values: Arc::new(values), arithmetic: Arithmetic::F32, rows, n_rows, n_columns }
    }

    /// The same weights, multiplied this way.
    pub(crate) fn with_arithmetic(self, arithmetic: Arithmetic) -> Self {
        Self { arithmetic, ..self }
    }

    pub(crate) fn arithmetic(&self) -> Arithmetic {
        self.arithmetic
    }

    /// All values, in the order of their rows.
    pub(crate) fn values(&self) -> &Values {
        &self.values
    }

    /// Some rows of this matrix, which has all of its own; the values are shared.
    pub(crate) fn select(&self, rows: RowPattern, n_rows: usize) -> Self {
        debug_assert!(self.rows == RowPattern::from(0) && rows.stored(n_rows - 1) < self.n_rows);
        Self { values: Arc::clone(&self.values), rows, n_rows, ..*self }
    }

    /// Rows as columns, in the same type.
    pub(crate) fn transposed(&self) -> Self {
        fn owned<T: bytemuck::Pod>(values: &Buffer<T>, n_rows: usize, n_columns: usize) -> Buffer<T> {
            Buffer::Owned(transposed(values.as_slice(), n_rows, n_columns))
        }
        debug_assert!(self.rows == RowPattern::from(0));
        let values = match &*self.values {
            Values::F32(values) => Values::F32(owned(values, self.n_rows, self.n_columns)),
            Values::Bf16(values) => Values::Bf16(owned(values, self.n_rows, self.n_columns)),
            Values::F16(values) => Values::F16(owned(values, self.n_rows, self.n_columns)),
            Values::Q8(_) => unreachable!("blocks lie along rows: a matrix is turned before it is rounded"),
        };
        Self::new(values, self.n_columns, self.n_rows).with_arithmetic(self.arithmetic)
    }

    /// One more column. The type stays where it holds the column exactly, as it does if both were stored in it.
    pub(crate) fn with_column(&self, column: &[f32]) -> Self {
        fn owned<T: Copy>(values: &[T], n_columns: usize, column: impl Iterator<Item = T>) -> Buffer<T> {
            let rows = values.chunks_exact(n_columns).zip(column);
            Buffer::Owned(rows.flat_map(|(row, last)| row.iter().copied().chain([last])).collect())
        }
        debug_assert!(self.rows == RowPattern::from(0));
        let (n, last) = (self.n_columns, || column.iter().copied());
        let values = match &*self.values {
            Values::Bf16(values) if last().all(|x| bf16::from_f32(x).to_f32() == x) => {
                Values::Bf16(owned(values.as_slice(), n, last().map(bf16::from_f32)))
            }
            Values::F16(values) if last().all(|x| f16::from_f32(x).to_f32() == x) => {
                Values::F16(owned(values.as_slice(), n, last().map(f16::from_f32)))
            }
            Values::F32(_) | Values::Bf16(_) | Values::F16(_) | Values::Q8(_) => {
                let mut widened = vec![0.0; self.n_rows * n];
                for (row, target) in widened.chunks_exact_mut(n).enumerate() {
                    self.row(row).widen(0, target);
                }
                Values::F32(owned(&widened, n, last()))
            }
        };
        Self::new(values, self.n_rows, n + 1).with_arithmetic(self.arithmetic)
    }

    pub(crate) fn n_rows(&self) -> usize {
        self.n_rows
    }

    pub(crate) fn n_columns(&self) -> usize {
        self.n_columns
    }

    /// One row as it is stored.
    pub(crate) fn row(&self, row: usize) -> StoredRow<'_> {
        let row = self.rows.stored(row);
        let range = row * self.n_columns..(row + 1) * self.n_columns;
        let blocks = self.n_columns.div_ceil(BLOCK);
        match &*self.values {
            Values::F32(values) => StoredRow::F32(&values.as_slice()[range]),
            Values::Bf16(values) => StoredRow::Bf16(&values.as_slice()[range]),
            Values::F16(values) => StoredRow::F16(&values.as_slice()[range]),
            Values::Q8(values) => StoredRow::Q8(&values[row * blocks..(row + 1) * blocks]),
        }
    }
}

/// In squares that stay in the first-level cache.
fn transposed<T: bytemuck::Pod>(values: &[T], n_rows: usize, n_columns: usize) -> Vec<T> {
    const SQUARE: usize = 32;
    let mut target = vec![T::zeroed(); values.len()];
    for first_row in (0..n_rows).step_by(SQUARE) {
        for first_column in (0..n_columns).step_by(SQUARE) {
            for row in first_row..n_rows.min(first_row + SQUARE) {
                for column in first_column..n_columns.min(first_column + SQUARE) {
                    target[column * n_rows + row] = values[row * n_columns + column];
                }
            }
        }
    }
    target
}

#[cfg(test)]
mod tests {
    use super::*;

    fn first_values(matrix: &Matrix) -> Vec<f32> {
        let mut value = [0.0];
        (0..matrix.n_rows())
            .map(|row| {
                matrix.row(row).widen(0, &mut value);
                value[0]
            })
            .collect()
    }

    #[test]
    fn rows_are_found_in_stacked_and_in_woven_tensors() {
        let values = (0..24).map(|i| (i / 2) as f32).collect();
        let matrix = Matrix::new(Values::F32(Buffer::Owned(values)), 12, 2);
        assert_eq!(first_values(&matrix.select(RowPattern::from(8), 3)), [8.0, 9.0, 10.0]);
        let woven = RowPattern { first: 2, block: 2, stride: 6 };
        assert_eq!(first_values(&matrix.select(woven, 4)), [2.0, 3.0, 8.0, 9.0]);
    }

    #[test]
    fn transposing_turns_rows_into_columns() {
        let (n_rows, n_columns) = (35, 67);
        let values: Vec<f32> = (0..n_rows * n_columns).map(|i| i as f32).collect();
        let matrix = Matrix::new(Values::F32(Buffer::Owned(values)), n_rows, n_columns).transposed();
        assert_eq!(matrix.n_columns(), n_rows);
        let mut row = vec![0.0; n_rows];
        matrix.row(40).widen(0, &mut row);
        assert_eq!(row[..3], [40.0, 107.0, 174.0]);
        assert_eq!(row[34], (34 * n_columns + 40) as f32);
    }
    #[test]
    fn a_column_is_added_in_a_type_that_holds_it() {
        let half = |values: &[f32]| values.iter().map(|&value| f16::from_f32(value)).collect();
        let matrix = Matrix::new(Values::F16(Buffer::Owned(half(&[1.0, 2.0, 3.0, 4.0]))), 2, 2);
        for (column, exact) in [([0.5, -0.25], true), ([0.1, 7.0], false)] {
            let wider = matrix.with_column(&column);
            assert_eq!(matches!(wider.row(0), StoredRow::F16(_)), exact);
            let mut row = [0.0; 3];
            wider.row(1).widen(0, &mut row);
            assert_eq!(row, [3.0, 4.0, column[1]]);
        }
    }
}
