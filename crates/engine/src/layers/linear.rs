//! y = W x + b.

use std::sync::Arc;

use rayon::prelude::*;

use super::Panels;
use super::operands::Operands;
use crate::kernels::{BlockProduct, LANES, Lanes, Level, Output, ROW_BLOCK, Scratch, StoredRow};
use crate::matrix::{Matrix, RowPattern};

/// Panels that one task works on: with a block of features they stay in the second-level cache.
const PANEL_BLOCK: usize = 16;

/// A matrix and perhaps a bias.
#[derive(Debug)]
pub(crate) struct Linear {
    pub weight: Arc<Matrix>,
    pub bias: Option<Vec<f32>>,
}

impl Linear {
    /// Some of the outputs. The matrix is shared.
    pub(crate) fn select(&self, rows: RowPattern, n_rows: usize) -> Self {
        let bias = self.bias.as_ref().map(|bias| (0..n_rows).map(|row| bias[rows.stored(row)]).collect());
        Self { weight: Arc::new(self.weight.select(rows, n_rows)), bias }
    }

    /// Overwrites `y`.
    pub(crate) fn forward(&self, level: Level, x: &Panels, y: &mut Panels) {
        let n_blocks = self.weight.n_rows().div_ceil(ROW_BLOCK);
        let n_groups = x.n_panels().div_ceil(PANEL_BLOCK);
        let panels_in_group = x.n_panels().div_ceil(n_groups.max(1)).max(1);
        let mut tasks: Vec<Task> = (0..n_groups * n_blocks)
            .map(|task| Task {
                first_row: task % n_blocks * ROW_BLOCK,
                outputs: Vec::with_capacity(panels_in_group),
            })
            .collect();
        let operands = Operands::new(self.weight.arithmetic(), level, x);
        for (panel, targets) in y.each_panel_mut().enumerate() {
            let group = panel / panels_in_group;
            for (block, target) in targets.chunks_mut(ROW_BLOCK).enumerate() {
                tasks[group * n_blocks + block].outputs.push(Output {
                    panel: operands.panel(panel),
                    target,
                    n_tokens: x.n_tokens_in(panel),
                });
            }
        }
        tasks.into_par_iter().for_each_init(Scratch::default, |scratch, task| self.run(level, task, scratch));
    }

    fn run(&self, level: Level, mut task: Task, scratch: &mut Scratch) {
        let rows = task.first_row..self.weight.n_rows().min(task.first_row + ROW_BLOCK);
        let stored: Vec<StoredRow> = rows.clone().map(|row| self.weight.row(row)).collect();
        let product = BlockProduct { level, rows: &stored, depth: self.weight.n_columns() };
        product.run(&mut task.outputs, scratch);
        let Some(bias) = &self.bias else { return };
        for output in &mut task.outputs {
            for (lanes, bias) in output.target.iter_mut().zip(&bias[rows.clone()]) {
                add_scalar(lanes, *bias);
            }
        }
    }
}

struct Task<'a> {
    first_row: usize,
    outputs: Vec<Output<'a>>,
}

fn add_scalar(lanes: &mut Lanes, bias: f32) {
    for lane in 0..LANES {
        lanes.0[lane] += bias;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::matrix::{Buffer, Values};

    #[test]
    fn a_token_gets_the_same_bits_alone_and_in_any_company() {
        let (n_rows, n_columns) = (101, 300);
        let values: Vec<f32> =
            (0..n_rows * n_columns).map(|i| ((i * 7919) % 1000) as f32 / 500.0 - 1.0).collect();
        let weight = Arc::new(Matrix::new(Values::F32(Buffer::Owned(values)), n_rows, n_columns));
        let bias = Some((0..n_rows).map(|row| row as f32 * 0.01).collect());
        let linear = Linear { weight, bias };
        let mut x = Panels::zeros(n_columns, 700);
        for (p, panel) in x.each_panel_mut().enumerate() {
            for (f, lanes) in panel.iter_mut().enumerate() {
                lanes.0 = std::array::from_fn(|lane| {
                    (((p * LANES + lane) * 31 + f * 17) % 113) as f32 * 0.01 - 0.5
                });
            }
        }
        let mut all = Panels::zeros(n_rows, 700);
        linear.forward(Level::detect(), &x, &mut all);
        for tokens in [vec![0], vec![699, 3], vec![640; 33], (100..117).collect()] {
            let some = x.gather(&tokens);
            let mut few = Panels::zeros(n_rows, tokens.len());
            linear.forward(Level::detect(), &some, &mut few);
            let expected = all.gather(&tokens);
            for (index, _) in tokens.iter().enumerate() {
                for row in 0..n_rows {
                    let read = |panels: &Panels| panels.panel(index / LANES)[row].0[index % LANES].to_bits();
                    assert_eq!(read(&few), read(&expected));
                }
            }
        }
    }
}
