//! From a masked architecture's sizes and tensor names to an encoder with weights.

use std::sync::Arc;

use crate::EngineError;
use crate::config::HubConfig;
use crate::kernels::Activation;
use crate::layers::encoder::{Encoder, EncoderLayer, Positions};
use crate::layers::linear::Linear;
use crate::layers::lookup::Lookup;
use crate::layers::masked_head::MaskedHead;
use crate::layers::mlp::Mlp;
use crate::layers::span_attention::SpanAttention;
use crate::matrix::Matrix;
use crate::tensors::Tensors;

/// Everything that changes the numbers of a masked model, but its weights; and what they are called.
#[derive(Debug, Clone)]
pub(crate) struct EncoderConfig {
    pub hidden_size: usize,
    /// Width of the embeddings and of the output layer.
    pub embedding_size: usize,
    pub intermediate_size: usize,
    pub vocab_size: usize,
    /// Rows of the table of positions.
    pub n_positions: usize,
    pub positions: Positions,
    /// Rows of the table of token types; 0 where there is none.
    pub n_token_types: usize,
    pub n_heads: usize,
    pub norm_eps: f64,
    pub activation: Activation,
    pub head_activation: Activation,
    /// Which set of weights each layer uses.
    pub order: Vec<usize>,
    pub names: EncoderNames,
}

/// Tensor names, without `.weight` and `.bias` unless they say so.
#[derive(Debug, Clone)]
pub(crate) struct EncoderNames {
    /// What the body's names begin with, such as `bert.`; files saved without a head leave it out.
    pub prefix: &'static str,
    /// From the body's embedding width to its own.
    pub project: &'static str,
    /// `{}` is the number of the weights.
    pub layer: &'static str,
    /// Query, key, value, output.
    pub attention: [&'static str; 4],
    pub attention_norm: &'static str,
    /// Up, down.
    pub mlp: [&'static str; 2],
    pub mlp_norm: &'static str,
    pub head_dense: &'static str,
    pub head_norm: &'static str,
    /// With its ending; the first that is there.
    pub head_bias: &'static [&'static str],
    /// With its ending; the embedding where it is not there.
    pub head_weight: &'static str,
    /// Beginnings of names that are of no use here: buffers, other heads.
    pub ignored: &'static [&'static str],
}

impl EncoderConfig {
    /// Longest text in tokens.
    pub(crate) fn context_length(&self) -> usize {
        match self.positions {
            Positions::FromZero => self.n_positions,
            Positions::AfterPadding(padding) => self.n_positions.saturating_sub(padding as usize + 1),
        }
    }

    /// The wiring.
    pub(crate) fn encoder(&self, tensors: &Tensors) -> Result<Encoder, EngineError> {
        let names = &self.names;
        let words = "embeddings.word_embeddings.weight";
        let with_prefix = format!("{}{words}", names.prefix);
        let prefix = if !tensors.has(&with_prefix) && tensors.has(words) { "" } else { names.prefix };
        let body = |name: &str| format!("{prefix}{name}");
        let table = |name: &str, n_rows| tensors.matrix(&body(name), [n_rows, self.embedding_size]);
        let weight = Arc::new(table(words, self.vocab_size)?);
        let project = (self.embedding_size != self.hidden_size)
            .then(|| tensors.linear(&body(names.project), [self.hidden_size, self.embedding_size]))
            .transpose()?;
        let n_distinct = self.order.iter().max().map_or(0, |last| last + 1);
        let layer = |index: usize| self.layer(tensors, &body(&names.layer.replace("{}", &index.to_string())));
        Ok(Encoder {
            words: Lookup { weight: Arc::clone(&weight) },
            places: Lookup {
                weight: Arc::new(table("embeddings.position_embeddings.weight", self.n_positions)?),
            },
            positions: self.positions,
            token_type: self.token_type(tensors, &body("embeddings.token_type_embeddings.weight"))?,
            norm: tensors.layer_norm(&body("embeddings.LayerNorm"), self.embedding_size, self.norm_eps)?,
            project,
            layers: (0..n_distinct).map(layer).collect::<Result<_, _>>()?,
            order: self.order.clone(),
            head: self.head(tensors, weight)?,
        })
    }

