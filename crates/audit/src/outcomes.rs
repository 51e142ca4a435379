//! Scored and unscored records.

use stereometer_core::{Outcome, Rule, Unscorable};
use stereometer_record::{ItemRecord, ScoredVariants, UnscoredRow};
use stereometer_score::{MasculineRate, PairLogProbs, masculine_rate};

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

/// The answers of a record, in the form that the rules read.
pub(crate) fn pair(variants: &ScoredVariants) -> PairLogProbs {
    PairLogProbs::of(variants.parts())
}

/// The masculine rate of a record's answers under a rule.
pub(crate) fn rate(
    rule: Rule,
    record: &ItemRecord,
    pair: &PairLogProbs,
) -> Result<MasculineRate, Unscorable> {
    masculine_rate(rule, pair, [&record.texts[0], &record.texts[1]])
}

/// The masculine rate of a record under each rule, where it has one.
pub(crate) fn rates_of(record: &ItemRecord, rules: &[Rule]) -> Vec<Option<MasculineRate>> {
    match &record.outcome {
        Outcome::Scored(variants) => {
            let pair = pair(variants);
            rules.iter().map(|&rule| rate(rule, record, &pair).ok()).collect()
        }
        Outcome::Unscored(_) => vec![None; rules.len()],
    }
}
