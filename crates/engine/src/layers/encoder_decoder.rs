//! The encoder–decoder of T5 (Raffel et al. 2020): pre-norm layers, RMS norms, relative positions added to the scores.
//!
//! The attention's scores have no factor: it is in the weights. The first layer's table of relative positions serves
//! all layers of its stack; attention to the source has none. All target positions go through in one pass, each seeing
//! the targets before it.

use stereometer_lm::TokenId;

use super::Panels;
use super::encoder::add;
use super::head::{Target, VocabularyHead};
use super::lookup::Lookup;
use super::mlp::Mlp;
use super::norm::Norm;
use super::relative::RelativePositions;
use super::span_attention::{Look, Seen, SpanAttention, texts_so_far, whole_texts};
use crate::kernels::Level;

/// Both stacks with their weights.
#[derive(Debug)]
pub(crate) struct EncoderDecoder {
    pub embedding: Lookup,
    pub encoder: Stack,
    pub decoder: Stack,
    pub head: VocabularyHead,
    /// What the decoder is given before the first target.
    pub start: TokenId,
}

/// A stack of layers.
#[derive(Debug)]
pub(crate) struct Stack {
    pub layers: Vec<StackLayer>,
    pub relative: RelativePositions,
    pub norm: Norm,
}

/// One layer.
#[derive(Debug)]
pub(crate) struct StackLayer {
    pub own_norm: Norm,
    pub own: SpanAttention,
    /// Attention to the source, in the decoder.
    pub source: Option<(Norm, SpanAttention)>,
    pub mlp_norm: Norm,
    pub mlp: Mlp,
}

/// A target text, and which of the sources it follows.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Continuation<'a> {
    pub source: usize,
    pub target: &'a [TokenId],
}

/// What the decoder looks at in the encoder's result.
struct Source<'a> {
    states: &'a Panels,
    seen: Vec<Seen>,
}

impl EncoderDecoder {
    /// The log-probabilities of all target tokens, text after text.
    pub(crate) fn logprobs(
        &self,
        level: Level,
        sources: &[&[TokenId]],
        continuations: &[Continuation],
    ) -> Vec<f32> {
        let encoded = self.stack(level, &self.encoder, sources, None);
        let spans = spans(sources);
        let mut inputs = Vec::with_capacity(continuations.len());
        let (mut seen, mut targets) = (Vec::new(), Vec::new());
        for continuation in continuations {
            let target = continuation.target;
            let before = &target[..target.len().saturating_sub(1)];
            let input: Vec<TokenId> =
                if target.is_empty() { Vec::new() } else { [&[self.start], before].concat() };
            inputs.push(input);
            for &id in target {
                seen.push(Seen { rows: spans[continuation.source].clone(), position: 0 });
                targets.push(Target { row: targets.len() as u32, id });
            }
        }
        let inputs: Vec<&[TokenId]> = inputs.iter().map(Vec::as_slice).collect();
        let decoded = self.stack(level, &self.decoder, &inputs, Some(&Source { states: &encoded, seen }));
        self.head.forward(level, &decoded, &targets)
    }

    /// Final states of all tokens.
    fn stack(&self, level: Level, stack: &Stack, texts: &[&[TokenId]], source: Option<&Source>) -> Panels {
        let ids: Vec<TokenId> = texts.iter().copied().flatten().copied().collect();
        let lengths = texts.iter().map(|text| text.len());
        let bias = stack.relative.bias(lengths.clone().max().unwrap_or(0));
        let seen = if source.is_some() { texts_so_far(lengths) } else { whole_texts(lengths) };
        let mut x = self.embedding.forward(&ids);
        for layer in &stack.layers {
            let normed = layer.own_norm.of(level, &x);
            let look = Look { level, from: &normed, at: &normed, seen: &seen, bias: Some(&bias) };
            add(level, &mut x, &layer.own.forward(&look));
            if let (Some(source), Some((norm, attention))) = (source, &layer.source) {
                let normed = norm.of(level, &x);
                let look = Look { level, from: &normed, at: source.states, seen: &source.seen, bias: None };
                add(level, &mut x, &attention.forward(&look));
            }
            let normed = layer.mlp_norm.of(level, &x);
            add(level, &mut x, &layer.mlp.of(level, &normed));
        }
        stack.norm.of(level, &x)
    }
}

/// The rows of each text, text after text.
fn spans(texts: &[&[TokenId]]) -> Vec<std::ops::Range<usize>> {
    let mut start = 0;
    texts
        .iter()
        .map(|text| {
            start += text.len();
            start - text.len()..start
        })
        .collect()
}
