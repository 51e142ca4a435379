//! An encoder–decoder as a [`Seq2SeqLm`].

use std::collections::HashMap;

use rayon::ThreadPool;
use stereometer_lm::{LmError, LmInfo, Seq2SeqLm, SourceTarget, TokenId, TokenLogProbs};

use crate::kernels::Level;
use crate::layers::encoder_decoder::{Continuation, EncoderDecoder};
use crate::masked::parts;

/// An encoder–decoder with its threads.
#[derive(Debug)]
pub(crate) struct EncoderDecoderLm {
    pub info: LmInfo,
    pub model: EncoderDecoder,
    pub pool: ThreadPool,
    pub level: Level,
}

impl EncoderDecoderLm {
    fn check(&self, text: &[TokenId]) -> Result<(), LmError> {
        let (tokens, context, vocab) = (text.len(), self.info.context_length, self.info.vocab_size);
        if tokens > context {
            return Err(LmError::TooLong { tokens, context });
        }
        match text.iter().find(|&&id| id as usize >= vocab) {
            Some(&id) => Err(LmError::UnknownId { id, vocab }),
            None => Ok(()),
        }
    }

    /// A source that several targets follow is encoded once.
    fn part(&self, part: &[SourceTarget]) -> Vec<f32> {
        let mut numbers: HashMap<&[TokenId], usize> = HashMap::new();
        let mut sources: Vec<&[TokenId]> = Vec::new();
        let mut continuations = Vec::with_capacity(part.len());
        for pair in part {
            let source = *numbers.entry(&pair.source).or_insert_with(|| {
                sources.push(&pair.source);
                sources.len() - 1
            });
            continuations.push(Continuation { source, target: &pair.target });
        }
        self.pool.install(|| self.model.logprobs(self.level, &sources, &continuations))
    }
}

impl Seq2SeqLm for EncoderDecoderLm {
    fn info(&self) -> &LmInfo {
        &self.info
    }

    fn target_logprobs(&self, batch: &[SourceTarget]) -> Result<Vec<TokenLogProbs>, LmError> {
        for pair in batch {
            self.check(&pair.source)?;
            self.check(&pair.target)?;
        }
        let mut answers = Vec::with_capacity(batch.len());
        for part in parts(batch.iter().map(|pair| pair.source.len() + pair.target.len())) {
            let part = &batch[part];
            let mut logprobs = self.part(part).into_iter();
            answers.extend(part.iter().map(|pair| TokenLogProbs {
                token_ids: pair.target.clone(),
                logprobs: logprobs.by_ref().take(pair.target.len()).map(Some).collect(),
            }));
        }
        Ok(answers)
    }
}
