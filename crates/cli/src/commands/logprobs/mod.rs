//! `logprobs`: JSON lines in, log-probabilities out.
//!
//! A causal model scores each token after those before it, a masked one each token with itself hidden (`pll`, original),
//! an encoder–decoder each target token after the source and the target before it.

mod ask;
mod input;
mod output;

use std::io::Write;
use std::time::Instant;

use stereometer_core::Unscorable;

use crate::args::LogprobsArgs;
use crate::failure::{Exit, Failure};
use crate::model::OpenModel;
use crate::talk::Talk;
use crate::words::plural;
use ask::{Cost, Encoded, ask, encode, shape};
use output::Output;

/// Runs the command.
pub fn run(args: &LogprobsArgs, talk: &mut Talk) -> Result<Exit, Failure> {
    let mut output = Output::open(args.output.as_deref())?;
    let mut model = OpenModel::open(&args.model.model, &args.model.loading, talk)?;
    model.wrap(&args.chat, talk)?;
    let model = model.loaded;
    let queries = input::read(args.input.as_deref(), shape(&model.lm))?;
    let context = model.lm.info().context_length;
    let (began, n) = (Instant::now(), queries.len());
    let (mut tree_tokens, mut tokens, mut refused) = (0, 0, 0);
    let mut rest = queries.into_iter().peekable();
    while rest.peek().is_some() {
        let (mut batch, mut cost) = (Vec::new(), Cost::default());
        while cost.tokens() < args.model.batch_tokens as usize {
            let Some(query) = rest.next() else { break };
            let one = encode(query, &model.tokenizer)?;
            if one.refusal(context).is_none() {
                cost.add(&model.lm, &one);
            }
            tokens += one.ids.len();
            batch.push(one);
        }
        tree_tokens += cost.tokens();
        let fitting: Vec<&Encoded> = batch.iter().filter(|one| one.refusal(context).is_none()).collect();
        let mut answers = ask(&model, &fitting)?.into_iter();
        for one in &batch {
            let answer =
                one.refusal(context).map_or_else(|| answers.next().ok_or(Unscorable::NotFinite), Err);
            refused += usize::from(!output.line(one, answer)?);
        }
    }
    output.finish()?;
    if refused > 0 {
        talk.doubt(&format!("no answer for {refused} of {}", plural(n, "text")), Some("the output says why"));
    }
    if args.timing {
        let timing = serde_json::json!({
            "texts": n, "seconds": began.elapsed().as_secs_f64(), "tree_tokens": tree_tokens, "tokens": tokens,
            "threads": args.model.loading.thread_count(),
        });
        let _ = writeln!(std::io::stderr(), "{timing}");
    }
    Ok(if refused > 0 { Exit::SomeUnscored } else { Exit::Done })
}
