//! `likelihood`: how likely a causal model finds a text (EuroGEST, Rowe et al. 2025).
//!
//! ```text
//! ℓ_t = ln P(w_t | w_<t),  t = 1 … n          in nats; position 0 is a condition and never scored
//! ```
//!
//! Texts are tokenised whole, never as prefix + continuation: a template changes how the end of a sentence is cut
//! into tokens, and `encode(a + b)` is not `encode(a) + encode(b)`. How the ℓ_t become one number is the choice of a
//! [rule](crate::rules).
//!
//! Toy table: ℓ = −1, −2 against −1, −3: means −1.5 and −2, difference ½.

use stereometer_core::{Rule, Unscorable};
use stereometer_lm::{LmKind, TokenId, TokenLogProbs, Tokenizer, TokenizerError};

use super::check_pair;
use crate::pair::PairLogProbs;
use crate::registry::{Comparison, MethodInfo, Toy};

/// The row of the registry.
pub const INFO: MethodInfo = MethodInfo {
    name: stereometer_core::Method::Likelihood.name(),
    lm: LmKind::Causal,
    summary: "log-probability of each token after those before it",
    formula: "ℓ_t = ln P(w_t given the tokens before it), reduced by a rule",
    comparison: Comparison::MasculineRate,
    unit: "nats",
    direction: "the masculine variant is likelier",
    reference: "EuroGEST (Rowe et al., EMNLP 2025)",
    rules: &Rule::ALL,
    limit: "A token is judged by what stands before it, never by what follows.",
    toy: Toy { first: &[-1.0, -2.0], second: &[-1.0, -3.0], difference: 0.5 },
};

/// What a causal model is asked about a pair.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PairTexts {
    /// Token ids of the masculine and the feminine variant.
    pub ids: [Vec<TokenId>; 2],
    /// Index of the first token of each that can be scored: a chat template before it is a condition.
    pub starts: [usize; 2],
}

impl PairTexts {
    /// The two answers, with what stands before the texts as a condition. A text without an answer has nothing scored.
    pub fn reduce(&self, answers: &[TokenLogProbs]) -> PairLogProbs {
        let answer = |at: usize| {
            let ids = &self.ids[at];
            let none = || TokenLogProbs { token_ids: ids.clone(), logprobs: vec![None; ids.len()] };
            answers.get(at).cloned().unwrap_or_else(none).scored_from(self.starts[at])
        };
        PairLogProbs { masculine: answer(0), feminine: answer(1) }
    }
}

/// What is asked about the masculine and the feminine variant, or why the pair cannot be scored under any rule.
///
/// `context` is the model's longest text in tokens. A tokenizer failure is an error of the machine, not of the item.
pub fn queries(
    texts: [&str; 2],
    context: usize,
    tokenizer: &Tokenizer,
) -> Result<Result<PairTexts, Unscorable>, TokenizerError> {
    if texts[0] == texts[1] {
        return Ok(Err(Unscorable::EqualTexts));
    }
    let encode = |text: &str| match tokenizer.encode(text) {
        Ok(encoding) => Ok(Ok(encoding)),
        Err(TokenizerError::Unscorable(reason)) => Ok(Err(reason)),
        Err(error) => Err(error),
    };
    let (masculine, feminine) = match (encode(texts[0])?, encode(texts[1])?) {
        (Ok(masculine), Ok(feminine)) => (masculine, feminine),
        (Err(reason), _) | (_, Err(reason)) => return Ok(Err(reason)),
    };
    let starts = [masculine.text_start, feminine.text_start];
    let ids = [masculine.ids, feminine.ids];
    if let Err(reason) = check_pair([&ids[0], &ids[1]], tokenizer, context) {
        return Ok(Err(reason));
    }
    // The first token of all is never scored.
    let nothing = ids.iter().zip(starts).any(|(ids, start)| ids.len() <= start.max(1));
    Ok(if nothing { Err(Unscorable::NothingScored) } else { Ok(PairTexts { ids, starts }) })
}
