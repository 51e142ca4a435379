//! A checkpoint on disk: which files hold the weights, and a tensor by name.

mod ggml;
pub(crate) mod gguf;
mod hash;
mod names;
mod safetensors;

use std::fmt::Debug;
use std::path::{Path, PathBuf};

use bytemuck::Zeroable;
use half::{bf16, f16};
use rayon::prelude::*;

use self::gguf::GgufFile;
pub(crate) use self::names::{NameStyle, Names, Part};
use self::safetensors::SafetensorsFiles;
use crate::kernels::{BLOCK, ByteBlock};
use crate::matrix::{Buffer, Matrix, Values};
use crate::{Dtype, EngineError};

/// Weight files, opened and checked, nothing loaded.
#[derive(Debug)]
pub(crate) enum Checkpoint {
    Safetensors(SafetensorsFiles),
    Gguf(GgufFile),
}

/// A tensor that the architecture needs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct TensorSpec {
    pub name: String,
    pub shape: Vec<usize>,
}

impl Checkpoint {
    /// A directory as the Hub has it, or a `.gguf` file (also the only one of a directory).
    pub(crate) fn open(path: &Path) -> Result<Self, EngineError> {
        let metadata = std::fs::metadata(path).map_err(|error| EngineError::io(path, error))?;
        if metadata.is_file() {
            if path.extension().is_some_and(|extension| extension == "safetensors") {
                let directory = path.parent().unwrap_or(Path::new("."));
                return Ok(Self::Safetensors(SafetensorsFiles::open(directory)?));
            }
            return Ok(Self::Gguf(GgufFile::open(path)?));
        }
        let has = |file: &str| path.join(file).exists();
        let is_hub = has("config.json") && (has(safetensors::SINGLE) || has(safetensors::INDEX));
        if !is_hub && let Some(file) = only_gguf(path) {
            return Ok(Self::Gguf(GgufFile::open(&file)?));
        }
        Ok(Self::Safetensors(SafetensorsFiles::open(path)?))
    }

    /// The directory or file that messages name.
    pub(crate) fn path(&self) -> &Path {
        match self {
            Self::Safetensors(files) => files.directory(),
            Self::Gguf(file) => file.path(),
        }
    }

    /// Where a tokenizer's files would lie.
    pub(crate) fn directory(&self) -> &Path {
        match self {
            Self::Safetensors(files) => files.directory(),
            Self::Gguf(file) => file.path().parent().unwrap_or(Path::new(".")),
        }
    }

    pub(crate) fn shape(&self, name: &str) -> Option<&[usize]> {
        match self {
            Self::Safetensors(files) => files.shape(name),
            Self::Gguf(file) => file.shape(name),
        }
    }

    /// Names of all tensors.
    pub(crate) fn names(&self) -> Vec<&str> {
        match self {
            Self::Safetensors(files) => files.names(),
            Self::Gguf(file) => file.names(),
        }
    }

    /// Checks that all tensors are there, in their shapes, before any is loaded.
    pub(crate) fn check(&self, specs: &[TensorSpec]) -> Result<(), EngineError> {
        let missing: Vec<String> = specs
            .iter()
            .filter(|spec| self.shape(&spec.name).is_none())
            .map(|spec| spec.name.clone())
            .collect();
        if !missing.is_empty() {
            return Err(EngineError::TensorsMissing { path: self.path().to_owned(), names: missing });
        }
        for spec in specs {
            let actual = self.shape(&spec.name).unwrap_or_default();
            if actual != spec.shape {
                return Err(EngineError::Shape {
                    path: self.path().to_owned(),
                    tensor: spec.name.clone(),
                    expected: spec.shape.clone(),
                    actual: actual.to_vec(),
                });
            }
        }
        Ok(())
    }

    /// A matrix in the type it is to be kept in.
    pub(crate) fn matrix(&self, name: &str, shape: [usize; 2], dtype: Dtype) -> Result<Matrix, EngineError> {
        let [n_rows, n_columns] = shape;
        Ok(in_dtype(Matrix::new(self.values(name, dtype)?, n_rows, n_columns), dtype))
    }

    /// The same with rows as columns. It is turned as it is stored: blocks lie along the rows of the result.
    pub(crate) fn transposed(
        &self,
        name: &str,
        shape: [usize; 2],
        dtype: Dtype,
    ) -> Result<Matrix, EngineError> {
        let [n_rows, n_columns] = shape;
        Ok(in_dtype(Matrix::new(self.values(name, Dtype::Auto)?, n_rows, n_columns).transposed(), dtype))
    }

    /// Values as stored, or as near to the type as the file can give them.
    fn values(&self, name: &str, dtype: Dtype) -> Result<Values, EngineError> {
        match self {
            Self::Safetensors(files) => files.values(name),
            Self::Gguf(file) => file.values(name, dtype),
        }
    }

    /// A vector as f32.
    pub(crate) fn vector(&self, name: &str, len: usize) -> Result<Vec<f32>, EngineError> {
        Ok(converted(&Matrix::new(self.values(name, Dtype::F32)?, 1, len), |value| value))
    }

