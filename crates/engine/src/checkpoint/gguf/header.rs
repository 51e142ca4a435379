//! The header of a GGUF file, read without trusting it.

use std::ops::Range;
use std::path::Path;

use candle_core::quantized::GgmlDType;

use crate::EngineError;
use crate::checkpoint::ggml;

/// One metadata value.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Value {
    Integer(i128),
    Float(f64),
    Bool(bool),
    Text(Range<usize>),
    Array { element: Kind, count: usize, bytes: Range<usize> },
}

/// Types of metadata values, by their numbers in the file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    U8,
    I8,
    U16,
    I16,
    U32,
    I32,
    F32,
    Bool,
    Text,
    Array,
    U64,
    I64,
    F64,
}

/// Where a tensor is.
#[derive(Debug)]
pub(super) struct Tensor {
    pub dtype: GgmlDType,
    /// The slowest axis first.
    pub shape: Vec<usize>,
    pub bytes: Range<usize>,
}

/// What the header says of a tensor.
pub(super) struct TensorInfo {
    name: String,
    dtype: GgmlDType,
    shape: Vec<usize>,
    offset: u64,
}

impl TensorInfo {
    /// Where the tensor's bytes are, if they are.
    pub(super) fn place(
        self,
        path: &Path,
        start: usize,
        file_len: usize,
    ) -> Result<(String, Tensor), EngineError> {
        let broken = || {
            EngineError::malformed(path, format!("tensor {}: impossible shape {:?}", self.name, self.shape))
        };
        let n_values =
            self.shape.iter().try_fold(1_usize, |n, &axis| n.checked_mul(axis)).ok_or_else(broken)?;
        // A row is a whole number of blocks.
        ggml::byte_len(self.dtype, self.shape.last().copied().unwrap_or(1)).ok_or_else(broken)?;
        let len = ggml::byte_len(self.dtype, n_values).ok_or_else(broken)?;
        let from = (start as u64).saturating_add(self.offset);
        let to = from.saturating_add(len as u64);
        if to > file_len as u64 {
            return Err(EngineError::Truncated {
                path: path.to_owned(),
                what: format!("tensor {}", self.name),
                expected: to,
                actual: file_len as u64,
            });
        }
        let tensor = Tensor { dtype: self.dtype, shape: self.shape, bytes: from as usize..to as usize };
        Ok((self.name, tensor))
    }
}

/// Refuses tensors that share a name or a byte: as many copies of one stretch as there are names would be dequantised, and
/// memory would have nothing to do with the file's size.
pub(super) fn check_apart(path: &Path, tensors: &[(String, Tensor)]) -> Result<(), EngineError> {
    let mut by_name: Vec<&str> = tensors.iter().map(|(name, _)| name.as_str()).collect();
    by_name.sort_unstable();
    if let Some([twice, _]) = by_name.windows(2).find(|pair| pair[0] == pair[1]) {
        return Err(EngineError::malformed(path, format!("tensor {twice} is listed twice")));
    }
    let mut by_place: Vec<&(String, Tensor)> =
        tensors.iter().filter(|(_, tensor)| !tensor.bytes.is_empty()).collect();
    by_place.sort_unstable_by_key(|(_, tensor)| tensor.bytes.start);
    let shared = by_place.windows(2).find(|pair| pair[0].1.bytes.end > pair[1].1.bytes.start);
    if let Some([(first, _), (second, _)]) = shared {
        let detail = format!("tensors {first} and {second} share bytes of the file");
        return Err(EngineError::malformed(path, detail));
    }
    Ok(())
}

/// Reads the header, never past the end.
pub(super) struct Reader<'a> {
    pub path: &'a Path,
    pub bytes: &'a [u8],
    pub position: usize,
}

