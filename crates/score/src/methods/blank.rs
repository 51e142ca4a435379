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
    /// Positions of the trait's pieces, one or more, side by side: the smallest run of tokens that holds it.
    pub pieces: Range<usize>,
    /// Bytes of the sentence's other text, before and after the trait, that these tokens hold too; outer white space is
    /// none.
    pub beside: (usize, usize),
}

/// Puts `word` into the only `blank` of `template` and tokenises the whole: a word alone is often cut into other pieces.
///
/// A piece may begin with the space before the trait. In scripts without spaces it may hold other text as well: whether that
/// matters is the method's to say.
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
    let (Some(&first), Some(&last)) = (pieces.first(), pieces.last()) else {
        return Ok(Err(Unscorable::BlankLost));
    };
    let edge = |at: usize| encoding.spans[at];
    let before = text.get(edge(first).0..place.start).unwrap_or_default().trim_start();
    let after = text.get(place.end..edge(last).1).unwrap_or_default().trim_end();
    Ok(if last - first + 1 == pieces.len() {
        Ok(Filled { ids: encoding.ids, pieces: first..last + 1, beside: (before.len(), after.len()) })
    } else {
        Err(Unscorable::BlankLost)
    })
}
