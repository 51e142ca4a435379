//! The two token sequences of a minimal pair.
//!
//! Texts are tokenised whole, never as prefix + continuation: a template changes how the end of a sentence is cut
//! into tokens, and `encode(a + b)` is not `encode(a) + encode(b)`.

use serde::{Deserialize, Serialize};
use stereometer_core::{Item, Unscorable};
use stereometer_lm::{TokenId, TokenLogProbs, Tokenizer, TokenizerError};

/// The answers for one item: what a run stores of it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct PairLogProbs {
    /// The masculine variant.
    pub masculine: TokenLogProbs,
    /// The feminine variant.
    pub feminine: TokenLogProbs,
}

/// Token ids of the masculine and the feminine variant, or why the pair cannot be scored under any rule.
///
/// `context` is the model's longest text in tokens. A tokenizer failure is an error of the machine, not of the item.
pub fn queries(
    item: &Item,
    tokenizer: &Tokenizer,
    context: usize,
) -> Result<Result<[Vec<TokenId>; 2], Unscorable>, TokenizerError> {
    if item.masculine == item.feminine {
        return Ok(Err(Unscorable::EqualTexts));
    }
    let encode = |text: &str| match tokenizer.encode(text) {
        Ok(encoding) => Ok(Ok(encoding.ids)),
        Err(TokenizerError::Unscorable(reason)) => Ok(Err(reason)),
        Err(error) => Err(error),
    };
    let (masculine, feminine) = match (encode(&item.masculine)?, encode(&item.feminine)?) {
        (Ok(masculine), Ok(feminine)) => (masculine, feminine),
        (Err(reason), _) | (_, Err(reason)) => return Ok(Err(reason)),
    };
    let longest = masculine.len().max(feminine.len());
    let shortest = masculine.len().min(feminine.len());
    let unknown = |ids: &[TokenId]| ids.iter().any(|&id| tokenizer.is_unknown(id));
    Ok(if masculine == feminine {
        Err(Unscorable::EqualIds)
    } else if unknown(&masculine) || unknown(&feminine) {
        Err(Unscorable::UnknownToken)
    } else if longest > context {
        Err(Unscorable::TooLong { tokens: longest, context })
    } else if shortest < 2 {
        Err(Unscorable::NothingScored)
    } else {
        Ok([masculine, feminine])
    })
}

/// The last check before answers are stored: no number that is not finite passes, and ids are those that were asked.
pub fn check_answers(answers: PairLogProbs) -> Result<PairLogProbs, Unscorable> {
    if answers.masculine.is_finite() && answers.feminine.is_finite() {
        Ok(answers)
    } else {
        Err(Unscorable::NotFinite)
    }
}
