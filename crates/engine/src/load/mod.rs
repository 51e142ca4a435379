//! From a checkpoint and its configuration to a decoder with weights.

mod layer;
mod plan;

use std::collections::HashSet;
use std::sync::Arc;

use crate::checkpoint::{Checkpoint, NameStyle, Names, TensorSpec};
use crate::layers::decoder::Decoder;
use crate::layers::decoder_config::{DecoderConfig, NormKind, Orientation};
use crate::layers::embedding::Embedding;
use crate::layers::head::VocabularyHead;
use crate::layers::linear::Linear;
use crate::layers::norm::{LayerNorm, Norm, RmsNorm};
use crate::matrix::Matrix;
use crate::{Dtype, EngineError};

/// A decoder and what was found while loading it.
pub(crate) struct LoadedDecoder {
    pub decoder: Decoder,
    pub parameters: u64,
    pub tied: bool,
    pub warnings: Vec<String>,
}

/// Checks all tensors, then loads them.
pub(crate) fn decoder(
    checkpoint: &Checkpoint,
    config: &DecoderConfig,
    dtype: Dtype,
) -> Result<LoadedDecoder, EngineError> {
    let loader = Loader { checkpoint, config, dtype, names: Names::of(config.names, checkpoint) };
    let (tied, mut warnings) = loader.tied();
    let specs = loader.specs(tied);
    checkpoint.check(&specs)?;
    warnings.extend(loader.unused(&specs));
    let parameters = specs.iter().map(|spec| spec.shape.iter().product::<usize>() as u64).sum();

    let vocabulary = |name: &str| loader.matrix(name, config.vocab_size, config.hidden_size);
    let embedding = Arc::new(vocabulary(&loader.names.embedding())?);
    let head = if tied { Arc::clone(&embedding) } else { Arc::new(vocabulary(&loader.names.head())?) };
    let head = if config.head_bias { loader.with_bias(&head)? } else { head };
    let decoder = Decoder {
        embedding: Embedding {
            weight: embedding,
            scale: config.embedding_scale,
            positions: if config.learned_positions {
                let name = loader.names.positions();
                Some(loader.matrix(&name, config.context_length, config.hidden_size)?)
            } else {
                None
            },
            norm: if config.embedding_norm {
                Some(loader.norm(&loader.names.embedding_norm())?)
            } else {
                None
            },
        },
        layers: (0..config.layers.len()).map(|layer| loader.layer(layer)).collect::<Result<_, _>>()?,
        norm: loader.norm(&loader.names.final_norm())?,
        head: VocabularyHead { weight: head, scale: config.logit_scale, cap: config.logit_cap },
        ropes: config.ropes.clone(),
    };
    Ok(LoadedDecoder { decoder, parameters, tied, warnings })
}

struct Loader<'a> {
    checkpoint: &'a Checkpoint,
    config: &'a DecoderConfig,
    dtype: Dtype,
    names: Names,
}

impl Loader<'_> {
    /// Whether the output layer is the embedding: by the presence of its tensor, then by the configuration.
    fn tied(&self) -> (bool, Vec<String>) {
        let head = format!("{}.weight", self.names.head());
        let present = self.checkpoint.shape(&head).is_some();
        let warning = match (present, self.config.tied) {
            (true, Some(true)) if self.names.style != NameStyle::Gguf => {
                format!(
                    "the configuration ties the output layer to the embedding, but {head} is in the checkpoint and is used"
                )
            }
            (false, None) => {
                format!(
                    "{head} is not in the checkpoint and the configuration does not speak of tying: the embedding is used"
                )
            }
            _ => return (!present && self.config.tied != Some(false), Vec::new()),
        };
        (!present, vec![warning])
    }

    /// A remark on tensors that the architecture has no use for: they may mean another architecture.
    fn unused(&self, specs: &[TensorSpec]) -> Option<String> {
        let used: HashSet<&str> = specs.iter().map(|spec| spec.name.as_str()).collect();
        let mut unused: Vec<&str> = self.checkpoint.names();
        unused.retain(|name| !used.contains(name) && !Names::is_buffer(name));
        unused.sort_unstable();
        let first = unused.first()?;
        Some(format!("tensors of the checkpoint that are not used: {}, such as {first}", unused.len()))
    }

    /// The matrix of this name, whose rows are output features, however it is stored.
    fn matrix(&self, name: &str, n_rows: usize, n_columns: usize) -> Result<Matrix, EngineError> {
        self.checkpoint.matrix(&format!("{name}.weight"), [n_rows, n_columns], self.dtype)
    }

    fn vector(&self, name: &str, size: usize) -> Result<Vec<f32>, EngineError> {
        self.checkpoint.vector(name, size)
    }

    fn linear(&self, name: &str, product: &plan::Product) -> Result<Linear, EngineError> {
        let (n_rows, n_columns) = (product.n_rows, product.n_columns);
        let weight = match self.config.orientation {
            Orientation::RowsAreOutputs => self.matrix(name, n_rows, n_columns)?,
            Orientation::RowsAreInputs => {
                let shape = [n_columns, n_rows];
                self.checkpoint.transposed(&format!("{name}.weight"), shape, self.dtype)?
            }
        };
        let bias = if product.bias { Some(self.vector(&format!("{name}.bias"), n_rows)?) } else { None };
        Ok(Linear { weight: Arc::new(weight), bias })
    }

    /// The output layer with its bias as one more column.
    fn with_bias(&self, head: &Matrix) -> Result<Arc<Matrix>, EngineError> {
        let bias = self.vector(&format!("{}.bias", self.names.head()), head.n_rows())?;
        Ok(Arc::new(head.with_column(&bias)))
    }

    /// A norm of the stream.
    fn norm(&self, name: &str) -> Result<Norm, EngineError> {
        let size = self.config.hidden_size;
        match self.config.norm {
            NormKind::Rms { .. } => self.rms_norm(name, size).map(Norm::Rms),
            NormKind::Layer { bias } => Ok(Norm::Layer(LayerNorm {
                weight: self.vector(&format!("{name}.weight"), size)?,
                bias: if bias { Some(self.vector(&format!("{name}.bias"), size)?) } else { None },
                eps: self.config.norm_eps,
            })),
        }
    }

    fn rms_norm(&self, name: &str, size: usize) -> Result<RmsNorm, EngineError> {
        let mut weight = self.vector(&format!("{name}.weight"), size)?;
        if let NormKind::Rms { offset } = self.config.norm {
            for value in &mut weight {
                *value += offset;
            }
        }
        Ok(RmsNorm { weight, eps: self.config.norm_eps })
    }
}
