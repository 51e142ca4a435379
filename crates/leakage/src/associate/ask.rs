//! A language model asked by a method about the traits of a sentence: the one place where the two meet.

use std::collections::HashMap;

use stereometer_core::{AssociationItem, AssociationMethod, BLANK, Language, Slug, Subject, Unscorable};
use stereometer_lm::{
    CausalLm, Cloze, LmError, LmKind, LoadedLm, MaskedLm, Seq2SeqLm, Tokenizer, TokenizerError,
};
use stereometer_record::RecordError;
use stereometer_score::methods::blank::Filled;
use stereometer_score::methods::{continuation, ilps, set};
use stereometer_score::{association_info, association_methods};
use thiserror::Error;

/// A failure of an association run.
#[derive(Debug, Error)]
pub enum AssociationError {
    /// The language model could not answer.
    #[error("the language model failed: {0}")]
    Lm(#[from] LmError),
    /// A text could not be tokenised.
    #[error(transparent)]
    Tokenizer(#[from] TokenizerError),
    /// The run could not be read or written.
    #[error(transparent)]
    Record(#[from] RecordError),
    /// The model is of another kind.
    #[error("the method `{method}` is for {} language models, this one is {lm}", association_info(*.method).lm)]
    OtherKind {
        /// What was asked for.
        method: AssociationMethod,
        /// What the model is.
        lm: LmKind,
    },
    /// The choices leave no sentence.
    #[error("nothing to ask: {0}")]
    NothingSelected(String),
}

/// The method asked for, or the one that a kind of model has by default.
pub fn association_method_for(
    lm: LmKind,
    asked: Option<AssociationMethod>,
) -> Result<AssociationMethod, AssociationError> {
    let known = association_methods(lm);
    match asked {
        // In a causal model the increased log-probability score is that of the continuation.
        Some(AssociationMethod::Ilps) if lm == LmKind::Causal => Ok(AssociationMethod::Continuation),
        Some(method) if !known.contains(&method) => Err(AssociationError::OtherKind { method, lm }),
        Some(method) => Ok(method),
        None => Ok(known[0]),
    }
}

/// A language model with the method it is asked by.
pub struct AssociationAsker<'a> {
    pub(super) lm: Asked<'a>,
    pub(super) tokenizer: &'a Tokenizer,
    /// The neutral noun's sentences, before and after the blank.
    priors: HashMap<(Language, Slug, Slug), (String, String)>,
}

#[derive(Clone, Copy)]
pub(super) enum Asked<'a> {
    Ilps(&'a dyn Seq2SeqLm),
    Set(&'a dyn MaskedLm),
    Pll(&'a dyn MaskedLm),
    Continuation(&'a dyn CausalLm),
}

/// What is asked about one trait.
pub(super) enum Question {
    Ilps(ilps::Question),
    Clozes(Vec<Cloze>),
    Continuation(Filled),
}

impl<'a> AssociationAsker<'a> {
    /// Puts the two together for some items.
    pub fn new(
        lm: &'a LoadedLm,
        method: AssociationMethod,
        tokenizer: &'a Tokenizer,
        items: &[AssociationItem],
    ) -> Result<Self, AssociationError> {
        let refusal = || AssociationError::OtherKind { method, lm: lm.kind() };
        let asked = match (method, lm) {
            (AssociationMethod::Ilps, LoadedLm::Seq2Seq(lm)) => Asked::Ilps(&**lm),
            (AssociationMethod::Set, LoadedLm::Masked(lm)) => Asked::Set(&**lm),
            (AssociationMethod::Pll, LoadedLm::Masked(lm)) => Asked::Pll(&**lm),
            (AssociationMethod::Continuation | AssociationMethod::Choice, LoadedLm::Causal(lm)) => {
                Asked::Continuation(&**lm)
            }
            (
                AssociationMethod::Ilps
                | AssociationMethod::Set
                | AssociationMethod::Pll
                | AssociationMethod::Continuation
                | AssociationMethod::Choice,
                LoadedLm::Causal(_) | LoadedLm::Masked(_) | LoadedLm::Seq2Seq(_),
            ) => return Err(refusal()),
        };
        let priors = items.iter().filter(|item| item.subject == Subject::Prior);
        let priors = priors.filter_map(|item| {
            let (before, after) = item.text.split_once(BLANK)?;
            Some((place(item), (before.to_owned(), after.to_owned())))
        });
        let priors = priors.collect();
        Ok(Self { lm: asked, tokenizer, priors })
    }

    /// What is asked about each trait of a sentence, or why it has no score.
    pub(super) fn questions(
        &self,
        item: &AssociationItem,
    ) -> Result<Vec<Result<Question, Unscorable>>, TokenizerError> {
        item.traits.iter().map(|(_, word)| self.question(item, word)).collect()
    }

    fn question(
        &self,
        item: &AssociationItem,
        word: &str,
    ) -> Result<Result<Question, Unscorable>, TokenizerError> {
        let tokenizer = self.tokenizer;
        Ok(match self.lm {
            Asked::Ilps(lm) => {
                let source = ilps::source(&item.text, tokenizer);
                ilps::query(&source, word, lm.info().context_length, tokenizer)?.map(Question::Ilps)
            }
            Asked::Set(lm) | Asked::Pll(lm) => {
                let template = item.text.replacen(BLANK, set::BLANK, 1);
                let (mask, context) = (lm.mask_id(), lm.info().context_length);
                set::queries(&template, word, mask, context, tokenizer)?.map(Question::Clozes)
            }
            Asked::Continuation(lm) => {
                if self.group_follows(item) {
                    return Ok(Err(Unscorable::GroupAfterTrait));
                }
                continuation::query(&item.text, word, lm.info().context_length, tokenizer)?
                    .and_then(|filled| self.with_shared_neighbours(item, filled))
                    .map(Question::Continuation)
            }
        })
    }

    /// Whether what stands before the blank is the same for a group and for the neutral noun.
    fn group_follows(&self, item: &AssociationItem) -> bool {
        self.prior_of(item).is_some_and(|(prior, _, own, _)| prior == own)
    }

    /// Tokens that hold more than the trait hold text that the neutral noun's sentence has as well.
    fn with_shared_neighbours(&self, item: &AssociationItem, filled: Filled) -> Result<Filled, Unscorable> {
        let Some((prior_before, prior_after, before, after)) = self.prior_of(item) else { return Ok(filled) };
        let shared = |ours: &mut dyn Iterator<Item = u8>, theirs: &mut dyn Iterator<Item = u8>| {
            ours.zip(theirs).take_while(|(a, b)| a == b).count()
        };
        let left = shared(&mut before.bytes().rev(), &mut prior_before.bytes().rev());
        let right = shared(&mut after.bytes(), &mut prior_after.bytes());
        if filled.beside.0 <= left && filled.beside.1 <= right {
            Ok(filled)
        } else {
            Err(Unscorable::BlankLost)
        }
    }

    /// What stands before and after the blank of the neutral noun's sentence, and of a group's.
    fn prior_of<'t>(&'t self, item: &'t AssociationItem) -> Option<(&'t str, &'t str, &'t str, &'t str)> {
        let (before, after) = item.text.split_once(BLANK).filter(|_| item.subject != Subject::Prior)?;
        self.priors.get(&place(item)).map(|prior| (prior.0.as_str(), prior.1.as_str(), before, after))
    }
}

fn place(item: &AssociationItem) -> (Language, Slug, Slug) {
    (item.language.clone(), item.template.clone(), item.form.clone())
}
