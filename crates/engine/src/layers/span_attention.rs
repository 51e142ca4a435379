//! Attention over stretches of tokens: a whole text from both sides, a source text, or the target so far.
//!
//! Many texts go through at once, one after the other without padding; each query names the rows that it sees, so a
//! text's numbers are those of the text alone. Queries may be fewer than the tokens they look at: after the last layer
//! of a masked model only the asked-for positions matter.

use std::ops::Range;

use rayon::prelude::*;

use super::linear::Linear;
use super::panels::{panel_to_rows, rows_to_panel};
use super::relative::RelativeBias;
use super::{Panels, Rows};
use crate::kernels::{AttendSpan, LANES, Level, attend_span};

/// Weights and rules.
#[derive(Debug)]
pub(crate) struct SpanAttention {
    pub head_dim: usize,
    /// Factor of the scores.
    pub scale: f32,
    pub query: Linear,
    pub key: Linear,
    pub value: Linear,
    pub output: Linear,
}

/// What a query sees.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Seen {
    /// Rows of the tokens looked at.
    pub rows: Range<usize>,
    /// Its own position among them, counted from the first; only relative positions need it.
    pub position: usize,
}

/// Who looks at what.
pub(crate) struct Look<'a> {
    pub level: Level,
    /// The tokens that look.
    pub from: &'a Panels,
    /// The tokens looked at.
    pub at: &'a Panels,
    /// One entry a token that looks.
    pub seen: &'a [Seen],
    pub bias: Option<&'a RelativeBias>,
}

impl SpanAttention {
    /// One result a token that looks.
    pub(crate) fn forward(&self, look: &Look) -> Panels {
        let level = look.level;
        let width = self.query.weight.n_rows();
        let mut query = Panels::zeros(width, look.from.n_tokens());
        self.query.forward(level, look.from, &mut query);
        let keys = rows(level, &self.key, look.at);
        let values = rows(level, &self.value, look.at);
        query.panels_mut().zip(look.seen.par_chunks(LANES)).for_each_init(
            Workspace::default,
            |work, task| {
                let (panel, seen) = task;
                work.queries.resize(LANES * width, 0.0);
                work.outputs.resize(LANES * width, 0.0);
                panel_to_rows(panel, &mut work.queries);
                let lanes = work.queries.chunks_exact(width).zip(work.outputs.chunks_exact_mut(width));
                for ((query, output), seen) in lanes.zip(seen) {
                    let stretch = seen.rows.start * width..seen.rows.end * width;
                    let token = AttendSpan {
                        query,
                        keys: &keys.data[stretch.clone()],
                        values: &values.data[stretch],
                        head_dim: self.head_dim,
                        scale: self.scale,
                        bias: look.bias.map(|bias| bias.at(seen.position)),
                    };
                    attend_span(level, &token, &mut work.scores, output);
                }
                // The query is no longer needed: its panel takes the result.
                rows_to_panel(&work.outputs, panel);
            },
        );
        let mut y = Panels::zeros(self.output.weight.n_rows(), look.from.n_tokens());
        self.output.forward(level, &query, &mut y);
        y
    }
}

fn rows(level: Level, linear: &Linear, x: &Panels) -> Rows {
    let mut panels = Panels::zeros(linear.weight.n_rows(), x.n_tokens());
    linear.forward(level, x, &mut panels);
    let mut rows = Rows::default();
    panels.to_rows(&mut rows);
    rows
}

#[derive(Default)]
struct Workspace {
    queries: Vec<f32>,
    outputs: Vec<f32>,
    scores: Vec<f32>,
}

/// Texts that lie one after the other: every token sees the whole of its own.
pub(crate) fn whole_texts(lengths: impl IntoIterator<Item = usize>) -> Vec<Seen> {
    let mut start = 0;
    let mut seen = Vec::new();
    for length in lengths {
        seen.extend((0..length).map(|position| Seen { rows: start..start + length, position }));
        start += length;
    }
    seen
}

/// Likewise, but every token sees itself and those before it.
pub(crate) fn texts_so_far(lengths: impl IntoIterator<Item = usize>) -> Vec<Seen> {
    let mut seen = whole_texts(lengths);
    for token in &mut seen {
        token.rows.end = token.rows.start + token.position + 1;
    }
    seen
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_token_sees_its_own_text() {
        let seen = |rows, position| Seen { rows, position };
        assert_eq!(whole_texts([2, 1]), [seen(0..2, 0), seen(0..2, 1), seen(2..3, 0)]);
        assert_eq!(texts_so_far([2, 1]), [seen(0..1, 0), seen(0..2, 1), seen(2..3, 0)]);
    }
}
