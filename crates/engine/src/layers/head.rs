//! From hidden states to log-probabilities, without the matrix of logits.
//!
//! ln P(w) = logit_w − ln Σ_v e^logit_v. The vocabulary goes by in chunks of [`CHUNK`] rows, each chunk's logits living
//! only in a task's scratch: the largest logit and the sum of exponentials are kept, the asked-for logits are picked out.
//! The sums of stretches of [`STRETCH`] rows are joined in f64 and in the order of the vocabulary, so threads and batches
//! cannot move a bit. The softmax covers every row of the matrix, also those without a token.
//!
//! Memory: [`TOKEN_BLOCK`] tokens at a time, with 12 bytes a token and stretch (Gemma: 342 stretches, 4.2 MB) and 384 KiB
//! of logits a thread: what a task touches stays in the second-level cache while the weights go by once.

use std::ops::Range;
use std::sync::Arc;

use rayon::prelude::*;
use stereometer_lm::TokenId;

use super::Panels;
use super::operands::Operands;
use crate::kernels::{
    BlockProduct, LANES, Lanes, Level, MaxSumExp, Output, ROW_BLOCK, Scratch, StoredRow, max_sum_exp,
    scale_cap,
};
use crate::matrix::Matrix;

/// Rows of the vocabulary whose logits exist at one time.
const CHUNK: usize = 2 * ROW_BLOCK;

/// Rows of the vocabulary that one task sums up.
const STRETCH: usize = 8 * CHUNK;

/// Tokens whose partial sums are kept.
const TOKEN_BLOCK: usize = 32 * LANES;

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
        let operands = Operands::new(self.weight.arithmetic(), level, hidden);
        let input = Input { level, hidden, operands: &operands };
        let mut logprobs = Vec::with_capacity(targets.len());
        let mut rest = targets;
        for first_token in (0..hidden.n_tokens()).step_by(TOKEN_BLOCK) {
            let n_here = rest.partition_point(|target| (target.row as usize) < first_token + TOKEN_BLOCK);
            let (here, after) = rest.split_at(n_here);
            rest = after;
            logprobs.extend(self.block(input, first_token, here));
        }
        logprobs
    }

    fn block(&self, input: Input, first_token: usize, targets: &[Target]) -> Vec<f32> {
        let first_panel = first_token / LANES;
        let panels = first_panel..input.hidden.n_panels().min(first_panel + TOKEN_BLOCK / LANES);
        let mut by_id: Vec<Asked> =
            targets.iter().enumerate().map(|(index, &target)| Asked { target, index }).collect();
        by_id.sort_unstable_by_key(|asked| (asked.target.id, asked.index));
        let block = Block { input, panels, by_id };
        let partials: Vec<Partial> = (0..self.weight.n_rows().div_ceil(STRETCH))
            .into_par_iter()
            .map_init(Logits::default, |scratch, stretch| {
                let end = self.weight.n_rows().min((stretch + 1) * STRETCH);
                self.stretch(&block, stretch * STRETCH..end, scratch)
            })
            .collect();
        join(&partials, first_token, targets)
    }

    /// Sums and asked-for logits over a stretch of the vocabulary.
    fn stretch(&self, block: &Block, stretch: Range<usize>, scratch: &mut Logits) -> Partial {
        let mut partial = Partial { sums: vec![MaxSumExp::EMPTY; block.panels.len()], picked: Vec::new() };
        for start in stretch.clone().step_by(CHUNK) {
            let rows = start..stretch.end.min(start + CHUNK);
            self.logits(block, rows.clone(), scratch);
            for (sums, logits) in partial.sums.iter_mut().zip(scratch.logits.chunks_exact(rows.len())) {
                max_sum_exp(block.input.level, sums, logits);
            }
            for asked in block.asked_of(&rows) {
                let token = asked.target.row as usize;
                let panel = token / LANES - block.panels.start;
                let row = asked.target.id as usize - rows.start;
                let logit = scratch.logits[panel * rows.len() + row].0[token % LANES];
                partial.picked.push((asked.index, logit));
            }
        }
        partial
    }

    /// Logits of some rows of the vocabulary, into the scratch: panel by panel.
    fn logits(&self, block: &Block, rows: Range<usize>, scratch: &mut Logits) {
        scratch.logits.resize(block.panels.len() * rows.len(), Lanes::ZERO);
        for first_row in rows.clone().step_by(ROW_BLOCK) {
            let here = first_row..rows.end.min(first_row + ROW_BLOCK);
            let stored: Vec<StoredRow> = here.clone().map(|row| self.weight.row(row)).collect();
            let mut outputs: Vec<Output> = scratch
                .logits
                .chunks_exact_mut(rows.len())
                .zip(block.panels.clone())
                .map(|(logits, panel)| Output {
                    panel: block.input.operands.panel(panel),
                    target: &mut logits[here.start - rows.start..here.end - rows.start],
                    n_tokens: block.input.hidden.n_tokens_in(panel),
                })
                .collect();
            let product =
                BlockProduct { level: block.input.level, rows: &stored, depth: self.weight.n_columns() };
            product.run(&mut outputs, &mut scratch.product);
        }
        scale_cap(block.input.level, &mut scratch.logits, self.scale, self.cap);
    }
}

