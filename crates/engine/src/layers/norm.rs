//! Norms of a token's features: RMS norm (Zhang & Sennrich 2019), x / √(mean of x² + ε) · w, and layer norm (Ba et al.
//! 2016), which takes the mean away first and perhaps adds a bias. Gemma's checkpoints hold w − 1: the loader adds the 1.

use rayon::prelude::*;

use super::Panels;
use crate::kernels::{Affine, Lanes, Level, centre_and_scale, normalise};

/// Either norm.
#[derive(Debug, Clone)]
pub(crate) enum Norm {
    Rms(RmsNorm),
    Layer(LayerNorm),
}

impl Norm {
    /// Normalises every token.
    pub(crate) fn forward(&self, level: Level, x: &Panels, y: &mut Panels) {
        match self {
            Self::Rms(norm) => norm.forward(level, x, y),
            Self::Layer(norm) => norm.forward(level, x, y),
        }
    }

    /// Every token normalised.
    pub(crate) fn of(&self, level: Level, x: &Panels) -> Panels {
        let mut y = Panels::zeros(x.n_features(), x.n_tokens());
        self.forward(level, x, &mut y);
        y
    }
}

/// RMS norm over the features of a token, or over those of one head.
#[derive(Debug, Clone)]
pub(crate) struct RmsNorm {
    pub weight: Vec<f32>,
    pub eps: f64,
}

impl RmsNorm {
    fn forward(&self, level: Level, x: &Panels, y: &mut Panels) {
        y.panels_mut().zip(x.panels()).for_each(|(target, source)| {
            normalise(level, source, target, &self.weight, self.eps);
        });
    }

    /// Normalises each stretch of one panel that has the weight's length, in place: a head, or all heads together.
    /// `scratch` has the size of a stretch.
    pub(crate) fn heads(&self, level: Level, panel: &mut [Lanes], scratch: &mut Vec<Lanes>) {
        for head in panel.chunks_exact_mut(self.weight.len()) {
            scratch.clear();
            scratch.extend_from_slice(head);
            normalise(level, scratch, head, &self.weight, self.eps);
        }
    }
}

/// Layer norm over the features of a token.
#[derive(Debug, Clone)]
pub(crate) struct LayerNorm {
    pub weight: Vec<f32>,
    pub bias: Option<Vec<f32>>,
    pub eps: f64,
}

impl LayerNorm {
    fn forward(&self, level: Level, x: &Panels, y: &mut Panels) {
        let affine = Affine { weight: &self.weight, bias: self.bias.as_deref(), eps: self.eps };
        let panels = y.panels_mut().zip(x.panels());
        panels.for_each(|(target, source)| centre_and_scale(level, source, target, affine));
    }
}
