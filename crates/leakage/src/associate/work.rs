//! Asks the language model about every sentence that has no row yet, and records the answers.

use stereometer_core::{AssociationItem, Outcome};
use stereometer_record::{
    AssociationDirectory, AssociationRecord, AssociationSpec, Progress, Tally, Work, fill,
};

use super::ask::{AssociationAsker, AssociationError};
use super::batch::{Answers, Batch};

struct Asking<'m> {
    asker: &'m AssociationAsker<'m>,
    batch_tokens: usize,
}

/// Asks what is missing of a run.
pub fn associate(
    items: &[AssociationItem],
    run: &AssociationDirectory,
    asker: &AssociationAsker<'_>,
    batch_tokens: usize,
    progress: &mut dyn Progress,
) -> Result<Tally, AssociationError> {
    fill(&Asking { asker, batch_tokens }, items, run, progress)
}

impl Work for Asking<'_> {
    type Spec = AssociationSpec;
    type Item = AssociationItem;
    type Batch<'a> = Batch<'a>;
    type Answers = Answers;
    type Error = AssociationError;

    fn key(identity_hash: &str, item: &AssociationItem) -> (String, String) {
        (AssociationRecord::key_of(identity_hash, item), item.id.clone())
    }

    fn next<'a>(
        &self,
        rest: &mut std::slice::Iter<'a, AssociationItem>,
    ) -> Result<Option<Batch<'a>>, AssociationError> {
        Ok(Batch::next(rest, self.asker, self.batch_tokens)?)
    }

    fn ask(&self, batch: &Batch<'_>) -> Result<Answers, AssociationError> {
        Ok(batch.ask(self.asker)?)
    }

    fn rows(
        &self,
        batch: &Batch<'_>,
        answers: Answers,
        identity_hash: &str,
    ) -> Result<Vec<AssociationRecord>, AssociationError> {
        Ok(batch.rows(&answers, identity_hash))
    }

    fn is_unscored(row: &AssociationRecord) -> bool {
        row.traits.iter().any(|one| matches!(one.outcome, Outcome::Unscored(_)))
    }

    fn tokens(batch: &Batch<'_>) -> (usize, usize) {
        batch.cost()
    }
}
