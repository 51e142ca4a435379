//! GGUF files: metadata, and tensors as f32 or in place.
//!
//! Source: the GGUF specification (ggml, `docs/gguf.md`), versions 2 and 3. The header is read here rather than by
//! candle so that every length is compared with the file's before it is believed: a cut or hostile file gives a message,
//! and takes no more memory than its own size. Arrays stay in the map until they are asked for.

use std::collections::HashMap;
use std::fs::File;
use std::io::{Read, Seek, SeekFrom};
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use candle_core::quantized::GgmlDType;
use half::{bf16, f16};
use memmap2::Mmap;
use rayon::prelude::*;

use super::ggml;
use crate::matrix::{Buffer, Values};
use crate::{Dtype, EngineError};

/// A GGUF file whose header has been read.
#[derive(Debug)]
pub(crate) struct GgufFile {
    path: PathBuf,
    map: Arc<Mmap>,
    metadata: HashMap<String, Value>,
    tensors: HashMap<String, Tensor>,
}

/// One metadata value.
#[derive(Debug, Clone, PartialEq)]
enum Value {
    Integer(i128),
    Float(f64),
    Bool(bool),
    Text(Range<usize>),
    Array { element: Kind, count: usize, bytes: Range<usize> },
}

/// Types of metadata values, by their numbers in the file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
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

#[derive(Debug)]
struct Tensor {
    dtype: GgmlDType,
    /// The slowest axis first.
    shape: Vec<usize>,
    bytes: Range<usize>,
}

impl GgufFile {
    /// Reads and checks the header.
    pub(super) fn open(path: &Path) -> Result<Self, EngineError> {
        let map = super::safetensors::map(path)?;
        let mut reader = Reader { path, bytes: &map, position: 0 };
        if reader.take(4, "the magic number")? != b"GGUF" {
            return Err(EngineError::malformed(path, "not a GGUF file"));
        }
        let version = reader.u32("the version")?;
        if !(2..=3).contains(&version) {
            return Err(EngineError::malformed(
                path,
                format!("GGUF version {version} is not read; 2 and 3 are"),
            ));
        }
        let n_tensors = reader.count("the number of tensors", 24)?;
        let n_keys = reader.count("the number of metadata keys", 13)?;
        let mut metadata = HashMap::new();
        for _ in 0..n_keys {
            let key = reader.text("a metadata key")?;
            let key = String::from_utf8_lossy(&map[key]).into_owned();
            let value = reader.value(&key)?;
            metadata.insert(key, value);
        }
        let mut infos = Vec::new();
        for _ in 0..n_tensors {
            infos.push(reader.tensor_info()?);
        }
        let alignment = match metadata.get("general.alignment") {
            None => 32,
            Some(&Value::Integer(n)) if (1..=1 << 20).contains(&n) => n as usize,
            Some(_) => return Err(EngineError::malformed(path, "general.alignment is not a size")),
        };
        let start = reader.position.next_multiple_of(alignment);
        let tensors =
            infos.into_iter().map(|info| info.place(path, start, map.len())).collect::<Result<_, _>>()?;
        Ok(Self { path: path.to_owned(), map: Arc::new(map), metadata, tensors })
    }

    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    pub(super) fn names(&self) -> Vec<&str> {
        self.tensors.keys().map(String::as_str).collect()
    }

    /// A tensor's shape, the slowest axis first.
    pub(crate) fn shape(&self, name: &str) -> Option<&[usize]> {
        self.tensors.get(name).map(|tensor| tensor.shape.as_slice())
    }

