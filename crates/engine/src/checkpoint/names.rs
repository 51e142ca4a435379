//! What the same tensor is called on the Hub and in GGUF.

/// Whose names a checkpoint uses.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum NameStyle {
    Hub,
    Gguf,
}

/// A part of a decoder.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Part {
    AttentionNorm,
    Query,
    Key,
    Value,
    Output,
    QueryNorm,
    KeyNorm,
    AttentionPostNorm,
    MlpNorm,
    /// The norm before the feed-forward part where another follows the attention: the Hub then shifts the names.
    MlpNormAmongFour,
    MlpPostNorm,
    Gate,
    Up,
    Down,
}

impl NameStyle {
    pub(crate) fn embedding(self) -> &'static str {
        match self {
            Self::Hub => "model.embed_tokens.weight",
            Self::Gguf => "token_embd.weight",
        }
    }

    pub(crate) fn final_norm(self) -> &'static str {
        match self {
            Self::Hub => "model.norm.weight",
            Self::Gguf => "output_norm.weight",
        }
    }

    pub(crate) fn head(self) -> &'static str {
        match self {
            Self::Hub => "lm_head.weight",
            Self::Gguf => "output.weight",
        }
    }

    /// The name of a layer's part, without `.weight` or `.bias`.
    pub(crate) fn part(self, layer: usize, part: Part) -> String {
        match self {
            Self::Hub => format!("model.layers.{layer}.{}", hub(part)),
            Self::Gguf => format!("blk.{layer}.{}", gguf(part)),
        }
    }
}

fn hub(part: Part) -> &'static str {
    match part {
        Part::AttentionNorm => "input_layernorm",
        Part::Query => "self_attn.q_proj",
        Part::Key => "self_attn.k_proj",
        Part::Value => "self_attn.v_proj",
        Part::Output => "self_attn.o_proj",
        Part::QueryNorm => "self_attn.q_norm",
        Part::KeyNorm => "self_attn.k_norm",
        Part::AttentionPostNorm | Part::MlpNorm => "post_attention_layernorm",
        Part::MlpNormAmongFour => "pre_feedforward_layernorm",
        Part::MlpPostNorm => "post_feedforward_layernorm",
        Part::Gate => "mlp.gate_proj",
        Part::Up => "mlp.up_proj",
        Part::Down => "mlp.down_proj",
    }
}

fn gguf(part: Part) -> &'static str {
    match part {
        Part::AttentionNorm => "attn_norm",
        Part::Query => "attn_q",
        Part::Key => "attn_k",
        Part::Value => "attn_v",
        Part::Output => "attn_output",
        Part::QueryNorm => "attn_q_norm",
        Part::KeyNorm => "attn_k_norm",
        Part::AttentionPostNorm => "post_attention_norm",
        Part::MlpNorm | Part::MlpNormAmongFour => "ffn_norm",
        Part::MlpPostNorm => "post_ffw_norm",
        Part::Gate => "ffn_gate",
        Part::Up => "ffn_up",
        Part::Down => "ffn_down",
    }
}
