//! One item as lm-eval asks for it: a context that is not scored, and two choices that are.
//!
//! With a BOS token the context is empty: lm-eval then puts its prefix token before each choice and scores every token of
//! it, as the run did. Without one, the run never scored a text's first token, so the context is that token's text and a
//! choice is the rest. A first token may be a piece of a letter, or one with nothing but white space, which lm-eval moves
//! to the choice; then the context goes on to the end of the first whole letter, and what the run has for the tokens
//! between is carried along, for no string asks for it. Both variants share these tokens, so they never decide anything;
//! they count in the mean.

use stereometer_core::Outcome;
use stereometer_record::{ItemRecord, ScoredText};

/// What is asked about an item.
#[derive(Debug, Clone, PartialEq)]
pub struct Asked {
    /// Not scored, and shared.
    pub context: String,
    /// The rest of the masculine and the feminine text.
    pub choices: [String; 2],
    /// Scored tokens of each, those within the context included.
    pub n_scored: [usize; 2],
    /// Sum of the log-probabilities of scored tokens within the context, in nats, from the run.
    pub carried: f64,
}

/// An item's question; `None` when strings cannot ask what the run did.
pub fn express(record: &ItemRecord, has_prefix: bool) -> Option<Asked> {
    let Outcome::Scored(variants) = &record.outcome else { return None };
    let answers = [&variants.masculine, &variants.feminine];
    let n_scored = answers.map(|answer| answer.logprobs.iter().flatten().count());
    if has_prefix {
        let choices = record.texts.clone();
        return Some(Asked { context: String::new(), choices, n_scored, carried: 0.0 });
    }
    let [masculine, feminine] = &record.texts;
    let shared = variants
        .masculine
        .token_ids
        .iter()
        .zip(&variants.feminine.token_ids)
        .take_while(|(a, b)| a == b)
        .count();
    let ends = ends(&variants.masculine, masculine)?;
    let (last, end) = (ends.iter().copied().enumerate().take(shared)).find(|&(_, end)| {
        masculine.get(..end).is_some_and(|text| !text.ends_with(char::is_whitespace) && end > 0)
    })?;
    let context = &masculine[..end];
    let choices = [masculine.strip_prefix(context)?, feminine.strip_prefix(context)?];
    if choices.iter().any(|choice| choice.is_empty()) {
        return None;
    }
    let carried = variants.masculine.logprobs[..=last].iter().flatten().map(|&value| f64::from(value)).sum();
    Some(Asked { context: context.to_owned(), choices: choices.map(str::to_owned), n_scored, carried })
}

/// Where in the text each token ends, in bytes; `None` when the tokens do not spell the text.
fn ends(answer: &ScoredText, text: &str) -> Option<Vec<usize>> {
    [byte_level, sentencepiece].into_iter().find_map(|spell| {
        let pieces: Vec<Vec<u8>> = answer.tokens.iter().map(|token| spell(token)).collect::<Option<_>>()?;
        let spelt = pieces.concat();
        // SentencePiece puts a space before a text.
        let before = spelt.len().checked_sub(text.len())?;
        if &spelt[before..] != text.as_bytes()
            || !spelt[..before].iter().all(|&byte| byte == b' ')
            || before > 1
        {
            return None;
        }
        let mut end = 0;
        let ends = pieces.iter().map(|piece| {
            end += piece.len();
            end.saturating_sub(before)
        });
        Some(ends.collect())
    })
}

/// A piece in the alphabet that GPT-2 writes bytes with.
fn byte_level(piece: &str) -> Option<Vec<u8>> {
    let visible = |byte: u32| matches!(byte, 33..=126 | 161..=172 | 174..=255);
    let byte = |character: char| match u32::from(character) {
        code if visible(code) => Some(code as u8),
        // The others, in order, from 256 on.
        code => (0..256)
            .filter(|&byte| !visible(byte))
            .nth(code.checked_sub(256)? as usize)
            .map(|byte| byte as u8),
    };
    piece.chars().map(byte).collect()
}

/// A piece with `▁` for a space, or a byte as `<0x41>`.
#[expect(clippy::unnecessary_wraps, reason = "as pieces are spelt")]
fn sentencepiece(piece: &str) -> Option<Vec<u8>> {
    let hex = piece.strip_prefix("<0x").and_then(|rest| rest.strip_suffix('>'));
    if let Some(byte) = hex.and_then(|hex| u8::from_str_radix(hex, 16).ok()) {
        return Some(vec![byte]);
    }
    Some(piece.replace('▁', " ").into_bytes())
}

#[cfg(test)]
mod tests {
    use stereometer_core::{Form, StereotypeId};
    use stereometer_record::ScoredVariants;

    use super::*;

    fn text(tokens: &[&str]) -> ScoredText {
        let logprobs = (0..tokens.len()).map(|place| (place > 0).then(|| -(place as f32))).collect();
        let ids = tokens.iter().map(|token| token.bytes().map(u32::from).sum()).collect();
        ScoredText {
            token_ids: ids,
            tokens: tokens.iter().map(|&token| token.to_owned()).collect(),
            logprobs,
        }
    }

    fn record(texts: [&str; 2], tokens: [&[&str]; 2]) -> ItemRecord {
        let [masculine, feminine] = tokens.map(text);
        ItemRecord {
            key: String::new(),
            id: String::new(),
            language: "de".parse().unwrap(),
            source: String::new(),
            stereotype: StereotypeId::try_from(1).unwrap(),
            form: Form::Gendered,
            texts: texts.map(str::to_owned),
            outcome: Outcome::Scored(ScoredVariants { masculine, feminine }),
        }
    }

    #[test]
    fn the_first_token_is_the_context() {
        let he = record(["Oh he", "Oh she"], [&["Oh", "Ġhe"], &["Oh", "Ġs", "he"]]);
        let asked = express(&he, false).unwrap();
        assert_eq!((asked.context.as_str(), asked.choices), ("Oh", [" he".to_owned(), " she".to_owned()]));
        assert_eq!((asked.n_scored, asked.carried), ([1, 2], 0.0));
        let asked = express(&he, true).unwrap();
        assert_eq!((asked.context.as_str(), asked.choices), ("", ["Oh he".to_owned(), "Oh she".to_owned()]));
    }

    #[test]
    fn half_a_letter_goes_on_to_its_end() {
        let quoted = record(["„a er", "„a sie"], [&["âĢ", "ŀ", "a", "Ġer"], &["âĢ", "ŀ", "a", "Ġsie"]]);
        let asked = express(&quoted, false).unwrap();
        assert_eq!((asked.context.as_str(), asked.carried, asked.n_scored), ("„", -1.0, [3, 3]));
    }

    #[test]
    fn sentencepiece_writes_spaces_and_bytes() {
        let one = record(
            ["ä er", "ä sie"],
            [&["▁", "<0xC3>", "<0xA4>", "▁er"], &["▁", "<0xC3>", "<0xA4>", "▁sie"]],
        );
        let asked = express(&one, false).unwrap();
        assert_eq!((asked.context.as_str(), asked.carried), ("ä", -3.0));
    }

    #[test]
    fn what_strings_cannot_ask_is_left_out() {
        let differ = record(["er a", "sie a"], [&["er", "Ġa"], &["sie", "Ġa"]]);
        assert_eq!(express(&differ, false), None);
        let unknown = record(["ß er", "ß sie"], [&["<unk>", "Ġer"], &["<unk>", "Ġsie"]]);
        assert_eq!(express(&unknown, false), None);
    }
}
