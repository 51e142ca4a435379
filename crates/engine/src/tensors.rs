//! Loading weights by a wiring that is run twice: once to learn which tensors it wants, once with their values.
//!
//! All tensors are checked for presence and shape before any is read, so a checkpoint without a prediction head is
//! refused by a list of what it lacks, and no architecture has to name its tensors twice.

use std::cell::RefCell;
use std::collections::HashSet;
use std::sync::Arc;

use crate::checkpoint::{Checkpoint, TensorSpec};
use crate::layers::linear::Linear;
use crate::layers::norm::{LayerNorm, Norm, RmsNorm};
use crate::matrix::{Buffer, Matrix, Values};
use crate::{Dtype, EngineError};

/// The tensors of a checkpoint, as a wiring asks for them.
pub(crate) struct Tensors<'a> {
    checkpoint: &'a Checkpoint,
    dtype: Dtype,
    /// What was asked for, while nothing is read yet.
    asked: Option<RefCell<Vec<TensorSpec>>>,
}

/// What a wiring made, and what was found on the way.
pub(crate) struct Wired<T> {
    pub model: T,
    pub parameters: u64,
    /// A remark on tensors that were not used.
    pub unused: Option<String>,
}

/// Runs the wiring. Tensors whose names begin with one of `ignored` are known to be of no use here.
pub(crate) fn wire<T>(
    checkpoint: &Checkpoint,
    dtype: Dtype,
    ignored: &[&str],
    wiring: impl Fn(&Tensors) -> Result<T, EngineError>,
) -> Result<Wired<T>, EngineError> {
    let asking = Tensors { checkpoint, dtype, asked: Some(RefCell::default()) };
    wiring(&asking)?;
    let specs = asking.asked.map(RefCell::into_inner).unwrap_or_default();
    checkpoint.check(&specs)?;
    let used: HashSet<&str> = specs.iter().map(|spec| spec.name.as_str()).collect();
    let mut unused = checkpoint.names();
    unused.retain(|name| !used.contains(name) && !ignored.iter().any(|prefix| name.starts_with(prefix)));
    unused.sort_unstable();
    let remark = unused.first().map(|first| {
        format!("tensors of the checkpoint that are not used: {}, such as {first}", unused.len())
    });
    Ok(Wired {
        model: wiring(&Tensors { checkpoint, dtype, asked: None })?,
        parameters: specs.iter().map(|spec| spec.shape.iter().product::<usize>() as u64).sum(),
        unused: remark,
    })
}

impl Tensors<'_> {
    /// The first of these names that is in the checkpoint; the first one where none is.
    pub(crate) fn first<'n>(&self, names: &[&'n str]) -> &'n str {
        names.iter().copied().find(|name| self.has(name)).unwrap_or(names[0])
    }

    pub(crate) fn has(&self, name: &str) -> bool {
        self.checkpoint.shape(name).is_some()
    }

    pub(crate) fn matrix(&self, name: &str, shape: [usize; 2]) -> Result<Matrix, EngineError> {
        if self.only_asking(name, &shape) {
            return Ok(Matrix::new(Values::F32(Buffer::Owned(Vec::new())), 0, shape[1]));
        }
        self.checkpoint.matrix(name, shape, self.dtype)
    }

    /// A vector as f32, under the name that it has or had in old files: norms' `gamma` and `beta`.
    pub(crate) fn vector(&self, name: &str, len: usize) -> Result<Vec<f32>, EngineError> {
        let old = match name.rsplit_once('.') {
            Some((norm, "weight")) => format!("{norm}.gamma"),
            Some((norm, "bias")) => format!("{norm}.beta"),
            _ => String::new(),
        };
        let name = self.first(&[name, old.as_str()]);
        if self.only_asking(name, &[len]) {
            return Ok(Vec::new());
        }
        self.checkpoint.vector(name, len)
    }

    /// A product with a bias.
    pub(crate) fn linear(&self, name: &str, shape: [usize; 2]) -> Result<Linear, EngineError> {
        let bias = Some(self.vector(&format!("{name}.bias"), shape[0])?);
        Ok(Linear { bias, ..self.product(name, shape)? })
    }

    /// A product without one.
    pub(crate) fn product(&self, name: &str, shape: [usize; 2]) -> Result<Linear, EngineError> {
        let weight = Arc::new(self.matrix(&format!("{name}.weight"), shape)?);
        Ok(Linear { weight, bias: None })
    }

    pub(crate) fn layer_norm(&self, name: &str, len: usize, eps: f64) -> Result<Norm, EngineError> {
        let weight = self.vector(&format!("{name}.weight"), len)?;
        let bias = Some(self.vector(&format!("{name}.bias"), len)?);
        Ok(Norm::Layer(LayerNorm { weight, bias, eps }))
    }

    pub(crate) fn rms_norm(&self, name: &str, len: usize, eps: f64) -> Result<Norm, EngineError> {
        Ok(Norm::Rms(RmsNorm { weight: self.vector(&format!("{name}.weight"), len)?, eps }))
    }

    fn only_asking(&self, name: &str, shape: &[usize]) -> bool {
        let Some(asked) = &self.asked else { return false };
        asked.borrow_mut().push(TensorSpec { name: name.to_owned(), shape: shape.to_vec() });
        true
    }
}
