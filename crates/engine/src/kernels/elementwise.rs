//! What is done feature by feature: norms, sums, rotations, caps.

use super::dispatch::per_level;
use super::exp::tanh;
use super::{LANES, Lanes};

per_level! {
    /// RMS norm of each token: x · (mean of x² + eps)^−½ · weight, with the mean in f64.
    pub(crate) fn normalise(source: &[Lanes], target: &mut [Lanes], weight: &[f32], eps: f64) = normalise_body
}

#[inline(always)]
fn normalise_body<const FMA: bool>(source: &[Lanes], target: &mut [Lanes], weight: &[f32], eps: f64) {
    let mut squares = [0.0_f64; LANES];
    for lanes in source {
        for (sum, &value) in squares.iter_mut().zip(&lanes.0) {
            *sum += f64::from(value) * f64::from(value);
        }
    }
    let n = source.len() as f64;
    let mut scale = Lanes::ZERO;
    for (scale, square) in scale.0.iter_mut().zip(squares) {
        *scale = (1.0 / (square / n + eps).sqrt()) as f32;
    }
    for ((lanes, slot), &weight) in source.iter().zip(target).zip(weight) {
        for ((slot, value), scale) in slot.0.iter_mut().zip(lanes.0).zip(scale.0) {
            *slot = value * scale * weight;
        }
    }
}

per_level! {
    /// target += source.
    pub(crate) fn add_into(target: &mut [Lanes], source: &[Lanes]) = add_into_body
}

#[inline(always)]
fn add_into_body<const FMA: bool>(target: &mut [Lanes], source: &[Lanes]) {
    for (slot, lanes) in target.iter_mut().zip(source) {
        for (slot, value) in slot.0.iter_mut().zip(lanes.0) {
            *slot += value;
        }
    }
}

/// The angles' cosines and sines, and which two features turn together.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Rotation<'a> {
    /// One entry a pair of features.
    pub cos: &'a [Lanes],
    /// Likewise.
    pub sin: &'a [Lanes],
    /// Whether pair i is features 2i and 2i + 1, rather than i and i + half.
    pub interleaved: bool,
}

per_level! {
    /// Turns each pair of a head's features by its angle.
    pub(crate) fn rotate(head: &mut [Lanes], rotation: Rotation) = rotate_body
}

#[inline(always)]
fn rotate_body<const FMA: bool>(head: &mut [Lanes], rotation: Rotation) {
    let half = rotation.cos.len();
    for (pair, (cos, sin)) in rotation.cos.iter().zip(rotation.sin).enumerate() {
        let (first, second) =
            if rotation.interleaved { (2 * pair, 2 * pair + 1) } else { (pair, pair + half) };
        let (a, b) = (head[first], head[second]);
        for lane in 0..LANES {
            head[first].0[lane] = a.0[lane] * cos.0[lane] - b.0[lane] * sin.0[lane];
            head[second].0[lane] = b.0[lane] * cos.0[lane] + a.0[lane] * sin.0[lane];
        }
    }
}

/// Multiplies by a scale, then bounds softly: cap · tanh(x / cap).
pub(crate) fn scale_cap(level: super::Level, values: &mut [Lanes], scale: f32, cap: Option<f32>) {
    if scale != 1.0 {
        scale_by(level, values, scale);
    }
    if let Some(cap) = cap {
        soft_cap(level, values, cap);
    }
}

per_level! {
    fn scale_by(values: &mut [Lanes], scale: f32) = scale_by_body
}

#[inline(always)]
fn scale_by_body<const FMA: bool>(values: &mut [Lanes], scale: f32) {
    for lanes in values {
        for value in &mut lanes.0 {
            *value *= scale;
        }
    }
}

per_level! {
    fn soft_cap(values: &mut [Lanes], cap: f32) = soft_cap_body
}

#[inline(always)]
fn soft_cap_body<const FMA: bool>(values: &mut [Lanes], cap: f32) {
    for lanes in values {
        for value in &mut lanes.0 {
            *value = cap * tanh::<FMA>(*value / cap);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kernels::Level;

    fn ramp(n_features: usize) -> Vec<Lanes> {
        (0..n_features)
            .map(|f| Lanes(std::array::from_fn(|l| (f as f32 - 3.0) * 0.31 + l as f32 * 0.05)))
            .collect()
    }

    #[test]
    fn each_function_is_its_formula() {
        for level in Level::available() {
            let source = ramp(9);
            let weight: Vec<f32> = (0..9).map(|f| 0.5 + f as f32 * 0.1).collect();
            let mut normed = vec![Lanes::ZERO; 9];
            normalise(level, &source, &mut normed, &weight, 1e-3);
            let mut capped = source.clone();
            scale_cap(level, &mut capped, 2.0, Some(3.0));
            for lane in 0..LANES {
                let x: Vec<f64> = source.iter().map(|lanes| f64::from(lanes.0[lane])).collect();
                let mean = x.iter().map(|x| x * x).sum::<f64>() / 9.0;
                for (f, &x) in x.iter().enumerate() {
                    let close = |value: f32, truth: f64| {
                        assert!((f64::from(value) - truth).abs() < 1e-6 * (1.0 + truth.abs()));
                    };
                    close(normed[f].0[lane], x / (mean + 1e-3).sqrt() * f64::from(weight[f]));
                    close(capped[f].0[lane], 3.0 * (2.0 * x / 3.0).tanh());
                }
            }
        }
    }
}
