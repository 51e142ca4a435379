//! The prediction head of masked models: norm(f(dense h)), then the output layer with a bias.
//!
//! Only the asked-for positions come here. They go by in blocks whose logits fit [`LOGIT_BYTES`], whatever the vocabulary;
//! the sums of exponentials run over chunks of [`CHUNK`] rows and are joined in f64 in the order of the vocabulary, so
//! blocks, batches and threads cannot move a bit.

use std::ops::Range;

use rayon::prelude::*;

use super::Panels;
use super::head::{LogSum, Target};
use super::linear::Linear;
use super::norm::Norm;
use crate::kernels::{Activation, LANES, Lanes, Level, MaxSumExp, activate, max_sum_exp};

/// Logits that exist at one time, in bytes.
const LOGIT_BYTES: usize = 48 << 20;

/// Rows of the vocabulary in one partial sum.
const CHUNK: usize = 192;

/// Weights and function.
#[derive(Debug)]
pub(crate) struct MaskedHead {
    pub dense: Linear,
    pub activation: Activation,
    pub norm: Norm,
    pub output: Linear,
}

/// One position's share of the head: what the output layer multiplies, and what comes out.
pub(crate) struct HeadRow {
    /// ‖[h; 1]‖.
    pub input_norm: f64,
    pub logits: Vec<f32>,
}

impl MaskedHead {
    /// The log-probabilities of the targets; `hidden` has one token a row of theirs.
    pub(crate) fn logprobs(&self, level: Level, hidden: &Panels, targets: &[Target]) -> Vec<f32> {
        let input = self.input(level, hidden);
        let mut by_row: Vec<Vec<usize>> = vec![Vec::new(); hidden.n_tokens()];
        for (index, target) in targets.iter().enumerate() {
            by_row[target.row as usize].push(index);
        }
        let mut logprobs = vec![f32::NAN; targets.len()];
        for rows in self.blocks(hidden.n_tokens()) {
            let logits = self.logits(level, &input, rows.clone());
            for panel in 0..logits.n_panels() {
                let log_sums = log_sum_exp(level, logits.panel(panel));
                for lane in 0..logits.n_tokens_in(panel) {
                    for &index in &by_row[rows.start + panel * LANES + lane] {
                        let logit = logits.panel(panel)[targets[index].id as usize].0[lane];
                        logprobs[index] = log_sums[lane].logprob(logit);
                    }
                }
            }
        }
        logprobs
    }

    /// Shows the input and the logits of every token, in order.
    pub(crate) fn show(&self, level: Level, hidden: &Panels, show: &mut dyn FnMut(usize, HeadRow)) {
        let input = self.input(level, hidden);
        for rows in self.blocks(hidden.n_tokens()) {
            let logits = self.logits(level, &input, rows.clone());
            for (offset, row) in rows.enumerate() {
                let squares: f64 = column(&input, row).map(|value| f64::from(value).powi(2)).sum();
                let logits = column(&logits, offset).collect();
                show(row, HeadRow { input_norm: (squares + 1.0).sqrt(), logits });
            }
        }
    }

    /// What the output layer multiplies.
    fn input(&self, level: Level, hidden: &Panels) -> Panels {
        let mut input = Panels::zeros(self.dense.weight.n_rows(), hidden.n_tokens());
        self.dense.forward(level, hidden, &mut input);
        input.panels_mut().for_each(|panel| activate(level, self.activation, panel));
        self.norm.of(level, &input)
    }

    fn blocks(&self, n_rows: usize) -> impl Iterator<Item = Range<usize>> + use<> {
        let panel_bytes = self.output.weight.n_rows() * size_of::<Lanes>();
        let block = LANES * (LOGIT_BYTES / panel_bytes).max(1);
        (0..n_rows).step_by(block).map(move |first| first..n_rows.min(first + block))
    }

    fn logits(&self, level: Level, input: &Panels, rows: Range<usize>) -> Panels {
        let rows: Vec<u32> = rows.map(|row| row as u32).collect();
        let mut logits = Panels::zeros(self.output.weight.n_rows(), rows.len());
        self.output.forward(level, &input.gather(&rows), &mut logits);
        logits
    }
}

/// All features of one token.
fn column(panels: &Panels, token: usize) -> impl Iterator<Item = f32> {
    panels.panel(token / LANES).iter().map(move |lanes| lanes.0[token % LANES])
}

/// ln Σ e^logit of each lane.
fn log_sum_exp(level: Level, logits: &[Lanes]) -> [LogSum; LANES] {
    let partials: Vec<MaxSumExp> = logits
        .par_chunks(CHUNK)
        .map(|chunk| {
            let mut sums = MaxSumExp::EMPTY;
            max_sum_exp(level, &mut sums, chunk);
            sums
        })
        .collect();
    std::array::from_fn(|lane| LogSum::join(partials.iter().map(|partial| (partial, lane))))
}
