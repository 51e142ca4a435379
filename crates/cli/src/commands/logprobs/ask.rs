//! A question in tokens, and how each kind of language model is asked.

use stereometer_core::Unscorable;
use stereometer_engine::LoadedAny;
use stereometer_lm::{
    Cloze, Encoding, FramedEncoding, LmError, LoadedLm, MaskedLm, SourceTarget, TokenId, TokenLogProbs,
    TokenTrie, Tokenizer, TokenizerError,
};
use stereometer_score::methods::pll::{self, PllKind};

use super::input::{Query, Question, Shape};

/// A question in tokens.
pub struct Encoded {
    /// Whatever the user calls it.
    pub id: serde_json::Value,
    /// Pieces as the vocabulary spells them; of the target where there is one.
    pub tokens: Vec<String>,
    /// Their ids.
    pub ids: Vec<TokenId>,
    /// The same with the origin of each token.
    framed: FramedEncoding,
    /// For encoder–decoders.
    source: Vec<TokenId>,
    /// Index of the first token that can be scored.
    text_start: usize,
    /// Why the text cannot be asked for.
    unscorable: Option<Unscorable>,
}

impl Encoded {
    /// Why there can be no answer, if there can be none.
    pub fn refusal(&self, context: usize) -> Option<Unscorable> {
        let tokens = self.ids.len().max(self.source.len());
        self.unscorable.clone().or((tokens > context).then_some(Unscorable::TooLong { tokens, context }))
    }
}

/// What the lines have to be for this kind of model.
pub fn shape(lm: &LoadedLm) -> Shape {
    match lm {
        LoadedLm::Causal(_) | LoadedLm::Masked(_) => Shape::Text,
        LoadedLm::Seq2Seq(_) => Shape::Pair,
    }
}

/// Cuts a question into tokens.
pub fn encode(query: Query, tokenizer: &Tokenizer) -> Result<Encoded, TokenizerError> {
    let (text, source) = match &query.question {
        Question::Text(text) => (text, Vec::new()),
        Question::Pair(source, target) => (target, tokenizer.encode(source)?.ids),
    };
    let (encoding, unscorable) = match tokenizer.encode(text) {
        Err(TokenizerError::Unscorable(reason)) => (Encoding::default(), Some(reason)),
        encoded => (encoded?, None),
    };
    let framed = tokenizer.encode_framed(text)?;
    let Encoding { ids, tokens, text_start } = encoding;
    Ok(Encoded { id: query.id, tokens, ids, framed, source, text_start, unscorable })
}

/// About how many tokens a batch computes.
#[derive(Default)]
pub struct Cost {
    trie: TokenTrie,
    others: usize,
}

impl Cost {
    /// Adds a question.
    pub fn add(&mut self, lm: &LoadedLm, one: &Encoded) {
        match lm {
            LoadedLm::Causal(_) => {
                self.trie.insert(&one.ids);
            }
            // A masked model reads the whole text once for every token.
            LoadedLm::Masked(_) => self.others += one.ids.len() * one.ids.len(),
            LoadedLm::Seq2Seq(_) => self.others += one.ids.len() + one.source.len(),
        }
    }

    /// The sum so far.
    pub fn tokens(&self) -> usize {
        self.trie.len() + self.others
    }
}

/// Log-probabilities of every token of every question, in their order.
pub fn ask(model: &LoadedAny, batch: &[&Encoded]) -> Result<Vec<TokenLogProbs>, LmError> {
    match &model.lm {
        LoadedLm::Causal(lm) => {
            let texts: Vec<Vec<TokenId>> = batch.iter().map(|one| one.ids.clone()).collect();
            let answers = lm.sequence_logprobs(&texts)?.into_iter().zip(batch);
            Ok(answers.map(|(answer, one)| answer.scored_from(one.text_start)).collect())
        }
        LoadedLm::Masked(lm) => pll_of(&**lm, batch),
        LoadedLm::Seq2Seq(lm) => {
            let pairs: Vec<SourceTarget> = batch
                .iter()
                .map(|one| SourceTarget { source: one.source.clone(), target: one.ids.clone() })
                .collect();
            lm.target_logprobs(&pairs)
        }
    }
}

/// Each token of each text hidden in turn; what the tokenizer put around a text is neither hidden nor scored.
fn pll_of(lm: &dyn MaskedLm, batch: &[&Encoded]) -> Result<Vec<TokenLogProbs>, LmError> {
    let clozes: Vec<Vec<Cloze>> =
        batch.iter().map(|one| pll::clozes(&one.framed, PllKind::Original, lm.mask_id())).collect();
    let answers = lm.cloze_logprobs(&clozes.concat())?;
    let mut rest = answers.as_slice();
    let reduced = batch.iter().zip(&clozes).map(|(one, clozes)| {
        let (own, others) = rest.split_at(clozes.len().min(rest.len()));
        rest = others;
        pll::reduce(&one.ids, clozes, own)
    });
    Ok(reduced.collect())
}
