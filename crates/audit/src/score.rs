//! Asking the language model about every item, in order, and recording the answers as they come.
//!
//! A batch is a stretch of consecutive items that take about `batch_tokens` tokens. For causal models these are the nodes
//! of one prefix tree: neighbours are variants of one sentence in one language, so they share prefixes. For masked models
//! they are the tokens of all texts with blanks, over all items of the batch. There is no padding, so nothing is gained by
//! sorting, and rows are written in item order. Whatever the batches, every number is the same.

use stereometer_core::{Item, Outcome, Unscorable};
use stereometer_lm::{TokenLogProbs, Tokenizer};
use stereometer_record::{ItemRecord, RunDirectory, ScoredText, ScoredVariants};
use stereometer_score::{PairLogProbs, check_answers};

use crate::AuditError;
use crate::ask::{Asker, Cost, Question};

/// Where progress goes.
pub trait Progress {
    /// So many of all items are done; `skipped` of them were there from an earlier run.
    fn advance(&mut self, tally: Tally);
}

/// How far a run is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Tally {
    /// Items of the run.
    pub total: usize,
    /// Items with a row.
    pub done: usize,
    /// Of these, rows that an earlier process wrote.
    pub resumed: usize,
    /// Of these, rows without a score.
    pub unscored: usize,
    /// Tokens that went through the model so far, shared prefixes counted once.
    pub tree_tokens: usize,
    /// Tokens of all texts so far.
    pub tokens: usize,
}

/// Scores what is missing of a run.
pub fn score(
    items: &[Item],
    run: &RunDirectory,
    asker: &Asker<'_>,
    batch_tokens: usize,
    progress: &mut dyn Progress,
) -> Result<Tally, AuditError> {
    let identity_hash = run.identity_hash();
    let (mut writer, there) = run.items_writer()?;
    check_beginning(&there, items, &identity_hash)?;
    let mut tally = Tally {
        total: items.len(),
        done: there.len(),
        resumed: there.len(),
        unscored: there.iter().filter(|record| matches!(record.outcome, Outcome::Unscored(_))).count(),
        ..Tally::default()
    };
    progress.advance(tally);
    let mut rest = items[there.len()..].iter().peekable();
    while rest.peek().is_some() {
        let mut batch = Batch::default();
        while batch.cost.tokens() < batch_tokens.max(1) {
            let Some(item) = rest.next() else { break };
            batch.push(item, asker.question([&item.masculine, &item.feminine])?);
        }
        let records = batch.records(asker, &identity_hash)?;
        writer.append(&records)?;
        tally.done += records.len();
        tally.unscored +=
            records.iter().filter(|record| matches!(record.outcome, Outcome::Unscored(_))).count();
        tally.tree_tokens += batch.cost.tokens();
        tally.tokens += batch.questions.iter().flat_map(Question::ids).map(Vec::len).sum::<usize>();
        progress.advance(tally);
    }
    Ok(tally)
}

/// The rows that are there must be the first items of this plan.
fn check_beginning(there: &[ItemRecord], items: &[Item], identity_hash: &str) -> Result<(), AuditError> {
    for (index, record) in there.iter().enumerate() {
        let expected =
            items.get(index).map(|item| (ItemRecord::key_of(identity_hash, item), item.id.clone()));
        if expected.as_ref().is_none_or(|(key, _)| *key != record.key) {
            let expected = expected.map_or_else(|| "no more items".to_owned(), |(_, id)| format!("`{id}`"));
            return Err(AuditError::ForeignRow { line: index + 1, found: record.id.clone(), expected });
        }
    }
    Ok(())
}

/// Consecutive items and what is asked about them.
#[derive(Default)]
struct Batch<'a> {
    entries: Vec<(&'a Item, Option<Unscorable>)>,
    questions: Vec<Question>,
    cost: Cost,
}

impl<'a> Batch<'a> {
    fn push(&mut self, item: &'a Item, question: Result<Question, Unscorable>) {
        self.entries.push((item, question.as_ref().err().cloned()));
        if let Ok(question) = question {
            self.cost.add(&question);
            self.questions.push(question);
        }
    }

    fn records(&self, asker: &Asker<'_>, identity_hash: &str) -> Result<Vec<ItemRecord>, AuditError> {
        let mut answers = asker.ask(&self.questions)?.into_iter();
        let mut records = Vec::with_capacity(self.entries.len());
        for (item, reason) in &self.entries {
            let answer = match reason {
                Some(reason) => Err(reason.clone()),
                None => answers.next().ok_or(Unscorable::NothingScored).and_then(check_answers),
            };
            let outcome = match answer {
                Ok(pair) => Outcome::Scored(with_tokens(&pair, item, asker.tokenizer())?),
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
