//! Self-attention over a tree of texts: each token attends to its own ancestors and itself.
//!
//! Grouped-query heads; perhaps a window of w tokens (the token itself and the w − 1 before it); perhaps a norm of query
//! and key, head by head or of all heads together; perhaps a soft bound of the scores; rotary positions by depth, or a
//! cost of distance, or neither.

use rayon::prelude::*;
use stereometer_lm::ROOT;

use super::linear::Linear;
use super::norm::RmsNorm;
use super::panels::{panel_to_rows, rows_to_panel};
use super::rope::RopeTable;
use super::tree::Tree;
use super::{Panels, Rows};
use crate::kernels::{Attend, LANES, Level, attend};

/// The sizes and rules of an attention layer.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct AttentionRule {
    pub n_heads: usize,
    pub n_kv_heads: usize,
    pub head_dim: usize,
    /// Factor of the scores.
    pub scale: f32,
    /// Soft bound of the scores.
    pub cap: Option<f32>,
    /// What a score loses for each token of distance, a head each; empty where distance costs nothing.
    pub slopes: Vec<f32>,
}

/// Weights of an attention layer.
#[derive(Debug)]
pub(crate) struct Attention {
    pub rule: AttentionRule,
    pub window: Option<usize>,
    pub query: Linear,
    pub key: Linear,
    pub value: Linear,
    pub output: Linear,
    pub query_norm: Option<RmsNorm>,
    pub key_norm: Option<RmsNorm>,
}

/// Activations that are kept from layer to layer, so that memory is asked for once a batch.
#[derive(Debug)]
pub(crate) struct AttentionScratch {
    query: Panels,
    key: Panels,
    value: Panels,
    key_rows: Rows,
    value_rows: Rows,
}

impl AttentionScratch {
    pub(crate) fn new(rule: &AttentionRule, n_tokens: usize) -> Self {
        Self {
            query: Panels::zeros(rule.n_heads * rule.head_dim, n_tokens),
            key: Panels::zeros(rule.n_kv_heads * rule.head_dim, n_tokens),
            value: Panels::zeros(rule.n_kv_heads * rule.head_dim, n_tokens),
            key_rows: Rows::default(),
            value_rows: Rows::default(),
        }
    }
}

/// What all layers share in one batch.
pub(crate) struct AttentionInput<'a> {
    pub level: Level,
    pub tree: &'a Tree,
    /// `None` where nothing turns.
    pub rope: Option<&'a RopeTable>,
}

impl Attention {
    /// Overwrites `y`.
    pub(crate) fn forward(
        &self,
        input: &AttentionInput,
        x: &Panels,
        y: &mut Panels,
        scratch: &mut AttentionScratch,
    ) {
        let level = input.level;
        self.query.forward(level, x, &mut scratch.query);
        self.key.forward(level, x, &mut scratch.key);
        self.value.forward(level, x, &mut scratch.value);
        place(input, self.query_norm.as_ref(), &mut scratch.query);
        place(input, self.key_norm.as_ref(), &mut scratch.key);
        scratch.key.to_rows(&mut scratch.key_rows);
        scratch.value.to_rows(&mut scratch.value_rows);
        let (keys, values) = (&scratch.key_rows.data, &scratch.value_rows.data);
        let width = self.rule.n_heads * self.rule.head_dim;
        scratch.query.panels_mut().enumerate().for_each_init(Workspace::default, |work, (index, panel)| {
            work.queries.resize(LANES * width, 0.0);
            work.outputs.resize(LANES * width, 0.0);
            panel_to_rows(panel, &mut work.queries);
            let first = index * LANES;
            let n_tokens = LANES.min(input.tree.len() - first);
            let rows = work.queries.chunks_exact(width).zip(work.outputs.chunks_exact_mut(width));
            for (lane, (query, output)) in rows.take(n_tokens).enumerate() {
                ancestors(&input.tree.parents, (first + lane) as u32, self.window, &mut work.chain);
                let token = Attend {
                    query,
                    keys,
                    values,
                    chain: &work.chain,
                    head_dim: self.rule.head_dim,
                    n_kv_heads: self.rule.n_kv_heads,
                    scale: self.rule.scale,
                    cap: self.rule.cap,
                    slopes: &self.rule.slopes,
                };
                attend(level, &token, &mut work.scores, output);
            }
            // The query is no longer needed: its panel takes the result.
            rows_to_panel(&work.outputs, panel);
        });
        self.output.forward(level, &scratch.query, y);
    }
}

/// Norm of the heads, then their rotation.
fn place(input: &AttentionInput, norm: Option<&RmsNorm>, panels: &mut Panels) {
    if norm.is_none() && input.rope.is_none() {
        return;
    }
    panels.panels_mut().enumerate().for_each_init(Vec::new, |scratch, (index, panel)| {
        if let Some(norm) = norm {
            norm.heads(input.level, panel, scratch);
        }
        if let Some(rope) = input.rope {
            rope.apply(input.level, index, panel);
        }
    });
}

#[derive(Default)]
struct Workspace {
    queries: Vec<f32>,
    outputs: Vec<f32>,
    scores: Vec<f32>,
    chain: Vec<u32>,
}

/// The token and those before it in its text, the oldest first, at most `window` of them.
fn ancestors(parents: &[u32], token: u32, window: Option<usize>, chain: &mut Vec<u32>) {
    chain.clear();
    let mut next = token;
    while next != ROOT && window.is_none_or(|window| chain.len() < window) {
        chain.push(next);
        next = parents[next as usize];
    }
    chain.reverse();
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_window_counts_the_token_itself() {
        let parents = [ROOT, 0, 1, 2, 1];
        let mut chain = Vec::new();
        ancestors(&parents, 4, None, &mut chain);
        assert_eq!(chain, [0, 1, 4]);
        ancestors(&parents, 3, Some(2), &mut chain);
        assert_eq!(chain, [2, 3]);
    }
}
