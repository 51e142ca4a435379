//! Consecutive sentences that are asked about together, and their rows.
//!
//! What the traits share is computed once: a source for all its targets, a tree of beginnings, and of two equal clozes
//! one, with the tokens of both as its targets.

use std::collections::HashMap;

use stereometer_core::{AssociationItem, Outcome, Unscorable};
use stereometer_lm::{Cloze, LmError, SourceTarget, TokenId, TokenLogProbs, TokenTrie, TokenizerError};
use stereometer_record::{AssociationRecord, TraitAnswer};
use stereometer_score::methods::{continuation, set};
use stereometer_score::set_solver::Step;

use super::ask::{Asked, AssociationAsker, Question};

/// Consecutive items and what is asked about them.
#[derive(Default)]
pub struct Batch<'a> {
    entries: Vec<(&'a AssociationItem, Vec<Result<Question, Unscorable>>)>,
    clozes: MergedClozes,
    trie: TokenTrie,
    other_tokens: usize,
    tokens: usize,
}

/// What the model answers, in the order of the questions.
pub enum Answers {
    /// One text a question.
    Texts(Vec<TokenLogProbs>),
    /// One log-probability a cloze of a question.
    Pieces(Vec<f32>),
    /// One step of the output layer a cloze of a question.
    Steps(Vec<Option<Step>>),
}

/// Equal clozes as one.
#[derive(Default)]
struct MergedClozes {
    all: Vec<Cloze>,
    by_ids: HashMap<Vec<TokenId>, usize>,
    /// Cloze and target of every piece that is asked for.
    places: Vec<(usize, usize)>,
    /// Tokens of all.
    tokens: usize,
}

impl MergedClozes {
    fn push(&mut self, cloze: &Cloze) {
        let next = self.all.len();
        let at = *self.by_ids.entry(cloze.ids.clone()).or_insert(next);
        if at == next {
            self.all.push(Cloze { ids: cloze.ids.clone(), targets: Vec::new() });
            self.tokens += cloze.ids.len();
        }
        let merged = &mut self.all[at];
        for target in &cloze.targets {
            self.places.push((at, merged.targets.len()));
            merged.targets.push(*target);
        }
    }
}

impl<'a> Batch<'a> {
    /// The next items whose texts make about `batch_tokens` tokens; `None` when there are no more.
    pub(super) fn next(
        rest: &mut std::slice::Iter<'a, AssociationItem>,
        asker: &AssociationAsker<'_>,
        batch_tokens: usize,
    ) -> Result<Option<Self>, TokenizerError> {
        let mut batch = Self::default();
        while batch.cost().0 < batch_tokens.max(1) {
            let Some(item) = rest.next() else { break };
            batch.push(item, asker.questions(item)?);
        }
        Ok((!batch.entries.is_empty()).then_some(batch))
    }

    fn push(&mut self, item: &'a AssociationItem, questions: Vec<Result<Question, Unscorable>>) {
        let mut source: Option<&[TokenId]> = None;
        for question in questions.iter().flatten() {
            match question {
                Question::Ilps(question) => {
                    let pair = &question.pair;
                    let is_new = source != Some(pair.source.as_slice());
                    self.other_tokens += pair.target.len() + if is_new { pair.source.len() } else { 0 };
                    self.tokens += pair.source.len() + pair.target.len();
                    source = Some(&pair.source);
                }
                Question::Clozes(clozes) => {
                    for cloze in clozes {
                        self.tokens += cloze.ids.len();
                        self.clozes.push(cloze);
                    }
                }
                Question::Continuation(filled) => {
                    self.tokens += filled.ids.len();
                    self.trie.insert(&filled.ids);
                }
            }
        }
        self.entries.push((item, questions));
    }

    /// Tokens that go through the model, and tokens of all texts.
    pub(super) fn cost(&self) -> (usize, usize) {
        (self.other_tokens + self.clozes.tokens + self.trie.len(), self.tokens)
    }

    fn asked(&self) -> impl Iterator<Item = &Question> {
        self.entries.iter().flat_map(|(_, questions)| questions.iter().flatten())
    }

