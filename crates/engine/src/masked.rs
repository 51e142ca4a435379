//! An encoder as a [`MaskedLm`].

use std::ops::Range;

use rayon::ThreadPool;
use stereometer_lm::{Cloze, HeadView, LmError, LmInfo, MaskedLm, TokenId, TokenLogProbs};

use crate::kernels::Level;
use crate::layers::Panels;
use crate::layers::encoder::Encoder;
use crate::layers::head::Target;

/// Tokens that go through the layers at once: enough to fill the machine, few enough to fit in its memory.
const TOKENS_AT_ONCE: usize = 4096;

/// An encoder with its threads.
#[derive(Debug)]
pub(crate) struct EncoderLm {
    pub info: LmInfo,
    pub mask_id: TokenId,
    pub encoder: Encoder,
    pub pool: ThreadPool,
    pub level: Level,
}

/// The asked-for positions of some clozes.
struct Asked {
    /// Their hidden states, a row each.
    hidden: Panels,
    /// Every target, cloze by cloze; positions asked for several times share a row.
    targets: Vec<Target>,
}

impl EncoderLm {
    fn check(&self, batch: &[Cloze]) -> Result<(), LmError> {
        for cloze in batch {
            let (tokens, context) = (cloze.ids.len(), self.info.context_length);
            if tokens > context {
                return Err(LmError::TooLong { tokens, context });
            }
            let targets = cloze.targets.iter().map(|target| target.id);
            let vocab = self.info.vocab_size;
            if let Some(id) = cloze.ids.iter().copied().chain(targets).find(|&id| id as usize >= vocab) {
                return Err(LmError::UnknownId { id, vocab });
            }
            if let Some(target) = cloze.targets.iter().find(|target| target.position >= tokens) {
                let position = target.position;
                return Err(LmError::NoSuchPosition { position, tokens });
            }
        }
        Ok(())
    }

    fn ask(&self, batch: &[Cloze]) -> Asked {
        let texts: Vec<&[TokenId]> = batch.iter().map(|cloze| cloze.ids.as_slice()).collect();
        let (mut rows, mut targets, mut start) = (Vec::new(), Vec::new(), 0);
        for cloze in batch {
            let first_row = rows.len();
            for target in &cloze.targets {
                let row = (start + target.position) as u32;
                let known = rows[first_row..].iter().position(|&known| known == row);
                let index = known.map_or(rows.len(), |known| first_row + known);
                if index == rows.len() {
                    rows.push(row);
                }
                targets.push(Target { row: index as u32, id: target.id });
            }
            start += cloze.ids.len();
        }
        Asked { hidden: self.encoder.hidden(self.level, &texts, &rows), targets }
    }
}

impl MaskedLm for EncoderLm {
    fn info(&self) -> &LmInfo {
        &self.info
    }

    fn mask_id(&self) -> TokenId {
        self.mask_id
    }

    fn cloze_logprobs(&self, batch: &[Cloze]) -> Result<Vec<TokenLogProbs>, LmError> {
        self.check(batch)?;
        let mut answers = Vec::with_capacity(batch.len());
        for part in parts(batch.iter().map(|cloze| cloze.ids.len())) {
            let part = &batch[part];
            let logprobs = self.pool.install(|| {
                let asked = self.ask(part);
                self.encoder.head.logprobs(self.level, &asked.hidden, &asked.targets)
            });
            let mut logprobs = logprobs.into_iter();
            answers.extend(part.iter().map(|cloze| TokenLogProbs {
                token_ids: cloze.targets.iter().map(|target| target.id).collect(),
                logprobs: logprobs.by_ref().take(cloze.targets.len()).map(Some).collect(),
            }));
        }
        Ok(answers)
    }

    fn look_at_logits(&self, batch: &[Cloze], look: &mut dyn FnMut(HeadView<'_>)) -> Result<(), LmError> {
        self.check(batch)?;
        let owners = |part: &[Cloze], first: usize| -> Vec<(usize, usize)> {
            let of = |(cloze, asked): (usize, &Cloze)| {
                (0..asked.targets.len()).map(move |target| (first + cloze, target)).collect::<Vec<_>>()
            };
            part.iter().enumerate().flat_map(of).collect()
        };
        for part in parts(batch.iter().map(|cloze| cloze.ids.len())) {
            let owners = owners(&batch[part.clone()], part.start);
            let asked = self.pool.install(|| self.ask(&batch[part]));
            let mut next = 0;
            let mut by_row: Vec<usize> = (0..owners.len()).collect();
            by_row.sort_by_key(|&index| asked.targets[index].row);
            self.encoder.head.show(self.level, &asked.hidden, &mut |row, seen| {
                while let Some(&index) = by_row.get(next)
                    && asked.targets[index].row as usize == row
                {
                    let (cloze, target) = owners[index];
                    let (id, logits) = (asked.targets[index].id, seen.logits.as_slice());
                    look(HeadView { cloze, target, id, input_norm: seen.input_norm, logits });
                    next += 1;
                }
            });
        }
        Ok(())
    }
}

/// Stretches of texts of at most [`TOKENS_AT_ONCE`] tokens together, or of one text.
pub(crate) fn parts(lengths: impl Iterator<Item = usize>) -> Vec<Range<usize>> {
    let mut parts: Vec<Range<usize>> = Vec::new();
    let mut tokens = 0;
    for (index, length) in lengths.enumerate() {
        match parts.last_mut() {
            Some(part) if tokens + length <= TOKENS_AT_ONCE => part.end = index + 1,
            _ => {
                parts.push(index..index + 1);
                tokens = 0;
            }
        }
        tokens += length;
    }
    parts
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_hold_whole_texts_in_order() {
        assert_eq!(parts([4000, 90, 7, 5000, 1].into_iter()), [0..2, 2..3, 3..4, 4..5]);
        assert!(parts(std::iter::empty()).is_empty());
    }
}
