//! One pair as a reader sees it: rate, scores, both variants, and their tokens with log-probabilities.

use std::fmt::Write as _;

use stereometer_core::{Outcome, Rule, Unscorable};
use stereometer_record::{ItemRecord, ScoredText};

use crate::difference::only_here;
use crate::html::escape;
use crate::pair::{ScoredPair, scored};
use crate::tokens::readable;
use crate::words::{Kind, count};

/// Unscored tokens before a text that are shown one by one; a chat template puts more.
const SHOWN_BEFORE: usize = 3;

/// Pairs with a score, the highest masculine rate first, and those without, in the order of the records.
pub fn pairs(records: &[&ItemRecord], rule: Rule) -> (Vec<String>, Vec<String>) {
    let mut with = Vec::new();
    let mut without = Vec::new();
    for &record in records {
        match scored(record, rule) {
            Ok(pair) => with.push((pair.rate, one(record, &pair))),
            Err(why) => without.push(unscored(record, &why)),
        }
    }
    with.sort_by(|a, b| b.0.total_cmp(&a.0));
    (with.into_iter().map(|(_, html)| html).collect(), without)
}

fn one(record: &ItemRecord, pair: &ScoredPair) -> String {
    let Outcome::Scored(variants) = &record.outcome else { return String::new() };
    let texts = [&variants.masculine, &variants.feminine];
    let marks = only_here(&texts[0].token_ids, &texts[1].token_ids);
    let tag = record.language.as_str();
    let variants: String = ["masculine", "feminine"]
        .iter()
        .enumerate()
        .map(|(side, name)| {
            format!(
                "<dt>{name} {}</dt><dd lang=\"{tag}\" dir=\"auto\">{}<div class=\"tokens\">{}</div></dd>\n",
                nats(pair.scores[side], 3),
                escape(&record.texts[side]),
                tokens(texts[side], &record.texts[side], &marks[side])
            )
        })
        .collect();
    format!(
        "<div class=\"pair\"><p><i>r</i> = {}, {} <code>{}</code></p>\n<dl>{variants}</dl></div>\n",
        Kind::Rate.show(pair.rate),
        record.form,
        escape(&record.id)
    )
}

fn unscored(record: &ItemRecord, why: &Unscorable) -> String {
    let tag = record.language.as_str();
    let [masculine, feminine] = record.texts.each_ref().map(|text| escape(text));
    format!(
        "<div class=\"pair\"><p>No score: {why}. {} <code>{}</code></p>\n<dl><dt>masculine</dt><dd lang=\"{tag}\" \
         dir=\"auto\">{masculine}</dd>\n<dt>feminine</dt><dd lang=\"{tag}\" dir=\"auto\">{feminine}</dd></dl></div>\n",
        record.form,
        escape(&record.id),
        why = escape(&why.to_string()),
    )
}

/// Small elements, because a large set has millions of tokens.
fn tokens(scored: &ScoredText, text: &str, marks: &[bool]) -> String {
    let pieces = readable(&scored.tokens, text);
    let before = scored.logprobs.iter().take_while(|one| one.is_none()).count();
    let skipped = if before > SHOWN_BEFORE { before } else { 0 };
    let mut html = String::new();
    if skipped > 0 {
        let _ = write!(html, "<b>… <i>{} tokens, not scored</i></b> ", count(skipped));
    }
    for ((piece, logprob), &marked) in pieces.iter().zip(&scored.logprobs).zip(marks).skip(skipped) {
        let element = if marked { "mark" } else { "b" };
        let number = logprob.map_or_else(|| "–".to_owned(), |value| nats(f64::from(value), 2));
        let _ = write!(html, "<{element}>{} <i>{number}</i></{element}> ", escape(piece));
    }
    html
}

fn nats(value: f64, decimals: usize) -> String {
    let shown = format!("{:.decimals$}", value.abs());
    let is_zero = shown.bytes().all(|byte| matches!(byte, b'0' | b'.'));
    if value < 0.0 && !is_zero { format!("−{shown}") } else { shown }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_have_a_minus_sign_and_no_minus_zero() {
        assert_eq!([-3.456, -0.001, 0.0].map(|value| nats(value, 2)), ["−3.46", "0.00", "0.00"]);
    }

    #[test]
    fn a_chat_template_before_the_text_is_counted_and_not_spelt_out() {
        let scored = ScoredText {
            token_ids: vec![1, 2, 3, 4, 5],
            tokens: ["<s>", "user", ":", "▁", "ja<b>"].map(str::to_owned).to_vec(),
            logprobs: vec![None, None, None, None, Some(-1.0)],
        };
        let html = tokens(&scored, "ja<b>", &[false, false, false, false, true]);
        assert_eq!(html, "<b>… <i>4 tokens, not scored</i></b> <mark>ja&lt;b&gt; <i>−1.00</i></mark> ");
    }
}
