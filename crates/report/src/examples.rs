//! The pairs on which the model is most decided: what a masculine rate looks like in sentences.

use stereometer_core::{Language, Outcome, Rule};
use stereometer_lm::TokenLogProbs;
use stereometer_record::{ItemRecord, ScoredText};
use stereometer_score::{PairLogProbs, masculine_rate};

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
        .filter_map(|record| Some(Example { record, rate: rate(record, rule)? }))
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

fn rate(record: &ItemRecord, rule: Rule) -> Option<f64> {
    let Outcome::Scored(variants) = &record.outcome else { return None };
    let pair = PairLogProbs { masculine: answer(&variants.masculine), feminine: answer(&variants.feminine) };
    let rate = masculine_rate(rule, &pair, [&record.texts[0], &record.texts[1]]).ok()?;
    Some(rate.value)
}

fn answer(text: &ScoredText) -> TokenLogProbs {
    TokenLogProbs { token_ids: text.token_ids.clone(), logprobs: text.logprobs.clone() }
}
