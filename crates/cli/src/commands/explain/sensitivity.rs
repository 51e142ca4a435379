//! Masked models with a template: how far the output layer must move for a word to win the blank (SeT).

use stereometer_core::Unscorable;
use stereometer_lm::{Cloze, MaskedLm, Tokenizer};
use stereometer_score::methods::set::{self, BLANK, INFO};
use stereometer_score::set_solver::Step;

use super::one_blank;
use crate::args::ExplainArgs;
use crate::failure::{Exit, Failure};
use crate::out::put;
use crate::table::{Column, render};
use crate::words::number;

/// Explains one word or phrase, or two, in the blank of the template.
pub fn explain(
    args: &ExplainArgs,
    template: &str,
    lm: &dyn MaskedLm,
    tokenizer: &Tokenizer,
) -> Result<Exit, Failure> {
    one_blank(template, BLANK)?;
    let mut pieces = Vec::new();
    let mut scores = Vec::new();
    let mut exit = Exit::Done;
    for text in [Some(&args.first), args.second.as_ref()].into_iter().flatten() {
        let clozes = set::queries(template, text, lm.mask_id(), lm.info().context_length, tokenizer)?;
        let score = match clozes {
            Ok(clozes) => {
                let mut steps = Vec::with_capacity(clozes.len());
                lm.look_at_logits(&clozes, &mut |view| steps.push(set::piece(&view)))?;
                for (cloze, step) in clozes.iter().zip(&steps) {
                    pieces.push(piece(text, cloze, step, tokenizer)?);
                }
                set::reduce(&steps)
            }
            Err(reason) => Err(reason),
        };
        if score.is_err() {
            exit = Exit::SomeUnscored;
        }
        let (score, words) = match score {
            Ok(score) => (number(score, 6), format!("{}, in {}", INFO.formula, INFO.unit)),
            Err(reason) => ("–".to_owned(), format!("unscorable: {reason}")),
        };
        scores.push(vec![text.clone(), INFO.name.to_owned(), score, words]);
    }
    if !pieces.is_empty() {
        let columns = [
            Column::Left("text"),
            Column::Right("position"),
            Column::Right("id"),
            Column::Right("step of the output layer"),
            Column::Right("ln(1 − step)"),
            Column::Left("token"),
        ];
        put!("{}\n", render(&columns, &pieces))?;
    }
    let columns =
        [Column::Left("text"), Column::Left("method"), Column::Right("score"), Column::Left("what it is")];
    put!("{}", render(&columns, &scores))?;
    put!("\nan association is such a score minus that of the same text in a template about a neutral noun")?;
    Ok(exit)
}

fn piece(text: &str, cloze: &Cloze, step: &Step, tokenizer: &Tokenizer) -> Result<Vec<String>, Failure> {
    let Some(target) = cloze.targets.first() else { return Ok(Vec::new()) };
    let norm = if step.norm.is_finite() { number(step.norm, 6) } else { "–".to_owned() };
    let log = match set::piece_score(step) {
        Ok(score) => number(score, 6),
        Err(Unscorable::SensitivityUndefined) => "undefined".to_owned(),
        Err(reason) => reason.to_string(),
    };
    Ok(vec![
        text.to_owned(),
        target.position.to_string(),
        target.id.to_string(),
        norm,
        log,
        tokenizer.decode(&[target.id])?,
    ])
}
