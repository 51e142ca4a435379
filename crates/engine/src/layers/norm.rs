//! RMS norm (Zhang & Sennrich 2019): x / √(mean of x² + ε) · w. Gemma's checkpoints hold w − 1: the loader adds the 1.

use rayon::prelude::*;

use super::Panels;
use crate::kernels::{Lanes, Level, normalise};

/// RMS norm over the features of a token, or over those of one head.
#[derive(Debug, Clone)]
pub(crate) struct RmsNorm {
    pub weight: Vec<f32>,
    pub eps: f64,
}

impl RmsNorm {
    /// Normalises every token.
    pub(crate) fn forward(&self, level: Level, x: &Panels, y: &mut Panels) {
        y.panels_mut().zip(x.panels()).for_each(|(target, source)| {
            normalise(level, source, target, &self.weight, self.eps);
        });
    }

    /// Normalises each head of one panel, in place. `scratch` has the size of a head.
    pub(crate) fn heads(&self, level: Level, panel: &mut [Lanes], scratch: &mut Vec<Lanes>) {
        for head in panel.chunks_exact_mut(self.weight.len()) {
            scratch.clear();
            scratch.extend_from_slice(head);
            normalise(level, scratch, head, &self.weight, self.eps);
        }
    }
}
