//! Asking the language model about every item, in order, and recording the answers as they come.
//!
//! A batch is a stretch of consecutive items whose texts make about `batch_tokens` nodes when packed into one prefix
//! tree. Neighbours are variants of one sentence in one language, so they share prefixes; there is no padding, so
//! nothing is gained by sorting, and rows are written in item order. Whatever the batches, every number is the same.

use stereometer_core::{Item, Outcome, Unscorable};
use stereometer_lm::{CausalLm, TokenId, TokenTrie, Tokenizer};
use stereometer_record::{ItemRecord, RunDirectory, ScoredText, ScoredVariants};
use stereometer_score::{PairLogProbs, check_answers, queries};

use crate::AuditError;

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
    /// Nodes of all prefix trees so far.
    pub tree_tokens: usize,
    /// Tokens of all texts so far.
    pub tokens: usize,
}

/// Scores what is missing of a run.
pub fn score(
    items: &[Item],
    run: &RunDirectory,
    (lm, tokenizer): (&dyn CausalLm, &Tokenizer),
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
        while batch.trie.len() < batch_tokens.max(1) {
            let Some(item) = rest.next() else { break };
            batch.push(item, queries(item, tokenizer, lm.info().context_length)?);
        }
        let records = batch.records(lm, tokenizer, &identity_hash)?;
        writer.append(&records)?;
        tally.done += records.len();
        tally.unscored +=
            records.iter().filter(|record| matches!(record.outcome, Outcome::Unscored(_))).count();
        tally.tree_tokens += batch.trie.len();
        tally.tokens += batch.texts.iter().map(Vec::len).sum::<usize>();
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

/// Consecutive items and their texts as one prefix tree.
#[derive(Default)]
struct Batch<'a> {
    entries: Vec<(&'a Item, Option<Unscorable>)>,
    texts: Vec<Vec<TokenId>>,
    trie: TokenTrie,
}

impl<'a> Batch<'a> {
    fn push(&mut self, item: &'a Item, pair: Result<[Vec<TokenId>; 2], Unscorable>) {
        self.entries.push((item, pair.as_ref().err().cloned()));
        for text in pair.into_iter().flatten() {
            self.trie.insert(&text);
            self.texts.push(text);
        }
    }

    fn records(
        &self,
        lm: &dyn CausalLm,
        tokenizer: &Tokenizer,
        identity_hash: &str,
    ) -> Result<Vec<ItemRecord>, AuditError> {
        let mut answers = lm.sequence_logprobs(&self.texts)?.into_iter();
        let mut records = Vec::with_capacity(self.entries.len());
        for (item, reason) in &self.entries {
            let outcome = match reason {
                Some(reason) => Outcome::Unscored(reason.clone()),
                None => match answers.next().zip(answers.next()) {
                    Some((masculine, feminine)) => {
                        match check_answers(PairLogProbs { masculine, feminine }) {
                            Ok(pair) => Outcome::Scored(with_tokens(&pair, item, tokenizer)?),
                            Err(reason) => Outcome::Unscored(reason),
                        }
                    }
                    None => Outcome::Unscored(Unscorable::NotFinite),
                },
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
    let variant = |text: &str, answer: &stereometer_lm::TokenLogProbs| -> Result<ScoredText, AuditError> {
        let encoding = tokenizer.encode(text)?;
        let answer = answer.clone().scored_from(encoding.text_start);
        Ok(ScoredText { token_ids: answer.token_ids, tokens: encoding.tokens, logprobs: answer.logprobs })
    };
    Ok(ScoredVariants {
        masculine: variant(&item.masculine, &pair.masculine)?,
        feminine: variant(&item.feminine, &pair.feminine)?,
    })
}
