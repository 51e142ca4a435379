//! What a product multiplies: the panels of a batch in the form that the weights' arithmetic wants.

use rayon::prelude::*;

use super::Panels;
use crate::kernels::{LANES, Level, Operand, PairLanes, pair_up, round_swapped};
use crate::matrix::Arithmetic;

/// All panels of a batch in one form.
pub(crate) enum Operands<'a> {
    F32(&'a Panels),
    Swapped(Panels),
    Pairs { pairs: Vec<PairLanes>, per_panel: usize },
}

impl<'a> Operands<'a> {
    /// Rounds where the arithmetic rounds.
    pub(crate) fn new(arithmetic: Arithmetic, level: Level, x: &'a Panels) -> Self {
        let per_panel = x.n_features().div_ceil(2);
        match arithmetic {
            Arithmetic::F32 => Self::F32(x),
            Arithmetic::Bf16 if level.multiplies_pairs() => {
                let mut pairs = vec![PairLanes([0; LANES]); x.n_panels() * per_panel];
                pairs
                    .par_chunks_exact_mut(per_panel)
                    .zip(x.panels())
                    .for_each(|(target, panel)| pair_up(level, panel, target));
                Self::Pairs { pairs, per_panel }
            }
            Arithmetic::Bf16 => {
                let mut swapped = Panels::zeros(2 * per_panel, x.n_tokens());
                let panels = swapped.panels_mut().zip(x.panels());
                panels.for_each(|(target, panel)| round_swapped(level, panel, target));
                Self::Swapped(swapped)
            }
        }
    }

    pub(crate) fn panel(&self, panel: usize) -> Operand<'_> {
        match self {
            Self::F32(panels) => Operand::F32(panels.panel(panel)),
            Self::Swapped(panels) => Operand::Swapped(panels.panel(panel)),
            Self::Pairs { pairs, per_panel } => {
                Operand::Pairs(&pairs[panel * per_panel..(panel + 1) * per_panel])
            }
        }
    }
}