    /// Types of the stored tensors, the most frequent first.
    pub(crate) fn stored_dtype(&self) -> String {
        let types: Vec<&str> = match self {
            Self::Safetensors(files) => files.dtypes(),
            Self::Gguf(file) => file.dtypes(),
        };
        let mut counts: Vec<(usize, &str)> = Vec::new();
        for dtype in types {
            match counts.iter_mut().find(|(_, name)| *name == dtype) {
                Some((count, _)) => *count += 1,
                None => counts.push((1, dtype)),
            }
        }
        counts.sort_by_key(|&(count, name)| (std::cmp::Reverse(count), name));
        counts.into_iter().map(|(_, name)| name).collect::<Vec<_>>().join(", ")
    }

    /// What tells this checkpoint from every other: the hash of a GGUF file, which holds its configuration; else one
    /// over the weights and the configuration as the engine understood it, so that keys that change nothing do not count.
    pub(crate) fn sha256(&self, config: &dyn Debug) -> Result<String, EngineError> {
        match self {
            Self::Safetensors(files) => {
                let weights = hash::weights_sha256(&files.paths())?;
                Ok(hash::with_configuration(&weights, &format!("{config:?}")))
            }
            Self::Gguf(file) => hash::weights_sha256(&[file.path()]),
        }
    }
}

/// What a file is that was saved in the place of another, if its beginning says so.
pub(crate) fn impostor(bytes: &[u8]) -> Option<&'static str> {
    let start = &bytes[..bytes.len().min(256)];
    let start = start.trim_ascii_start().to_ascii_lowercase();
    if start.starts_with(b"version https://git-lfs") {
        return Some("it is a Git LFS pointer, not the file itself; fetch the real file (git lfs pull)");
    }
    if start.starts_with(b"<!doctype") || start.starts_with(b"<html") {
        return Some(
            "it is a web page, such as an error page that was saved in place of the file; fetch it again",
        );
    }
    None
}

fn only_gguf(directory: &Path) -> Option<PathBuf> {
    let files = std::fs::read_dir(directory).ok()?;
    let mut found: Vec<PathBuf> = files
        .filter_map(|entry| entry.ok().map(|entry| entry.path()))
        .filter(|path| path.extension().is_some_and(|extension| extension == "gguf"))
        .collect();
    if found.len() == 1 { found.pop() } else { None }
}

/// The matrix in the type it is to be kept in, multiplied in that type.
pub(crate) fn in_dtype(matrix: Matrix, dtype: Dtype) -> Matrix {
    let values = match (dtype, matrix.values()) {
        (Dtype::Auto | Dtype::F32, _)
        | (Dtype::Bf16, Values::Bf16(_))
        | (Dtype::F16, Values::F16(_))
        | (Dtype::Q8, Values::Q8(_)) => return matrix.with_arithmetic(dtype.arithmetic()),
        (Dtype::Bf16, _) => Values::Bf16(Buffer::Owned(converted(&matrix, bf16::from_f32))),
        (Dtype::F16, _) => Values::F16(Buffer::Owned(converted(&matrix, f16::from_f32))),
        (Dtype::Q8, _) => Values::Q8(blocks(&matrix)),
    };
    Matrix::new(values, matrix.n_rows(), matrix.n_columns()).with_arithmetic(dtype.arithmetic())
}

/// Values one by one through f32.
fn converted<T>(matrix: &Matrix, convert: impl Fn(f32) -> T) -> Vec<T> {
    let mut row = vec![0.0; matrix.n_columns()];
    let mut target = Vec::with_capacity(matrix.n_rows() * matrix.n_columns());
    for index in 0..matrix.n_rows() {
        matrix.row(index).widen(0, &mut row);
        target.extend(row.iter().map(|&value| convert(value)));
    }
    target
}

/// Each row in blocks of bytes.
fn blocks(matrix: &Matrix) -> Vec<ByteBlock> {
    let per_row = matrix.n_columns().div_ceil(BLOCK);
    let mut target = vec![ByteBlock::zeroed(); matrix.n_rows() * per_row];
    target.par_chunks_exact_mut(per_row).enumerate().for_each(|(row, target)| {
        matrix.row(row).blocks(|index, block| target[index] = block);
    });
    target
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn weights_stored_in_q8_0_stay_as_they_are() {
        let golden = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../golden/models");
        let file =
            Checkpoint::open(&golden.join("llama-gguf/llama.Q8_0.gguf")).unwrap_or_else(|e| panic!("{e}"));
        let names: Vec<String> = file.names().into_iter().map(str::to_owned).collect();
        let mut n_matrices = 0;
        for name in names {
            let &[n_rows, n_columns] = file.shape(&name).unwrap_or_default() else { continue };
            let read = |dtype| {
                let matrix = file.matrix(&name, [n_rows, n_columns], dtype).unwrap_or_else(|e| panic!("{e}"));
                let mut values = vec![0.0; n_rows * n_columns];
                for (row, target) in values.chunks_exact_mut(n_columns).enumerate() {
                    matrix.row(row).widen(0, target);
                }
                values
            };
            assert!(read(Dtype::F32) == read(Dtype::Q8), "{name}");
            n_matrices += 1;
        }
        assert!(n_matrices > 10);
    }
}
