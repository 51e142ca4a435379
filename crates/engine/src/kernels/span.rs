//! Attention of one token over a stretch of rows: all of its text, or a source text, or the target so far.
//!
//! No mask and no padding: the rows that a token sees lie side by side, and the sums run over them in their order.

use super::dispatch::{fma, per_level};
use super::exp::exp;
use super::row::dot;

/// What one token attends with, and to. There are as many key heads as query heads.
pub(crate) struct AttendSpan<'a> {
    /// All heads of the query, one after the other.
    pub query: &'a [f32],
    /// Keys of the rows that are seen, and of no other.
    pub keys: &'a [f32],
    /// Values, likewise.
    pub values: &'a [f32],
    /// Size of a head.
    pub head_dim: usize,
    /// Factor of the scores.
    pub scale: f32,
    /// Added to the scores.
    pub bias: Option<SpanBias<'a>>,
}

/// What is added to a score by head and distance: entry `head * stride + first + key`.
#[derive(Debug, Clone, Copy)]
pub(crate) struct SpanBias<'a> {
    pub by_distance: &'a [f32],
    pub stride: usize,
    pub first: usize,
}

per_level! {
    /// Writes all heads' outputs; `scores` is scratch.
    pub(crate) fn attend_span(token: &AttendSpan, scores: &mut Vec<f32>, output: &mut [f32]) = attend_span_body
}

#[inline(always)]
fn attend_span_body<const FMA: bool>(token: &AttendSpan, scores: &mut Vec<f32>, output: &mut [f32]) {
    let (head_dim, width) = (token.head_dim, token.query.len());
    let heads = token.query.chunks_exact(head_dim).zip(output.chunks_exact_mut(head_dim));
    for (head, (query, output)) in heads.enumerate() {
        let here = head * head_dim..(head + 1) * head_dim;
        scores.clear();
        for key in token.keys.chunks_exact(width) {
            scores.push(dot::<FMA>(query, &key[here.clone()]) * token.scale);
        }
        if let Some(bias) = token.bias {
            for (score, bias) in scores.iter_mut().zip(&bias.by_distance[head * bias.stride + bias.first..]) {
                *score += bias;
            }
        }
        let mut max = f32::NEG_INFINITY;
        for &score in scores.iter() {
            max = if score > max { score } else { max };
        }
        for score in scores.iter_mut() {
            *score = exp::<FMA>(*score - max);
        }
        let sum: f64 = scores.iter().map(|&weight| f64::from(weight)).sum();
        let norm = (1.0 / sum) as f32;
        output.fill(0.0);
        for (value, &weight) in token.values.chunks_exact(width).zip(scores.iter()) {
            let weight = weight * norm;
            for (slot, &value) in output.iter_mut().zip(&value[here.clone()]) {
                *slot = fma::<FMA>(weight, value, *slot);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kernels::Level;

    #[test]
    fn attention_is_its_formula_with_and_without_a_bias() {
        let (head_dim, n_heads, n_rows) = (20, 3, 5);
        let width = head_dim * n_heads;
        let wave = |n: usize, step: f32| (0..n).map(|i| (i as f32 * step).sin()).collect::<Vec<f32>>();
        let (query, keys, values) = (wave(width, 0.7), wave(n_rows * width, 0.3), wave(n_rows * width, 1.1));
        let by_distance = wave(n_heads * 9, 2.3);
        let bias = SpanBias { by_distance: &by_distance, stride: 9, first: 2 };
        for (level, bias) in Level::available().into_iter().flat_map(|l| [(l, None), (l, Some(bias))]) {
            let token =
                AttendSpan { query: &query, keys: &keys, values: &values, head_dim, scale: 0.3, bias };
            let mut output = vec![9.0; width];
            attend_span(level, &token, &mut Vec::new(), &mut output);
            for (column, &found) in output.iter().enumerate() {
                let head = column / head_dim;
                let weights: Vec<f64> = (0..n_rows)
                    .map(|row| {
                        let columns = head * head_dim..(head + 1) * head_dim;
                        let dot: f64 =
                            columns.map(|c| f64::from(query[c]) * f64::from(keys[row * width + c])).sum();
                        let bias = bias.map_or(0.0, |_| f64::from(by_distance[head * 9 + 2 + row]));
                        (dot * 0.3 + bias).exp()
                    })
                    .collect();
                let truth: f64 = (0..n_rows)
                    .map(|row| weights[row] * f64::from(values[row * width + column]))
                    .sum::<f64>()
                    / weights.iter().sum::<f64>();
                assert!((f64::from(found) - truth).abs() < 1e-6);
            }
        }
    }
}
