//! Attention of one token over its own ancestors, row by row.
//!
//! The chain of ancestors is the text before the token, in order; nothing else is ever seen, so no mask and no padding
//! is needed, and the sums are those of the text scored alone. Scores and their softmax's sum in f32 and f64.

use super::dispatch::{fma, per_level};
use super::exp::{exp, tanh};

/// What one token attends with, and to.
pub(crate) struct Attend<'a> {
    /// All heads of the query, one after the other.
    pub query: &'a [f32],
    /// Keys of all tokens of the batch, a row a token.
    pub keys: &'a [f32],
    /// Values, likewise.
    pub values: &'a [f32],
    /// Rows that the token sees, in the order of the text, itself last.
    pub chain: &'a [u32],
    /// Size of a head.
    pub head_dim: usize,
    /// Number of key and value heads; the query heads share them in equal groups.
    pub n_kv_heads: usize,
    /// Factor of the scores.
    pub scale: f32,
    /// Soft bound of the scores.
    pub cap: Option<f32>,
    /// What a score loses for each token of distance, a head each; empty where distance costs nothing.
    pub slopes: &'a [f32],
}

per_level! {
    /// Writes all heads' outputs; `scores` is scratch.
    pub(crate) fn attend(token: &Attend, scores: &mut Vec<f32>, output: &mut [f32]) = attend_body
}

#[inline(always)]
fn attend_body<const FMA: bool>(token: &Attend, scores: &mut Vec<f32>, output: &mut [f32]) {
    let head_dim = token.head_dim;
    let kv_width = token.n_kv_heads * head_dim;
    let group = token.query.len() / kv_width;
    let heads = token.query.chunks_exact(head_dim).zip(output.chunks_exact_mut(head_dim));
    for (head, (query, output)) in heads.enumerate() {
        let offset = head / group * head_dim;
        scores.clear();
        for &row in token.chain {
            let start = row as usize * kv_width + offset;
            let mut score = dot::<FMA>(query, &token.keys[start..start + head_dim]) * token.scale;
            if let Some(cap) = token.cap {
                score = cap * tanh::<FMA>(score / cap);
            }
            scores.push(score);
        }
        if let Some(&slope) = token.slopes.get(head) {
            for (distance, score) in scores.iter_mut().rev().enumerate() {
                *score -= slope * distance as f32;
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
        for (&row, &weight) in token.chain.iter().zip(scores.iter()) {
            let start = row as usize * kv_width + offset;
            let weight = weight * norm;
            for (slot, &value) in output.iter_mut().zip(&token.values[start..start + head_dim]) {
                *slot = fma::<FMA>(weight, value, *slot);
            }
        }
    }
}

/// Dot product in one order: 16 running sums, then their sum by halves, then the tail.
#[inline(always)]
pub(super) fn dot<const FMA: bool>(a: &[f32], b: &[f32]) -> f32 {
    const WIDTH: usize = 16;
    let mut sums = [0.0_f32; WIDTH];
    let (a_blocks, b_blocks) = (a.chunks_exact(WIDTH), b.chunks_exact(WIDTH));
    let (a_tail, b_tail) = (a_blocks.remainder(), b_blocks.remainder());
    for (a, b) in a_blocks.zip(b_blocks) {
        for ((sum, &a), &b) in sums.iter_mut().zip(a).zip(b) {
            *sum = fma::<FMA>(a, b, *sum);
        }
    }
    let mut width = WIDTH / 2;
    while width > 0 {
        for i in 0..width {
            sums[i] += sums[i + width];
        }
        width /= 2;
    }
    let mut total = sums[0];
    for (&a, &b) in a_tail.iter().zip(b_tail) {
        total = fma::<FMA>(a, b, total);
    }
    total
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kernels::Level;

    #[test]
    fn attention_is_its_formula_with_grouped_heads_a_cap_and_slopes() {
        let (head_dim, n_kv_heads, n_heads, n_rows) = (24, 2, 4, 7);
        let wave = |n: usize, step: f32| (0..n).map(|i| (i as f32 * step).sin()).collect::<Vec<f32>>();
        let query = wave(n_heads * head_dim, 0.7);
        let keys = wave(n_rows * n_kv_heads * head_dim, 0.3);
        let values = wave(n_rows * n_kv_heads * head_dim, 1.1);
        let chain = [0, 2, 3, 6];
        let slopes = [0.5, 0.25, 0.125, 0.0625];
        for (level, cap, slopes) in Level::available()
            .into_iter()
            .flat_map(|level| [(level, None, &[][..]), (level, Some(0.5), &[]), (level, None, &slopes)])
        {
            let token = Attend {
                query: &query,
                keys: &keys,
                values: &values,
                chain: &chain,
                head_dim,
                n_kv_heads,
                scale: 0.3,
                cap,
                slopes,
            };
            let mut output = vec![9.0; n_heads * head_dim];
            attend(level, &token, &mut Vec::new(), &mut output);
            for head in 0..n_heads {
                let at = |row: u32, d: usize| row as usize * n_kv_heads * head_dim + head / 2 * head_dim + d;
                let scores: Vec<f64> = chain
                    .iter()
                    .enumerate()
                    .map(|(place, &row)| {
                        let dot: f64 = (0..head_dim)
                            .map(|d| f64::from(query[head * head_dim + d]) * f64::from(keys[at(row, d)]))
                            .sum();
                        let cost = slopes.get(head).map_or(0.0, |&slope| f64::from(slope));
                        let score =
                            cap.map_or(dot * 0.3, |cap| f64::from(cap) * (dot * 0.3 / f64::from(cap)).tanh());
                        (score - cost * (chain.len() - 1 - place) as f64).exp()
                    })
                    .collect();
                let sum: f64 = scores.iter().sum();
                for d in 0..head_dim {
                    let truth: f64 = chain
                        .iter()
                        .zip(&scores)
                        .map(|(&row, s)| s / sum * f64::from(values[at(row, d)]))
                        .sum();
                    assert!((f64::from(output[head * head_dim + d]) - truth).abs() < 1e-6);
                }
            }
        }
    }
}
