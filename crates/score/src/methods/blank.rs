//! A trait in a template's blank, found again among the tokens of its sentence.

use std::ops::Range;

use stereometer_core::Unscorable;
use stereometer_lm::{TokenId, Tokenizer, TokenizerError};

use super::check;

/// A sentence with the trait in its place, as tokens.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Filled {
    /// All ids, special tokens included.
    pub ids: Vec<TokenId>,
    /// Positions of the trait's pieces, one or more, side by side.
    pub pieces: Range<usize>,
}

/// Puts `word` into the only `blank` of `template` and tokenises the whole: a word alone is often cut into other pieces.
///
/// A piece may begin with the space before the trait, but hold no other text.
pub fn filled(
    template: &str,
    blank: &str,
    word: &str,
    context: usize,
    tokenizer: &Tokenizer,
) -> Result<Result<Filled, Unscorable>, TokenizerError> {
    let Some((before, after)) = template.split_once(blank) else { return Ok(Err(Unscorable::BlankLost)) };
    let text = format!("{before}{word}{after}");
    let place = before.len()..before.len() + word.len();
    let encoding = tokenizer.encode_framed(&text)?;
    if let Err(reason) = check(&encoding.ids, tokenizer, context) {
        return Ok(Err(reason));
    }
    let overlaps = |&(from, to): &(usize, usize)| from < place.end && to > place.start;
    let pieces: Vec<usize> = (0..encoding.ids.len())
        .filter(|&at| !encoding.is_frame[at] && overlaps(&encoding.spans[at]))
        .collect();
    let apart = |&at: &usize| {
        let (from, to) = encoding.spans[at];
        let outside = [text.get(from..place.start), text.get(place.end..to)];
        outside.into_iter().flatten().all(|rest| rest.trim().is_empty())
    };
    let (Some(&first), Some(&last)) = (pieces.first(), pieces.last()) else {
        return Ok(Err(Unscorable::BlankLost));
    };
    let side_by_side = last - first + 1 == pieces.len();
    Ok(if side_by_side && pieces.iter().all(apart) {
        Ok(Filled { ids: encoding.ids, pieces: first..last + 1 })
    } else {
        Err(Unscorable::BlankLost)
    })
}

/// Mean of the log-probabilities of a trait's pieces; `None` for none.
pub fn mean(logprobs: &[f32]) -> Option<f64> {
    let sum: f64 = logprobs.iter().map(|&value| f64::from(value)).sum();
    (!logprobs.is_empty()).then(|| sum / logprobs.len() as f64)
}
