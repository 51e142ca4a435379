//! Which tensors a decoder has, in which shapes: checked as a whole before any is read.

use super::Loader;
use crate::checkpoint::{Part, TensorSpec};
use crate::layers::decoder_config::{MlpKind, NormKind, Orientation, QkNorm, QkvLayout, WiringKind};

/// A product of a layer, as it is stored.
pub(super) struct Product {
    pub part: Part,
    pub n_rows: usize,
    pub n_columns: usize,
    pub bias: bool,
}

impl Loader<'_> {
    /// Features of all query heads, and of all key or value heads.
    pub(super) fn head_features(&self) -> (usize, usize) {
        let rule = &self.config.attention;
        (rule.n_heads * rule.head_dim, rule.n_kv_heads * rule.head_dim)
    }

    /// The product of this part.
    pub(super) fn product(&self, part: Part) -> Product {
        let c = self.config;
        let (query, kv) = self.head_features();
        let (hidden, inner) = (c.hidden_size, c.intermediate_size);
        let (n_rows, n_columns, bias) = match part {
            Part::Query => (query, hidden, c.biases.qkv),
            Part::Key | Part::Value => (kv, hidden, c.biases.qkv),
            Part::Qkv => (query + 2 * kv, hidden, c.biases.qkv),
            Part::Output => (hidden, query, c.biases.output),
            Part::Gate | Part::Up => (inner, hidden, c.biases.mlp),
            Part::GateUp => (2 * inner, hidden, c.biases.mlp),
            Part::Down => (hidden, inner, c.biases.mlp),
            Part::AttentionNorm
            | Part::AttentionPostNorm
            | Part::MlpNorm
            | Part::MlpNormAmongFour
            | Part::MlpPostNorm
            | Part::QueryNorm
            | Part::KeyNorm => unreachable!("a norm is no product"),
        };
        Product { part, n_rows, n_columns, bias }
    }

    fn products(&self) -> Vec<Product> {
        let qkv: &[Part] = match self.config.qkv {
            QkvLayout::Separate => &[Part::Query, Part::Key, Part::Value],
            QkvLayout::Stacked | QkvLayout::ByHead => &[Part::Qkv],
        };
        let mlp: &[Part] = match self.config.mlp {
            MlpKind::Gated => &[Part::Gate, Part::Up, Part::Down],
            MlpKind::GatedStacked => &[Part::GateUp, Part::Down],
            MlpKind::Plain => &[Part::Up, Part::Down],
        };
        qkv.iter().chain(&[Part::Output]).chain(mlp).map(|&part| self.product(part)).collect()
    }

    /// Norms of the stream in each layer.
    fn stream_norms(&self) -> &'static [Part] {
        match self.config.wiring {
            WiringKind::Before | WiringKind::ParallelTwoNorms => &[Part::AttentionNorm, Part::MlpNorm],
            WiringKind::BeforeAndAfter => {
                &[Part::AttentionNorm, Part::AttentionPostNorm, Part::MlpNormAmongFour, Part::MlpPostNorm]
            }
            WiringKind::After => &[Part::AttentionPostNorm, Part::MlpPostNorm],
            WiringKind::ParallelOneNorm => &[Part::AttentionNorm],
        }
    }

    /// Sizes of the norms of query and key.
    pub(super) fn qk_norm_sizes(&self) -> Option<(usize, usize)> {
        let head_dim = self.config.attention.head_dim;
        match self.config.qk_norm {
            QkNorm::None => None,
            QkNorm::EachHead => Some((head_dim, head_dim)),
            QkNorm::AllHeads => Some(self.head_features()),
        }
    }

    /// Every tensor that will be read.
    pub(super) fn specs(&self, tied: bool) -> Vec<TensorSpec> {
        let c = self.config;
        let mut specs = Specs(Vec::new());
        specs.weight(&self.names.embedding(), vec![c.vocab_size, c.hidden_size]);
        if c.learned_positions {
            specs.weight(&self.names.positions(), vec![c.context_length, c.hidden_size]);
        }
        if c.embedding_norm {
            specs.norm(&self.names.embedding_norm(), c.hidden_size, c.norm);
        }
        specs.norm(&self.names.final_norm(), c.hidden_size, c.norm);
        if !tied {
            specs.weight(&self.names.head(), vec![c.vocab_size, c.hidden_size]);
        }
        if c.head_bias {
            specs.bias(&self.names.head(), c.vocab_size);
        }
        for layer in 0..c.layers.len() {
            for product in self.products() {
                let name = self.names.part(layer, product.part);
                specs.weight(
                    &name,
                    match c.orientation {
                        Orientation::RowsAreOutputs => vec![product.n_rows, product.n_columns],
                        Orientation::RowsAreInputs => vec![product.n_columns, product.n_rows],
                    },
                );
                if product.bias {
                    specs.bias(&name, product.n_rows);
                }
            }
            for &part in self.stream_norms() {
                specs.norm(&self.names.part(layer, part), c.hidden_size, c.norm);
            }
            if let Some((query, key)) = self.qk_norm_sizes() {
                specs.weight(&self.names.part(layer, Part::QueryNorm), vec![query]);
                specs.weight(&self.names.part(layer, Part::KeyNorm), vec![key]);
            }
        }
        specs.0
    }
}

struct Specs(Vec<TensorSpec>);

impl Specs {
    fn weight(&mut self, name: &str, shape: Vec<usize>) {
        self.0.push(TensorSpec { name: format!("{name}.weight"), shape });
    }

    fn bias(&mut self, name: &str, size: usize) {
        self.0.push(TensorSpec { name: format!("{name}.bias"), shape: vec![size] });
    }

    fn norm(&mut self, name: &str, size: usize, kind: NormKind) {
        self.weight(name, vec![size]);
        if kind == (NormKind::Layer { bias: true }) {
            self.bias(name, size);
        }
    }
}