    pub(super) fn dtypes(&self) -> Vec<&'static str> {
        // Vectors are always F32: only the matrices say how the file was quantised.
        let matrices = self.tensors.values().filter(|tensor| tensor.shape.len() > 1);
        matrices.map(|tensor| ggml::name(tensor.dtype)).collect()
    }

    /// A text.
    pub(crate) fn text(&self, key: &str) -> Option<&str> {
        match self.metadata.get(key)? {
            Value::Text(bytes) => std::str::from_utf8(&self.map[bytes.clone()]).ok(),
            _ => None,
        }
    }

    /// A whole number that is not negative.
    pub(crate) fn count(&self, key: &str) -> Result<Option<usize>, EngineError> {
        match self.metadata.get(key) {
            None => Ok(None),
            Some(&Value::Integer(n)) if n >= 0 => Ok(usize::try_from(n).ok()),
            Some(value) => Err(self.unsupported(key, &self.shown(value), "one number is needed")),
        }
    }

    /// A number.
    pub(crate) fn float(&self, key: &str) -> Result<Option<f64>, EngineError> {
        match self.metadata.get(key) {
            None => Ok(None),
            Some(&Value::Float(number)) => Ok(Some(number)),
            Some(&Value::Integer(number)) => Ok(Some(number as f64)),
            Some(value) => Err(self.unsupported(key, &self.shown(value), "one number is needed")),
        }
    }

    /// Yes or no.
    pub(crate) fn flag(&self, key: &str) -> Option<bool> {
        match self.metadata.get(key)? {
            Value::Bool(flag) => Some(*flag),
            _ => None,
        }
    }

    /// An array of texts.
    pub(crate) fn texts(&self, key: &str) -> Option<Vec<String>> {
        let Value::Array { element: Kind::Text, count, bytes } = self.metadata.get(key)? else { return None };
        let mut reader = Reader { path: &self.path, bytes: &self.map[..bytes.end], position: bytes.start };
        let text =
            |_| reader.text(key).ok().map(|text| String::from_utf8_lossy(&self.map[text]).into_owned());
        (0..*count).map(text).collect()
    }

    /// An array of numbers.
    pub(crate) fn numbers(&self, key: &str) -> Option<Vec<f64>> {
        let Value::Array { element, count, bytes } = self.metadata.get(key)? else { return None };
        let mut reader = Reader { path: &self.path, bytes: &self.map[..bytes.end], position: bytes.start };
        let number = |_| match reader.scalar(*element, key).ok()? {
            Value::Integer(number) => Some(number as f64),
            Value::Float(number) => Some(number),
            Value::Bool(flag) => Some(f64::from(u8::from(flag))),
            Value::Text(_) | Value::Array { .. } => None,
        };
        (0..*count).map(number).collect()
    }

    fn shown(&self, value: &Value) -> String {
        match value {
            Value::Integer(number) => number.to_string(),
            Value::Float(number) => number.to_string(),
            Value::Bool(flag) => flag.to_string(),
            Value::Text(bytes) => String::from_utf8_lossy(&self.map[bytes.clone()]).into_owned(),
            Value::Array { count, .. } => format!("an array of {count}"),
        }
    }

    /// A key that is needed and not there.
    pub(crate) fn key_missing(&self, key: &str) -> EngineError {
        EngineError::KeyMissing { path: self.path.clone(), key: key.to_owned() }
    }

    /// A key whose value the engine does not know.
    pub(crate) fn unsupported(
        &self,
        key: &str,
        value: &dyn std::fmt::Display,
        supported: &str,
    ) -> EngineError {
        EngineError::Value {
            path: self.path.clone(),
            key: key.to_owned(),
            value: value.to_string(),
            supported: supported.to_owned(),
        }
    }

    /// Refuses a size of which the products could only make nonsense.
    pub(crate) fn positive(&self, key: &str, value: usize) -> Result<usize, EngineError> {
        if value == 0 || value > 1 << 24 {
            return Err(self.unsupported(key, &value, "a size from 1 to 16777216 is needed"));
        }
        Ok(value)
    }

    /// A vector as f32.
    pub(crate) fn vector(&self, name: &str, len: usize) -> Result<Vec<f32>, EngineError> {
        let actual = self.shape(name).unwrap_or_default().to_vec();
        if actual != [len] {
            let (path, tensor) = (self.path.clone(), name.to_owned());
            return Err(EngineError::Shape { path, tensor, expected: vec![len], actual });
        }
        match self.values(name, Dtype::F32)? {
            Values::F32(values) => Ok(values.to_vec()),
            Values::F16(values) => Ok(values.to_vec().iter().map(|value| value.to_f32()).collect()),
            Values::Bf16(values) => Ok(values.to_vec().iter().map(|value| value.to_f32()).collect()),
        }
    }

    /// A tensor's values: in place where they are plain numbers, else dequantised to f32 or straight to `dtype`.
    pub(super) fn values(&self, name: &str, dtype: Dtype) -> Result<Values, EngineError> {
        let Some(tensor) = self.tensors.get(name) else {
            return Err(EngineError::TensorsMissing {
                path: self.path.clone(),
                names: vec![name.to_owned()],
            });
        };
        match (tensor.dtype, dtype) {
            (GgmlDType::F32, _) => Ok(Values::F32(Buffer::mapped(&self.map, tensor.bytes.clone()))),
            (GgmlDType::F16, _) => Ok(Values::F16(Buffer::mapped(&self.map, tensor.bytes.clone()))),
            (GgmlDType::BF16, _) => Ok(Values::Bf16(Buffer::mapped(&self.map, tensor.bytes.clone()))),
            (_, Dtype::Auto | Dtype::F32) => Ok(Values::F32(Buffer::Owned(self.dequantised(tensor, |v| v)?))),
            (_, Dtype::Bf16) => Ok(Values::Bf16(Buffer::Owned(self.dequantised(tensor, bf16::from_f32)?))),
            (_, Dtype::F16) => Ok(Values::F16(Buffer::Owned(self.dequantised(tensor, f16::from_f32)?))),
        }
    }

    /// Dequantises in pieces, in parallel. The file is read, not mapped: pages of a map would count as memory in use.
    fn dequantised<T>(
        &self,
        tensor: &Tensor,
        convert: impl Fn(f32) -> T + Sync,
    ) -> Result<Vec<T>, EngineError>
    where
        T: bytemuck::Zeroable + Copy + Send,
    {
        // A multiple of every block size.
        const PIECE: usize = 1 << 18;
        let n_values: usize = tensor.shape.iter().product();
        let mut target = vec![T::zeroed(); n_values];
        target.par_chunks_mut(PIECE).enumerate().try_for_each(
            |(piece, target)| -> Result<(), EngineError> {
                let fault = |detail: String| EngineError::malformed(&self.path, detail);
                let offset = ggml::byte_len(tensor.dtype, piece * PIECE).unwrap_or_default();
                let n_bytes = ggml::byte_len(tensor.dtype, target.len())
                    .ok_or_else(|| fault("a tensor of broken blocks".to_owned()))?;
                let mut bytes = vec![0_u64; n_bytes.div_ceil(8)];
                let mut file = File::open(&self.path).map_err(|error| EngineError::io(&self.path, error))?;
                file.seek(SeekFrom::Start((tensor.bytes.start + offset) as u64))
                    .and_then(|_| file.read_exact(&mut bytemuck::cast_slice_mut(&mut bytes)[..n_bytes]))
                    .map_err(|error| EngineError::io(&self.path, error))?;
                let mut values = vec![0.0; target.len()];
                ggml::dequantise(tensor.dtype, &bytes, n_bytes, &mut values).map_err(fault)?;
                for (slot, value) in target.iter_mut().zip(values) {
                    *slot = convert(value);
                }
                Ok(())
            },
        )?;
        Ok(target)
    }
}

