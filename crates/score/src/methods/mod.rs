//! Methods for masked models and encoder–decoders (methods, sections 4 and 5), each as two pure functions: what to ask
//! of the language model, and what its answers amount to.
//!
//! A fill-in word is always encoded in its place, inside the sentence: alone, a word is often cut into other pieces.

pub mod ilps;
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
