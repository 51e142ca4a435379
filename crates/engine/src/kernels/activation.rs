//! The non-linear functions of feed-forward parts, alone and as gates.
//!
//! GELU (Hendrycks & Gimpel 2016) is x · Φ(x) with Φ the normal distribution, or its tanh form: they differ by up to 5e-4,
//! so the checkpoint's word decides. Φ by formula 7.1.26 of Abramowitz & Stegun, whose error of 8e-8 is that of f32.

use super::Lanes;
use super::dispatch::{fma, per_level};
use super::exp::{exp, sigmoid};

/// The function of a feed-forward part.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Activation {
    /// x · σ(x).
    Silu,
    /// x · Φ(x).
    Gelu,
    /// GELU in its tanh form, as x · σ(2u): the usual ½x(1 + tanh u) loses its digits where tanh u nears −1.
    GeluTanh,
    /// max(x, 0).
    Relu,
}

per_level! {
    /// values = f(values).
    pub(crate) fn activate(kind: Activation, values: &mut [Lanes]) = activate_body
}

#[inline(always)]
fn activate_body<const FMA: bool>(kind: Activation, values: &mut [Lanes]) {
    match kind {
        Activation::Silu => each(values, silu::<FMA>),
        Activation::Gelu => each(values, gelu::<FMA>),
        Activation::GeluTanh => each(values, gelu_tanh::<FMA>),
        Activation::Relu => each(values, relu),
    }
}

per_level! {
    /// gate = f(gate) · up.
    pub(crate) fn gated(kind: Activation, gate: &mut [Lanes], up: &[Lanes]) = gated_body
}

#[inline(always)]
fn gated_body<const FMA: bool>(kind: Activation, gate: &mut [Lanes], up: &[Lanes]) {
    match kind {
        Activation::Silu => each_times(gate, up, silu::<FMA>),
        Activation::Gelu => each_times(gate, up, gelu::<FMA>),
        Activation::GeluTanh => each_times(gate, up, gelu_tanh::<FMA>),
        Activation::Relu => each_times(gate, up, relu),
    }
}

#[inline(always)]
fn each(values: &mut [Lanes], function: impl Fn(f32) -> f32) {
    for lanes in values {
        for value in &mut lanes.0 {
            *value = function(*value);
        }
    }
}

#[inline(always)]
fn each_times(gate: &mut [Lanes], up: &[Lanes], function: impl Fn(f32) -> f32) {
    for (gate, up) in gate.iter_mut().zip(up) {
        for (gate, up) in gate.0.iter_mut().zip(up.0) {
            *gate = function(*gate) * up;
        }
    }
}

#[inline(always)]
fn silu<const FMA: bool>(x: f32) -> f32 {
    x * sigmoid::<FMA>(x)
}

#[inline(always)]
fn relu(x: f32) -> f32 {
    // Not `f32::max`: a NaN must come through.
    if x < 0.0 { 0.0 } else { x }
}

#[inline(always)]
fn gelu_tanh<const FMA: bool>(x: f32) -> f32 {
    // √(2/π)
    const SCALE: f32 = 0.797_884_6;
    let u = SCALE * (x + 0.044_715 * x * x * x);
    x * sigmoid::<FMA>(2.0 * u)
}

#[inline(always)]
fn gelu<const FMA: bool>(x: f32) -> f32 {
    // Of |x| / √2, in which the formula is written.
    const P: f32 = 0.327_591_1 * std::f32::consts::FRAC_1_SQRT_2;
    let t = 1.0 / fma::<FMA>(P, x.abs(), 1.0);
    let mut polynomial = 1.061_405_4;
    for coefficient in [-1.453_152_1, 1.421_413_8, -0.284_496_72, 0.254_829_6] {
        polynomial = fma::<FMA>(polynomial, t, coefficient);
    }
    // x · Φ(−|x|): computed as the small tail that it is, so nothing cancels on the negative side.
    let tail = x * (0.5 * polynomial * t * exp::<FMA>(-0.5 * x * x));
    if x > 0.0 { x - tail } else { tail }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kernels::{LANES, Level};

    fn ramp() -> Vec<Lanes> {
        (0..200)
            .map(|f| Lanes(std::array::from_fn(|l| (f as f32 - 100.0) * 0.1 + l as f32 * 0.003)))
            .collect()
    }

    /// ∫ of the normal density from −12 to x, by Simpson's rule.
    fn normal_distribution(x: f64) -> f64 {
        let density = |x: f64| (-0.5 * x * x).exp() / std::f64::consts::TAU.sqrt();
        let (from, n) = (-12.0, 4000);
        let step = (x - from) / f64::from(n);
        let weight = |i| if i == 0 || i == n { 1.0 } else { f64::from(2 + i % 2 * 2) };
        (0..=n).map(|i| weight(i) * density(from + f64::from(i) * step)).sum::<f64>() * step / 3.0
    }

    fn check(kind: Activation, truth: impl Fn(f64) -> f64) {
        for level in Level::available() {
            let source = ramp();
            let (mut plain, mut gate) = (source.clone(), source.clone());
            activate(level, kind, &mut plain);
            gated(level, kind, &mut gate, &source);
            for (f, source) in source.iter().enumerate() {
                for lane in (0..LANES).step_by(5) {
                    let x = f64::from(source.0[lane]);
                    let truth = truth(x);
                    let error = (f64::from(plain[f].0[lane]) - truth).abs();
                    assert!(error < 4e-7 * (1.0 + x.abs()), "{kind:?}({x}): {error}");
                    assert_eq!(gate[f].0[lane], plain[f].0[lane] * source.0[lane]);
                }
            }
        }
    }

    #[test]
    fn each_function_is_its_formula() {
        check(Activation::Silu, |x| x / (1.0 + (-x).exp()));
        check(Activation::Gelu, |x| x * normal_distribution(x));
        check(Activation::Relu, |x| x.max(0.0));
        check(Activation::GeluTanh, |x| {
            let u = (2.0 / std::f64::consts::PI).sqrt() * (x + 0.044_715 * x.powi(3));
            0.5 * x * (1.0 + u.tanh())
        });
    }

    #[test]
    fn the_ends_are_finite() {
        for kind in [Activation::Silu, Activation::Gelu, Activation::GeluTanh, Activation::Relu] {
            let mut values = vec![Lanes([-1e4; LANES]), Lanes([1e4; LANES]), Lanes::ZERO];
            activate(Level::detect(), kind, &mut values);
            assert!(values[0].0[0].abs() < 1e-30, "{kind:?}");
            assert_eq!((values[1].0[0], values[2].0[0]), (1e4, 0.0), "{kind:?}");
        }
    }
}
