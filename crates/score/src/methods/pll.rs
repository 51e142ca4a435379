//! `pll`: the pseudo-log-likelihood of a text (Salazar et al. 2020; within-word after Kauf & Ivanova 2023).
//!
//! ```text
//! pll = Σ_t ln P(w_t | the text with w_t hidden)          in nats; higher = the model expects the text more
//! ```
//!
//! Each token of the text is hidden in turn; the frame ([CLS], </s>) is neither hidden nor scored. Under `original` only
//! the token itself is hidden, which overrates words of several pieces: the later pieces give the earlier ones away.
//! Under `within-word` the later pieces of the same word are hidden with it.
//!
//! Toy table: ln P = −1, −2, −3 over three tokens gives a sum of −6 and a mean of −2.

use stereometer_core::Unscorable;
use stereometer_lm::{Cloze, ClozeTarget, TokenId, TokenLogProbs, Tokenizer, TokenizerError};

use super::check;

/// What is hidden with a token.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum PllKind {
    /// Nothing else.
    #[default]
    Original,
    /// The later pieces of its word.
    WithinWord,
}

/// A text's score.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Pll {
    /// Over all scored tokens.
    pub sum: f64,
    /// Per token.
    pub mean: f64,
    /// Number of scored tokens.
    pub n_scored: usize,
}

/// A cloze for each token of the text.
pub fn queries(
    text: &str,
    kind: PllKind,
    mask: TokenId,
    context: usize,
    tokenizer: &Tokenizer,
) -> Result<Result<Vec<Cloze>, Unscorable>, TokenizerError> {
    let encoding = tokenizer.encode_framed(text)?;
    if let Err(reason) = check(&encoding.ids, tokenizer, context) {
        return Ok(Err(reason));
    }
    let cloze = |position: usize| {
        let mut ids = encoding.ids.clone();
        ids[position] = mask;
        let word = encoding.words[position];
        let rest = encoding.words.iter().enumerate().skip(position + 1);
        for (later, _) in rest.take_while(|(_, other)| word.is_some() && **other == word) {
            if kind == PllKind::WithinWord {
                ids[later] = mask;
            }
        }
        Cloze { ids, targets: vec![ClozeTarget { position, id: encoding.ids[position] }] }
    };
    let scored = (0..encoding.ids.len()).filter(|&position| !encoding.is_frame[position]);
    let clozes: Vec<Cloze> = scored.map(cloze).collect();
    Ok(if clozes.is_empty() { Err(Unscorable::NothingScored) } else { Ok(clozes) })
}

/// The text's score from the answers to its clozes.
pub fn reduce(answers: &[TokenLogProbs]) -> Result<Pll, Unscorable> {
    if !answers.iter().all(TokenLogProbs::is_finite) {
        return Err(Unscorable::NotFinite);
    }
    let n_scored: usize = answers.iter().map(TokenLogProbs::n_scored).sum();
    if n_scored == 0 {
        return Err(Unscorable::NothingScored);
    }
    let sum: f64 = answers.iter().map(TokenLogProbs::sum).sum();
    Ok(Pll { sum, mean: sum / n_scored as f64, n_scored })
}

/// How much more the model expects the first text than the second, per token; 0 = no preference. Swapped texts flip
/// the sign.
pub fn preference(first: &Pll, second: &Pll) -> f64 {
    first.mean - second.mean
}

#[cfg(test)]
mod tests {
    use super::*;
    use stereometer_testkit::golden;

    fn answer(logprob: f32) -> TokenLogProbs {
        TokenLogProbs { token_ids: vec![7], logprobs: vec![Some(logprob)] }
    }

    #[test]
    fn the_toy_table_and_the_swapped_pair() {
        let pll = reduce(&[-1.0, -2.0, -3.0].map(answer)).unwrap();
        assert_eq!(pll, Pll { sum: -6.0, mean: -2.0, n_scored: 3 });
        let other = reduce(&[-1.5, -2.0].map(answer)).unwrap();
        assert_eq!(preference(&pll, &other), -0.25);
        assert_eq!(preference(&other, &pll), 0.25);
        assert_eq!(reduce(&[answer(f32::NAN)]), Err(Unscorable::NotFinite));
        assert_eq!(reduce(&[]), Err(Unscorable::NothingScored));
    }

    #[test]
    fn later_pieces_of_the_word_are_hidden_within_words_only() {
        let tokenizer = Tokenizer::from_file(&golden("models/bert/tokenizer.json")).unwrap();
        let text = "He is powerful.";
        let encoding = tokenizer.encode_framed(text).unwrap();
        let mask = tokenizer.added_mask().unwrap();
        let ask = |kind| queries(text, kind, mask, 64, &tokenizer).unwrap().unwrap();
        let hidden = |cloze: &Cloze| cloze.ids.iter().filter(|&&id| id == mask).count();
        let original = ask(PllKind::Original);
        assert_eq!(original.len(), encoding.ids.len() - 2, "all but [CLS] and [SEP]");
        assert!(original.iter().all(|cloze| hidden(cloze) == 1));
        // H ##e · is · po ##w ##er ##f ##ul · the full stop is a word of its own.
        let within: Vec<usize> = ask(PllKind::WithinWord).iter().map(hidden).collect();
        assert_eq!(within, [2, 1, 1, 5, 4, 3, 2, 1, 1]);
        let short = queries(text, PllKind::Original, mask, 5, &tokenizer).unwrap();
        assert_eq!(short, Err(Unscorable::TooLong { tokens: encoding.ids.len(), context: 5 }));
    }
}
