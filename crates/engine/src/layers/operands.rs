//! What a product multiplies: the panels of a batch in the form that the weights' arithmetic wants.

use rayon::prelude::*;

use super::Panels;
use crate::kernels::{
    BLOCK, ByteOperand, LANES, Lanes, Level, Operand, WordLanes, pair_up, quantise, round_swapped,
};
use crate::matrix::Arithmetic;

/// Words of a block of bytes.
const WORDS: usize = BLOCK / 4;

/// All panels of a batch in one form.
pub(crate) enum Operands<'a> {
    F32(&'a Panels),
    Swapped(Panels),
    Pairs { pairs: Vec<WordLanes>, per_panel: usize },
    Bytes { words: Vec<WordLanes>, scales: Vec<Lanes>, blocks: usize },
}

impl<'a> Operands<'a> {
    /// Rounds where the arithmetic rounds.
    pub(crate) fn new(arithmetic: Arithmetic, level: Level, x: &'a Panels) -> Self {
        let per_panel = x.n_features().div_ceil(2);
        match arithmetic {
            Arithmetic::F32 => Self::F32(x),
            Arithmetic::Bf16 if level.multiplies_pairs() => {
                let mut pairs = vec![WordLanes([0; LANES]); x.n_panels() * per_panel];
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
            Arithmetic::Q8 => {
                let blocks = x.n_features().div_ceil(BLOCK);
                let mut scales = vec![Lanes::ZERO; x.n_panels() * blocks];
                let mut words = vec![WordLanes([0; LANES]); scales.len() * WORDS];
                words
                    .par_chunks_exact_mut(blocks * WORDS)
                    .zip(scales.par_chunks_exact_mut(blocks))
                    .zip(x.panels())
                    .for_each(|((words, scales), panel)| quantise(level, panel, words, scales));
                Self::Bytes { words, scales, blocks }
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
            Self::Bytes { words, scales, blocks } => Operand::Bytes(ByteOperand {
                words: &words[panel * blocks * WORDS..(panel + 1) * blocks * WORDS],
                scales: &scales[panel * blocks..(panel + 1) * blocks],
            }),
        }
    }
}
