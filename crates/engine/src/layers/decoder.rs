//! A stack of attention and feed-forward layers, driven by its configuration alone.
//!
//! Source: the pre-norm decoder of Llama (Touvron et al. 2023) and what its relatives change: norms after each part as
//! well (Gemma), norms of query and key heads, windows and rotary positions by layer, bounds and factors.

use rayon::prelude::*;
use stereometer_lm::TokenTrie;

use super::Panels;
use super::attention::{Attention, AttentionInput, AttentionRule, AttentionScratch};
use super::embedding::Embedding;
use super::head::VocabularyHead;
use super::mlp::{GatedMlp, MlpScratch};
use super::norm::RmsNorm;
use super::rope::{Rope, RopeTable};
use super::tree::Tree;
use crate::kernels::{Gate, Level, add_into};

/// Everything that changes the numbers of a decoder, but its weights.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct DecoderConfig {
    pub hidden_size: usize,
    pub intermediate_size: usize,
    pub vocab_size: usize,
    pub context_length: usize,
    pub attention: AttentionRule,
    pub biases: Biases,
    /// Whether each query and key head is normalised.
    pub head_norms: bool,
    /// Whether each part's result is normalised before it is added.
    pub post_norms: bool,
    pub norm_eps: f64,
    /// Added to the norms' weights as stored.
    pub norm_offset: f32,
    pub gate: Gate,
    pub embedding_scale: f32,
    pub logit_scale: f32,
    pub logit_cap: Option<f32>,
    /// Kinds of rotary positions.
    pub ropes: Vec<Rope>,
    pub layers: Vec<LayerRule>,
    /// Whether the configuration ties the output layer to the embedding; `None` where it does not say.
    pub tied: Option<bool>,
}

/// Which products have a bias.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Biases {
    /// Query, key and value.
    pub qkv: bool,
    /// The attention's output.
    pub output: bool,
    /// The three feed-forward products.
    pub mlp: bool,
}

/// What differs from layer to layer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct LayerRule {
    /// Tokens that a token sees, itself included; `None` for all before it.
    pub window: Option<usize>,
    /// Index into [`DecoderConfig::ropes`].
    pub rope: usize,
}

/// A decoder with its weights.
#[derive(Debug)]
pub(crate) struct Decoder {
    pub embedding: Embedding,
    pub layers: Vec<DecoderLayer>,
    pub norm: RmsNorm,
    pub head: VocabularyHead,
    pub ropes: Vec<Rope>,
}

/// One layer.
#[derive(Debug)]
pub(crate) struct DecoderLayer {
    pub rope: usize,
    pub attention_norm: RmsNorm,
    pub attention: Attention,
    pub attention_post_norm: Option<RmsNorm>,
    pub mlp_norm: RmsNorm,
    pub mlp: GatedMlp,
    pub mlp_post_norm: Option<RmsNorm>,
}

impl Decoder {
    /// Log-probability of each node after its ancestors; `None` for first tokens.
    pub(crate) fn logprobs(&self, level: Level, trie: &TokenTrie) -> Vec<Option<f32>> {
        let mut logprobs = vec![None; trie.len()];
        let (tree, questions) = Tree::of(trie);
        if questions.targets.is_empty() {
            return logprobs;
        }
        let hidden = self.hidden(level, &tree);
        let mut normed = Panels::zeros(hidden.n_features(), hidden.n_tokens());
        self.norm.forward(level, &hidden, &mut normed);
        drop(hidden);
        for (node, logprob) in
            questions.nodes.into_iter().zip(self.head.forward(level, &normed, &questions.targets))
        {
            logprobs[node] = Some(logprob);
        }
        logprobs
    }

    /// Hidden states after the last layer, before the final norm.
    fn hidden(&self, level: Level, tree: &Tree) -> Panels {
        let mut x = self.embedding.forward(&tree.tokens);
        let n_tokens = tree.len();
        let tables: Vec<RopeTable> = self.ropes.par_iter().map(|rope| rope.table(&tree.depths)).collect();
        let mut normed = Panels::zeros(x.n_features(), n_tokens);
        let mut part = normed.clone();
        let Some(first) = self.layers.first() else { return x };
        let mut attention_scratch = AttentionScratch::new(&first.attention.rule, n_tokens);
        let mut mlp_scratch = MlpScratch::new(first.mlp.gate.weight.n_rows(), n_tokens);
        for layer in &self.layers {
            let input = AttentionInput { level, tree, rope: &tables[layer.rope] };
            layer.attention_norm.forward(level, &x, &mut normed);
            layer.attention.forward(&input, &normed, &mut part, &mut attention_scratch);
            add(level, &mut x, &mut part, &mut normed, layer.attention_post_norm.as_ref());
            layer.mlp_norm.forward(level, &x, &mut normed);
            layer.mlp.forward(level, &normed, &mut part, &mut mlp_scratch);
            add(level, &mut x, &mut part, &mut normed, layer.mlp_post_norm.as_ref());
        }
        x
    }
}

/// Adds a part's result, normalised if the architecture asks for it. `scratch` is overwritten then.
fn add(level: Level, x: &mut Panels, part: &mut Panels, scratch: &mut Panels, norm: Option<&RmsNorm>) {
    if let Some(norm) = norm {
        norm.forward(level, part, scratch);
        std::mem::swap(part, scratch);
    }
    x.panels_mut().zip(part.panels()).for_each(|(target, source)| add_into(level, target, source));
}
