//! SentencePiece BPE: "▁" for a space, pieces of any length, bytes as `<0x0A>` where no piece fits (Llama 2, Gemma).
//!
//! Nothing is split at spaces before merging: a text is one word. Without a list of merges each way to cut a piece
//! into two pieces is a merge, ranked by the piece's score, then by the longer left part (transformers'
//! `generate_merges`; for Gemma 3 it gives the published list of 514,906 merges in the published order).
//!
//! Control and user-defined pieces rank before all others, whatever their score: SentencePiece matches them before it
//! merges, and −1000 is the mark that llama.cpp's converter puts there. With −1000 taken at its word a run of 40 spaces
//! in Gemma is cut 16 + 24; SentencePiece and the published tokenizer cut 31 + 9.
//!
//! Degenerate cases: a user-defined piece of spaces is written "  " in the file and "▁▁" in the tokenizer; where "▁▁"
//! is another piece already, it stays "  ". Neither scores nor merges: pieces rank by id, with a doubt.

use std::cmp::Ordering;

use tokenizers::DecoderWrapper;
use tokenizers::decoders::{byte_fallback::ByteFallback, fuse::Fuse, sequence::Sequence, strip::Strip};
use tokenizers::models::bpe::{BPE, Vocab};
use tokenizers::normalizers::Replace;
use tokenizers::pre_tokenizers::metaspace::{Metaspace, PrependScheme};

use super::byte_level::{pairs, repeated};
use super::{Bare, Checked, MAX_PIECE, TokenKind, TokenizerError, metadata};
use crate::TokenId;

const SPACE: char = '▁';

pub(super) fn build(vocabulary: &Checked<'_>, doubts: &mut Vec<String>) -> Result<Bare, TokenizerError> {
    let (pieces, vocab) = spell(&vocabulary.of.tokens);
    if vocab.len() < pieces.len() {
        doubts.push(repeated(pieces.len() - vocab.len()));
    }
    let merges = match (&vocabulary.of.merges, &vocabulary.of.scores) {
        (Some(merges), _) => pairs(merges)?,
        (None, Some(scores)) => {
            check_lengths(&pieces)?;
            let rank = |id: usize| match vocabulary.kind(id) {
                TokenKind::Control | TokenKind::UserDefined => 0.0,
                TokenKind::Normal | TokenKind::Unknown | TokenKind::Unused | TokenKind::Byte => {
                    f64::from(scores[id])
                }
            };
            derive_merges(&pieces, &vocab, rank)
        }
        (None, None) => {
            check_lengths(&pieces)?;
            doubts.push(
                "the GGUF file has neither scores nor merges: earlier pieces are merged first".to_owned(),
            );
            derive_merges(&pieces, &vocab, |id| -(id as f64))
        }
    };

    let space_first = vocabulary.of.add_space_prefix.unwrap_or(true);
    let mut model = BPE::builder().vocab_and_merges(vocab, merges).fuse_unk(true).byte_fallback(true);
    if let Some(unknown) = unknown(vocabulary) {
        model = model.unk_token(pieces[unknown].clone());
    }
    let mut tokenizer = tokenizers::Tokenizer::new(model.build().map_err(metadata)?);
    let scheme = if space_first { PrependScheme::First } else { PrependScheme::Never };
    tokenizer.with_pre_tokenizer(Some(Metaspace::new(SPACE, scheme, false)));
    tokenizer.with_decoder(Some(decoder(space_first)?));
    Ok(Bare { tokenizer, bos_is_usual: true })
}

/// Pieces as the tokenizer spells them, and the id of each; of two alike the later one counts.
fn spell(tokens: &[String]) -> (Vec<String>, Vocab) {
    let taken: Vocab = tokens.iter().cloned().zip(0..).collect();
    let spell = |token: &String| {
        let spaces = !token.is_empty() && token.chars().all(|c| c == ' ');
        let marks = SPACE.to_string().repeat(token.len());
        if spaces && !taken.contains_key(marks.as_str()) { marks } else { token.clone() }
    };
    let pieces: Vec<_> = tokens.iter().map(spell).collect();
    let vocab = pieces.iter().cloned().zip(0..).collect();
    (pieces, vocab)
}

