//! Token ids to vectors, perhaps times a factor (Gemma: √hidden size), plus a learned vector of the position (GPT-2),
//! normalised (BLOOM).
//!
//! transformers rounds the factor to the weights' type; the products here are in f32, and so is the factor.

use std::sync::Arc;

use rayon::prelude::*;

use super::Panels;
use super::norm::Norm;
use super::tree::Tree;
use crate::kernels::{LANES, Level};
use crate::matrix::Matrix;

/// A row a token of the vocabulary.
#[derive(Debug)]
pub(crate) struct Embedding {
    pub weight: Arc<Matrix>,
    pub scale: f32,
    /// A row a position.
    pub positions: Option<Matrix>,
    pub norm: Option<Norm>,
}

impl Embedding {
    /// The vectors of the tree's tokens; every id and depth is below the number of rows.
    pub(crate) fn forward(&self, level: Level, tree: &Tree) -> Panels {
        let n_features = self.weight.n_columns();
        let mut panels = Panels::zeros(n_features, tree.len());
        let tokens = tree.tokens.par_chunks(LANES).zip(tree.depths.par_chunks(LANES));
        panels.panels_mut().zip(tokens).for_each(|(panel, (ids, depths))| {
            let (mut row, mut position) = (vec![0.0; n_features], vec![0.0; n_features]);
            for (lane, (&id, &depth)) in ids.iter().zip(depths).enumerate() {
                self.weight.row(id as usize).widen(0, &mut row);
                if let Some(positions) = &self.positions {
                    positions.row(depth as usize).widen(0, &mut position);
                }
                for ((lanes, value), position) in panel.iter_mut().zip(&row).zip(&position) {
                    lanes.0[lane] = value * self.scale + position;
                }
            }
        });
        let Some(norm) = &self.norm else { return panels };
        let mut normed = Panels::zeros(n_features, tree.len());
        norm.forward(level, &panels, &mut normed);
        normed
    }
}
