//! Token ids to vectors, perhaps times a factor (Gemma: √hidden size).
//!
//! transformers rounds the factor to the weights' type; the products here are in f32, and so is the factor.

use std::sync::Arc;

use rayon::prelude::*;
use stereometer_lm::TokenId;

use super::Panels;
use crate::kernels::LANES;
use crate::matrix::Matrix;

/// A row a token of the vocabulary.
#[derive(Debug)]
pub(crate) struct Embedding {
    pub weight: Arc<Matrix>,
    pub scale: f32,
}

impl Embedding {
    /// The vectors of these tokens; every id is below the number of rows.
    pub(crate) fn forward(&self, ids: &[TokenId]) -> Panels {
        let n_features = self.weight.n_columns();
        let mut panels = Panels::zeros(n_features, ids.len());
        panels.panels_mut().zip(ids.par_chunks(LANES)).for_each(|(panel, ids)| {
            let mut row = vec![0.0; n_features];
            for (lane, &id) in ids.iter().enumerate() {
                self.weight.row(id as usize).widen(0, &mut row);
                for (lanes, value) in panel.iter_mut().zip(&row) {
                    lanes.0[lane] = value * self.scale;
                }
            }
        });
        panels
    }
}
