//! One layer from its tensors.

use super::Loader;
use crate::EngineError;
use crate::checkpoint::Part;
use crate::layers::attention::Attention;
use crate::layers::decoder::DecoderLayer;
use crate::layers::decoder_config::{MlpKind, QkvLayout, WiringKind};
use crate::layers::linear::Linear;
use crate::layers::mlp::Mlp;
use crate::layers::norm::Norm;
use crate::layers::wiring::Wiring;
use crate::matrix::RowPattern;

impl Loader<'_> {
    pub(super) fn layer(&self, layer: usize) -> Result<DecoderLayer, EngineError> {
        let c = self.config;
        Ok(DecoderLayer {
            rope: c.layers[layer].rope,
            wiring: self.wiring(layer)?,
            attention: self.attention(layer)?,
            mlp: self.mlp(layer)?,
        })
    }

    fn part(&self, layer: usize, part: Part) -> Result<Linear, EngineError> {
        self.linear(&self.names.part(layer, part), &self.product(part))
    }

    fn wiring(&self, layer: usize) -> Result<Wiring, EngineError> {
        let norm = |part| -> Result<Norm, EngineError> { self.norm(&self.names.part(layer, part)) };
        Ok(match self.config.wiring {
            WiringKind::Before => {
                Wiring::Before { attention: norm(Part::AttentionNorm)?, mlp: norm(Part::MlpNorm)? }
            }
            WiringKind::BeforeAndAfter => Wiring::BeforeAndAfter {
                attention: norm(Part::AttentionNorm)?,
                attention_after: norm(Part::AttentionPostNorm)?,
                mlp: norm(Part::MlpNormAmongFour)?,
                mlp_after: norm(Part::MlpPostNorm)?,
            },
            WiringKind::After => {
                Wiring::After { attention: norm(Part::AttentionPostNorm)?, mlp: norm(Part::MlpPostNorm)? }
            }
            WiringKind::ParallelOneNorm => Wiring::ParallelOneNorm { both: norm(Part::AttentionNorm)? },
            WiringKind::ParallelTwoNorms => {
                Wiring::ParallelTwoNorms { attention: norm(Part::AttentionNorm)?, mlp: norm(Part::MlpNorm)? }
            }
        })
    }

    fn attention(&self, layer: usize) -> Result<Attention, EngineError> {
        let c = self.config;
        let [query, key, value] = self.qkv(layer)?;
        let norm = |part, size| self.rms_norm(&self.names.part(layer, part), size).map(Some);
        let (query_norm, key_norm) = match self.qk_norm_sizes() {
            None => (None, None),
            Some((query, key)) => (norm(Part::QueryNorm, query)?, norm(Part::KeyNorm, key)?),
        };
        Ok(Attention {
            rule: c.attention.clone(),
            window: c.layers[layer].window,
            query,
            key,
            value,
            output: self.part(layer, Part::Output)?,
            query_norm,
            key_norm,
        })
    }

    fn qkv(&self, layer: usize) -> Result<[Linear; 3], EngineError> {
        let (query, kv) = self.head_features();
        let head_dim = self.config.attention.head_dim;
        Ok(match self.config.qkv {
            QkvLayout::Separate => {
                [self.part(layer, Part::Query)?, self.part(layer, Part::Key)?, self.part(layer, Part::Value)?]
            }
            QkvLayout::Stacked => {
                let all = self.part(layer, Part::Qkv)?;
                let part = |first, n_rows| all.select(RowPattern::from(first), n_rows);
                [part(0, query), part(query, kv), part(query + kv, kv)]
            }
            QkvLayout::ByHead => {
                let all = self.part(layer, Part::Qkv)?;
                [0, 1, 2].map(|part| {
                    let rows = RowPattern { first: part * head_dim, block: head_dim, stride: 3 * head_dim };
                    all.select(rows, query)
                })
            }
        })
    }

    fn mlp(&self, layer: usize) -> Result<Mlp, EngineError> {
        let (activation, inner) = (self.config.activation, self.config.intermediate_size);
        let down = self.part(layer, Part::Down)?;
        Ok(match self.config.mlp {
            MlpKind::Gated => {
                let (gate, up) = (self.part(layer, Part::Gate)?, self.part(layer, Part::Up)?);
                Mlp { activation, gate: Some(gate), up, down }
            }
            MlpKind::GatedStacked => {
                let both = self.part(layer, Part::GateUp)?;
                let part = |first| both.select(RowPattern::from(first), inner);
                Mlp { activation, gate: Some(part(0)), up: part(inner), down }
            }
            MlpKind::Plain => Mlp { activation, gate: None, up: self.part(layer, Part::Up)?, down },
        })
    }
}
