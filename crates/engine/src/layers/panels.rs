//! Activations of a batch, in panels of [`LANES`] tokens: within a panel, feature by feature, the tokens side by side.
//!
//! Every layer reads and writes this layout, so nothing is transposed between them; only attention, which follows each
//! token's own ancestors, asks for [`Rows`]. The lanes after the last token hold zeros or leftovers that nothing reads.

use bytemuck::Zeroable;
use rayon::prelude::*;

use crate::kernels::{LANES, Lanes};

/// Activations as panels.
#[derive(Debug, Clone)]
pub(crate) struct Panels {
    data: Vec<Lanes>,
    n_features: usize,
    n_tokens: usize,
}

impl Panels {
    pub(crate) fn zeros(n_features: usize, n_tokens: usize) -> Self {
        let data = vec![Lanes::zeroed(); n_tokens.div_ceil(LANES) * n_features];
        Self { data, n_features, n_tokens }
    }

    pub(crate) fn n_features(&self) -> usize {
        self.n_features
    }

    pub(crate) fn n_tokens(&self) -> usize {
        self.n_tokens
    }

    pub(crate) fn n_panels(&self) -> usize {
        self.n_tokens.div_ceil(LANES)
    }

    /// Tokens in a panel: all [`LANES`] but in the last one.
    pub(crate) fn n_tokens_in(&self, panel: usize) -> usize {
        LANES.min(self.n_tokens - panel * LANES)
    }

    pub(crate) fn panel(&self, panel: usize) -> &[Lanes] {
        &self.data[panel * self.n_features..(panel + 1) * self.n_features]
    }

    pub(crate) fn panels(&self) -> rayon::slice::ChunksExact<'_, Lanes> {
        self.data.par_chunks_exact(self.n_features)
    }

    pub(crate) fn panels_mut(&mut self) -> rayon::slice::ChunksExactMut<'_, Lanes> {
        self.data.par_chunks_exact_mut(self.n_features)
    }

    pub(crate) fn each_panel_mut(&mut self) -> std::slice::ChunksExactMut<'_, Lanes> {
        self.data.chunks_exact_mut(self.n_features)
    }

    /// The same numbers, a row a token.
    pub(crate) fn to_rows(&self, rows: &mut Rows) {
        rows.n_features = self.n_features;
        rows.data.resize(self.n_panels() * LANES * self.n_features, 0.0);
        rows.data
            .par_chunks_exact_mut(LANES * self.n_features)
            .zip(self.panels())
            .for_each(|(rows, panel)| panel_to_rows(panel, rows));
    }

    /// These tokens alone, in the order given.
    pub(crate) fn gather(&self, tokens: &[u32]) -> Self {
        let mut gathered = Self::zeros(self.n_features, tokens.len());
        gathered.panels_mut().zip(tokens.par_chunks(LANES)).for_each(|(target, tokens)| {
            for (lane, &token) in tokens.iter().enumerate() {
                let (panel, source_lane) = (token as usize / LANES, token as usize % LANES);
                for (target, source) in target.iter_mut().zip(self.panel(panel)) {
                    target.0[lane] = source.0[source_lane];
                }
            }
        });
        gathered
    }
}

/// Activations with a row a token.
#[derive(Debug, Clone, Default)]
pub(crate) struct Rows {
    pub(crate) data: Vec<f32>,
    n_features: usize,
}

/// One panel as rows of its tokens.
pub(crate) fn panel_to_rows(panel: &[Lanes], rows: &mut [f32]) {
    let n_features = panel.len();
    for (feature, lanes) in panel.iter().enumerate() {
        for (lane, &value) in lanes.0.iter().enumerate() {
            rows[lane * n_features + feature] = value;
        }
    }
}

/// Rows of tokens as one panel.
pub(crate) fn rows_to_panel(rows: &[f32], panel: &mut [Lanes]) {
    let n_features = panel.len();
    for (feature, lanes) in panel.iter_mut().enumerate() {
        for (lane, slot) in lanes.0.iter_mut().enumerate() {
            *slot = rows[lane * n_features + feature];
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_panels_and_gathered_tokens_hold_the_same_numbers() {
        let mut panels = Panels::zeros(3, 40);
        for (p, panel) in panels.each_panel_mut().enumerate() {
            for (f, lanes) in panel.iter_mut().enumerate() {
                lanes.0 = std::array::from_fn(|lane| ((p * LANES + lane) * 3 + f) as f32);
            }
        }
        let mut rows = Rows::default();
        panels.to_rows(&mut rows);
        assert!(rows.data.iter().take(120).enumerate().all(|(i, &value)| value == i as f32));
        let mut back = vec![Lanes::ZERO; 3];
        rows_to_panel(&rows.data[LANES * 3..], &mut back);
        assert_eq!(back, panels.panel(1));
        let gathered = panels.gather(&[39, 0]);
        assert_eq!(gathered.n_tokens_in(0), 2);
        assert_eq!([0, 1, 2].map(|f| gathered.panel(0)[f].0[0]), [117.0, 118.0, 119.0]);
        assert_eq!([0, 1, 2].map(|f| gathered.panel(0)[f].0[1]), [0.0, 1.0, 2.0]);
    }
}