struct TensorInfo {
    name: String,
    dtype: GgmlDType,
    shape: Vec<usize>,
    offset: u64,
}

impl TensorInfo {
    /// Where the tensor's bytes are, if they are.
    fn place(self, path: &Path, start: usize, file_len: usize) -> Result<(String, Tensor), EngineError> {
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

/// Reads the header, never past the end.
struct Reader<'a> {
    path: &'a Path,
    bytes: &'a [u8],
    position: usize,
}

impl<'a> Reader<'a> {
    fn take(&mut self, n: usize, what: &str) -> Result<&'a [u8], EngineError> {
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

    fn u32(&mut self, what: &str) -> Result<u32, EngineError> {
        Ok(u32::from_le_bytes(self.array(what)?))
    }

    fn u64(&mut self, what: &str) -> Result<u64, EngineError> {
        Ok(u64::from_le_bytes(self.array(what)?))
    }

    /// A number of things that take at least `least` bytes each.
    fn count(&mut self, what: &str, least: usize) -> Result<usize, EngineError> {
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

    fn text(&mut self, what: &str) -> Result<Range<usize>, EngineError> {
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

    fn value(&mut self, key: &str) -> Result<Value, EngineError> {
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

    fn scalar(&mut self, kind: Kind, key: &str) -> Result<Value, EngineError> {
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

    fn tensor_info(&mut self) -> Result<TensorInfo, EngineError> {
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
