//! From hidden states to log-probabilities, without the matrix of logits.
//!
//! ln P(w) = logit_w − ln Σ_v e^logit_v. The vocabulary goes by in chunks of [`CHUNK`] rows, each chunk's logits living
//! only in a task's scratch: its largest logit and sum of exponentials are kept, the asked-for logits are picked out.
//! The chunks' sums are joined in f64 and in the order of the vocabulary, so threads and batches cannot move a bit. The
//! softmax covers every row of the matrix, also those without a token.
//!
//! Memory: [`TOKEN_BLOCK`] tokens at a time, with 12 bytes a token and chunk (Gemma: 1366 chunks, 8.4 MB) and 384 KiB of
//! logits a thread: what a task touches stays in the second-level cache while the weights go by once.

use std::ops::Range;
use std::sync::Arc;

use rayon::prelude::*;
use stereometer_lm::TokenId;

use super::Panels;
use crate::kernels::{
    BlockProduct, LANES, Lanes, Level, MaxSumExp, Output, ROW_BLOCK, StoredRow, max_sum_exp, scale_cap,
};
use crate::matrix::Matrix;

/// Rows of the vocabulary whose logits exist at one time.
const CHUNK: usize = 4 * ROW_BLOCK;

/// Tokens whose partial sums are kept.
const TOKEN_BLOCK: usize = 16 * LANES;

/// The output layer.
#[derive(Debug)]
pub(crate) struct VocabularyHead {
    pub weight: Arc<Matrix>,
    /// Factor of the logits.
    pub scale: f32,
    /// Soft bound of the logits.
    pub cap: Option<f32>,
}

/// One log-probability that is asked for: of `id`, after the token at `row` of the hidden states.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Target {
    pub row: u32,
    pub id: TokenId,
}

impl VocabularyHead {
    /// The log-probabilities of the targets, which are in the order of their rows.
    pub(crate) fn forward(&self, level: Level, hidden: &Panels, targets: &[Target]) -> Vec<f32> {
        let mut logprobs = Vec::with_capacity(targets.len());
        let mut rest = targets;
        for first_token in (0..hidden.n_tokens()).step_by(TOKEN_BLOCK) {
            let n_here = rest.partition_point(|target| (target.row as usize) < first_token + TOKEN_BLOCK);
            let (here, after) = rest.split_at(n_here);
            rest = after;
            logprobs.extend(self.block(level, hidden, first_token, here));
        }
        logprobs
    }

    fn block(&self, level: Level, hidden: &Panels, first_token: usize, targets: &[Target]) -> Vec<f32> {
        let first_panel = first_token / LANES;
        let panels = first_panel..hidden.n_panels().min(first_panel + TOKEN_BLOCK / LANES);
        let mut by_id: Vec<(TokenId, u32)> =
            targets.iter().enumerate().map(|(index, target)| (target.id, index as u32)).collect();
        by_id.sort_unstable();
        let asked = Asked { level, hidden, panels: panels.clone() };
        let n_chunks = self.weight.n_rows().div_ceil(CHUNK);
        let partials: Vec<Partial> = (0..n_chunks)
            .into_par_iter()
            .map_init(Scratch::default, |scratch, chunk| {
                let rows = chunk * CHUNK..self.weight.n_rows().min((chunk + 1) * CHUNK);
                let from = by_id.partition_point(|&(id, _)| (id as usize) < rows.start);
                let to = by_id.partition_point(|&(id, _)| (id as usize) < rows.end);
                self.logits(&asked, rows.clone(), scratch);
                let mut partial = Partial::default();
                for (panel, logits) in panels.clone().zip(scratch.logits.chunks_exact(rows.len())) {
                    partial.sums.push(max_sum_exp(level, logits));
                    for &(id, index) in &by_id[from..to] {
                        let row = targets[index as usize].row as usize;
                        if row / LANES == panel {
                            let logit = logits[id as usize - rows.start].0[row % LANES];
                            partial.picked.push((index, logit));
                        }
                    }
                }
                partial
            })
            .collect();
        join(&partials, first_token, targets)
    }

    /// Logits of some rows of the vocabulary for some panels, into the scratch: panel by panel.
    fn logits(&self, asked: &Asked, rows: Range<usize>, scratch: &mut Scratch) {
        let Asked { level, hidden, panels } = asked;
        scratch.logits.resize(panels.len() * rows.len(), Lanes::ZERO);
        for first_row in rows.clone().step_by(ROW_BLOCK) {
            let block = first_row..rows.end.min(first_row + ROW_BLOCK);
            let stored: Vec<StoredRow> = block.clone().map(|row| self.weight.row(row)).collect();
            let mut outputs: Vec<Output> = scratch
                .logits
                .chunks_exact_mut(rows.len())
                .zip(panels.clone())
                .map(|(logits, panel)| Output {
                    panel: hidden.panel(panel),
                    target: &mut logits[block.start - rows.start..block.end - rows.start],
                    n_tokens: hidden.n_tokens_in(panel),
                })
                .collect();
            let product = BlockProduct { level: *level, rows: &stored, depth: self.weight.n_columns() };
            product.run(&mut outputs, &mut scratch.widened);
        }
        scale_cap(*level, &mut scratch.logits, self.scale, self.cap);
    }
}

