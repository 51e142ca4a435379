//! From a checkpoint and its configuration to a decoder with weights.

use std::collections::HashSet;
use std::sync::Arc;

use crate::checkpoint::{Checkpoint, NameStyle, Part, TensorSpec};
use crate::layers::attention::Attention;
use crate::layers::decoder::{Decoder, DecoderConfig, DecoderLayer};
use crate::layers::embedding::Embedding;
use crate::layers::head::VocabularyHead;
use crate::layers::linear::Linear;
use crate::layers::mlp::GatedMlp;
use crate::layers::norm::RmsNorm;
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
    let loader = Loader { checkpoint, config, dtype, names: checkpoint.name_style() };
    let (tied, mut warnings) = loader.tied();
    let specs = loader.specs(tied);
    checkpoint.check(&specs)?;
    warnings.extend(loader.unused(&specs));
    let parameters = specs.iter().map(|spec| spec.shape.iter().product::<usize>() as u64).sum();

    let embedding =
        Arc::new(loader.matrix(loader.names.embedding(), config.vocab_size, config.hidden_size)?);
    let head = if tied {
        Arc::clone(&embedding)
    } else {
        Arc::new(loader.matrix(loader.names.head(), config.vocab_size, config.hidden_size)?)
    };
    let decoder = Decoder {
        embedding: Embedding { weight: embedding, scale: config.embedding_scale },
        layers: (0..config.layers.len()).map(|layer| loader.layer(layer)).collect::<Result<_, _>>()?,
        norm: loader.norm(loader.names.final_norm(), config.hidden_size)?,
        head: VocabularyHead { weight: head, scale: config.logit_scale, cap: config.logit_cap },
        ropes: config.ropes.clone(),
    };
    Ok(LoadedDecoder { decoder, parameters, tied, warnings })
}

struct Loader<'a> {
    checkpoint: &'a Checkpoint,
    config: &'a DecoderConfig,
    dtype: Dtype,
    names: NameStyle,
}

/// A product of a layer.
struct Product {
    part: Part,
    n_rows: usize,
    n_columns: usize,
    bias: bool,
}

