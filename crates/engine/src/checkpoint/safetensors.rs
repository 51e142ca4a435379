//! Safetensors shards, mapped into memory; the weights are used in place.
//!
//! Source: the `safetensors` crate for the format. A download that stopped is the usual fault, so the sizes that the
//! header promises are compared with the file's before anything else.

use std::collections::{BTreeMap, HashMap};
use std::fs::File;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use memmap2::Mmap;
use safetensors::{Dtype, SafeTensorError, SafeTensors};
use serde::Deserialize;

use super::impostor;
use crate::EngineError;
use crate::matrix::{Buffer, Values};

/// The only weight file.
pub(super) const SINGLE: &str = "model.safetensors";
/// The list of several.
pub(super) const INDEX: &str = "model.safetensors.index.json";

/// Bytes of the longest header that the format allows.
const LONGEST_HEADER: u64 = 100_000_000;

/// All shards of a checkpoint.
#[derive(Debug)]
pub(crate) struct SafetensorsFiles {
    directory: PathBuf,
    shards: Vec<(PathBuf, Arc<Mmap>)>,
    tensors: HashMap<String, Location>,
}

#[derive(Debug)]
struct Location {
    shard: usize,
    dtype: Dtype,
    shape: Vec<usize>,
    bytes: std::ops::Range<usize>,
}

#[derive(Deserialize)]
struct Index {
    weight_map: BTreeMap<String, String>,
}

impl SafetensorsFiles {
    /// `model.safetensors`, or the shards that `model.safetensors.index.json` names.
    pub(super) fn open(directory: &Path) -> Result<Self, EngineError> {
        let single = directory.join(SINGLE);
        let index = directory.join(INDEX);
        let mut files = Self { directory: directory.to_owned(), shards: Vec::new(), tensors: HashMap::new() };
        if index.exists() {
            files.open_shards(&index)?;
        } else if single.exists() {
            files.add(&single)?;
        } else {
            return Err(EngineError::FileMissing {
                directory: directory.to_owned(),
                file: "model.safetensors (or model.safetensors.index.json)".to_owned(),
            });
        }
        Ok(files)
    }

    fn open_shards(&mut self, index: &Path) -> Result<(), EngineError> {
        let text = std::fs::read_to_string(index).map_err(|error| EngineError::io(index, error))?;
        if let Some(found) = impostor(text.as_bytes()) {
            return Err(EngineError::malformed(index, found));
        }
        let map: Index = serde_json::from_str(&text).map_err(|error| {
            let detail = if error.is_data() {
                "it has no weight_map that names a file for each tensor".to_owned()
            } else {
                error.to_string()
            };
            EngineError::malformed(index, detail)
        })?;
        let mut shards: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
        for (tensor, shard) in &map.weight_map {
            if Path::new(shard).components().count() != 1 || shard.starts_with('.') {
                return Err(EngineError::malformed(index, format!("{shard:?} is not the name of a shard")));
            }
            shards.entry(shard).or_default().push(tensor);
        }
        for (shard, tensors) in &shards {
            if !self.directory.join(shard).exists() {
                let (shard, n_tensors) = ((*shard).to_owned(), tensors.len());
                return Err(EngineError::ShardMissing { index: index.to_owned(), shard, n_tensors });
            }
        }
        for shard in shards.keys() {
            self.add(&self.directory.join(shard))?;
        }
        Ok(())
    }

    fn add(&mut self, path: &Path) -> Result<(), EngineError> {
        let map = map(path)?;
        check_length(path, &map)?;
        let (header, metadata) = SafeTensors::read_metadata(&map).map_err(|error| {
            EngineError::malformed(path, format!("not a safetensors file: {}", said(&error)))
        })?;
        let start = header + 8;
        for (name, info) in metadata.tensors() {
            let (from, to) = info.data_offsets;
            let location = Location {
                shard: self.shards.len(),
                dtype: info.dtype,
                shape: info.shape.clone(),
                bytes: start + from..start + to,
            };
            if self.tensors.insert(name.clone(), location).is_some() {
                return Err(EngineError::malformed(
                    path,
                    format!("tensor {name} is in another shard as well"),
                ));
            }
        }
        self.shards.push((path.to_owned(), Arc::new(map)));
        Ok(())
    }

    pub(crate) fn directory(&self) -> &Path {
        &self.directory
    }

    pub(super) fn paths(&self) -> Vec<&Path> {
        self.shards.iter().map(|(path, _)| path.as_path()).collect()
    }