/// All hidden states of a batch.
#[derive(Clone, Copy)]
struct Input<'a> {
    level: Level,
    hidden: &'a Panels,
    operands: &'a Operands<'a>,
}

/// Some panels of hidden states and what is asked of them.
struct Block<'a> {
    input: Input<'a>,
    panels: Range<usize>,
    by_id: Vec<Asked>,
}

struct Asked {
    target: Target,
    /// Its place among the block's targets.
    index: usize,
}

impl Block<'_> {
    /// The targets whose ids are in this range.
    fn asked_of(&self, rows: &Range<usize>) -> &[Asked] {
        let below = |bound: usize| self.by_id.partition_point(|asked| (asked.target.id as usize) < bound);
        &self.by_id[below(rows.start)..below(rows.end)]
    }
}

#[derive(Default)]
struct Logits {
    logits: Vec<Lanes>,
    product: Scratch,
}

/// What is kept of a stretch of the vocabulary.
struct Partial {
    /// One entry a panel.
    sums: Vec<MaxSumExp>,
    /// Place of the target and its logit.
    picked: Vec<(usize, f32)>,
}

/// Joins the stretches, in the order of the vocabulary.
fn join(partials: &[Partial], first_token: usize, targets: &[Target]) -> Vec<f32> {
    let mut logits = vec![f32::NAN; targets.len()];
    for &(index, logit) in partials.iter().flat_map(|partial| &partial.picked) {
        logits[index] = logit;
    }
    // Variants that part after the same token ask it more than once; targets are in the order of their rows.
    let groups: Vec<&[Target]> = targets.chunk_by(|a, b| a.row == b.row).collect();
    let log_sums: Vec<LogSum> =
        groups.par_iter().map(|group| log_sum_exp(partials, group[0].row as usize - first_token)).collect();
    let by_target =
        groups.iter().zip(log_sums).flat_map(|(group, log_sum)| std::iter::repeat_n(log_sum, group.len()));
    logits.into_iter().zip(by_target).map(|(logit, log_sum)| log_sum.logprob(logit)).collect()
}

/// ln Σ e^logit in two parts: their sum would lose the digits of the second where logits are huge.
#[derive(Debug, Clone, Copy)]
pub(crate) struct LogSum {
    /// The largest logit.
    pub max: f32,
    /// Σ e^(logit − max).
    pub sum: f64,
}

impl LogSum {
    /// Of the sums of several stretches, in their order.
    pub(crate) fn join<'a>(parts: impl Iterator<Item = (&'a MaxSumExp, usize)> + Clone) -> Self {
        let max = parts.clone().map(|(part, lane)| part.max[lane]).fold(f32::NEG_INFINITY, f32::max);
        let sum = parts.map(|(part, lane)| f64::from(part.max[lane] - max).exp() * part.sum[lane]).sum();
        Self { max, sum }
    }

    /// The log-probability of one logit; NaN where a logit of the sum is no finite number.
    pub(crate) fn logprob(self, logit: f32) -> f32 {
        ((f64::from(logit) - f64::from(self.max)) - self.sum.ln()) as f32
    }
}

fn log_sum_exp(partials: &[Partial], row: usize) -> LogSum {
    let (panel, lane) = (row / LANES, row % LANES);
    LogSum::join(partials.iter().map(|partial| (&partial.sums[panel], lane)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::matrix::{Buffer, Values};

    #[test]
    fn log_probabilities_are_the_softmax_of_all_rows() {
        let (n_rows, n_columns, n_tokens) = (STRETCH + CHUNK + 37, 20, TOKEN_BLOCK + 40);
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