    /// Asks the model everything at once.
    pub(super) fn ask(&self, asker: &AssociationAsker<'_>) -> Result<Answers, LmError> {
        match asker.lm {
            Asked::Ilps(lm) => {
                let pair = |question: &Question| match question {
                    Question::Ilps(question) => Some(question.pair.clone()),
                    Question::Clozes(_) | Question::Continuation(_) => None,
                };
                let pairs: Vec<SourceTarget> = self.asked().filter_map(pair).collect();
                lm.target_logprobs(&pairs).map(Answers::Texts)
            }
            Asked::Continuation(lm) => {
                let ids = |question: &Question| match question {
                    Question::Continuation(filled) => Some(filled.ids.clone()),
                    Question::Ilps(_) | Question::Clozes(_) => None,
                };
                let texts: Vec<Vec<TokenId>> = self.asked().filter_map(ids).collect();
                lm.sequence_logprobs(&texts).map(Answers::Texts)
            }
            Asked::Pll(lm) => {
                let answers = lm.cloze_logprobs(&self.clozes.all)?;
                let piece = |&(cloze, target): &(usize, usize)| {
                    answers.get(cloze).and_then(|answer| *answer.logprobs.get(target)?).unwrap_or(f32::NAN)
                };
                Ok(Answers::Pieces(self.clozes.places.iter().map(piece).collect()))
            }
            Asked::Set(lm) => {
                let mut steps: Vec<Vec<Option<Step>>> =
                    self.clozes.all.iter().map(|cloze| vec![None; cloze.targets.len()]).collect();
                lm.look_at_logits(&self.clozes.all, &mut |view| {
                    steps[view.cloze][view.target] = Some(set::piece(&view));
                })?;
                let places = self.clozes.places.iter();
                Ok(Answers::Steps(places.map(|&(cloze, target)| steps[cloze][target]).collect()))
            }
        }
    }

    /// The rows of all items.
    pub(super) fn rows(&self, answers: &Answers, identity_hash: &str) -> Vec<AssociationRecord> {
        let mut next = 0;
        let rows = self.entries.iter().map(|(item, questions)| {
            let outcomes = questions.iter().map(|question| {
                let answer = question.as_ref().map_err(Clone::clone).and_then(|question| {
                    let from = next;
                    next += answers.n_of(question);
                    answers.of(question, from)
                });
                match answer {
                    Ok(answer) => Outcome::Scored(answer),
                    Err(reason) => Outcome::Unscored(reason),
                }
            });
            AssociationRecord::new(identity_hash, item, outcomes.collect())
        });
        rows.collect()
    }
}

impl Answers {
    /// How many answers a question has.
    fn n_of(&self, question: &Question) -> usize {
        match (self, question) {
            (Self::Pieces(_) | Self::Steps(_), Question::Clozes(clozes)) => clozes.len(),
            (Self::Texts(_) | Self::Pieces(_) | Self::Steps(_), _) => 1,
        }
    }

    /// The answer to a question, whose first is at `from`.
    fn of(&self, question: &Question, from: usize) -> Result<TraitAnswer, Unscorable> {
        match (self, question) {
            (Self::Texts(texts), Question::Ilps(question)) => {
                let answer = texts.get(from).ok_or(Unscorable::NothingScored)?;
                let logprobs = answer.logprobs.iter().copied().collect::<Option<Vec<f32>>>();
                let logprobs = logprobs.ok_or(Unscorable::NothingScored)?;
                let pieces = (question.pieces.start, question.pieces.end);
                finite(TraitAnswer::LogProbs { token_ids: answer.token_ids.clone(), logprobs, pieces })
            }
            (Self::Texts(texts), Question::Continuation(filled)) => {
                let answer = texts.get(from).ok_or(Unscorable::NothingScored)?;
                let (token_ids, logprobs) = continuation::pieces(filled, answer)?;
                let pieces = (0, logprobs.len());
                Ok(TraitAnswer::LogProbs { token_ids, logprobs, pieces })
            }
            (Self::Pieces(all), Question::Clozes(clozes)) => {
                let logprobs = all.get(from..from + clozes.len()).ok_or(Unscorable::NothingScored)?.to_vec();
                finite(TraitAnswer::LogProbs {
                    token_ids: targets(clozes),
                    pieces: (0, logprobs.len()),
                    logprobs,
                })
            }
            (Self::Steps(all), Question::Clozes(clozes)) => {
                let steps = all.get(from..from + clozes.len()).ok_or(Unscorable::NothingScored)?;
                let steps: Vec<Step> =
                    steps.iter().copied().collect::<Option<_>>().ok_or(Unscorable::NothingScored)?;
                // Undefined steps are a reason, and not stored.
                set::reduce(&steps)?;
                let norms = steps.iter().map(|step| step.norm).collect();
                Ok(TraitAnswer::Steps { token_ids: targets(clozes), norms })
            }
            (Self::Texts(_), Question::Clozes(_))
            | (Self::Pieces(_) | Self::Steps(_), Question::Ilps(_) | Question::Continuation(_)) => {
                Err(Unscorable::NothingScored)
            }
        }
    }
}

fn targets(clozes: &[Cloze]) -> Vec<TokenId> {
    clozes.iter().flat_map(|cloze| cloze.targets.iter().map(|target| target.id)).collect()
}

fn finite(answer: TraitAnswer) -> Result<TraitAnswer, Unscorable> {
    match &answer {
        TraitAnswer::LogProbs { logprobs, .. } if logprobs.iter().any(|value| !value.is_finite()) => {
            Err(Unscorable::NotFinite)
        }
        TraitAnswer::LogProbs { .. } | TraitAnswer::Steps { .. } => Ok(answer),
    }
}
