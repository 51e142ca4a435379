//! A recorded pair under the rule of the report: its masculine rate and the two scores it comes from.
//!
//! A pair that the run scored can lack a score under another rule; the reason is the rule's.

use stereometer_core::{Outcome, Rule, Unscorable};
use stereometer_record::ItemRecord;
use stereometer_score::{PairLogProbs, first_difference, masculine_rate, text_score};

/// What a pair says.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ScoredPair {
    /// Its masculine rate; neutral 0.5.
    pub rate: f64,
    /// The scores of the masculine and the feminine variant, in nats (`per-byte`: nats a byte).
    pub scores: [f64; 2],
}

/// The answers of a record, or why there are none.
pub fn answers(record: &ItemRecord) -> Result<PairLogProbs, Unscorable> {
    match &record.outcome {
        Outcome::Scored(variants) => Ok(PairLogProbs::of(variants.parts())),
        Outcome::Unscored(why) => Err(why.clone()),
    }
}

/// A record's answers under a rule, or why they have no score.
pub fn under(rule: Rule, record: &ItemRecord, pair: &PairLogProbs) -> Result<ScoredPair, Unscorable> {
    let [masculine, feminine] = &record.texts;
    let rate = masculine_rate(rule, pair, [masculine, feminine])?.value;
    let difference = first_difference(pair);
    let scores = [
        text_score(rule, &pair.masculine, difference, masculine)?,
        text_score(rule, &pair.feminine, difference, feminine)?,
    ];
    Ok(ScoredPair { rate, scores })
}

/// The pair under a rule, or why it has no score.
pub fn scored(record: &ItemRecord, rule: Rule) -> Result<ScoredPair, Unscorable> {
    under(rule, record, &answers(record)?)
}
