//! Which kind of value each key has, to name the key at fault: the parser knows its position only.

use serde_json::{Map, Value};

use super::HubConfig;
use crate::EngineError;

/// Kinds of values.
#[derive(Clone, Copy)]
enum Kind {
    /// A count or a size.
    Whole,
    /// A token's id.
    Id,
    Number,
    Text,
    Flag,
    Texts,
    Numbers,
    Keys,
}

/// Every key that an architecture reads; `sizes::`, `rope::` and `models::` say which reads which.
const KINDS: &[(Kind, &[&str])] = &[
    (
        Kind::Whole,
        &[
            "_sliding_window_pattern",
            "d_ff",
            "d_kv",
            "d_model",
            "dim",
            "embedding_size",
            "head_dim",
            "hidden_dim",
            "hidden_size",
            "inner_group_num",
            "intermediate_size",
            "max_position_embeddings",
            "max_window_layers",
            "n_embd",
            "n_embed",
            "n_head",
            "n_heads",
            "n_inner",
            "n_layer",
            "n_layers",
            "n_positions",
            "num_attention_heads",
            "num_decoder_layers",
            "num_heads",
            "num_hidden_groups",
            "num_hidden_layers",
            "num_key_value_heads",
            "num_layers",
            "original_max_position_embeddings",
            "relative_attention_max_distance",
            "relative_attention_num_buckets",
            "seq_length",
            "sliding_window",
            "sliding_window_pattern",
            "type_vocab_size",
            "vocab_size",
        ],
    ),
    (Kind::Id, &["decoder_start_token_id", "pad_token_id"]),
    (
        Kind::Number,
        &[
            "attention_factor",
            "attn_logit_softcapping",
            "factor",
            "final_logit_softcapping",
            "high_freq_factor",
            "layer_norm_eps",
            "layer_norm_epsilon",
            "logit_scale",
            "low_freq_factor",
            "partial_rotary_factor",
            "query_pre_attn_scalar",
            "rms_norm_eps",
            "rope_local_base_freq",
            "rope_theta",
            "rotary_emb_base",
            "rotary_pct",
        ],
    ),
    (
        Kind::Flag,
        &[
            "add_cross_attention",
            "apply_residual_connection_post_layernorm",
            "attention_bias",
            "is_decoder",
            "mlp_bias",
            "qk_layernorm",
            "scale_attn_by_inverse_layer_idx",
            "scale_attn_weights",
            "scale_decoder_outputs",
            "tie_word_embeddings",
            "use_bidirectional_attention",
            "use_parallel_residual",
            "use_qk_norm",
            "use_sliding_window",
        ],
    ),
    (
        Kind::Text,
        &[
            "activation",
            "activation_function",
            "feed_forward_proj",
            "hidden_act",
            "hidden_activation",
            "position_embedding_type",
            "rope_type",
            "type",
        ],
    ),
    (Kind::Texts, &["layer_types"]),
    (Kind::Numbers, &["short_factor"]),
    (Kind::Keys, &["full_attention", "rope_parameters", "rope_scaling", "sliding_attention"]),
];

impl Kind {
    fn of(key: &str) -> Option<Self> {
        KINDS.iter().find(|(_, keys)| keys.contains(&key)).map(|(kind, _)| *kind)
    }

    fn holds(self, value: &Value) -> bool {
        let all = |fits: fn(&Value) -> bool| value.as_array().is_some_and(|list| list.iter().all(fits));
        match self {
            Self::Whole => value.as_u64().is_some(),
            Self::Id => value.as_u64().is_some_and(|id| u32::try_from(id).is_ok()),
            Self::Number => value.is_number(),
            Self::Text => value.is_string(),
            Self::Flag => value.is_boolean(),
            Self::Texts => all(Value::is_string),
            Self::Numbers => all(Value::is_number),
            Self::Keys => value.is_object(),
        }
    }

    fn needed(self) -> &'static str {
        match self {
            Self::Whole => "a whole number is needed",
            Self::Id => "a whole number from 0 to 4294967295 is needed",
            Self::Number => "a number is needed",
            Self::Text => "a text is needed",
            Self::Flag => "true or false is needed",
            Self::Texts => "a list of texts is needed",
            Self::Numbers => "a list of numbers is needed",
            Self::Keys => "an object is needed",
        }
    }
}

impl HubConfig {
    /// Why the keys cannot be read, in terms of the file. `reads` tries other keys in their place.
    pub(super) fn fault(
        &self,
        error: &serde_json::Error,
        reads: impl Fn(&Value) -> Result<(), serde_json::Error>,
    ) -> EngineError {
        let Some(keys) = self.keys.as_object() else {
            return EngineError::malformed(&self.path, "it holds no keys and values");
        };
        let said = error.to_string();
        if let Some(key) = said.strip_prefix("missing field `").and_then(|rest| rest.strip_suffix('`')) {
            return EngineError::KeyMissing { path: self.path.clone(), key: key.to_owned() };
        }
        if let Some((key, value, kind)) = misfit(keys, "") {
            return self.unsupported(&key, &shortened(value), kind.needed());
        }
        // A null is the same as no key in some places only: it is at fault if the fault goes with it.
        let nulls = keys.iter().filter(|(_, value)| value.is_null());
        for (key, kind) in nulls.filter_map(|(key, _)| Some((key, Kind::of(key)?))) {
            let mut others = keys.clone();
            others.remove(key);
            if reads(&Value::Object(others)).err().is_none_or(|other| other.to_string() != said) {
                return self.unsupported(key, &"null", kind.needed());
            }
        }
        EngineError::malformed(&self.path, "a key has a value of another kind than the architecture reads")
    }
}

/// The first value that is not of its key's kind.
fn misfit<'a>(keys: &'a Map<String, Value>, above: &str) -> Option<(String, &'a Value, Kind)> {
    let known = keys.iter().filter(|(_, value)| !value.is_null());
    let mut known = known.filter_map(|(key, value)| Some((key, value, Kind::of(key)?)));
    known.find_map(|(key, value, kind)| {
        // Below the rotary keys it may be a fraction.
        let kind = if above.is_empty() || !matches!(kind, Kind::Whole) { kind } else { Kind::Number };
        let name = format!("{above}{key}");
        match value {
            _ if !kind.holds(value) => Some((name, value, kind)),
            Value::Object(below) => misfit(below, &format!("{name}.")),
            _ => None,
        }
    })
}

/// A value as the file has it, the beginning of a long one.
fn shortened(value: &Value) -> String {
    const LONGEST: usize = 60;
    let text = value.to_string();
    if text.chars().count() <= LONGEST {
        return text;
    }
    text.chars().take(LONGEST).chain(['…']).collect()
}
