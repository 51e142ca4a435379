//! Byte-level BPE: every byte has a letter, and merges join letters (GPT-2 and most models since).
//!
//! Degenerate cases: a vocabulary may lack letters for some bytes (SmolLM2 lacks most control characters). Like
//! Hugging Face's tokenizers, text that needs them loses them; it is a doubt where printable text is concerned. A
//! "space before the text" is not applied: no published byte-level pipeline here has one.

use tokenizers::decoders::byte_level::ByteLevel;
use tokenizers::models::bpe::{BPE, Vocab};

use super::{Bare, Checked, TokenizerError, metadata, pre_tokenizer};

pub(super) fn build(vocabulary: &Checked<'_>, doubts: &mut Vec<String>) -> Result<Bare, TokenizerError> {
    let tokens = &vocabulary.of.tokens;
    let vocab: Vocab = tokens.iter().cloned().zip(0..).collect();
    if vocab.len() < tokens.len() {
        doubts.push(repeated(tokens.len() - vocab.len()));
    }
    let missing = (0..=u8::MAX)
        .filter(|&byte| is_in_printable_text(byte) && !vocab.contains_key(letter(byte).as_str()));
    match missing.count() {
        0 => {}
        n => doubts.push(format!(
            "the vocabulary has no token for {n} of the bytes that text is made of: they are left out"
        )),
    }
    if vocabulary.of.add_space_prefix == Some(true) {
        doubts.push(
            "the GGUF file asks for a space before every text: not applied to a byte-level tokenizer"
                .to_owned(),
        );
    }

    let family = pre_tokenizer::find(vocabulary.of.pre.as_deref(), doubts);
    let merges =
        vocabulary.of.merges.as_deref().ok_or_else(|| metadata("tokenizer.ggml.merges is missing"))?;
    let model = BPE::builder()
        .vocab_and_merges(vocab, pairs(merges)?)
        .ignore_merges(family.whole_words)
        .build()
        .map_err(metadata)?;
    let mut tokenizer = tokenizers::Tokenizer::new(model);
    tokenizer.with_normalizer(family.normalizer()).map_err(metadata)?;
    tokenizer.with_pre_tokenizer(Some(family.steps()?)).with_decoder(Some(ByteLevel::default()));
    Ok(Bare { tokenizer, bos_is_usual: family.bos_is_usual })
}

/// Merges as the file spells them: two pieces with a space between.
pub(super) fn pairs(merges: &[String]) -> Result<Vec<(String, String)>, TokenizerError> {
    let pair = |(rank, merge): (usize, &String)| {
        let parts = merge.split_once(' ').filter(|(left, right)| !left.is_empty() && !right.is_empty());
        let (left, right) =
            parts.ok_or_else(|| metadata(format!("merge {rank} is not a pair: {merge:?}")))?;
        Ok((left.to_owned(), right.to_owned()))
    };
    merges.iter().enumerate().map(pair).collect()
}

pub(super) fn repeated(count: usize) -> String {
    format!("{count} tokens of the vocabulary are spelt like a later one and never occur")
}

/// The letter that stands for a byte (GPT-2's `bytes_to_unicode`): itself if it shows, else a letter from U+0100 on.
fn letter(byte: u8) -> String {
    let shows = |byte: u8| matches!(byte, b'!'..=b'~' | 0xA1..=0xAC | 0xAE..=0xFF);
    let code =
        if shows(byte) { u32::from(byte) } else { 256 + (0..byte).filter(|&b| !shows(b)).count() as u32 };
    char::from_u32(code).map_or_else(String::new, String::from)
}

/// Tab, line breaks, printable ASCII, and the bytes of UTF-8 up to the last assigned plane.
fn is_in_printable_text(byte: u8) -> bool {
    matches!(byte, b'\t' | b'\n' | b'\r' | b' '..=b'~' | 0x80..=0xBF | 0xC2..=0xF0 | 0xF3)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn letters_are_those_of_gpt2() {
        let letters: Vec<_> = [b' ', b'\n', 0, b'!', 0x7F, 0xA0, 0xAD, 0xFF].map(letter).into();
        assert_eq!(letters, ["Ġ", "Ċ", "Ā", "!", "ġ", "ł", "Ń", "ÿ"]);
        let alphabet: std::collections::HashSet<_> = (0..=u8::MAX).map(letter).collect();
        let theirs = tokenizers::pre_tokenizers::byte_level::ByteLevel::alphabet();
        assert_eq!(alphabet, theirs.into_iter().map(String::from).collect());
    }
}