/// The merges are derived from all ways to cut a piece, so the time is the square of its length.
fn check_lengths(pieces: &[String]) -> Result<(), TokenizerError> {
    match pieces.iter().position(|piece| piece.len() > MAX_PIECE) {
        Some(id) => {
            let n_bytes = pieces[id].len();
            Err(metadata(format!("token {id} has {n_bytes} bytes; at most {MAX_PIECE} are read")))
        }
        None => Ok(()),
    }
}

/// One way to make a piece of two.
struct Merge<'a> {
    rank: f64,
    n_left: usize,
    n_right: usize,
    parts: (&'a str, &'a str),
}

impl Merge<'_> {
    /// Best first: the better piece, then the longer left part, then the longer right part.
    fn order(&self, other: &Self) -> Ordering {
        other
            .rank
            .total_cmp(&self.rank)
            .then(other.n_left.cmp(&self.n_left))
            .then(other.n_right.cmp(&self.n_right))
    }
}

fn derive_merges(pieces: &[String], vocab: &Vocab, rank: impl Fn(usize) -> f64) -> Vec<(String, String)> {
    let mut merges = Vec::with_capacity(2 * pieces.len());
    for (id, piece) in pieces.iter().enumerate() {
        if vocab.get(piece.as_str()) != Some(&(id as TokenId)) {
            continue;
        }
        let n_chars = piece.chars().count();
        for (n_left, (at, _)) in piece.char_indices().enumerate().skip(1) {
            let parts = piece.split_at(at);
            if vocab.contains_key(parts.0) && vocab.contains_key(parts.1) {
                // + 0.0 makes −0 and 0 one rank
                merges.push(Merge { rank: rank(id) + 0.0, n_left, n_right: n_chars - n_left, parts });
            }
        }
    }
    merges.sort_by(Merge::order); // stable: ties stay in the order of ids
    merges.into_iter().map(|merge| (merge.parts.0.to_owned(), merge.parts.1.to_owned())).collect()
}

fn unknown(vocabulary: &Checked<'_>) -> Option<usize> {
    let named = vocabulary.of.unknown_id.map(|id| id as usize);
    let by_kind = || (0..vocabulary.of.tokens.len()).find(|&id| vocabulary.kind(id) == TokenKind::Unknown);
    named.or_else(by_kind)
}

fn decoder(space_first: bool) -> Result<Sequence, TokenizerError> {
    let spaces = Replace::new(SPACE.to_string(), " ").map_err(metadata)?;
    let mut steps: Vec<DecoderWrapper> = vec![spaces.into(), ByteFallback::new().into(), Fuse::new().into()];
    if space_first {
        steps.push(Strip::new(' ', 1, 0).into());
    }
    Ok(Sequence::new(steps))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn strings(strings: &[&str]) -> Vec<String> {
        strings.iter().map(|&s| s.to_owned()).collect()
    }

    #[test]
    fn merges_are_ranked_by_score_then_by_the_longer_left_part() {
        let (pieces, vocab) = spell(&strings(&["a", "b", "ab", "aab", "aa", "é", "aé"]));
        let merges = derive_merges(&pieces, &vocab, |id| [0.0, 0.0, -3.0, -1.0, -2.0, 0.0, -2.0][id]);
        let spelt: Vec<_> = merges.iter().map(|(l, r)| format!("{l} {r}")).collect();
        assert_eq!(spelt, ["aa b", "a ab", "a a", "a é", "a b"]);
    }

    #[test]
    fn spaces_are_respelt_unless_that_spelling_is_taken() {
        assert_eq!(spell(&strings(&["  ", "x y", "", "▁"])).0, strings(&["▁▁", "x y", "", "▁"]));
        assert_eq!(spell(&strings(&["▁▁", "  "])).0, strings(&["▁▁", "  "]));
    }
}
