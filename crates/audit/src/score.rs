//! Asks the language model about every item that has no row yet, and records the answers.
//!
//! Consecutive items make a batch: their variants share a tree of prefixes up to about `batch_tokens` tokens, or, where
//! tokens are hidden, all texts with blanks, over all items of the batch. There is no padding, so nothing is gained by
//! sorting, and rows are written in item order. Whatever the batches, every number is the same.

use stereometer_core::{Item, Outcome};
use stereometer_record::{ItemRecord, Progress, RunDirectory, RunSpec, Tally, Work, fill};
use stereometer_score::PairLogProbs;

use crate::AuditError;
use crate::ask::{Asker, Question};
use crate::batch::Batch;

struct Scoring<'m> {
    asker: &'m Asker<'m>,
    batch_tokens: usize,
}

/// Scores what is missing of a run.
pub fn score(
    items: &[Item],
    run: &RunDirectory,
    asker: &Asker<'_>,
    batch_tokens: usize,
    progress: &mut dyn Progress,
) -> Result<Tally, AuditError> {
    fill(&Scoring { asker, batch_tokens }, items, run, progress)
}

impl Work for Scoring<'_> {
    type Spec = RunSpec;
    type Item = Item;
    type Batch<'a> = Batch<'a>;
    type Answers = Vec<PairLogProbs>;
    type Error = AuditError;

    fn key(identity_hash: &str, item: &Item) -> (String, String) {
        (ItemRecord::key_of(identity_hash, item), item.id.clone())
    }

    fn next<'a>(&self, rest: &mut std::slice::Iter<'a, Item>) -> Result<Option<Batch<'a>>, AuditError> {
        Batch::next(rest, self.asker, self.batch_tokens)
    }

    fn ask(&self, batch: &Batch<'_>) -> Result<Vec<PairLogProbs>, AuditError> {
        Ok(self.asker.ask(&batch.questions)?)
    }

    fn rows(
        &self,
        batch: &Batch<'_>,
        answers: Vec<PairLogProbs>,
        identity_hash: &str,
    ) -> Result<Vec<ItemRecord>, AuditError> {
        batch.records(answers, self.asker.tokenizer(), identity_hash)
    }

    fn is_unscored(row: &ItemRecord) -> bool {
        matches!(row.outcome, Outcome::Unscored(_))
    }

    fn tokens(batch: &Batch<'_>) -> (usize, usize) {
        (batch.cost.tokens(), batch.questions.iter().flat_map(Question::ids).map(Vec::len).sum())
    }
}
