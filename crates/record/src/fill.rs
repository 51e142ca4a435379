//! The loop that fills a run: batches of consecutive items, pipelined, appended in item order.
//!
//! While the model computes one batch, the rows of the batch before are written and the texts of the next one are cut
//! into tokens: a kill loses at most the batch in hand and the one before. What a run holds already is checked to be the
//! beginning of this plan, and skipped.

use crate::{Directory, ItemsWriter, RecordError, Row, Spec};

/// What a kind of run does with its items.
pub trait Work: Sync {
    /// The kind of run.
    type Spec: Spec;
    /// What gets a row.
    type Item: Sync;
    /// Consecutive items and what is asked about them.
    type Batch<'a>: Send + Sync
    where
        Self::Item: 'a;
    /// What the model answers.
    type Answers: Send;
    /// Why it could not.
    type Error: From<RecordError> + Send;

    /// The content key that an item has within a run, and its id.
    fn key(identity_hash: &str, item: &Self::Item) -> (String, String);
    /// The next batch; `None` when there are no more items.
    fn next<'a>(
        &self,
        rest: &mut std::slice::Iter<'a, Self::Item>,
    ) -> Result<Option<Self::Batch<'a>>, Self::Error>;
    /// Asks the model.
    fn ask(&self, batch: &Self::Batch<'_>) -> Result<Self::Answers, Self::Error>;
    /// The rows of a batch, one an item.
    fn rows(
        &self,
        batch: &Self::Batch<'_>,
        answers: Self::Answers,
        identity_hash: &str,
    ) -> Result<Vec<RowOf<Self>>, Self::Error>;
    /// Whether a row, or a part of it, has no score.
    fn is_unscored(row: &RowOf<Self>) -> bool;
    /// Tokens that go through the model for a batch, shared prefixes once, and tokens of all its texts.
    fn tokens(batch: &Self::Batch<'_>) -> (usize, usize);
}

/// The rows of a kind of run.
pub type RowOf<W> = <<W as Work>::Spec as Spec>::Row;

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
    /// Of these, rows that lack a score.
    pub unscored: usize,
    /// Tokens that went through the model so far, shared prefixes counted once.
    pub tree_tokens: usize,
    /// Tokens of all texts so far.
    pub tokens: usize,
}

/// Scores what is missing of a run.
pub fn fill<W: Work>(
    work: &W,
    items: &[W::Item],
    run: &Directory<W::Spec>,
    progress: &mut dyn Progress,
) -> Result<Tally, W::Error> {
    let identity_hash = run.identity_hash();
    let (writer, there) = run.items_writer()?;
    check_beginning::<W>(&there, items, &identity_hash)?;
    let tally = Tally {
        total: items.len(),
        done: there.len(),
        resumed: there.len(),
        unscored: there.iter().filter(|row| W::is_unscored(row)).count(),
        ..Tally::default()
    };
    let mut end = End { writer, identity_hash, tally };
    progress.advance(tally);
    let mut rest = items[there.len()..].iter();
    let mut upcoming = work.next(&mut rest)?;
    let mut answered = None;
    while let Some(batch) = upcoming.take() {
        let aside = || -> Result<Option<W::Batch<'_>>, W::Error> {
            if let Some((batch, answers)) = answered.take() {
                end.write(work, &batch, answers)?;
            }
            work.next(&mut rest)
        };
        let (answers, next) = std::thread::scope(|scope| {
            let aside = scope.spawn(aside);
            let answers = work.ask(&batch);
            (answers, aside.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)))
        });
        progress.advance(end.tally);
        upcoming = next?;
        answered = Some((batch, answers?));
    }
    if let Some((batch, answers)) = answered {
        end.write(work, &batch, answers)?;
        progress.advance(end.tally);
    }
    Ok(end.tally)
}

/// Where rows are appended, and how many there are.
struct End {
    writer: ItemsWriter,
    identity_hash: String,
    tally: Tally,
}

impl End {
    fn write<W: Work>(
        &mut self,
        work: &W,
        batch: &W::Batch<'_>,
        answers: W::Answers,
    ) -> Result<(), W::Error> {
        let rows = work.rows(batch, answers, &self.identity_hash)?;
        self.writer.append(&rows)?;
        let tally = &mut self.tally;
        tally.done += rows.len();
        tally.unscored += rows.iter().filter(|row| W::is_unscored(row)).count();
        let (tree_tokens, tokens) = W::tokens(batch);
        tally.tree_tokens += tree_tokens;
        tally.tokens += tokens;
        Ok(())
    }
}

/// The rows that are there must be the first items of this plan.
fn check_beginning<W: Work>(
    there: &[RowOf<W>],
    items: &[W::Item],
    identity_hash: &str,
) -> Result<(), RecordError> {
    for (index, row) in there.iter().enumerate() {
        let expected = items.get(index).map(|item| W::key(identity_hash, item));
        if expected.as_ref().is_none_or(|(key, _)| key != row.key()) {
            let expected = expected.map_or_else(|| "no more items".to_owned(), |(_, id)| format!("`{id}`"));
            let found = row.id().to_owned();
            return Err(RecordError::ForeignRow { line: index + 1, found, expected });
        }
    }
    Ok(())
}