    pub(super) fn names(&self) -> Vec<&str> {
        self.tensors.keys().map(String::as_str).collect()
    }

    pub(super) fn shape(&self, name: &str) -> Option<&[usize]> {
        self.tensors.get(name).map(|tensor| tensor.shape.as_slice())
    }

    pub(super) fn dtypes(&self) -> Vec<&'static str> {
        self.tensors.values().map(|tensor| dtype_name(tensor.dtype)).collect()
    }

    /// A tensor's values, in place.
    pub(super) fn values(&self, name: &str) -> Result<Values, EngineError> {
        let Some(tensor) = self.tensors.get(name) else {
            return Err(EngineError::TensorsMissing {
                path: self.directory.clone(),
                names: vec![name.to_owned()],
            });
        };
        let (path, map) = &self.shards[tensor.shard];
        let bytes = tensor.bytes.clone();
        match tensor.dtype {
            Dtype::F32 => Ok(Values::F32(Buffer::mapped(map, bytes))),
            Dtype::BF16 => Ok(Values::Bf16(Buffer::mapped(map, bytes))),
            Dtype::F16 => Ok(Values::F16(Buffer::mapped(map, bytes))),
            other => Err(EngineError::TensorType {
                path: path.clone(),
                tensor: name.to_owned(),
                actual: dtype_name(other).to_owned(),
                supported: "F32, BF16 and F16".to_owned(),
            }),
        }
    }
}

/// Maps a weight file.
#[allow(unsafe_code)]
pub(super) fn map(path: &Path) -> Result<Mmap, EngineError> {
    let file = File::open(path).map_err(|error| EngineError::io(path, error))?;
    // SAFETY: the map is only read. Should another program change the file meanwhile, numbers may change with it, as
    // they would for any reader; cutting it short ends the program with a bus error, which nothing here can prevent.
    unsafe { Mmap::map(&file) }.map_err(|error| EngineError::io(path, error))
}

/// Compares what the header promises with the file's length.
fn check_length(path: &Path, bytes: &[u8]) -> Result<(), EngineError> {
    #[derive(Deserialize)]
    struct Entry {
        data_offsets: Option<(u64, u64)>,
    }
    let truncated = |what: &str, expected: u64| EngineError::Truncated {
        path: path.to_owned(),
        what: what.to_owned(),
        expected,
        actual: bytes.len() as u64,
    };
    if let Some(found) = impostor(bytes) {
        return Err(EngineError::malformed(path, found));
    }
    let Some(length) = bytes.first_chunk::<8>() else { return Err(truncated("the header's length", 8)) };
    let header_end = u64::from_le_bytes(*length).saturating_add(8);
    // No download that stopped explains these.
    if header_end > bytes.len() as u64
        && (header_end > LONGEST_HEADER || header_end / 1000 > bytes.len() as u64)
    {
        return Err(EngineError::malformed(path, "not a safetensors file: it does not begin with a header"));
    }
    let header = usize::try_from(header_end).ok().and_then(|end| bytes.get(8..end));
    let Some(header) = header else { return Err(truncated("the header", header_end)) };
    // Any other fault of the header is the safetensors crate's to tell.
    let Ok(entries) = serde_json::from_slice::<HashMap<String, Entry>>(header) else { return Ok(()) };
    let data = entries.values().filter_map(|entry| entry.data_offsets).map(|(_, end)| end).max().unwrap_or(0);
    let expected = header_end.saturating_add(data);
    if expected > bytes.len() as u64 {
        return Err(truncated("the tensors", expected));
    }
    Ok(())
}

fn said(error: &SafeTensorError) -> String {
    match error {
        SafeTensorError::MetadataIncompleteBuffer => "bytes follow the last tensor".to_owned(),
        other => other.to_string(),
    }
}

fn dtype_name(dtype: Dtype) -> &'static str {
    match dtype {
        Dtype::F32 => "f32",
        Dtype::BF16 => "bf16",
        Dtype::F16 => "f16",
        Dtype::F64 => "f64",
        Dtype::I64 => "i64",
        Dtype::I32 => "i32",
        Dtype::I8 => "i8",
        Dtype::U8 => "u8",
        Dtype::BOOL => "bool",
        Dtype::F8_E4M3 => "f8_e4m3",
        Dtype::F8_E5M2 => "f8_e5m2",
        _ => "another type",
    }
}
