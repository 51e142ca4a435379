//! Scored and unscored records.

use stereometer_core::{Outcome, Unscorable};
use stereometer_record::{ItemRecord, ScoredVariants, UnscoredRow};

/// Counts of unscored records by reason, in order of first appearance.
pub(crate) fn count_unscored(rows: &mut Vec<UnscoredRow>, record: &ItemRecord, reason: &Unscorable) {
    const EXAMPLES: usize = 5;
    let place = rows.iter().position(|row| row.reason == reason.name()).unwrap_or_else(|| {
        rows.push(UnscoredRow {
            language: record.language.clone(),
            reason: reason.name().to_owned(),
            words: reason.general(),
            count: 0,
            examples: Vec::new(),
        });
        rows.len() - 1
    });
    let row = &mut rows[place];
    row.count += 1;
    if row.examples.len() < EXAMPLES {
        row.examples.push(record.id.clone());
    }
}

/// The answers of a record, if it has any.
pub(crate) fn scored(record: &ItemRecord) -> Option<&ScoredVariants> {
    match &record.outcome {
        Outcome::Scored(variants) => Some(variants),
        Outcome::Unscored(_) => None,
    }
}