impl<'a> Reader<'a> {
    pub(super) fn take(&mut self, n: usize, what: &str) -> Result<&'a [u8], EngineError> {
        let end = self.position.saturating_add(n);
        let Some(bytes) = self.bytes.get(self.position..end) else {
            return Err(EngineError::Truncated {
                path: self.path.to_owned(),
                what: what.to_owned(),
                expected: end as u64,
                actual: self.bytes.len() as u64,
            });
        };
        self.position = end;
        Ok(bytes)
    }

    fn array<const N: usize>(&mut self, what: &str) -> Result<[u8; N], EngineError> {
        let bytes = self.take(N, what)?;
        let mut array = [0; N];
        array.copy_from_slice(bytes);
        Ok(array)
    }

    pub(super) fn u32(&mut self, what: &str) -> Result<u32, EngineError> {
        Ok(u32::from_le_bytes(self.array(what)?))
    }

    fn u64(&mut self, what: &str) -> Result<u64, EngineError> {
        Ok(u64::from_le_bytes(self.array(what)?))
    }

    /// A number of things that take at least `least` bytes each.
    pub(super) fn count(&mut self, what: &str, least: usize) -> Result<usize, EngineError> {
        let n = self.u64(what)?;
        let needed = n.saturating_mul(least as u64).saturating_add(self.position as u64);
        if needed > self.bytes.len() as u64 {
            return Err(EngineError::Truncated {
                path: self.path.to_owned(),
                what: format!("{what} ({n})"),
                expected: needed,
                actual: self.bytes.len() as u64,
            });
        }
        Ok(n as usize)
    }

    pub(super) fn text(&mut self, what: &str) -> Result<Range<usize>, EngineError> {
        let n = self.count(what, 1)?;
        self.take(n, what)?;
        Ok(self.position - n..self.position)
    }

    fn kind(&mut self, key: &str) -> Result<Kind, EngineError> {
        let number = self.u32(key)?;
        let kind = match number {
            0 => Kind::U8,
            1 => Kind::I8,
            2 => Kind::U16,
            3 => Kind::I16,
            4 => Kind::U32,
            5 => Kind::I32,
            6 => Kind::F32,
            7 => Kind::Bool,
            8 => Kind::Text,
            9 => Kind::Array,
            10 => Kind::U64,
            11 => Kind::I64,
            12 => Kind::F64,
            _ => return Err(EngineError::malformed(self.path, format!("{key}: unknown type {number}"))),
        };
        Ok(kind)
    }

    pub(super) fn value(&mut self, key: &str) -> Result<Value, EngineError> {
        let kind = self.kind(key)?;
        if kind != Kind::Array {
            return self.scalar(kind, key);
        }
        let element = self.kind(key)?;
        if element == Kind::Array {
            return Err(EngineError::malformed(self.path, format!("{key}: arrays of arrays are not read")));
        }
        let count = self.count(key, element.least_bytes())?;
        let start = self.position;
        if element == Kind::Text {
            for _ in 0..count {
                self.text(key)?;
            }
        } else {
            self.take(count * element.least_bytes(), key)?;
        }
        Ok(Value::Array { element, count, bytes: start..self.position })
    }

    pub(super) fn scalar(&mut self, kind: Kind, key: &str) -> Result<Value, EngineError> {
        Ok(match kind {
            Kind::U8 => Value::Integer(u8::from_le_bytes(self.array(key)?).into()),
            Kind::I8 => Value::Integer(i8::from_le_bytes(self.array(key)?).into()),
            Kind::U16 => Value::Integer(u16::from_le_bytes(self.array(key)?).into()),
            Kind::I16 => Value::Integer(i16::from_le_bytes(self.array(key)?).into()),
            Kind::U32 => Value::Integer(u32::from_le_bytes(self.array(key)?).into()),
            Kind::I32 => Value::Integer(i32::from_le_bytes(self.array(key)?).into()),
            Kind::U64 => Value::Integer(u64::from_le_bytes(self.array(key)?).into()),
            Kind::I64 => Value::Integer(i64::from_le_bytes(self.array(key)?).into()),
            Kind::F32 => Value::Float(f32::from_le_bytes(self.array(key)?).into()),
            Kind::F64 => Value::Float(f64::from_le_bytes(self.array(key)?)),
            Kind::Bool => Value::Bool(self.array::<1>(key)? != [0]),
            Kind::Text => Value::Text(self.text(key)?),
            Kind::Array => {
                return Err(EngineError::malformed(self.path, format!("{key}: an array of arrays")));
            }
        })
    }

    pub(super) fn tensor_info(&mut self) -> Result<TensorInfo, EngineError> {
        let name = self.text("a tensor's name")?;
        let name = String::from_utf8_lossy(&self.bytes[name]).into_owned();
        let n_axes = self.u32(&name)?;
        if n_axes > 4 {
            return Err(EngineError::malformed(
                self.path,
                format!("tensor {name} has {n_axes} axes; 4 are the most"),
            ));
        }
        let mut shape = Vec::new();
        for _ in 0..n_axes {
            let axis = self.u64(&name)?;
            shape.push(usize::try_from(axis).unwrap_or(usize::MAX));
        }
        // The file has the fastest axis first.
        shape.reverse();
        let number = self.u32(&name)?;
        let Some(dtype) = ggml::dtype(number) else {
            return Err(EngineError::TensorType {
                path: self.path.to_owned(),
                tensor: name,
                actual: format!("ggml type {number}"),
                supported: "F32, F16, BF16, Q4_0, Q4_1, Q5_0, Q5_1, Q8_0, Q8_1 and Q2_K to Q8_K".to_owned(),
            });
        };
        Ok(TensorInfo { name, dtype, shape, offset: self.u64("a tensor's offset")? })
    }
}

impl Kind {
    /// The fewest bytes that one value takes.
    fn least_bytes(self) -> usize {
        match self {
            Self::U8 | Self::I8 | Self::Bool => 1,
            Self::U16 | Self::I16 => 2,
            Self::U32 | Self::I32 | Self::F32 => 4,
            Self::U64 | Self::I64 | Self::F64 | Self::Text => 8,
            Self::Array => 12,
        }
    }
}
