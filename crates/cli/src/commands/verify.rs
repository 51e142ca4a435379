//! `verify`: score a sample of a run again under other settings, and say what moved.
//!
//! In f32 on one machine nothing may move; another dtype or machine moves numbers, and this says by how much and whether
//! any pair's preferred variant changes.

use stereometer_audit::Asker;
use stereometer_core::{Outcome, Rule, Seed};
use stereometer_lm::ChatRole;
use stereometer_record::{ItemRecord, RunDirectory, ScoredVariants};
use stereometer_score::{PairLogProbs, masculine_rate};

use crate::args::VerifyArgs;
use crate::failure::{Exit, Failure};
use crate::model::OpenModel;
use crate::out::put;
use crate::talk::Talk;

/// Runs the command.
pub fn run(args: &VerifyArgs, talk: &mut Talk) -> Result<Exit, Failure> {
    let run = RunDirectory::open(&args.run)?;
    let records = run.items()?;
    let sample = sample(&records, args.sample as usize, run.spec().seed);
    if sample.is_empty() {
        return Err(Failure::new(Exit::NothingSelected, "the run has no scored item to verify"));
    }
    let name = args.model.as_ref().unwrap_or(&run.spec().identity.model.name);
    let mut model = OpenModel::open(name, &args.loading, talk).map_err(|failure| match args.model {
        Some(_) => failure,
        None => failure.hint("name the run's own checkpoint with --model"),
    })?;
    let chat = run.spec().identity.model.chat.as_ref();
    model.wrap_as(chat.and_then(|chat| ChatRole::of(&chat.role)), talk)?;
    let (there, here) = (&run.spec().identity.model.weights_sha256, &model.loaded.lm.info().weights_sha256);
    if there != here {
        return Err(Failure::new(Exit::Input, "these are not the weights of the run: their hashes differ")
            .hint("name the run's own checkpoint with --model"));
    }
    let method = run.spec().identity.method;
    let asker = Asker::new(&model.loaded.lm, method, &model.loaded.tokenizer)?;
    let mut moved = Moved::default();
    for record in sample {
        let Outcome::Scored(then) = &record.outcome else { continue };
        let other_tokens = || {
            let id = &record.id;
            Failure::new(
                Exit::Input,
                format!("this is not the tokenizer of the run: it cuts `{id}` otherwise"),
            )
            .hint("name the run's own checkpoint with --model")
        };
        let question = asker.question([&record.texts[0], &record.texts[1]])?.map_err(|_| other_tokens())?;
        if *question.ids() != [then.masculine.token_ids.clone(), then.feminine.token_ids.clone()] {
            return Err(other_tokens());
        }
        let now = asker.ask(&[question])?;
        moved.add(record, then, &now[0]);
    }
    put!("items scored again      {}", moved.items)?;
    put!("largest difference      {:e} nats a token{}", moved.largest, moved.place())?;
    put!("tokens that moved       {} of {}", moved.changed, moved.tokens)?;
    put!("preferences that change {} of {}", moved.flipped, moved.items)?;
    if moved.not_finite > 0 {
        put!("not a finite number     {} of {}", moved.not_finite, moved.tokens)?;
    }
    let passed = moved.largest <= args.tolerance && moved.flipped == 0 && moved.not_finite == 0;
    Ok(if passed { Exit::Done } else { Exit::CheckFailed })
}

/// Scored records, drawn evenly by a fixed random order.
fn sample(records: &[ItemRecord], n: usize, seed: Seed) -> Vec<&ItemRecord> {
    let mut scored: Vec<&ItemRecord> =
        records.iter().filter(|record| matches!(record.outcome, Outcome::Scored(_))).collect();
    scored.sort_by_cached_key(|record| seed.stream(&format!("verify/{}", record.id)));
    scored.truncate(n);
    scored
}

#[derive(Default)]
struct Moved {
    items: usize,
    tokens: usize,
    changed: usize,
    flipped: usize,
    not_finite: usize,
    largest: f64,
    at: Option<String>,
}

impl Moved {
    fn add(&mut self, record: &ItemRecord, then: &ScoredVariants, now: &PairLogProbs) {
        self.items += 1;
        for (then, now) in [(&then.masculine, &now.masculine), (&then.feminine, &now.feminine)] {
            for (before, after) in then.logprobs.iter().zip(&now.logprobs) {
                let (Some(before), Some(after)) = (before, after) else { continue };
                let difference = f64::from((before - after).abs());
                self.tokens += 1;
                self.changed += usize::from(before.to_bits() != after.to_bits());
                self.not_finite += usize::from(!difference.is_finite());
                if difference.is_finite() && difference > self.largest {
                    self.largest = difference;
                    self.at = Some(record.id.clone());
                }
            }
        }
        let then = PairLogProbs::of(then.parts());
        let prefers = |pair: &PairLogProbs| {
            masculine_rate(Rule::Mean, pair, [&record.texts[0], &record.texts[1]])
                .map(|rate| rate.value > 0.5)
        };
        self.flipped += usize::from(prefers(&then) != prefers(now));
    }

    fn place(&self) -> String {
        self.at.as_ref().map(|id| format!(", in {id}")).unwrap_or_default()
    }
}
