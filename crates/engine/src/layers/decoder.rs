//! A stack of attention and feed-forward layers, driven by its configuration alone.
//!
//! Source: the pre-norm decoder of Llama (Touvron et al. 2023) and what its relatives change: norms after each part as
//! well (Gemma), norms of query and key heads, windows and rotary positions by layer, bounds and factors.

use std::collections::HashSet;

use rayon::prelude::*;
use stereometer_lm::{ROOT, TokenTrie};

use super::Panels;
use super::attention::{Attention, AttentionInput, AttentionRule, AttentionScratch};
use super::embedding::Embedding;
use super::head::{Target, VocabularyHead};
use super::mlp::{GatedMlp, MlpScratch};
use super::norm::RmsNorm;
use super::rope::{Rope, RopeTable};
use crate::kernels::{Gate, Level, add_into};

/// Everything that changes the numbers of a decoder, but its weights.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct DecoderConfig {
    pub hidden_size: usize,
    pub intermediate_size: usize,
    pub vocab_size: usize,
    pub context_length: usize,
    pub attention: AttentionRule,
    /// Whether query, key and value have a bias.
    pub qkv_bias: bool,
    /// Whether the attention's output has a bias.
    pub output_bias: bool,
    /// Whether the feed-forward products have a bias.
    pub mlp_bias: bool,
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
        // Logits are needed only after tokens that something follows.
        let with_parent = || trie.parents().iter().enumerate().filter(|&(_, &parent)| parent != ROOT);
        let unique: HashSet<u32> = with_parent().map(|(_, &parent)| parent).collect();
        let mut parents: Vec<u32> = unique.into_iter().collect();
        parents.sort_unstable();
        if parents.is_empty() {
            return logprobs;
        }
        let mut targets: Vec<(Target, usize)> = with_parent()
            .filter_map(|(node, parent)| {
                let row = parents.binary_search(parent).ok()? as u32;
                Some((Target { row, id: trie.tokens()[node] }, node))
            })
            .collect();
        targets.sort_unstable_by_key(|(target, _)| target.row);
        let (targets, nodes): (Vec<Target>, Vec<usize>) = targets.into_iter().unzip();

        let last = self.hidden(level, trie).gather(&parents);
        let mut normed = Panels::zeros(last.n_features(), last.n_tokens());
        self.norm.forward(level, &last, &mut normed);
        for (node, logprob) in nodes.into_iter().zip(self.head.forward(level, &normed, &targets)) {
            logprobs[node] = Some(logprob);
        }
        logprobs
    }

    /// Hidden states after the last layer, before the final norm.
    fn hidden(&self, level: Level, trie: &TokenTrie) -> Panels {
        let mut x = self.embedding.forward(trie.tokens());
        let n_tokens = trie.len();
        let tables: Vec<RopeTable> = self.ropes.par_iter().map(|rope| rope.table(trie.depths())).collect();
        let mut normed = Panels::zeros(x.n_features(), n_tokens);
        let mut part = normed.clone();
        let Some(first) = self.layers.first() else { return x };
        let mut attention_scratch = AttentionScratch::new(&first.attention.rule, n_tokens);
        let mut mlp_scratch = MlpScratch::new(first.mlp.gate.weight.n_rows(), n_tokens);
        for layer in &self.layers {
            let input = AttentionInput { level, trie, rope: &tables[layer.rope] };
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
