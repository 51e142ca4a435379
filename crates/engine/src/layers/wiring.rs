//! How norms and the two parts of a layer, attention A and feed-forward F, are wired to the stream x.

use rayon::prelude::*;

use super::Panels;
use super::norm::Norm;
use crate::kernels::{Level, add_into};

/// The norms of a layer, and where they stand. Left and right of `;` are two steps.
#[derive(Debug)]
pub(crate) enum Wiring {
    /// x += A(n x); x += F(m x).
    Before { attention: Norm, mlp: Norm },
    /// x += n′ A(n x); x += m′ F(m x).
    BeforeAndAfter { attention: Norm, attention_after: Norm, mlp: Norm, mlp_after: Norm },
    /// x += n A(x); x += m F(x).
    After { attention: Norm, mlp: Norm },
    /// x += A(n x) + F(n x).
    ParallelOneNorm { both: Norm },
    /// x += A(n x) + F(m x).
    ParallelTwoNorms { attention: Norm, mlp: Norm },
}

/// The stream and two of its size to work in.
#[derive(Debug)]
pub(crate) struct Stream {
    pub x: Panels,
    normed: Panels,
    part: Panels,
}

impl Stream {
    pub(crate) fn new(x: Panels) -> Self {
        let normed = Panels::zeros(x.n_features(), x.n_tokens());
        Self { part: normed.clone(), normed, x }
    }

    fn add_part(&mut self, level: Level) {
        self.x.panels_mut().zip(self.part.panels()).for_each(|(x, part)| add_into(level, x, part));
    }

    fn add_normed_part(&mut self, level: Level, norm: &Norm) {
        norm.forward(level, &self.part, &mut self.normed);
        self.x.panels_mut().zip(self.normed.panels()).for_each(|(x, part)| add_into(level, x, part));
    }
}

impl Wiring {
    /// One layer: `attention` and `mlp` read their first argument and overwrite their second.
    pub(crate) fn forward(
        &self,
        level: Level,
        s: &mut Stream,
        mut attention: impl FnMut(&Panels, &mut Panels),
        mut mlp: impl FnMut(&Panels, &mut Panels),
    ) {
        match self {
            Self::Before { attention: n, mlp: m } => {
                n.forward(level, &s.x, &mut s.normed);
                attention(&s.normed, &mut s.part);
                s.add_part(level);
                m.forward(level, &s.x, &mut s.normed);
                mlp(&s.normed, &mut s.part);
                s.add_part(level);
            }
            Self::BeforeAndAfter { attention: n, attention_after, mlp: m, mlp_after } => {
                n.forward(level, &s.x, &mut s.normed);
                attention(&s.normed, &mut s.part);
                s.add_normed_part(level, attention_after);
                m.forward(level, &s.x, &mut s.normed);
                mlp(&s.normed, &mut s.part);
                s.add_normed_part(level, mlp_after);
            }
            Self::After { attention: n, mlp: m } => {
                attention(&s.x, &mut s.part);
                s.add_normed_part(level, n);
                mlp(&s.x, &mut s.part);
                s.add_normed_part(level, m);
            }
            Self::ParallelOneNorm { both } => {
                both.forward(level, &s.x, &mut s.normed);
                attention(&s.normed, &mut s.part);
                s.add_part(level);
                mlp(&s.normed, &mut s.part);
                s.add_part(level);
            }
            Self::ParallelTwoNorms { attention: n, mlp: m } => {
                n.forward(level, &s.x, &mut s.normed);
                attention(&s.normed, &mut s.part);
                m.forward(level, &s.x, &mut s.normed);
                s.add_part(level);
                mlp(&s.normed, &mut s.part);
                s.add_part(level);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kernels::Lanes;
    use crate::layers::norm::LayerNorm;

    /// The norm of one feature is its bias alone, so every path can be told apart.
    fn constant(value: f32) -> Norm {
        Norm::Layer(LayerNorm { weight: vec![0.0], bias: Some(vec![value]), eps: 1.0 })
    }

    fn run(wiring: &Wiring) -> f32 {
        let mut x = Panels::zeros(1, 1);
        x.each_panel_mut().for_each(|panel| panel.fill(Lanes([1000.0; crate::kernels::LANES])));
        let mut stream = Stream::new(x);
        let times = |factor: f32| {
            move |x: &Panels, y: &mut Panels| {
                let value = x.panel(0)[0].0[0] * factor;
                y.each_panel_mut().for_each(|panel| panel[0].0[0] = value);
            }
        };
        wiring.forward(Level::detect(), &mut stream, times(2.0), times(3.0));
        stream.x.panel(0)[0].0[0]
    }

    #[test]
    fn each_wiring_is_its_formula() {
        let (n, m) = (constant(1.0), constant(10.0));
        let (n_after, m_after) = (constant(0.5), constant(0.25));
        let norms = || (n.clone(), m.clone());
        let (attention, mlp) = norms();
        assert_eq!(run(&Wiring::Before { attention, mlp }), 1000.0 + 2.0 + 30.0);
        let (attention, mlp) = norms();
        let wiring = Wiring::BeforeAndAfter { attention, attention_after: n_after, mlp, mlp_after: m_after };
        assert_eq!(run(&wiring), 1000.0 + 0.5 + 0.25);
        let (attention, mlp) = norms();
        assert_eq!(run(&Wiring::After { attention, mlp }), 1000.0 + 1.0 + 10.0);
        assert_eq!(run(&Wiring::ParallelOneNorm { both: n.clone() }), 1000.0 + 2.0 + 3.0);
        let (attention, mlp) = norms();
        assert_eq!(run(&Wiring::ParallelTwoNorms { attention, mlp }), 1000.0 + 2.0 + 30.0);
    }
}
