//! Encoder–decoder language models: what follows a source text (methods, section 5).

use std::fmt;

use crate::{CausalLm, LmError, LmInfo, MaskedLm, TokenId, TokenLogProbs};

/// A source text and the target text whose probability is asked for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SourceTarget {
    /// Ids of the source, special tokens included.
    pub source: Vec<TokenId>,
    /// Ids of the target, special tokens included, without the token that starts the decoder.
    pub target: Vec<TokenId>,
}

/// A model that predicts each target token from the source and the target tokens before it.
pub trait Seq2SeqLm: Send + Sync {
    /// What was understood of the checkpoint.
    fn info(&self) -> &LmInfo;

    /// Log-probabilities of every target token under teacher forcing; all are scored, the first one too, since the
    /// decoder's start token precedes it.
    ///
    /// The answer for a pair does not depend on those beside it.
    fn target_logprobs(&self, batch: &[SourceTarget]) -> Result<Vec<TokenLogProbs>, LmError>;
}

/// What a language model can be asked.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LmKind {
    /// Each token from those before it.
    Causal,
    /// Masked tokens.
    Masked,
    /// A target from a source.
    Seq2Seq,
}

impl fmt::Display for LmKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::Causal => "causal",
            Self::Masked => "masked",
            Self::Seq2Seq => "encoder–decoder",
        })
    }
}

/// A language model by what it can be asked.
pub enum LoadedLm {
    /// Predicts each token from those before it.
    Causal(Box<dyn CausalLm>),
    /// Predicts masked tokens.
    Masked(Box<dyn MaskedLm>),
    /// Predicts a target from a source.
    Seq2Seq(Box<dyn Seq2SeqLm>),
}

impl LoadedLm {
    /// What was understood of the checkpoint.
    pub fn info(&self) -> &LmInfo {
        match self {
            Self::Causal(lm) => lm.info(),
            Self::Masked(lm) => lm.info(),
            Self::Seq2Seq(lm) => lm.info(),
        }
    }

    /// Its kind.
    pub fn kind(&self) -> LmKind {
        match self {
            Self::Causal(_) => LmKind::Causal,
            Self::Masked(_) => LmKind::Masked,
            Self::Seq2Seq(_) => LmKind::Seq2Seq,
        }
    }
}
