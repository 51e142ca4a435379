//! What the same tensor is called on the Hub, architecture by architecture, and in GGUF.
//!
//! Old Hub files leave out the name of the base model (`wte.weight` for `transformer.wte.weight`), and hold buffers that
//! are not weights: both are known here.

use super::Checkpoint;

/// Whose names a checkpoint uses. Llama's are those of most architectures on the Hub.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum NameStyle {
    Llama,
    Phi,
    Gpt2,
    GptNeox,
    Bloom,
    Gguf,
}

/// A part of a decoder.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Part {
    AttentionNorm,
    Query,
    Key,
    Value,
    /// The three above in one.
    Qkv,
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
    /// The two above in one.
    GateUp,
    Down,
}

/// The names of one checkpoint.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Names {
    table: &'static Table,
    prefix: &'static str,
    pub style: NameStyle,
}

/// The names of one style. Parts that are not listed are called as in Llama.
#[derive(Debug)]
struct Table {
    prefix: &'static str,
    embedding: &'static str,
    positions: &'static str,
    embedding_norm: &'static str,
    layers: &'static str,
    parts: &'static [(Part, &'static str)],
    final_norm: &'static str,
    /// Without the prefix, always.
    head: &'static str,
}

impl Names {
    /// The style's names, without their prefix if the checkpoint has them so.
    pub(crate) fn of(style: NameStyle, checkpoint: &Checkpoint) -> Self {
        let table = match style {
            NameStyle::Llama => &LLAMA,
            NameStyle::Phi => &PHI,
            NameStyle::Gpt2 => &GPT2,
            NameStyle::GptNeox => &GPT_NEOX,
            NameStyle::Bloom => &BLOOM,
            NameStyle::Gguf => &GGUF,
        };
        let bare = checkpoint.shape(&format!("{}.weight", table.embedding)).is_some();
        Self { table, prefix: if bare { "" } else { table.prefix }, style }
    }

    pub(crate) fn embedding(self) -> String {
        format!("{}{}", self.prefix, self.table.embedding)
    }

    pub(crate) fn positions(self) -> String {
        format!("{}{}", self.prefix, self.table.positions)
    }

    pub(crate) fn embedding_norm(self) -> String {
        format!("{}{}", self.prefix, self.table.embedding_norm)
    }

    pub(crate) fn final_norm(self) -> String {
        format!("{}{}", self.prefix, self.table.final_norm)
    }

    pub(crate) fn head(self) -> String {
        self.table.head.to_owned()
    }

    /// The name of a layer's part. As with all names, `.weight` or `.bias` follows.
    pub(crate) fn part(self, layer: usize, part: Part) -> String {
        let own = self.table.parts.iter().find(|(own, _)| *own == part);
        let name = own.map_or_else(|| llama(part), |(_, name)| name);
        format!("{}{}.{layer}.{name}", self.prefix, self.table.layers)
    }

    /// Whether a tensor is known not to be a weight: masks and frequencies that old files hold.
    pub(crate) fn is_buffer(name: &str) -> bool {
        const ENDINGS: [&str; 6] = [
            "rope_freqs.weight",
            ".rotary_emb.inv_freq",
            ".attn.bias",
            ".attn.masked_bias",
            ".attention.bias",
            ".attention.masked_bias",
        ];
        ENDINGS.iter().any(|ending| name.ends_with(ending))
    }
}

fn llama(part: Part) -> &'static str {
    match part {
        Part::AttentionNorm => "input_layernorm",
        Part::Query => "self_attn.q_proj",
        Part::Key => "self_attn.k_proj",
        Part::Value => "self_attn.v_proj",
        Part::Qkv => "self_attn.qkv_proj",
        Part::Output => "self_attn.o_proj",
        Part::QueryNorm => "self_attn.q_norm",
        Part::KeyNorm => "self_attn.k_norm",
        Part::AttentionPostNorm | Part::MlpNorm => "post_attention_layernorm",
        Part::MlpNormAmongFour => "pre_feedforward_layernorm",
        Part::MlpPostNorm => "post_feedforward_layernorm",
        Part::Gate => "mlp.gate_proj",
        Part::Up => "mlp.up_proj",
        Part::GateUp => "mlp.gate_up_proj",
        Part::Down => "mlp.down_proj",
    }
}

const LLAMA: Table = Table {
    prefix: "model.",
    embedding: "embed_tokens",
    positions: "embed_positions",
    embedding_norm: "embed_norm",
    layers: "layers",
    parts: &[],
    final_norm: "norm",
    head: "lm_head",
};

const PHI: Table = Table {
    parts: &[(Part::Output, "self_attn.dense"), (Part::Up, "mlp.fc1"), (Part::Down, "mlp.fc2")],
    final_norm: "final_layernorm",
    ..LLAMA
};

const GPT2: Table = Table {
    prefix: "transformer.",
    embedding: "wte",
    positions: "wpe",
    layers: "h",
    parts: &[
        (Part::AttentionNorm, "ln_1"),
        (Part::Qkv, "attn.c_attn"),
        (Part::Output, "attn.c_proj"),
        (Part::MlpNorm, "ln_2"),
        (Part::Up, "mlp.c_fc"),
        (Part::Down, "mlp.c_proj"),
    ],
    final_norm: "ln_f",
    ..LLAMA
};

const GPT_NEOX: Table = Table {
    prefix: "gpt_neox.",
    embedding: "embed_in",
    parts: &[
        (Part::Qkv, "attention.query_key_value"),
        (Part::Output, "attention.dense"),
        (Part::Up, "mlp.dense_h_to_4h"),
        (Part::Down, "mlp.dense_4h_to_h"),
    ],
    final_norm: "final_layer_norm",
    head: "embed_out",
    ..LLAMA
};

const BLOOM: Table = Table {
    prefix: "transformer.",
    embedding: "word_embeddings",
    embedding_norm: "word_embeddings_layernorm",
    layers: "h",
    parts: &[
        (Part::Qkv, "self_attention.query_key_value"),
        (Part::Output, "self_attention.dense"),
        (Part::Up, "mlp.dense_h_to_4h"),
        (Part::Down, "mlp.dense_4h_to_h"),
    ],
    final_norm: "ln_f",
    ..LLAMA
};

const GGUF: Table = Table {
    prefix: "",
    embedding: "token_embd",
    positions: "position_embd",
    embedding_norm: "token_embd_norm",
    layers: "blk",
    parts: &[
        (Part::AttentionNorm, "attn_norm"),
        (Part::Query, "attn_q"),
        (Part::Key, "attn_k"),
        (Part::Value, "attn_v"),
        (Part::Qkv, "attn_qkv"),
        (Part::Output, "attn_output"),
        (Part::QueryNorm, "attn_q_norm"),
        (Part::KeyNorm, "attn_k_norm"),
        (Part::AttentionPostNorm, "post_attention_norm"),
        (Part::MlpNorm, "ffn_norm"),
        (Part::MlpNormAmongFour, "ffn_norm"),
        (Part::MlpPostNorm, "post_ffw_norm"),
        (Part::Gate, "ffn_gate"),
        (Part::Up, "ffn_up"),
        (Part::Down, "ffn_down"),
    ],
    final_norm: "output_norm",
    head: "output",
};
