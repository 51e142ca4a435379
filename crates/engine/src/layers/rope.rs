//! Rotary positions (Su et al. 2021): pairs of a head's features turn by position · frequency.
//!
//! Frequencies base^(−2i/d), in f64, then scaled: `linear` divides all by a factor; `llama3` leaves the fast ones,
//! divides the slow ones, and blends between; GGUF gives a divisor a pair instead. The position is the depth in the
//! tree, which is the position in the text. Only the first `rotary_dim` features of a head may turn, d being their number;
//! LongRoPE (Ding et al. 2024) also stretches what turns by a `magnitude`.

use bytemuck::Zeroable;

use crate::kernels::{LANES, Lanes, Level, Rotation, rotate};

/// How frequencies are changed to reach longer contexts.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum RopeScaling {
    None,
    Linear { factor: f64 },
    Llama3 { factor: f64, low_freq_factor: f64, high_freq_factor: f64, original_context: f64 },
    Divisors(Vec<f32>),
}

/// One kind of rotary positions.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Rope {
    pub base: f64,
    pub head_dim: usize,
    /// How many of a head's features turn, the first ones; the others stay.
    pub rotary_dim: usize,
    pub scaling: RopeScaling,
    /// Factor of cosines and sines.
    pub magnitude: f64,
    /// Whether pair i is features 2i and 2i + 1 (as in GGUF files of `llama`) rather than i and i + d/2.
    pub interleaved: bool,
}

impl Rope {
    /// The usual kind: all features turn, pair i being features i and i + d/2.
    pub(crate) fn new(base: f64, head_dim: usize, scaling: RopeScaling) -> Self {
        Self { base, head_dim, rotary_dim: head_dim, scaling, magnitude: 1.0, interleaved: false }
    }

    /// Radians a position, for each pair of features.
    pub(crate) fn frequencies(&self) -> Vec<f64> {
        (0..self.rotary_dim / 2)
            .map(|pair| {
                let frequency = self.base.powf(-2.0 * pair as f64 / self.rotary_dim as f64);
                match &self.scaling {
                    RopeScaling::None => frequency,
                    RopeScaling::Linear { factor } => frequency / factor,
                    RopeScaling::Divisors(divisors) => frequency / f64::from(divisors[pair]),
                    &RopeScaling::Llama3 { factor, low_freq_factor, high_freq_factor, original_context } => {
                        let turns = original_context * frequency / std::f64::consts::TAU;
                        if turns < low_freq_factor {
                            frequency / factor
                        } else if turns > high_freq_factor {
                            frequency
                        } else {
                            let blend = (turns - low_freq_factor) / (high_freq_factor - low_freq_factor);
                            (1.0 - blend) * frequency / factor + blend * frequency
                        }
                    }
                }
            })
            .collect()
    }

    /// Cosines and sines for the tokens of a batch, at these depths.
    pub(crate) fn table(&self, depths: &[u32]) -> RopeTable {
        let frequencies = self.frequencies();
        let n_pairs = frequencies.len();
        let n_depths = depths.iter().max().map_or(0, |&deepest| deepest as usize + 1);
        let by_depth: Vec<(f32, f32)> = (0..n_depths)
            .flat_map(|depth| {
                frequencies.iter().map(move |frequency| {
                    let (sin, cos) = (depth as f64 * frequency).sin_cos();
                    ((self.magnitude * cos) as f32, (self.magnitude * sin) as f32)
                })
            })
            .collect();
        let n_panels = depths.len().div_ceil(LANES);
        let mut cos = vec![Lanes::zeroed(); n_panels * n_pairs];
        let mut sin = cos.clone();
        for (token, &depth) in depths.iter().enumerate() {
            let (panel, lane) = (token / LANES, token % LANES);
            let angles = &by_depth[depth as usize * n_pairs..][..n_pairs];
            for (pair, angle) in angles.iter().enumerate() {
                cos[panel * n_pairs + pair].0[lane] = angle.0;
                sin[panel * n_pairs + pair].0[lane] = angle.1;
            }
        }
        RopeTable { cos, sin, n_pairs, head_dim: self.head_dim, interleaved: self.interleaved }
    }
}

