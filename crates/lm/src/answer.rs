//! What a language model answers about one text.

use serde::{Deserialize, Serialize};

use crate::TokenId;

/// Token ids with their log-probabilities, in nats.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct TokenLogProbs {
    /// All ids, special tokens included.
    pub token_ids: Vec<TokenId>,
    /// One entry a token; `None` where the token is only a condition (position 0).
    pub logprobs: Vec<Option<f32>>,
}

impl TokenLogProbs {
    /// The same answer with the tokens before `start` as a condition: what a chat template puts before a text.
    #[must_use]
    pub fn scored_from(mut self, start: usize) -> Self {
        let end = start.min(self.logprobs.len());
        self.logprobs[..end].fill(None);
        self
    }

    /// Number of scored tokens.
    pub fn n_scored(&self) -> usize {
        self.logprobs.iter().flatten().count()
    }

    /// Sum of the scored log-probabilities, accumulated in f64; 0 when nothing is scored.
    pub fn sum(&self) -> f64 {
        self.logprobs.iter().flatten().map(|&value| f64::from(value)).sum()
    }

    /// Mean of the scored log-probabilities; `None` when nothing is scored.
    pub fn mean(&self) -> Option<f64> {
        let n = self.n_scored();
        (n > 0).then(|| self.sum() / n as f64)
    }

    /// Whether every scored log-probability is a finite number.
    pub fn is_finite(&self) -> bool {
        self.logprobs.iter().flatten().all(|value| value.is_finite())
    }
}
