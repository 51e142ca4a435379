//! GGUF files: metadata, and tensors as f32 or in place.
//!
//! Source: the GGUF specification (ggml, `docs/gguf.md`), versions 2 and 3. The header is read here rather than by
//! candle so that every length is compared with the file's before it is believed: a cut or hostile file gives a message,
//! and takes no more memory than its own size. Arrays stay in the map until they are asked for.

mod header;

use std::collections::HashMap;
use std::fs::File;
use std::io::{Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use candle_core::quantized::GgmlDType;
use half::{bf16, f16};
use memmap2::Mmap;
use rayon::prelude::*;

use self::header::{Kind, Reader, Tensor, Value};
use super::ggml;
use crate::config::not_a_scale;
use crate::kernels::{BLOCK, ByteBlock};
use crate::matrix::{Buffer, Matrix, Values};
use crate::{Dtype, EngineError};

/// A GGUF file whose header has been read.
#[derive(Debug)]
pub(crate) struct GgufFile {
    path: PathBuf,
    map: Arc<Mmap>,
    metadata: HashMap<String, Value>,
    tensors: HashMap<String, Tensor>,
}

impl GgufFile {
    /// Reads and checks the header.
    pub(super) fn open(path: &Path) -> Result<Self, EngineError> {
        let map = super::safetensors::map(path)?;
        if let Some(found) = super::impostor(&map) {
            return Err(EngineError::malformed(path, found));
        }
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
            if metadata.insert(key.clone(), value).is_some() {
                return Err(EngineError::malformed(path, format!("the key {key} stands there twice")));
            }
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
        let placed: Vec<(String, Tensor)> =
            infos.into_iter().map(|info| info.place(path, start, map.len())).collect::<Result<_, _>>()?;
        header::check_apart(path, &placed)?;
        let tensors = placed.into_iter().collect();
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

    /// A number to multiply or divide by.
    pub(crate) fn scale(&self, key: &str) -> Result<Option<f64>, EngineError> {
        let Some(value) = self.float(key)? else { return Ok(None) };
        not_a_scale(value).map_or(Ok(Some(value)), |needed| Err(self.unsupported(key, &value, needed)))
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
        let mut vector = vec![0.0; len];
        Matrix::new(self.values(name, Dtype::F32)?, 1, len).row(0).widen(0, &mut vector);
        Ok(vector)
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
            (_, Dtype::Auto | Dtype::F32) => {
                Ok(Values::F32(Buffer::Owned(self.dequantised(tensor, 1, |v| v[0])?)))
            }
            (_, Dtype::Bf16) => {
                Ok(Values::Bf16(Buffer::Owned(self.dequantised(tensor, 1, |v| bf16::from_f32(v[0]))?)))
            }
            (_, Dtype::F16) => {
                Ok(Values::F16(Buffer::Owned(self.dequantised(tensor, 1, |v| f16::from_f32(v[0]))?)))
            }
            // Rows of quantised types are whole blocks.
            (_, Dtype::Q8) => Ok(Values::Q8(self.dequantised(tensor, BLOCK, ByteBlock::of)?)),
        }
    }

    /// Dequantises in pieces, in parallel, and converts `step` values at a time. The file is read, not mapped: pages of a map would count as memory in use.
    fn dequantised<T>(
        &self,
        tensor: &Tensor,
        step: usize,
        convert: impl Fn(&[f32]) -> T + Sync,
    ) -> Result<Vec<T>, EngineError>
    where
        T: bytemuck::Zeroable + Copy + Send,
    {
        // A multiple of every block size.
        const PIECE: usize = 1 << 18;
        let n_values: usize = tensor.shape.iter().product();
        let mut target = vec![T::zeroed(); n_values.div_ceil(step)];
        target.par_chunks_mut(PIECE / step).enumerate().try_for_each(
            |(piece, target)| -> Result<(), EngineError> {
                let fault = |detail: String| EngineError::malformed(&self.path, detail);
                let offset = ggml::byte_len(tensor.dtype, piece * PIECE).unwrap_or_default();
                let n_bytes = ggml::byte_len(tensor.dtype, target.len() * step)
                    .ok_or_else(|| fault("a tensor of broken blocks".to_owned()))?;
                let mut bytes = vec![0_u64; n_bytes.div_ceil(8)];
                let mut file = File::open(&self.path).map_err(|error| EngineError::io(&self.path, error))?;
                file.seek(SeekFrom::Start((tensor.bytes.start + offset) as u64))
                    .and_then(|_| file.read_exact(&mut bytemuck::cast_slice_mut(&mut bytes)[..n_bytes]))
                    .map_err(|error| EngineError::io(&self.path, error))?;
                let mut values = vec![0.0; target.len() * step];
                ggml::dequantise(tensor.dtype, &bytes, n_bytes, &mut values).map_err(fault)?;
                for (slot, values) in target.iter_mut().zip(values.chunks_exact(step)) {
                    *slot = convert(values);
                }
                Ok(())
            },
        )?;
        Ok(target)
    }
}
