//! A language model asked by a method about pairs: the one place where the two meet.
//!
//! A method that the model cannot do, and a rule that the method does not have, are found before anything is asked.

use stereometer_core::{Method, Rule, Unscorable};
use stereometer_lm::{
    CausalLm, LmError, LmKind, LoadedLm, MaskedLm, TokenId, TokenLogProbs, TokenTrie, Tokenizer,
    TokenizerError,
};
use stereometer_score::methods::likelihood::PairTexts;
use stereometer_score::methods::pll::PllKind;
use stereometer_score::methods::{likelihood, masked_difference, pll};
use stereometer_score::{PairClozes, PairLogProbs, info, pair_methods};
use thiserror::Error;

/// Why a choice of method or rule cannot be had.
#[derive(Debug, Error, PartialEq, Eq)]
pub enum MethodError {
    /// No method scores minimal pairs with this kind of model.
    #[error(
        "the language model is an encoder–decoder, for which no method scores minimal pairs: an audit needs a causal or a \
         masked language model"
    )]
    NoPairs,
    /// The model is of another kind.
    #[error("the method `{method}` needs a {} language model, this one is {lm}", info(*.method).lm)]
    OtherKind {
        /// What was asked for.
        method: Method,
        /// What the model is.
        lm: LmKind,
    },
    /// The method has no such rule.
    #[error("the method `{method}` has no rule `{rule}`")]
    NoRule {
        /// The method.
        method: Method,
        /// What was asked for.
        rule: Rule,
    },
}

impl MethodError {
    /// What can be had instead.
    pub fn hint(&self) -> String {
        match self {
            Self::NoPairs => {
                "`logprobs` and `explain --source` score what follows a source text with this model"
                    .to_owned()
            }
            Self::OtherKind { lm, .. } => {
                let methods = pair_methods(*lm).into_iter().map(Method::name).collect::<Vec<_>>();
                format!("this language model can do: {}", methods.join(", "))
            }
            Self::NoRule { method, .. } => {
                let rules = info(*method).rules.iter().map(|rule| rule.name()).collect::<Vec<_>>();
                format!("its rules: {}", rules.join(", "))
            }
        }
    }
}

/// The method asked for, or the one that a kind of model has by default.
pub fn method_for(lm: LmKind, asked: Option<Method>) -> Result<Method, MethodError> {
    let default = *pair_methods(lm).first().ok_or(MethodError::NoPairs)?;
    match asked {
        Some(method) if info(method).lm != lm => Err(MethodError::OtherKind { method, lm }),
        Some(method) => Ok(method),
        None => Ok(default),
    }
}

/// Whether a method has a rule.
pub fn check_rule(method: Method, rule: Rule) -> Result<(), MethodError> {
    if info(method).rules.contains(&rule) { Ok(()) } else { Err(MethodError::NoRule { method, rule }) }
}

/// A language model with the method it is asked by.
pub struct Asker<'a> {
    lm: Asked<'a>,
    tokenizer: &'a Tokenizer,
}

