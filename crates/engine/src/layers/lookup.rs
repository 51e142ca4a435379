//! Ids to the rows of a table: words, or positions where the two are looked up apart.

use std::sync::Arc;

use rayon::prelude::*;

use super::Panels;
use crate::kernels::LANES;
use crate::matrix::Matrix;

/// A row an id.
#[derive(Debug)]
pub(crate) struct Lookup {
    pub weight: Arc<Matrix>,
}

impl Lookup {
    /// The rows of these ids, every one of which is below the number of rows.
    pub(crate) fn forward(&self, ids: &[u32]) -> Panels {
        let n_features = self.weight.n_columns();
        let mut panels = Panels::zeros(n_features, ids.len());
        panels.panels_mut().zip(ids.par_chunks(LANES)).for_each(|(panel, ids)| {
            let mut row = vec![0.0; n_features];
            for (lane, &id) in ids.iter().enumerate() {
                self.weight.row(id as usize).widen(0, &mut row);
                for (lanes, &value) in panel.iter_mut().zip(&row) {
                    lanes.0[lane] = value;
                }
            }
        });
        panels
    }
}
