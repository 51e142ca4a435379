//! The number types of GGUF files: their sizes, and their values as f32.
//!
//! candle knows how to dequantise; it is asked for a few rows at a time, so that a tensor is never in memory twice.

use std::borrow::Cow;

use candle_core::CpuStorage;
use candle_core::quantized::GgmlDType;

/// The type behind a number of the ggml list; `None` if candle does not read it.
pub(super) fn dtype(number: u32) -> Option<GgmlDType> {
    use GgmlDType as T;
    let all = [
        (0, T::F32),
        (1, T::F16),
        (2, T::Q4_0),
        (3, T::Q4_1),
        (6, T::Q5_0),
        (7, T::Q5_1),
        (8, T::Q8_0),
        (9, T::Q8_1),
        (10, T::Q2K),
        (11, T::Q3K),
        (12, T::Q4K),
        (13, T::Q5K),
        (14, T::Q6K),
        (15, T::Q8K),
        (30, T::BF16),
    ];
    all.into_iter().find(|&(n, _)| n == number).map(|(_, dtype)| dtype)
}

/// As ggml spells it.
pub(super) fn name(dtype: GgmlDType) -> &'static str {
    use GgmlDType as T;
    match dtype {
        T::F32 => "F32",
        T::F16 => "F16",
        T::BF16 => "BF16",
        T::Q4_0 => "Q4_0",
        T::Q4_1 => "Q4_1",
        T::Q5_0 => "Q5_0",
        T::Q5_1 => "Q5_1",
        T::Q8_0 => "Q8_0",
        T::Q8_1 => "Q8_1",
        T::Q2K => "Q2_K",
        T::Q3K => "Q3_K",
        T::Q4K => "Q4_K",
        T::Q5K => "Q5_K",
        T::Q6K => "Q6_K",
        T::Q8K => "Q8_K",
    }
}

/// Bytes of so many values; `None` if they are no whole number of blocks, or too many to count.
pub(super) fn byte_len(dtype: GgmlDType, n_values: usize) -> Option<usize> {
    let block = dtype.block_size();
    n_values.is_multiple_of(block).then(|| (n_values / block).checked_mul(dtype.type_size())).flatten()
}

/// The values of whole blocks, which start at an address that `u64` allows.
pub(super) fn dequantise(
    dtype: GgmlDType,
    bytes: &[u64],
    n_bytes: usize,
    target: &mut [f32],
) -> Result<(), String> {
    let bytes = bytemuck::cast_slice(bytes).get(..n_bytes).ok_or("too few bytes")?;
    let storage =
        dtype.from_data(Cow::Borrowed(bytes)).dequantize(target.len()).map_err(|error| error.to_string())?;
    match storage {
        CpuStorage::F32(values) => target.copy_from_slice(&values),
        _ => return Err("dequantised to another type than f32".to_owned()),
    }
    Ok(())
}
