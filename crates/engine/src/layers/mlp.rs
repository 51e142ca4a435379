//! The gated feed-forward part: down(f(gate x) · up x).

use rayon::prelude::*;

use super::Panels;
use super::linear::Linear;
use crate::kernels::{Gate, Level, gated};

/// Weights and gate.
#[derive(Debug)]
pub(crate) struct GatedMlp {
    pub kind: Gate,
    pub gate: Linear,
    pub up: Linear,
    pub down: Linear,
}

/// Activations that are kept from layer to layer.
#[derive(Debug)]
pub(crate) struct MlpScratch {
    gate: Panels,
    up: Panels,
}

impl MlpScratch {
    pub(crate) fn new(n_features: usize, n_tokens: usize) -> Self {
        Self { gate: Panels::zeros(n_features, n_tokens), up: Panels::zeros(n_features, n_tokens) }
    }
}

impl GatedMlp {
    /// Overwrites `y`.
    pub(crate) fn forward(&self, level: Level, x: &Panels, y: &mut Panels, scratch: &mut MlpScratch) {
        self.gate.forward(level, x, &mut scratch.gate);
        self.up.forward(level, x, &mut scratch.up);
        scratch
            .gate
            .panels_mut()
            .zip(scratch.up.panels())
            .for_each(|(gate, up)| gated(level, self.kind, gate, up));
        self.down.forward(level, &scratch.gate, y);
    }
}
