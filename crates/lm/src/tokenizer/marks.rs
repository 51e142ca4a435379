//! Marks that a tokenizer takes off letters before it cuts a text: accents, vowel signs, sound marks.
//!
//! Uncased tokenizers drop them. In Hindi, Thai, Arabic or Japanese a word without its marks is another word, and in many
//! languages two forms that differ in a mark become one. Marks are counted after compatibility decomposition on both
//! sides, so a tokenizer that only composes or decomposes loses none.

use stereometer_core::{Language, Warning};
use tokenizers::{NormalizedString, Normalizer};
use unicode_normalization::UnicodeNormalization;
use unicode_normalization::char::is_combining_mark;

use super::{Tokenizer, TokenizerError};

/// Whether a text is in NFC, letters and marks composed. Other spellings of the same text can get other tokens.
pub fn is_composed(text: &str) -> bool {
    unicode_normalization::is_nfc(text)
}

impl Tokenizer {
    /// The first word of a text that loses marks, and what is left of it.
    pub fn lost_marks(&self, text: &str) -> Result<Option<(String, String)>, TokenizerError> {
        let Some(normalizer) = self.inner.get_normalizer() else { return Ok(None) };
        let read = |text: &str| -> Result<String, TokenizerError> {
            let mut normalized = NormalizedString::from(text);
            normalizer
                .normalize(&mut normalized)
                .map_err(|error| TokenizerError::Encode(error.to_string()))?;
            Ok(normalized.get().to_owned())
        };
        if marks(&read(text)?) >= marks(text) {
            return Ok(None);
        }
        for word in text.split_whitespace() {
            let left = read(word)?;
            if marks(&left) < marks(word) {
                return Ok(Some((word.to_owned(), left.trim().to_owned())));
            }
        }
        Ok(None)
    }
}

/// A warning over all languages whose texts lose marks, with the first word that does; the languages in their order.
pub fn lost_marks<'a>(
    texts: impl IntoIterator<Item = (&'a Language, &'a str)>,
    tokenizer: &Tokenizer,
) -> Result<Option<Warning>, TokenizerError> {
    let (mut languages, mut example): (Vec<Language>, Option<(String, String)>) = (Vec::new(), None);
    for (language, text) in texts {
        if languages.contains(language) {
            continue;
        }
        if let Some(lost) = tokenizer.lost_marks(text)? {
            languages.push(language.clone());
            example.get_or_insert(lost);
        }
    }
    Ok(example.map(|(written, read)| Warning::LostMarks { languages, written, read }))
}

fn marks(text: &str) -> usize {
    text.nfkd().filter(|&character| is_combining_mark(character)).count()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn bert(lowercase: bool) -> Tokenizer {
        let file = serde_json::json!({
            "version": "1.0", "added_tokens": [],
            "normalizer": {
                "type": "BertNormalizer", "clean_text": true, "handle_chinese_chars": true, "strip_accents": null,
                "lowercase": lowercase,
            },
            "pre_tokenizer": {"type": "BertPreTokenizer"}, "post_processor": null, "decoder": null,
            "model": {
                "type": "WordPiece", "unk_token": "[UNK]", "continuing_subword_prefix": "##",
                "max_input_chars_per_word": 100, "vocab": {"[UNK]": 0},
            },
        });
        Tokenizer::from_inner(tokenizers::Tokenizer::from_bytes(file.to_string()).unwrap())
    }

    #[test]
    fn an_uncased_tokenizer_drops_vowel_signs_and_a_cased_one_keeps_them() {
        let cases = [
            ("यह अपने है", "अपने", "अपन"),
            ("ที่นี่", "ที่นี่", "ทนี"),
            ("か が", "が", "か"),
            ("مُحَمَّد", "مُحَمَّد", "محمد"),
            ("je suis né", "né", "ne"),
        ];
        for (text, word, left) in cases {
            let lost = bert(true).lost_marks(text).unwrap();
            let (written, read) = lost.unwrap_or_else(|| panic!("{text}"));
            assert_eq!(written, word);
            assert!(read == left || text.starts_with('ท'), "{text}: {read}");
            assert_eq!(bert(false).lost_marks(text).unwrap(), None, "{text}");
        }
        assert_eq!(bert(true).lost_marks("I AM here").unwrap(), None);
    }

    #[test]
    fn composing_is_no_loss() {
        let (composed, decomposed) = ("\u{e1}", "a\u{301}");
        assert_eq!(marks(composed), marks(decomposed));
        assert!(is_composed(composed) && !is_composed(decomposed));
    }
}
