//! `explain`: a text or a pair under the lens, by every method that the language model can do.

mod causal;
mod masked;
mod sensitivity;
mod seq2seq;

use stereometer_core::Unscorable;
use stereometer_lm::{LmKind, LoadedLm, TokenLogProbs, is_composed};

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
    let model = model.loaded;
    let texts = [Some(&args.first), args.second.as_ref(), args.source.as_ref()];
    if texts.into_iter().flatten().any(|text| !is_composed(text)) {
        talk.doubt(
            "a text is not in NFC: composed and decomposed letters can have other tokens",
            Some("`audit` brings all texts to NFC before it asks"),
        );
    }
    let tokenizer = &model.tokenizer;
    match (&model.lm, &args.source) {
        (LoadedLm::Causal(lm), None) => causal::explain(args, &**lm, tokenizer),
        (LoadedLm::Masked(lm), None) => masked::explain(args, (&model.lm, &**lm), tokenizer),
        (LoadedLm::Seq2Seq(lm), Some(source)) => seq2seq::explain(args, source, &**lm, tokenizer),
        (LoadedLm::Seq2Seq(_), None) => {
            let error =
                format!("an {} scores what follows a source text: --source is missing", LmKind::Seq2Seq);
            Err(Failure::new(Exit::CommandLine, error)
                .hint("for example: --source \"The person is <extra_id_0> .\" kind cold"))
        }
        (LoadedLm::Masked(lm), Some(source)) => sensitivity::explain(args, source, &**lm, tokenizer),
        (LoadedLm::Causal(_), Some(_)) => Err(Failure::new(
            Exit::CommandLine,
            "--source is for encoder–decoders and masked models; this language model is causal",
        )),
    }
}

/// Whether a source has one place for the text.
fn one_blank(source: &str, blank: &str) -> Result<(), Failure> {
    let error = match source.matches(blank).count() {
        1 => return Ok(()),
        0 => format!("the source has no blank `{blank}` for the text"),
        n => format!("the source has {n} blanks `{blank}`; the text goes into one"),
    };
    Err(Failure::new(Exit::CommandLine, error)
        .hint("write it where the text goes, with a space on both sides"))
}

fn unscorable(reason: &Unscorable) -> Result<Exit, Failure> {
    put!("{reason}")?;
    Ok(Exit::SomeUnscored)
}

/// A line a token, with a column for each answer; the position where two texts first differ is marked.
fn tokens(
    pieces: &[String],
    answers: &[(&'static str, &TokenLogProbs)],
    difference: Option<usize>,
) -> String {
    let mut columns = vec![Column::Right("position"), Column::Right("id")];
    columns.extend(answers.iter().map(|(title, _)| Column::Right(title)));
    columns.push(Column::Left("token"));
    let ids = answers.first().map_or(&[][..], |(_, answer)| &answer.token_ids);
    let rows: Vec<Vec<String>> = pieces
        .iter()
        .zip(ids)
        .enumerate()
        .map(|(position, (piece, id))| {
            let mut row = vec![position.to_string(), id.to_string()];
            row.extend(answers.iter().map(|(_, answer)| {
                answer.logprobs[position]
                    .map_or_else(|| "unscored".to_owned(), |value| number(f64::from(value), 6))
            }));
            let mark = if difference == Some(position) { "   <- first difference" } else { "" };
            row.push(format!("{piece}{mark}"));
            row
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
