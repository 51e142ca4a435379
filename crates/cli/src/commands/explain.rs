//! `explain`: a text or a pair under the lens.

use stereometer_core::{Rule, Unscorable};
use stereometer_lm::{CausalLm, Encoding, TokenLogProbs};
use stereometer_score::{PairLogProbs, first_difference, masculine_rate, text_score};

use crate::args::ExplainArgs;
use crate::failure::{Exit, Failure};
use crate::model::OpenModel;
use crate::out::put;
use crate::table::{Column, render};
use crate::talk::Talk;

/// Runs the command.
pub fn run(args: &ExplainArgs, talk: &mut Talk) -> Result<Exit, Failure> {
    let model = OpenModel::open(&args.model.model, &args.model.loading, talk)?;
    let tokenizer = &model.loaded.tokenizer;
    let first = tokenizer.encode(&args.first)?;
    let Some(text) = &args.second else {
        let answer = ask(&*model.loaded.lm, &[&first])?.remove(0);
        put!("{}", tokens(&first, &answer, usize::MAX))?;
        put!("\n{}", summary(&answer))?;
        return Ok(Exit::Done);
    };
    let second = tokenizer.encode(text)?;
    let mut answers = ask(&*model.loaded.lm, &[&first, &second])?;
    let (feminine, masculine) = (answers.remove(1), answers.remove(0));
    let pair = PairLogProbs { masculine, feminine };
    let difference = first_difference(&pair);
    for (title, encoding, answer) in
        [("masculine", &first, &pair.masculine), ("feminine", &second, &pair.feminine)]
    {
        put!("{title}\n{}\n{}\n", tokens(encoding, answer, difference), summary(answer))?;
    }
    if args.first == *text {
        put!("{}", Unscorable::EqualTexts)?;
        return Ok(Exit::SomeUnscored);
    }
    if first.ids == second.ids {
        put!("{}", Unscorable::EqualIds)?;
        return Ok(Exit::SomeUnscored);
    }
    put!("the two diverge at position {difference}")?;
    put!("\n{}", rules(&pair, [&args.first, text]))?;
    Ok(Exit::Done)
}

fn ask(lm: &dyn CausalLm, texts: &[&Encoding]) -> Result<Vec<TokenLogProbs>, Failure> {
    let ids: Vec<Vec<u32>> = texts.iter().map(|encoding| encoding.ids.clone()).collect();
    Ok(lm.sequence_logprobs(&ids)?)
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
                logprob.map_or_else(|| "unscored".to_owned(), |value| format!("{value:.6}")),
                format!("{token}{mark}"),
            ]
        })
        .collect();
    render(&columns, &rows)
}

fn summary(answer: &TokenLogProbs) -> String {
    let mean = answer.mean().map_or_else(|| "none".to_owned(), |mean| format!("{mean:.6}"));
    format!("{} scored tokens, sum {:.6}, mean {mean} (nats)", answer.n_scored(), answer.sum())
}

fn rules(pair: &PairLogProbs, texts: [&str; 2]) -> String {
    let columns = [
        Column::Left("rule"),
        Column::Right("masculine"),
        Column::Right("feminine"),
        Column::Right("masculine rate"),
        Column::Left("what it is"),
    ];
    let difference = first_difference(pair);
    let rows: Vec<Vec<String>> = Rule::ALL
        .into_iter()
        .map(|rule| {
            let masculine = text_score(rule, &pair.masculine, difference, texts[0]);
            let feminine = text_score(rule, &pair.feminine, difference, texts[1]);
            let rate = masculine_rate(rule, pair, texts);
            let number = |value: &Result<f64, Unscorable>| {
                value.as_ref().map_or_else(|_| "–".to_owned(), |value| format!("{value:.6}"))
            };
            vec![
                rule.to_string(),
                number(&masculine),
                number(&feminine),
                number(&rate.as_ref().map(|rate| rate.value).map_err(Clone::clone)),
                rate.as_ref()
                    .map_or_else(|reason| format!("unscorable: {reason}"), |_| rule.summary().to_owned()),
            ]
        })
        .collect();
    render(&columns, &rows)
}
