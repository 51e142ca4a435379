//! What changes the numbers of a decoder, but its weights. An architecture is a value of [`DecoderConfig`].

use super::attention::AttentionRule;
use super::rope::Rope;
use crate::checkpoint::NameStyle;
use crate::kernels::Activation;

/// Everything that changes the numbers of a decoder, but its weights.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct DecoderConfig {
    pub hidden_size: usize,
    pub intermediate_size: usize,
    pub vocab_size: usize,
    pub context_length: usize,
    pub attention: AttentionRule,
    pub qkv: QkvLayout,
    pub qk_norm: QkNorm,
    pub mlp: MlpKind,
    pub activation: Activation,
    pub biases: Biases,
    /// How matrices are stored.
    pub orientation: Orientation,
    pub wiring: WiringKind,
    pub norm: NormKind,
    pub norm_eps: f64,
    pub embedding_scale: f32,
    /// Whether a learned vector of the position is added to the embedding.
    pub learned_positions: bool,
    /// Whether the embedding is normalised.
    pub embedding_norm: bool,
    pub logit_scale: f32,
    pub logit_cap: Option<f32>,
    /// Whether the output layer has a bias.
    pub head_bias: bool,
    /// Kinds of rotary positions.
    pub ropes: Vec<Rope>,
    pub layers: Vec<LayerRule>,
    /// Whether the configuration ties the output layer to the embedding; `None` where it does not say.
    pub tied: Option<bool>,
    pub names: NameStyle,
}

/// The sizes of a decoder, checked.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Sizes {
    pub hidden_size: usize,
    pub intermediate_size: usize,
    pub vocab_size: usize,
    pub context_length: usize,
    pub n_heads: usize,
    pub n_kv_heads: usize,
    pub head_dim: usize,
    pub n_layers: usize,
}

/// How query, key and value are stored.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum QkvLayout {
    /// A tensor each.
    Separate,
    /// One tensor: all queries, then all keys, then all values.
    Stacked,
    /// One tensor: for each head its query, key and value.
    ByHead,
}

/// What is normalised (RMS) of query and key before they are placed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum QkNorm {
    None,
    EachHead,
    AllHeads,
}

/// Kinds of feed-forward parts, and how they are stored.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum MlpKind {
    /// With a gate.
    Gated,
    /// With a gate, which is stored before `up` in one tensor.
    GatedStacked,
    /// Without a gate.
    Plain,
}

/// Whether a stored row is an output feature or an input feature.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Orientation {
    RowsAreOutputs,
    RowsAreInputs,
}

/// Kinds of [`Wiring`](super::wiring::Wiring).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum WiringKind {
    Before,
    BeforeAndAfter,
    After,
    ParallelOneNorm,
    ParallelTwoNorms,
}

/// Kinds of norms.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum NormKind {
    /// RMS norm; `offset` is added to its weights as stored.
    Rms { offset: f32 },
    /// Layer norm, perhaps with a bias.
    Layer { bias: bool },
}

/// Which products of a layer have a bias.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Biases {
    /// Query, key and value.
    pub qkv: bool,
    /// The attention's output.
    pub output: bool,
    /// The feed-forward products.
    pub mlp: bool,
}

impl Biases {
    pub(crate) const NONE: Self = Self { qkv: false, output: false, mlp: false };
    pub(crate) const ALL: Self = Self { qkv: true, output: true, mlp: true };
}

/// What differs from layer to layer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct LayerRule {
    /// Tokens that a token sees, itself included; `None` for all before it.
    pub window: Option<usize>,
    /// Index into [`DecoderConfig::ropes`]; `None` where nothing turns.
    pub rope: Option<usize>,
}

impl DecoderConfig {
    /// Llama's decoder (Touvron et al. 2023), but for its positions: what others change, they say.
    pub(crate) fn plain(sizes: &Sizes) -> Self {
        Self {
            hidden_size: sizes.hidden_size,
            intermediate_size: sizes.intermediate_size,
            vocab_size: sizes.vocab_size,
            context_length: sizes.context_length,
            attention: AttentionRule {
                n_heads: sizes.n_heads,
                n_kv_heads: sizes.n_kv_heads,
                head_dim: sizes.head_dim,
                scale: (sizes.head_dim as f64).powf(-0.5) as f32,
                cap: None,
                slopes: Vec::new(),
            },
            qkv: QkvLayout::Separate,
            qk_norm: QkNorm::None,
            mlp: MlpKind::Gated,
            activation: Activation::Silu,
            biases: Biases::NONE,
            orientation: Orientation::RowsAreOutputs,
            wiring: WiringKind::Before,
            norm: NormKind::Rms { offset: 0.0 },
            norm_eps: 1e-6,
            embedding_scale: 1.0,
            learned_positions: false,
            embedding_norm: false,
            logit_scale: 1.0,
            logit_cap: None,
            head_bias: false,
            ropes: Vec::new(),
            layers: vec![LayerRule { window: None, rope: None }; sizes.n_layers],
            tied: None,
            names: NameStyle::Llama,
        }
    }

    /// The same rotary positions in all layers.
    pub(crate) fn turned_by(mut self, rope: Rope) -> Self {
        self.ropes = vec![rope];
        for layer in &mut self.layers {
            layer.rope = Some(0);
        }
        self
    }

    /// A window in these layers, one entry a layer.
    pub(crate) fn windowed(mut self, layers: &[bool], window: Option<usize>) -> Self {
        for (layer, &windowed) in self.layers.iter_mut().zip(layers) {
            layer.window = if windowed { window } else { None };
        }
        self
    }
}
