//! Encoder–decoders: how likely a word or phrase is in the blank of a source text.

use stereometer_core::Unscorable;
use stereometer_lm::{Seq2SeqLm, TokenLogProbs, Tokenizer};
use stereometer_score::MethodInfo;
use stereometer_score::methods::ilps::{self, BLANK, IlpsKind, Question};

use super::{one_blank, summary, tokens};
use crate::args::ExplainArgs;
use crate::failure::{Exit, Failure};
use crate::out::put;
use crate::table::{Column, render};
use crate::words::number;

const KINDS: [(&MethodInfo, IlpsKind); 2] =
    [(&ilps::RELEASED_CODE, IlpsKind::ReleasedCode), (&ilps::TRAIT_ONLY, IlpsKind::TraitOnly)];

/// Explains one word or phrase, or two, in the blank of the source.
pub fn explain(
    args: &ExplainArgs,
    source: &str,
    lm: &dyn Seq2SeqLm,
    tokenizer: &Tokenizer,
) -> Result<Exit, Failure> {
    one_blank(source, BLANK)?;
    let mut rows = Vec::new();
    let mut exit = Exit::Done;
    for text in [Some(&args.first), args.second.as_ref()].into_iter().flatten() {
        let question = ilps::query(source, text, lm.info().context_length, tokenizer)?;
        let scores = match &question {
            Ok(question) => {
                let answer = lm.target_logprobs(std::slice::from_ref(&question.pair))?;
                show(text, question, &answer[0], tokenizer)?;
                KINDS.map(|(_, kind)| ilps::reduce(kind, question, &answer[0]))
            }
            Err(reason) => [Err(reason.clone()), Err(reason.clone())],
        };
        if scores.iter().any(Result::is_err) {
            exit = Exit::SomeUnscored;
        }
        rows.extend(KINDS.iter().zip(scores).map(|((info, _), score)| row(text, info, score)));
    }
    let columns =
        [Column::Left("text"), Column::Left("method"), Column::Right("score"), Column::Left("what it is")];
    put!("{}", render(&columns, &rows))?;
    put!("\nILPS is such a score minus that of the same text in a template about a neutral noun")?;
    Ok(exit)
}

fn show(
    text: &str,
    question: &Question,
    answer: &TokenLogProbs,
    tokenizer: &Tokenizer,
) -> Result<(), Failure> {
    if !answer.is_finite() {
        return Ok(()); // the table below says so
    }
    let encoding = tokenizer.encode(&question.target)?;
    put!("{text}\n{}\n{}\n", tokens(&encoding.tokens, &[("log-probability", answer)], None), summary(answer))
}

fn row(text: &str, info: &MethodInfo, score: Result<f64, Unscorable>) -> Vec<String> {
    let (score, words) = match score {
        Ok(score) => (number(score, 6), format!("{}, in {}", info.formula, info.unit)),
        Err(reason) => ("–".to_owned(), format!("unscorable: {reason}")),
    };
    vec![text.to_owned(), info.name.to_owned(), score, words]
}
