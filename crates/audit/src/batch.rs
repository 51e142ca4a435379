//! Consecutive items that are asked about together, and their rows.

use stereometer_core::{Item, Outcome, Unscorable};
use stereometer_lm::{TokenLogProbs, Tokenizer};
use stereometer_record::{ItemRecord, ScoredText, ScoredVariants};
use stereometer_score::{PairLogProbs, check_answers};

use crate::AuditError;
use crate::ask::{Asker, Cost, Question};

/// Consecutive items and what is asked about them.
#[derive(Default)]
pub(crate) struct Batch<'a> {
    entries: Vec<(&'a Item, Option<Unscorable>)>,
    pub questions: Vec<Question>,
    pub cost: Cost,
}

impl<'a> Batch<'a> {
    /// The next items whose texts make about `batch_tokens` nodes; `None` when there are no more.
    pub(crate) fn next(
        rest: &mut std::slice::Iter<'a, Item>,
        asker: &Asker<'_>,
        batch_tokens: usize,
    ) -> Result<Option<Self>, AuditError> {
        let mut batch = Self::default();
        while batch.cost.tokens() < batch_tokens.max(1) {
            let Some(item) = rest.next() else { break };
            batch.push(item, asker.question([&item.masculine, &item.feminine])?);
        }
        Ok((!batch.entries.is_empty()).then_some(batch))
    }

    fn push(&mut self, item: &'a Item, question: Result<Question, Unscorable>) {
        self.entries.push((item, question.as_ref().err().cloned()));
        if let Ok(question) = question {
            self.cost.add(&question);
            self.questions.push(question);
        }
    }

    /// The rows of all items.
    pub(crate) fn records(
        &self,
        answers: Vec<PairLogProbs>,
        tokenizer: &Tokenizer,
        identity_hash: &str,
    ) -> Result<Vec<ItemRecord>, AuditError> {
        let mut answers = answers.into_iter();
        let mut records = Vec::with_capacity(self.entries.len());
        for (item, reason) in &self.entries {
            let answer = match reason {
                Some(reason) => Err(reason.clone()),
                None => answers.next().ok_or(Unscorable::NothingScored).and_then(check_answers),
            };
            let outcome = match answer {
                Ok(pair) => Outcome::Scored(with_tokens(&pair, item, tokenizer)?),
                Err(reason) => Outcome::Unscored(reason),
            };
            records.push(ItemRecord::new(identity_hash, item, outcome));
        }
        Ok(records)
    }
}

fn with_tokens(
    pair: &PairLogProbs,
    item: &Item,
    tokenizer: &Tokenizer,
) -> Result<ScoredVariants, AuditError> {
    let variant = |text: &str, answer: &TokenLogProbs| -> Result<ScoredText, AuditError> {
        Ok(ScoredText {
            token_ids: answer.token_ids.clone(),
            tokens: tokenizer.encode(text)?.tokens,
            logprobs: answer.logprobs.clone(),
        })
    };
    Ok(ScoredVariants {
        masculine: variant(&item.masculine, &pair.masculine)?,
        feminine: variant(&item.feminine, &pair.feminine)?,
    })
}
