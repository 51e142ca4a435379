//! The answers for the two variants of a minimal pair, and what masked models are asked to get them.

use serde::{Deserialize, Serialize};
use stereometer_core::Unscorable;
use stereometer_lm::{Cloze, ClozeTarget, TokenId, TokenLogProbs};

/// The answers for one item: what a run stores of it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct PairLogProbs {
    /// The masculine variant.
    pub masculine: TokenLogProbs,
    /// The feminine variant.
    pub feminine: TokenLogProbs,
}

impl PairLogProbs {
    /// From ids and log-probabilities, masculine first: how a run keeps them.
    pub fn of([masculine, feminine]: [(&[TokenId], &[Option<f32>]); 2]) -> Self {
        let answer = |(ids, logprobs): (&[TokenId], &[Option<f32>])| TokenLogProbs {
            token_ids: ids.to_vec(),
            logprobs: logprobs.to_vec(),
        };
        Self { masculine: answer(masculine), feminine: answer(feminine) }
    }
}

/// The last check before answers are stored: both variants have a scored token, and every number is finite.
pub fn check_answers(answers: PairLogProbs) -> Result<PairLogProbs, Unscorable> {
    let variants = [&answers.masculine, &answers.feminine];
    if !variants.iter().all(|variant| variant.is_finite()) {
        Err(Unscorable::NotFinite)
    } else if variants.iter().any(|variant| variant.n_scored() == 0) {
        Err(Unscorable::NothingScored)
    } else {
        Ok(answers)
    }
}

/// What a masked model is asked about a pair.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PairClozes {
    /// Token ids of the masculine and the feminine variant.
    pub ids: [Vec<TokenId>; 2],
    /// The questions, whose targets are the masculine variant's tokens, then the feminine one's.
    pub clozes: Vec<Cloze>,
    /// How many targets are the masculine variant's.
    pub masculine_targets: usize,
}

impl PairClozes {
    /// Each variant's log-probabilities at their places; what was not asked stays unscored.
    pub fn reduce(&self, answers: &[TokenLogProbs]) -> PairLogProbs {
        let mut answered = answered(&self.clozes, answers);
        let masculine: Vec<_> = answered.by_ref().take(self.masculine_targets).collect();
        PairLogProbs {
            masculine: placed(&self.ids[0], masculine.into_iter()),
            feminine: placed(&self.ids[1], answered),
        }
    }
}

/// Every target with its answer.
pub(crate) fn answered<'a>(
    clozes: &'a [Cloze],
    answers: &'a [TokenLogProbs],
) -> impl Iterator<Item = (ClozeTarget, Option<f32>)> + 'a {
    clozes
        .iter()
        .zip(answers)
        .flat_map(|(cloze, answer)| cloze.targets.iter().copied().zip(answer.logprobs.iter().copied()))
}

/// A text's log-probabilities, each at the place of its target.
pub(crate) fn placed(
    ids: &[TokenId],
    answered: impl Iterator<Item = (ClozeTarget, Option<f32>)>,
) -> TokenLogProbs {
    let mut logprobs = vec![None; ids.len()];
    for (target, logprob) in answered {
        logprobs[target.position] = logprob;
    }
    TokenLogProbs { token_ids: ids.to_vec(), logprobs }
}
