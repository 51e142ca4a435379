//! The pairs on which the model is most decided: what a masculine rate looks like in sentences.

use stereometer_core::{Language, Rule};
use stereometer_record::ItemRecord;

use crate::pair::scored;

/// Pairs shown for a language.
const SHOWN: usize = 3;

/// A pair and its masculine rate.
#[derive(Debug, Clone, Copy)]
pub struct Example<'a> {
    /// The pair.
    pub record: &'a ItemRecord,
    /// Its masculine rate under the report's rule.
    pub rate: f64,
}

/// The pairs of a language whose rate lies farthest from 0.5, at most one a source sentence.
pub fn most_decided<'a>(items: &'a [ItemRecord], language: &Language, rule: Rule) -> Vec<Example<'a>> {
    let mut all: Vec<Example<'a>> = items
        .iter()
        .filter(|record| record.language == *language)
        .filter_map(|record| Some(Example { record, rate: scored(record, rule).ok()?.rate }))
        .collect();
    all.sort_by(|a, b| (b.rate - 0.5).abs().total_cmp(&(a.rate - 0.5).abs()));
    let mut chosen: Vec<Example<'a>> = Vec::with_capacity(SHOWN);
    for example in all {
        if chosen.len() < SHOWN && chosen.iter().all(|other| other.record.source != example.record.source) {
            chosen.push(example);
        }
    }
    chosen
}