impl Loader<'_> {
    /// Whether the output layer is the embedding: by the presence of its tensor, then by the configuration.
    fn tied(&self) -> (bool, Vec<String>) {
        let head = self.names.head();
        let present = self.checkpoint.shape(head).is_some();
        let warning = match (present, self.config.tied) {
            (true, Some(true)) if self.names == NameStyle::Hub => {
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

    fn products(&self) -> [Product; 7] {
        let c = self.config;
        let query_size = c.attention.n_heads * c.attention.head_dim;
        let kv_size = c.attention.n_kv_heads * c.attention.head_dim;
        let product = |part, n_rows, n_columns, bias| Product { part, n_rows, n_columns, bias };
        [
            product(Part::Query, query_size, c.hidden_size, c.biases.qkv),
            product(Part::Key, kv_size, c.hidden_size, c.biases.qkv),
            product(Part::Value, kv_size, c.hidden_size, c.biases.qkv),
            product(Part::Output, c.hidden_size, query_size, c.biases.output),
            product(Part::Gate, c.intermediate_size, c.hidden_size, c.biases.mlp),
            product(Part::Up, c.intermediate_size, c.hidden_size, c.biases.mlp),
            product(Part::Down, c.hidden_size, c.intermediate_size, c.biases.mlp),
        ]
    }

    /// Norms of a layer, with their sizes.
    fn norms(&self) -> Vec<(Part, usize)> {
        let c = self.config;
        let mut norms = vec![(Part::AttentionNorm, c.hidden_size), (self.mlp_norm(), c.hidden_size)];
        if c.post_norms {
            norms.extend([(Part::AttentionPostNorm, c.hidden_size), (Part::MlpPostNorm, c.hidden_size)]);
        }
        if c.head_norms {
            norms.extend([Part::QueryNorm, Part::KeyNorm].map(|part| (part, c.attention.head_dim)));
        }
        norms
    }

    fn mlp_norm(&self) -> Part {
        if self.config.post_norms { Part::MlpNormAmongFour } else { Part::MlpNorm }
    }

    /// Every tensor that will be read.
    fn specs(&self, tied: bool) -> Vec<TensorSpec> {
        let c = self.config;
        let spec = |name: String, shape: Vec<usize>| TensorSpec { name, shape };
        let mut specs = vec![
            spec(self.names.embedding().to_owned(), vec![c.vocab_size, c.hidden_size]),
            spec(self.names.final_norm().to_owned(), vec![c.hidden_size]),
        ];
        if !tied {
            specs.push(spec(self.names.head().to_owned(), vec![c.vocab_size, c.hidden_size]));
        }
        for layer in 0..c.layers.len() {
            for product in self.products() {
                let name = self.names.part(layer, product.part);
                specs.push(spec(format!("{name}.weight"), vec![product.n_rows, product.n_columns]));
                if product.bias {
                    specs.push(spec(format!("{name}.bias"), vec![product.n_rows]));
                }
            }
            for (part, size) in self.norms() {
                specs.push(spec(format!("{}.weight", self.names.part(layer, part)), vec![size]));
            }
        }
        specs
    }

    /// A remark on tensors that the architecture has no use for: they may mean another architecture.
    fn unused(&self, specs: &[TensorSpec]) -> Option<String> {
        let used: HashSet<&str> = specs.iter().map(|spec| spec.name.as_str()).collect();
        // Buffers of old files, and what is read elsewhere.
        let known = |name: &str| {
            name == self.names.head() || name == "rope_freqs.weight" || name.ends_with("rotary_emb.inv_freq")
        };
        let mut unused: Vec<&str> = self.checkpoint.names();
        unused.retain(|name| !used.contains(name) && !known(name));
        unused.sort_unstable();
        let first = unused.first()?;
        Some(format!("tensors of the checkpoint that are not used: {}, such as {first}", unused.len()))
    }

    fn matrix(&self, name: &str, n_rows: usize, n_columns: usize) -> Result<Matrix, EngineError> {
        self.checkpoint.matrix(name, [n_rows, n_columns], self.dtype)
    }

    fn norm(&self, name: &str, size: usize) -> Result<RmsNorm, EngineError> {
        let mut weight = self.checkpoint.vector(name, size)?;
        for value in &mut weight {
            *value += self.config.norm_offset;
        }
        Ok(RmsNorm { weight, eps: self.config.norm_eps })
    }

    fn layer_norm(&self, layer: usize, part: Part, size: usize) -> Result<RmsNorm, EngineError> {
        self.norm(&format!("{}.weight", self.names.part(layer, part)), size)
    }

    fn linear(&self, layer: usize, product: &Product) -> Result<Linear, EngineError> {
        let name = self.names.part(layer, product.part);
        let weight = Arc::new(self.matrix(&format!("{name}.weight"), product.n_rows, product.n_columns)?);
        let bias = if product.bias {
            Some(self.checkpoint.vector(&format!("{name}.bias"), product.n_rows)?)
        } else {
            None
        };
        Ok(Linear { weight, bias })
    }

    fn layer(&self, layer: usize) -> Result<DecoderLayer, EngineError> {
        let c = self.config;
        let [query, key, value, output, gate, up, down] = self.products();
        let optional = |wanted: bool, part, size| {
            if wanted { self.layer_norm(layer, part, size).map(Some) } else { Ok(None) }
        };
        Ok(DecoderLayer {
            rope: c.layers[layer].rope,
            attention_norm: self.layer_norm(layer, Part::AttentionNorm, c.hidden_size)?,
            attention: Attention {
                rule: c.attention.clone(),
                window: c.layers[layer].window,
                query: self.linear(layer, &query)?,
                key: self.linear(layer, &key)?,
                value: self.linear(layer, &value)?,
                output: self.linear(layer, &output)?,
                query_norm: optional(c.head_norms, Part::QueryNorm, c.attention.head_dim)?,
                key_norm: optional(c.head_norms, Part::KeyNorm, c.attention.head_dim)?,
            },
            attention_post_norm: optional(c.post_norms, Part::AttentionPostNorm, c.hidden_size)?,
            mlp_norm: self.layer_norm(layer, self.mlp_norm(), c.hidden_size)?,
            mlp: GatedMlp {
                kind: c.gate,
                gate: self.linear(layer, &gate)?,
                up: self.linear(layer, &up)?,
                down: self.linear(layer, &down)?,
            },
            mlp_post_norm: optional(c.post_norms, Part::MlpPostNorm, c.hidden_size)?,
        })
    }
}