/// The angles of one batch.
#[derive(Debug)]
pub(crate) struct RopeTable {
    cos: Vec<Lanes>,
    sin: Vec<Lanes>,
    n_pairs: usize,
    head_dim: usize,
    interleaved: bool,
}

impl RopeTable {
    /// Turns all heads of one panel.
    pub(crate) fn apply(&self, level: Level, index: usize, panel: &mut [Lanes]) {
        let range = index * self.n_pairs..(index + 1) * self.n_pairs;
        let rotation =
            Rotation { cos: &self.cos[range.clone()], sin: &self.sin[range], interleaved: self.interleaved };
        for head in panel.chunks_exact_mut(self.head_dim) {
            rotate(level, head, rotation);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rope(scaling: RopeScaling, interleaved: bool) -> Rope {
        Rope { interleaved, ..Rope::new(10_000.0, 8, scaling) }
    }

    #[test]
    fn features_beyond_the_rotary_part_stay() {
        let part = Rope { rotary_dim: 4, magnitude: 2.0, ..rope(RopeScaling::None, false) };
        let small = Rope::new(10_000.0, 4, RopeScaling::None);
        assert_eq!(part.frequencies(), small.frequencies());
        let mut panel: Vec<Lanes> = (0..16).map(|f| Lanes([f as f32 + 1.0; LANES])).collect();
        let mut head = panel[8..12].to_vec();
        part.table(&[3]).apply(Level::detect(), 0, &mut panel);
        small.table(&[3]).apply(Level::detect(), 0, &mut head);
        for (turned, alone) in panel[8..12].iter().zip(head) {
            assert!((turned.0[0] - 2.0 * alone.0[0]).abs() < 1e-5);
        }
        assert_eq!(panel[12..].iter().map(|lanes| lanes.0[0]).collect::<Vec<_>>(), [13.0, 14.0, 15.0, 16.0]);
    }

    #[test]
    fn llama3_scaling_leaves_fast_divides_slow_and_blends_between() {
        let plain = rope(RopeScaling::None, false).frequencies();
        let scaling = RopeScaling::Llama3 {
            factor: 8.0,
            low_freq_factor: 1.0,
            high_freq_factor: 4.0,
            original_context: 64.0,
        };
        let scaled = rope(scaling, false).frequencies();
        assert_eq!(scaled[0], plain[0]);
        assert!(scaled[1] < plain[1] && scaled[1] > plain[1] / 8.0);
        assert_eq!(scaled[3], plain[3] / 8.0);
    }

    #[test]
    fn both_pairings_turn_by_the_same_angle() {
        for level in Level::available() {
            let (halves, interleaved) = (rope(RopeScaling::None, false), rope(RopeScaling::None, true));
            let mut split: Vec<Lanes> = (0..8).map(|f| Lanes([f as f32 - 2.5; LANES])).collect();
            let mut woven: Vec<Lanes> = [0, 4, 1, 5, 2, 6, 3, 7].map(|f: usize| split[f]).to_vec();
            halves.table(&[0, 5]).apply(level, 0, &mut split);
            interleaved.table(&[0, 5]).apply(level, 0, &mut woven);
            for (position, f) in [0, 4, 1, 5, 2, 6, 3, 7].into_iter().enumerate() {
                assert_eq!(split[f].0[..2], woven[position].0[..2]);
            }
            assert_eq!(split[3].0[0], 0.5, "position 0 does not turn");
            let (sin, cos) = 5.0_f32.sin_cos();
            assert!((split[0].0[1] - (-2.5 * cos - 1.5 * sin)).abs() < 1e-6);
        }
    }
}
