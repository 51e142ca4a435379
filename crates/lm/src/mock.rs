//! A language model without weights: the stand-in for tests of everything above the engine.

use crate::{CausalLm, LmError, LmInfo, TokenId, TokenLogProbs};

/// Log-probabilities as a fixed function of the prefix, between −6 and −0.1 nats.
#[derive(Debug, Clone)]
pub struct MockLm {
    info: LmInfo,
}

impl MockLm {
    /// A model over `vocab_size` tokens with the given context.
    pub fn new(vocab_size: usize, context_length: usize) -> Self {
        Self {
            info: LmInfo {
                architecture: "mock".to_owned(),
                parameters: 0,
                context_length,
                vocab_size,
                stored_dtype: "f32".to_owned(),
                compute_dtype: "f32".to_owned(),
                tied: false,
                weights_sha256: "0".repeat(64),
            },
        }
    }
}

impl CausalLm for MockLm {
    fn info(&self) -> &LmInfo {
        &self.info
    }

    fn sequence_logprobs(&self, batch: &[Vec<TokenId>]) -> Result<Vec<TokenLogProbs>, LmError> {
        batch
            .iter()
            .map(|ids| {
                if ids.len() > self.info.context_length {
                    return Err(LmError::TooLong { tokens: ids.len(), context: self.info.context_length });
                }
                let mut hash: u64 = 0x9e37_79b9_7f4a_7c15;
                let logprobs = ids
                    .iter()
                    .enumerate()
                    .map(|(position, &id)| {
                        if id as usize >= self.info.vocab_size {
                            return Err(LmError::UnknownId { id, vocab: self.info.vocab_size });
                        }
                        hash = (hash ^ u64::from(id)).wrapping_mul(0x0100_0000_01b3).rotate_left(17);
                        let unit = (hash % 1000) as f32 / 1000.0;
                        Ok((position > 0).then_some(-0.1 - 5.9 * unit))
                    })
                    .collect::<Result<_, _>>()?;
                Ok(TokenLogProbs { token_ids: ids.clone(), logprobs })
            })
            .collect()
    }
}