#[derive(Clone, Copy)]
enum Asked<'a> {
    Likelihood(&'a dyn CausalLm),
    Pll(&'a dyn MaskedLm, PllKind),
    MaskedDifference(&'a dyn MaskedLm),
}

impl<'a> Asker<'a> {
    /// Puts the two together.
    pub fn new(lm: &'a LoadedLm, method: Method, tokenizer: &'a Tokenizer) -> Result<Self, MethodError> {
        let refusal = || {
            if pair_methods(lm.kind()).is_empty() {
                MethodError::NoPairs
            } else {
                MethodError::OtherKind { method, lm: lm.kind() }
            }
        };
        let masked = || match lm {
            LoadedLm::Masked(lm) => Ok(&**lm),
            LoadedLm::Causal(_) | LoadedLm::Seq2Seq(_) => Err(refusal()),
        };
        let lm = match method {
            Method::Likelihood => match lm {
                LoadedLm::Causal(lm) => Asked::Likelihood(&**lm),
                LoadedLm::Masked(_) | LoadedLm::Seq2Seq(_) => return Err(refusal()),
            },
            Method::PllOriginal => Asked::Pll(masked()?, PllKind::Original),
            Method::PllWithinWord => Asked::Pll(masked()?, PllKind::WithinWord),
            Method::MaskedDifference => Asked::MaskedDifference(masked()?),
        };
        Ok(Self { lm, tokenizer })
    }

    /// The tokenizer.
    pub fn tokenizer(&self) -> &'a Tokenizer {
        self.tokenizer
    }

    /// What is asked about a masculine and a feminine text, or why the pair has no score.
    pub fn question(&self, texts: [&str; 2]) -> Result<Result<Question, Unscorable>, TokenizerError> {
        let tokenizer = self.tokenizer;
        Ok(match self.lm {
            Asked::Likelihood(lm) => {
                likelihood::queries(texts, lm.info().context_length, tokenizer)?.map(Question::Texts)
            }
            Asked::Pll(lm, kind) => {
                pll::pair(texts, kind, lm.mask_id(), lm.info().context_length, tokenizer)?
                    .map(Question::Clozes)
            }
            Asked::MaskedDifference(lm) => {
                masked_difference::pair(texts, lm.mask_id(), lm.info().context_length, tokenizer)?
                    .map(Question::Clozes)
            }
        })
    }

    /// The answers as the model gave them, in the order of the questions. All go to the model together.
    pub fn ask(&self, questions: &[Question]) -> Result<Vec<PairLogProbs>, LmError> {
        let answers = match self.lm {
            Asked::Likelihood(lm) => {
                let texts = questions.iter().flat_map(Question::ids).cloned().collect::<Vec<_>>();
                lm.sequence_logprobs(&texts)?
            }
            Asked::Pll(lm, _) | Asked::MaskedDifference(lm) => {
                let clozes = questions.iter().flat_map(Question::clozes).cloned().collect::<Vec<_>>();
                lm.cloze_logprobs(&clozes)?
            }
        };
        let mut rest = answers.as_slice();
        Ok(questions
            .iter()
            .map(|question| {
                let (own, others) = rest.split_at(question.n_answers().min(rest.len()));
                rest = others;
                question.reduce(own)
            })
            .collect())
    }
}

/// What is asked about a pair.
pub enum Question {
    /// How likely each of the two texts is.
    Texts(PairTexts),
    /// What stands in the blanks.
    Clozes(PairClozes),
}

impl Question {
    /// Token ids of the masculine and the feminine text.
    pub fn ids(&self) -> &[Vec<TokenId>; 2] {
        match self {
            Self::Texts(texts) => &texts.ids,
            Self::Clozes(clozes) => &clozes.ids,
        }
    }

    fn clozes(&self) -> &[stereometer_lm::Cloze] {
        match self {
            Self::Texts(_) => &[],
            Self::Clozes(pair) => &pair.clozes,
        }
    }

    fn n_answers(&self) -> usize {
        match self {
            Self::Texts(texts) => texts.ids.len(),
            Self::Clozes(pair) => pair.clozes.len(),
        }
    }

    fn reduce(&self, answers: &[TokenLogProbs]) -> PairLogProbs {
        match self {
            Self::Texts(texts) => texts.reduce(answers),
            Self::Clozes(pair) => pair.reduce(answers),
        }
    }
}

/// How many tokens go through the model for some questions; shared prefixes of texts count once.
#[derive(Default)]
pub(crate) struct Cost {
    trie: TokenTrie,
    clozes: usize,
}

impl Cost {
    pub fn add(&mut self, question: &Question) {
        match question {
            Question::Texts(texts) => {
                for ids in &texts.ids {
                    self.trie.insert(ids);
                }
            }
            Question::Clozes(pair) => {
                self.clozes += pair.clozes.iter().map(|cloze| cloze.ids.len()).sum::<usize>();
            }
        }
    }

    pub fn tokens(&self) -> usize {
        self.trie.len() + self.clozes
    }
}
