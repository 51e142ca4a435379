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

use stereometer_core::{Method, Rule, Unscorable};
use stereometer_lm::{
    Cloze, ClozeTarget, FramedEncoding, LmKind, TokenId, TokenLogProbs, Tokenizer, TokenizerError,
};

use super::{check, check_pair};
use crate::pair::{PairClozes, answered, placed};
use crate::registry::{Comparison, MethodInfo, Toy};

/// The row of the original kind.
pub const ORIGINAL: MethodInfo = MethodInfo {
    name: Method::PllOriginal.name(),
    lm: LmKind::Masked,
    summary: "log-probability of each token with itself hidden",
    formula: "ln P(w_t given the text with w_t hidden), reduced by a rule",
    comparison: Comparison::MasculineRate,
    unit: "nats",
    direction: "the masculine variant is likelier",
    reference: "Salazar et al. (ACL 2020)",
    // From the first difference on, as the other rules have it, is no part of a text that is read from both sides.
    rules: &[Rule::Mean, Rule::Sum, Rule::PerByte],
    limit: "A pseudo-log-likelihood is no probability of the sentence. Later pieces of a word give the earlier ones away, \
            so words of several pieces look likelier than they are; `pll-within-word` hides them together.",
    toy: Toy { first: &[-1.0, -2.0, -3.0], second: &[-1.5, -2.0], difference: -0.25 },
};

/// The row of the kind within words.
pub const WITHIN_WORD: MethodInfo = MethodInfo {
    name: Method::PllWithinWord.name(),
    summary: "log-probability of each token with itself and the later pieces of its word hidden",
    formula: "ln P(w_t given the text with w_t and the later pieces of its word hidden), reduced by a rule",
    reference: "Kauf and Ivanova (ACL 2023)",
    limit: "A pseudo-log-likelihood is no probability of the sentence. What a word is, the tokenizer says: in scripts \
            without spaces a whole clause may be one.",
    ..ORIGINAL
};

/// What is hidden with a token.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum PllKind {
    /// Nothing else.
    #[default]
    Original,
    /// The later pieces of its word.
    WithinWord,
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
    let clozes = clozes(&encoding, kind, mask);
    Ok(if clozes.is_empty() { Err(Unscorable::NothingScored) } else { Ok(clozes) })
}

/// The same for a text that is in tokens already, whatever its length and its pieces.
pub fn clozes(encoding: &FramedEncoding, kind: PllKind, mask: TokenId) -> Vec<Cloze> {
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
    (0..encoding.ids.len()).filter(|&position| !encoding.is_frame[position]).map(cloze).collect()
}

/// The text's log-probabilities from the answers to its clozes; the frame is unscored.
pub fn reduce(ids: &[TokenId], clozes: &[Cloze], answers: &[TokenLogProbs]) -> TokenLogProbs {
    placed(ids, answered(clozes, answers))
}

/// The clozes of both variants of a pair.
pub fn pair(
    texts: [&str; 2],
    kind: PllKind,
    mask: TokenId,
    context: usize,
    tokenizer: &Tokenizer,
) -> Result<Result<PairClozes, Unscorable>, TokenizerError> {
    if texts[0] == texts[1] {
        return Ok(Err(Unscorable::EqualTexts));
    }
    let [masculine, feminine] = [tokenizer.encode_framed(texts[0])?, tokenizer.encode_framed(texts[1])?];
    if let Err(reason) = check_pair([&masculine.ids, &feminine.ids], tokenizer, context) {
        return Ok(Err(reason));
    }
    let sides = [clozes(&masculine, kind, mask), clozes(&feminine, kind, mask)];
    if sides.iter().any(Vec::is_empty) {
        return Ok(Err(Unscorable::NothingScored));
    }
    let masculine_targets = sides[0].len();
    Ok(Ok(PairClozes { ids: [masculine.ids, feminine.ids], clozes: sides.concat(), masculine_targets }))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check_answers;
    use stereometer_testkit::golden;

    #[test]
    fn answers_stand_at_the_places_of_their_tokens() {
        let tokenizer = Tokenizer::from_file(&golden("models/bert/tokenizer.json")).unwrap();
        let mask = tokenizer.added_mask().unwrap();
        let pair = pair(["He is.", "She is."], PllKind::Original, mask, 64, &tokenizer).unwrap().unwrap();
        let answers: Vec<TokenLogProbs> = (1..)
            .zip(&pair.clozes)
            .map(|(n, cloze)| TokenLogProbs {
                token_ids: vec![cloze.targets[0].id],
                logprobs: vec![Some(-(n as f32))],
            })
            .collect();
        // H ##e is . against S ##he is . within [CLS] and [SEP].
        let scores = pair.reduce(&answers);
        let expected = |from: i32| {
            let scored = (from..from + 4).map(|n| Some(-(n as f32)));
            std::iter::once(None).chain(scored).chain([None]).collect::<Vec<_>>()
        };
        assert_eq!(scores.masculine.logprobs, expected(1));
        assert_eq!(scores.feminine.logprobs, expected(5));
        let mut broken = answers;
        broken[0].logprobs[0] = Some(f32::NAN);
        assert_eq!(check_answers(pair.reduce(&broken)), Err(Unscorable::NotFinite));
        assert_eq!(check_answers(pair.reduce(&[])), Err(Unscorable::NothingScored));
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
