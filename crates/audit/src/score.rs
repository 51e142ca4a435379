//! Asking the language model about every item, in order, and recording the answers as they come.
//!
//! A batch is a stretch of consecutive items that take about `batch_tokens` tokens. For causal models these are the nodes
//! of one prefix tree: neighbours are variants of one sentence in one language, so they share prefixes. For masked models
//! they are the tokens of all texts with blanks, over all items of the batch. There is no padding, so nothing is gained by
//! sorting, and rows are written in item order. Whatever the batches, every number is the same.
//!
//! While the model computes one batch, the rows of the batch before are written and the texts of the next one are cut
//! into tokens: a kill loses at most the batch in hand and the one before.

use stereometer_core::{Item, Outcome};
use stereometer_record::{ItemRecord, ItemsWriter, RunDirectory};
use stereometer_score::PairLogProbs;

use crate::AuditError;
use crate::ask::{Asker, Question};
use crate::batch::Batch;

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
    let mut rest = items[there.len()..].iter();
    let mut upcoming = Batch::next(&mut rest, asker, batch_tokens)?;
    let mut answered = None;
    while let Some(batch) = upcoming.take() {
        let aside = || -> Result<Option<Batch<'_>>, AuditError> {
            if let Some(answered) = answered.take() {
                write(answered, asker, &identity_hash, &mut writer, &mut tally)?;
            }
            Batch::next(&mut rest, asker, batch_tokens)
        };
        let (answers, next) = std::thread::scope(|scope| {
            let aside = scope.spawn(aside);
            let answers = asker.ask(&batch.questions);
            (answers, aside.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)))
        });
        progress.advance(tally);
        upcoming = next?;
        answered = Some((batch, answers?));
    }
    if let Some(answered) = answered {
        write(answered, asker, &identity_hash, &mut writer, &mut tally)?;
        progress.advance(tally);
    }
    Ok(tally)
}

fn write(
    (batch, answers): (Batch<'_>, Vec<PairLogProbs>),
    asker: &Asker<'_>,
    identity_hash: &str,
    writer: &mut ItemsWriter,
    tally: &mut Tally,
) -> Result<(), AuditError> {
    let records = batch.records(answers, asker.tokenizer(), identity_hash)?;
    writer.append(&records)?;
    tally.done += records.len();
    tally.unscored += records.iter().filter(|record| matches!(record.outcome, Outcome::Unscored(_))).count();
    tally.tree_tokens += batch.cost.tokens();
    tally.tokens += batch.questions.iter().flat_map(Question::ids).map(Vec::len).sum::<usize>();
    Ok(())
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
