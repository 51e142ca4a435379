//! A stretch of a stored weight row as f32. Exact, so that the type in which weights are kept does not move a bit.

use half::slice::HalfFloatSliceExt;
use half::{bf16, f16};

/// Weights of one row in the type they are kept in.
#[derive(Debug, Clone, Copy)]
pub(crate) enum StoredRow<'a> {
    F32(&'a [f32]),
    Bf16(&'a [bf16]),
    F16(&'a [f16]),
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
        }
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
