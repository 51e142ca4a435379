//! The scoring methods (methods, sections 1, 4 and 5), each as two pure functions: what to ask of the language model, and
//! what its answers amount to. The [registry](crate::registry) has a row for each.
//!
//! A fill-in word is always encoded in its place, inside the sentence: alone, a word is often cut into other pieces.

pub mod blank;
pub mod continuation;
pub mod ilps;
pub mod likelihood;
pub mod masked_difference;
pub mod pll;
pub mod set;

use stereometer_core::Unscorable;
use stereometer_lm::{TokenId, Tokenizer};

/// Refuses what no method can score: a text too long, a piece that the vocabulary does not have.
fn check(ids: &[TokenId], tokenizer: &Tokenizer, context: usize) -> Result<(), Unscorable> {
    if ids.iter().any(|&id| tokenizer.is_unknown(id)) {
        return Err(Unscorable::UnknownToken);
    }
    if ids.len() > context {
        return Err(Unscorable::TooLong { tokens: ids.len(), context });
    }
    Ok(())
}

/// Refuses pairs that no method can score.
fn check_pair(ids: [&[TokenId]; 2], tokenizer: &Tokenizer, context: usize) -> Result<(), Unscorable> {
    if ids[0] == ids[1] {
        return Err(Unscorable::EqualIds);
    }
    let [shorter, longer] = if ids[0].len() > ids[1].len() { [ids[1], ids[0]] } else { ids };
    if shorter.iter().any(|&id| tokenizer.is_unknown(id)) {
        return Err(Unscorable::UnknownToken);
    }
    check(longer, tokenizer, context)
}