    fn token_type(&self, tensors: &Tensors, name: &str) -> Result<Option<Vec<f32>>, EngineError> {
        if self.n_token_types == 0 {
            return Ok(None);
        }
        let table = tensors.matrix(name, [self.n_token_types, self.embedding_size])?;
        let mut row = vec![0.0; self.embedding_size];
        if table.n_rows() > 0 {
            table.row(0).widen(0, &mut row);
        }
        Ok(Some(row))
    }

    fn layer(&self, tensors: &Tensors, prefix: &str) -> Result<EncoderLayer, EngineError> {
        let names = &self.names;
        let part = |name: &str| format!("{prefix}.{name}");
        let (wide, inner) = (self.hidden_size, self.intermediate_size);
        let [query, key, value, output] = names.attention;
        let [up, down] = names.mlp;
        let square = |name: &str| tensors.linear(&part(name), [wide, wide]);
        let norm = |name: &str| tensors.layer_norm(&part(name), wide, self.norm_eps);
        let head_dim = wide / self.n_heads;
        Ok(EncoderLayer {
            attention: SpanAttention {
                head_dim,
                scale: (head_dim as f64).powf(-0.5) as f32,
                query: square(query)?,
                key: square(key)?,
                value: square(value)?,
                output: square(output)?,
            },
            attention_norm: norm(names.attention_norm)?,
            mlp: Mlp {
                gate: None,
                activation: self.activation,
                up: tensors.linear(&part(up), [inner, wide])?,
                down: tensors.linear(&part(down), [wide, inner])?,
            },
            mlp_norm: norm(names.mlp_norm)?,
        })
    }

    fn head(&self, tensors: &Tensors, words: Arc<Matrix>) -> Result<MaskedHead, EngineError> {
        let names = &self.names;
        let shape = [self.vocab_size, self.embedding_size];
        let weight = if tensors.has(names.head_weight) {
            Arc::new(tensors.matrix(names.head_weight, shape)?)
        } else {
            words
        };
        let bias = tensors.vector(tensors.first(names.head_bias), self.vocab_size)?;
        Ok(MaskedHead {
            dense: tensors.linear(names.head_dense, [self.embedding_size, self.hidden_size])?,
            activation: self.head_activation,
            norm: tensors.layer_norm(names.head_norm, self.embedding_size, self.norm_eps)?,
            output: Linear { weight, bias: Some(bias) },
        })
    }
}

/// The function by its name in a configuration.
pub(crate) fn activation(config: &HubConfig, key: &str, name: &str) -> Result<Activation, EngineError> {
    if name == "relu" { Ok(Activation::Relu) } else { config.activation(key, name) }
}

/// Sizes that every one of these architectures checks alike.
pub(crate) struct Sizes {
    pub n_heads: usize,
    pub n_layers: usize,
}

/// Refuses heads that do not divide the width, and decoders.
pub(crate) fn checked(
    config: &HubConfig,
    hidden_size: usize,
    sizes: &Sizes,
    is_decoder: bool,
) -> Result<(), EngineError> {
    if is_decoder {
        return Err(config.unsupported("is_decoder", &true, "a masked model sees both sides of a token"));
    }
    config.layers("num_hidden_layers", sizes.n_layers)?;
    config.positive("hidden_size", hidden_size)?;
    let n_heads = config.positive("num_attention_heads", sizes.n_heads)?;
    if !hidden_size.is_multiple_of(n_heads) {
        let supported = format!("it must divide the hidden size of {hidden_size}");
        return Err(config.unsupported("num_attention_heads", &n_heads, &supported));
    }
    Ok(())
}
