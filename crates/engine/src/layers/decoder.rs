//! A stack of attention and feed-forward layers, driven by its configuration alone.

use rayon::prelude::*;
use stereometer_lm::TokenTrie;

use super::Panels;
use super::attention::{Attention, AttentionInput, AttentionScratch};
use super::embedding::Embedding;
use super::head::VocabularyHead;
use super::mlp::Mlp;
use super::norm::Norm;
use super::rope::{Rope, RopeTable};
use super::tree::Tree;
use super::wiring::{Stream, Wiring};
use crate::kernels::{Lanes, Level};

/// A decoder with its weights.
#[derive(Debug)]
pub(crate) struct Decoder {
    pub embedding: Embedding,
    pub layers: Vec<DecoderLayer>,
    pub norm: Norm,
    /// Its matrix may have a last column more than there are features: a bias.
    pub head: VocabularyHead,
    pub ropes: Vec<Rope>,
}

/// One layer.
#[derive(Debug)]
pub(crate) struct DecoderLayer {
    pub rope: Option<usize>,
    pub wiring: Wiring,
    pub attention: Attention,
    pub mlp: Mlp,
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
        let mut normed = Panels::zeros(self.head.weight.n_columns(), hidden.n_tokens());
        if normed.n_features() > hidden.n_features() {
            // The norm leaves the last feature alone.
            normed.panels_mut().for_each(|panel| panel[hidden.n_features()] = Lanes::ONE);
        }
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
        let mut stream = Stream::new(self.embedding.forward(level, tree));
        let n_tokens = tree.len();
        let tables: Vec<RopeTable> = self.ropes.par_iter().map(|rope| rope.table(&tree.depths)).collect();
        let Some(first) = self.layers.first() else { return stream.x };
        let mut attention_scratch = AttentionScratch::new(&first.attention.rule, n_tokens);
        let mut mlp_scratch = first.mlp.scratch(n_tokens);
        for layer in &self.layers {
            let input = AttentionInput { level, tree, rope: layer.rope.map(|rope| &tables[rope]) };
            layer.wiring.forward(
                level,
                &mut stream,
                |x, y| layer.attention.forward(&input, x, y, &mut attention_scratch),
                |x, y| layer.mlp.forward(level, x, y, &mut mlp_scratch),
            );
        }
        stream.x
    }
}
