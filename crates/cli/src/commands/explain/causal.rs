//! Causal models: every token after those before it, and every rule.

use stereometer_core::{Rule, Unscorable};
use stereometer_lm::{CausalLm, Encoding, TokenLogProbs, Tokenizer, TokenizerError};
use stereometer_score::{PairLogProbs, first_difference, masculine_rate, text_score};

use super::{summary, tokens, unscorable};
use crate::args::ExplainArgs;
use crate::failure::{Exit, Failure};
use crate::out::put;
use crate::table::{Column, render};
use crate::words::number;

/// Explains a text or a pair.
pub fn explain(args: &ExplainArgs, lm: &dyn CausalLm, tokenizer: &Tokenizer) -> Result<Exit, Failure> {
    let first = match tokenizer.encode(&args.first) {
        Err(TokenizerError::Unscorable(reason)) => return unscorable(&reason),
        encoded => encoded?,
    };
    let Some(text) = &args.second else {
        let answer = ask(lm, &[&first])?.remove(0);
        if !answer.is_finite() {
            return unscorable(&Unscorable::NotFinite);
        }
        put!("{}", tokens(&first.tokens, &[("log-probability", &answer)], None))?;
        put!("\n{}", summary(&answer))?;
        return Ok(if answer.n_scored() == 0 { Exit::SomeUnscored } else { Exit::Done });
    };
    let second = match tokenizer.encode(text) {
        Err(TokenizerError::Unscorable(reason)) => return unscorable(&reason),
        encoded => encoded?,
    };
    let mut answers = ask(lm, &[&first, &second])?;
    let (feminine, masculine) = (answers.remove(1), answers.remove(0));
    if !masculine.is_finite() || !feminine.is_finite() {
        return unscorable(&Unscorable::NotFinite);
    }
    let pair = PairLogProbs { masculine, feminine };
    let difference = first_difference(&pair);
    for (title, encoding, answer) in
        [("masculine", &first, &pair.masculine), ("feminine", &second, &pair.feminine)]
    {
        put!(
            "{title}\n{}\n{}\n",
            tokens(&encoding.tokens, &[("log-probability", answer)], Some(difference)),
            summary(answer)
        )?;
    }
    if args.first == *text {
        return unscorable(&Unscorable::EqualTexts);
    }
    if first.ids == second.ids {
        return unscorable(&Unscorable::EqualIds);
    }
    put!("the two diverge at position {difference}")?;
    put!("\n{}", rules(&pair, [&args.first, text]))?;
    Ok(if nothing_scored(&pair) { Exit::SomeUnscored } else { Exit::Done })
}

/// Without a scored token there is nothing to compare, not even a sum.
fn nothing_scored(pair: &PairLogProbs) -> bool {
    pair.masculine.n_scored() == 0 || pair.feminine.n_scored() == 0
}

fn ask(lm: &dyn CausalLm, texts: &[&Encoding]) -> Result<Vec<TokenLogProbs>, Failure> {
    let ids: Vec<Vec<u32>> = texts.iter().map(|encoding| encoding.ids.clone()).collect();
    let answers = lm.sequence_logprobs(&ids)?.into_iter().zip(texts);
    Ok(answers.map(|(answer, encoding)| answer.scored_from(encoding.text_start)).collect())
}

fn rules(pair: &PairLogProbs, texts: [&str; 2]) -> String {
    let columns = [
        Column::Left("rule"),
        Column::Right("masculine"),
        Column::Right("feminine"),
        Column::Right("masculine rate"),
        Column::Left("what it is"),
    ];
    let (difference, nothing) = (first_difference(pair), nothing_scored(pair));
    let rows: Vec<Vec<String>> = Rule::ALL
        .into_iter()
        .map(|rule| {
            let unless_nothing = |score| if nothing { Err(Unscorable::NothingScored) } else { score };
            let masculine = unless_nothing(text_score(rule, &pair.masculine, difference, texts[0]));
            let feminine = unless_nothing(text_score(rule, &pair.feminine, difference, texts[1]));
            let rate = masculine_rate(rule, pair, texts).map(|rate| rate.value);
            let rate = unless_nothing(rate);
            let number_of = |value: &Result<f64, Unscorable>| {
                value.as_ref().map_or_else(|_| "–".to_owned(), |&value| number(value, 6))
            };
            vec![
                rule.to_string(),
                number_of(&masculine),
                number_of(&feminine),
                number_of(&rate),
                rate.as_ref()
                    .map_or_else(|reason| format!("unscorable: {reason}"), |_| rule.summary().to_owned()),
            ]
        })
        .collect();
    render(&columns, &rows)
}
