//! Layer norm, tokens side by side.

use super::dispatch::per_level;
use super::{LANES, Lanes};

/// What follows the centring, one entry a feature.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Affine<'a> {
    pub weight: &'a [f32],
    pub bias: Option<&'a [f32]>,
    pub eps: f64,
}

per_level! {
    /// Layer norm of each token: (x − mean) · (variance + eps)^−½ · weight + bias, with mean and variance in f64.
    pub(crate) fn centre_and_scale(source: &[Lanes], target: &mut [Lanes], affine: Affine) = centre_and_scale_body
}

#[inline(always)]
fn centre_and_scale_body<const FMA: bool>(source: &[Lanes], target: &mut [Lanes], affine: Affine) {
    let Affine { weight, bias, eps } = affine;
    let n = source.len() as f64;
    let mut mean = [0.0_f64; LANES];
    for lanes in source {
        for (sum, &value) in mean.iter_mut().zip(&lanes.0) {
            *sum += f64::from(value);
        }
    }
    for mean in &mut mean {
        *mean /= n;
    }
    let mut squares = [0.0_f64; LANES];
    for lanes in source {
        for ((sum, &value), mean) in squares.iter_mut().zip(&lanes.0).zip(mean) {
            let centred = f64::from(value) - mean;
            *sum += centred * centred;
        }
    }
    let mut scale = Lanes::ZERO;
    for (scale, square) in scale.0.iter_mut().zip(squares) {
        *scale = (1.0 / (square / n + eps).sqrt()) as f32;
    }
    for ((lanes, slot), &weight) in source.iter().zip(target.iter_mut()).zip(weight) {
        for (((slot, value), mean), scale) in slot.0.iter_mut().zip(lanes.0).zip(mean).zip(scale.0) {
            *slot = (f64::from(value) - mean) as f32 * scale * weight;
        }
    }
    let Some(bias) = bias else { return };
    for (slot, &bias) in target.iter_mut().zip(bias) {
        for slot in &mut slot.0 {
            *slot += bias;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kernels::Level;

    #[test]
    fn layer_norm_is_its_formula_also_far_from_zero() {
        let source: Vec<Lanes> = (0..9)
            .map(|f| Lanes(std::array::from_fn(|l| 300.0 + (f as f32 - 3.0) * 0.31 + l as f32 * 0.05)))
            .collect();
        let weight: Vec<f32> = (0..9).map(|f| 0.5 + f as f32 * 0.1).collect();
        let bias: Vec<f32> = (0..9).map(|f| f as f32 - 4.0).collect();
        for level in Level::available() {
            for bias in [None, Some(bias.as_slice())] {
                let mut normed = vec![Lanes::ZERO; 9];
                centre_and_scale(level, &source, &mut normed, Affine { weight: &weight, bias, eps: 1e-3 });
                for lane in 0..LANES {
                    let x: Vec<f64> = source.iter().map(|lanes| f64::from(lanes.0[lane])).collect();
                    let mean = x.iter().sum::<f64>() / 9.0;
                    let variance = x.iter().map(|x| (x - mean).powi(2)).sum::<f64>() / 9.0;
                    for (f, &x) in x.iter().enumerate() {
                        let scaled = (x - mean) / (variance + 1e-3).sqrt() * f64::from(weight[f]);
                        let truth = scaled + bias.map_or(0.0, |bias| f64::from(bias[f]));
                        assert!((f64::from(normed[f].0[lane]) - truth).abs() < 2e-6);
                    }
                }
            }
        }
    }
}
