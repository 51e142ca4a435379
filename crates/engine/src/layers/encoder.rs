//! The post-norm encoder of BERT (Devlin et al. 2019) and its relatives, driven by its configuration alone.
//!
//! Embeddings of word, position and token type (always type 0: one text) are added and normalised, perhaps projected to
//! the layers' width (ALBERT, ELECTRA); each layer normalises x + attention(x), then that + feed-forward of it. Layers may
//! be used several times (ALBERT).

use rayon::prelude::*;
use stereometer_lm::TokenId;

use super::Panels;
use super::linear::Linear;
use super::lookup::Lookup;
use super::masked_head::MaskedHead;
use super::mlp::Mlp;
use super::norm::Norm;
use super::span_attention::{Look, SpanAttention, whole_texts};
use crate::kernels::{LANES, Level, add_into};

/// Where the first token of a text stands in the table of positions.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Positions {
    /// At 0, and every token counts.
    FromZero,
    /// After the padding id (RoBERTa): padding tokens in the text stand at that id and are not counted.
    AfterPadding(TokenId),
}

/// An encoder with its weights and its prediction head.
#[derive(Debug)]
pub(crate) struct Encoder {
    pub words: Lookup,
    pub places: Lookup,
    pub positions: Positions,
    /// The embedding of token type 0.
    pub token_type: Option<Vec<f32>>,
    pub norm: Norm,
    pub project: Option<Linear>,
    pub layers: Vec<EncoderLayer>,
    /// Which layer comes when: an index into `layers` each.
    pub order: Vec<usize>,
    pub head: MaskedHead,
}

/// One layer.
#[derive(Debug)]
pub(crate) struct EncoderLayer {
    pub attention: SpanAttention,
    pub attention_norm: Norm,
    pub mlp: Mlp,
    pub mlp_norm: Norm,
}

impl Encoder {
    /// Hidden states after the last layer of the tokens in `rows`, which count through all texts.
    pub(crate) fn hidden(&self, level: Level, texts: &[&[TokenId]], rows: &[u32]) -> Panels {
        let mut x = self.embed(level, texts);
        let seen = whole_texts(texts.iter().map(|text| text.len()));
        let Some((last, before)) = self.order.split_last() else { return x.gather(rows) };
        for &layer in before {
            let look = Look { level, from: &x, at: &x, seen: &seen, bias: None };
            x = self.layers[layer].forward(&look);
        }
        let asked: Vec<_> = rows.iter().map(|&row| seen[row as usize].clone()).collect();
        let look = Look { level, from: &x.gather(rows), at: &x, seen: &asked, bias: None };
        self.layers[*last].forward(&look)
    }

    fn embed(&self, level: Level, texts: &[&[TokenId]]) -> Panels {
        let ids: Vec<TokenId> = texts.iter().copied().flatten().copied().collect();
        let places: Vec<u32> = texts.iter().flat_map(|text| self.positions.of(text)).collect();
        let mut x = self.words.forward(&ids);
        if let Some(token_type) = &self.token_type {
            x.panels_mut().for_each(|panel| {
                for (lanes, value) in panel.iter_mut().zip(token_type) {
                    for lane in 0..LANES {
                        lanes.0[lane] += value;
                    }
                }
            });
        }
        add(level, &mut x, &self.places.forward(&places));
        let x = self.norm.of(level, &x);
        let Some(project) = &self.project else { return x };
        let mut wide = Panels::zeros(project.weight.n_rows(), x.n_tokens());
        project.forward(level, &x, &mut wide);
        wide
    }
}

impl EncoderLayer {
    fn forward(&self, look: &Look) -> Panels {
        let mut x = self.attention.forward(look);
        add(look.level, &mut x, look.from);
        let x = self.attention_norm.of(look.level, &x);
        let mut y = self.mlp.of(look.level, &x);
        add(look.level, &mut y, &x);
        self.mlp_norm.of(look.level, &y)
    }
}

impl Positions {
    /// The place of each token of a text.
    fn of(self, text: &[TokenId]) -> Vec<u32> {
        match self {
            Self::FromZero => (0..text.len() as u32).collect(),
            Self::AfterPadding(padding) => text
                .iter()
                .scan(padding, |last, &id| {
                    if id == padding {
                        return Some(padding);
                    }
                    *last += 1;
                    Some(*last)
                })
                .collect(),
        }
    }
}

/// x += part.
pub(crate) fn add(level: Level, x: &mut Panels, part: &Panels) {
    x.panels_mut().zip(part.panels()).for_each(|(target, source)| add_into(level, target, source));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn positions_start_after_the_padding_id_and_pass_over_padding() {
        assert_eq!(Positions::FromZero.of(&[5, 1, 6]), [0, 1, 2]);
        assert_eq!(Positions::AfterPadding(1).of(&[0, 7, 1, 8, 2]), [2, 3, 1, 4, 5]);
    }
}
