//! `explain`: a text or a pair under the lens.

use stereometer_core::{Rule, Unscorable};
use stereometer_lm::{CausalLm, Encoding, TokenLogProbs, TokenizerError};
use stereometer_score::{PairLogProbs, first_difference, masculine_rate, text_score};

use crate::args::ExplainArgs;
use crate::failure::{Exit, Failure};
use crate::model::OpenModel;
use crate::out::put;
use crate::table::{Column, render};
use crate::talk::Talk;
use crate::words::{number, plural};

/// Runs the command.
pub fn run(args: &ExplainArgs, talk: &mut Talk) -> Result<Exit, Failure> {
    let mut model = OpenModel::open(&args.model.model, &args.model.loading, talk)?;
    model.wrap(&args.chat, talk)?;
    let tokenizer = &model.loaded.tokenizer;
    let first = match tokenizer.encode(&args.first) {
        Err(TokenizerError::Unscorable(reason)) => return unscorable(&reason),
        encoded => encoded?,
    };
    let Some(text) = &args.second else {
        let answer = ask(&*model.loaded.lm, &[&first])?.remove(0);
        if !answer.is_finite() {
            return unscorable(&Unscorable::NotFinite);
        }
        put!("{}", tokens(&first, &answer, usize::MAX))?;
        put!("\n{}", summary(&answer))?;
        return Ok(if answer.n_scored() == 0 { Exit::SomeUnscored } else { Exit::Done });
    };
    let second = match tokenizer.encode(text) {
        Err(TokenizerError::Unscorable(reason)) => return unscorable(&reason),
        encoded => encoded?,
    };
    let mut answers = ask(&*model.loaded.lm, &[&first, &second])?;
    let (feminine, masculine) = (answers.remove(1), answers.remove(0));
    if !masculine.is_finite() || !feminine.is_finite() {
        return unscorable(&Unscorable::NotFinite);
    }
    let pair = PairLogProbs { masculine, feminine };
    let difference = first_difference(&pair);
    for (title, encoding, answer) in
        [("masculine", &first, &pair.masculine), ("feminine", &second, &pair.feminine)]
    {
        put!("{title}\n{}\n{}\n", tokens(encoding, answer, difference), summary(answer))?;
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

fn unscorable(reason: &Unscorable) -> Result<Exit, Failure> {
    put!("{reason}")?;
    Ok(Exit::SomeUnscored)
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

fn tokens(encoding: &Encoding, answer: &TokenLogProbs, difference: usize) -> String {
    let columns = [
        Column::Right("position"),
        Column::Right("id"),
        Column::Right("log-probability"),
        Column::Left("token"),
    ];
    let rows: Vec<Vec<String>> = encoding
        .tokens
        .iter()
        .enumerate()
        .map(|(position, token)| {
            let logprob = answer.logprobs[position];
            let mark = if position == difference { "   <- first difference" } else { "" };
            vec![
                position.to_string(),
                encoding.ids[position].to_string(),
                logprob.map_or_else(|| "unscored".to_owned(), |value| number(f64::from(value), 6)),
                format!("{token}{mark}"),
            ]
        })
        .collect();
    render(&columns, &rows)
}

fn summary(answer: &TokenLogProbs) -> String {
    let scored = plural(answer.n_scored(), "scored token");
    answer.mean().map_or_else(
        || format!("{scored}: no sum, no mean"),
        |mean| format!("{scored}, sum {}, mean {} (nats)", number(answer.sum(), 6), number(mean, 6)),
    )
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