/// Panels of hidden states whose logits are wanted.
struct Asked<'a> {
    level: Level,
    hidden: &'a Panels,
    panels: Range<usize>,
}

#[derive(Default)]
struct Scratch {
    logits: Vec<Lanes>,
    widened: Vec<f32>,
}

/// What is kept of a chunk of the vocabulary.
#[derive(Default)]
struct Partial {
    /// One entry a panel.
    sums: Vec<MaxSumExp>,
    /// Index of the target and its logit.
    picked: Vec<(u32, f32)>,
}

/// Joins the chunks, in the order of the vocabulary.
fn join(partials: &[Partial], first_token: usize, targets: &[Target]) -> Vec<f32> {
    let mut logits = vec![f32::NAN; targets.len()];
    for &(index, logit) in partials.iter().flat_map(|partial| &partial.picked) {
        logits[index as usize] = logit;
    }
    let mut last = None;
    targets
        .iter()
        .zip(logits)
        .map(|(target, logit)| {
            let log_sum = match last {
                Some((row, log_sum)) if row == target.row => log_sum,
                _ => log_sum_exp(partials, target.row as usize - first_token),
            };
            last = Some((target.row, log_sum));
            (f64::from(logit) - log_sum) as f32
        })
        .collect()
}

fn log_sum_exp(partials: &[Partial], row: usize) -> f64 {
    let (panel, lane) = (row / LANES, row % LANES);
    let max = partials.iter().map(|partial| partial.sums[panel].max[lane]).fold(f32::NEG_INFINITY, f32::max);
    let sum: f64 = partials
        .iter()
        .map(|partial| {
            let sums = &partial.sums[panel];
            f64::from(sums.max[lane] - max).exp() * sums.sum[lane]
        })
        .sum();
    f64::from(max) + sum.ln()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::matrix::{Buffer, Values};

    #[test]
    fn log_probabilities_are_the_softmax_of_all_rows() {
        let (n_rows, n_columns, n_tokens) = (CHUNK + 37, 20, TOKEN_BLOCK + 40);
        let wave = |n: usize, step: f32| (0..n).map(|i| (i as f32 * step).sin()).collect::<Vec<f32>>();
        let weights = wave(n_rows * n_columns, 0.913);
        let weight = Arc::new(Matrix::new(Values::F32(Buffer::Owned(weights.clone())), n_rows, n_columns));
        let mut hidden = Panels::zeros(n_columns, n_tokens);
        for (p, panel) in hidden.each_panel_mut().enumerate() {
            for (f, lanes) in panel.iter_mut().enumerate() {
                lanes.0 = std::array::from_fn(|lane| (((p * LANES + lane) * 29 + f) as f32 * 0.37).cos());
            }
        }
        let targets: Vec<Target> = (0..n_tokens as u32)
            .flat_map(|row| {
                [Target { row, id: row * 7 % n_rows as u32 }, Target { row, id: n_rows as u32 - 1 }]
            })
            .filter(|target| target.row % 3 != 1)
            .collect();
        for (scale, cap) in [(1.0, None), (0.5, Some(3.0))] {
            let head = VocabularyHead { weight: Arc::clone(&weight), scale, cap };
            let logprobs = head.forward(Level::detect(), &hidden, &targets);
            assert_eq!(logprobs.len(), targets.len());
            for (target, logprob) in targets.iter().zip(logprobs).step_by(11) {
                let (panel, lane) = (target.row as usize / LANES, target.row as usize % LANES);
                let logits: Vec<f64> = weights
                    .chunks_exact(n_columns)
                    .map(|row| {
                        let hidden = hidden.panel(panel).iter().map(|lanes| f64::from(lanes.0[lane]));
                        let logit = row.iter().zip(hidden).map(|(&w, h)| f64::from(w) * h).sum::<f64>()
                            * f64::from(scale);
                        cap.map_or(logit, |cap| f64::from(cap) * (logit / f64::from(cap)).tanh())
                    })
                    .collect();
                let log_sum = logits.iter().map(|logit| logit.exp()).sum::<f64>().ln();
                assert!((f64::from(logprob) - (logits[target.id as usize] - log_sum)).abs() < 2e-6);
            }
        }
    }
}
