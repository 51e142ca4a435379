//! The feed-forward part: down(f(gate x) · up x), or without a gate down(f(up x)).

use rayon::prelude::*;

use super::Panels;
use super::linear::Linear;
use crate::kernels::{Activation, Level, activate, gated};

/// Weights and function.
#[derive(Debug)]
pub(crate) struct Mlp {
    pub activation: Activation,
    pub gate: Option<Linear>,
    pub up: Linear,
    pub down: Linear,
}

/// Activations that are kept from layer to layer.
#[derive(Debug)]
pub(crate) struct MlpScratch {
    gate: Panels,
    up: Panels,
}

impl Mlp {
    /// What this part needs for so many tokens.
    pub(crate) fn scratch(&self, n_tokens: usize) -> MlpScratch {
        let n_features = self.up.weight.n_rows();
        let gated = if self.gate.is_some() { n_tokens } else { 0 };
        MlpScratch { gate: Panels::zeros(n_features, gated), up: Panels::zeros(n_features, n_tokens) }
    }

    /// The part's result.
    pub(crate) fn of(&self, level: Level, x: &Panels) -> Panels {
        let mut y = Panels::zeros(self.down.weight.n_rows(), x.n_tokens());
        self.forward(level, x, &mut y, &mut self.scratch(x.n_tokens()));
        y
    }

    /// Overwrites `y`.
    pub(crate) fn forward(&self, level: Level, x: &Panels, y: &mut Panels, scratch: &mut MlpScratch) {
        self.up.forward(level, x, &mut scratch.up);
        let Some(gate) = &self.gate else {
            scratch.up.panels_mut().for_each(|up| activate(level, self.activation, up));
            self.down.forward(level, &scratch.up, y);
            return;
        };
        gate.forward(level, x, &mut scratch.gate);
        let pairs = scratch.gate.panels_mut().zip(scratch.up.panels());
        pairs.for_each(|(gate, up)| gated(level, self.activation, gate, up));
        self.down.forward(level, &scratch.gate, y);
    }
}
