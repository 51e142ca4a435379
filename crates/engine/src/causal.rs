//! A decoder as a [`CausalLm`].

use rayon::ThreadPool;
use stereometer_lm::{CausalLm, LmError, LmInfo, TokenId, TokenLogProbs, TokenTrie};

use crate::kernels::Level;
use crate::layers::decoder::Decoder;

/// A decoder with its threads.
#[derive(Debug)]
pub(crate) struct DecoderLm {
    pub info: LmInfo,
    pub decoder: Decoder,
    pub pool: ThreadPool,
    pub level: Level,
}

impl CausalLm for DecoderLm {
    fn info(&self) -> &LmInfo {
        &self.info
    }

    fn sequence_logprobs(&self, batch: &[Vec<TokenId>]) -> Result<Vec<TokenLogProbs>, LmError> {
        for ids in batch {
            if ids.len() > self.info.context_length {
                return Err(LmError::TooLong { tokens: ids.len(), context: self.info.context_length });
            }
            if let Some(&id) = ids.iter().find(|&&id| id as usize >= self.info.vocab_size) {
                return Err(LmError::UnknownId { id, vocab: self.info.vocab_size });
            }
        }
        let trie = TokenTrie::new(batch);
        let by_node = self.pool.install(|| self.decoder.logprobs(self.level, &trie));
        let answers = batch.iter().zip(trie.paths()).map(|(ids, path)| TokenLogProbs {
            token_ids: ids.clone(),
            logprobs: path.iter().map(|&node| by_node[node as usize]).collect(),
        });
        Ok(answers.collect())
    }
}
