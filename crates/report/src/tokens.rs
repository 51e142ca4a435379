//! Tokens as a reader can read them.
//!
//! A vocabulary spells its pieces in an alphabet of its own: byte-level BPE has a letter for every byte (`âĢŀ` is „),
//! SentencePiece writes ▁ for a space and `<0xE2>` for a byte. They are turned into text where all pieces together give
//! the text that was asked about; where they do not (a tokenizer that drops accents, WordPiece), they stay as they are.
//! Spaces are shown as ▁. A character cut into several tokens stands in the first of them; · in the others stands for its
//! rest.

/// Stands for the rest of a character that began in a token before.
const REST: char = '·';

/// The pieces of a text, each in readable form.
pub fn readable(pieces: &[String], text: &str) -> Vec<String> {
    for bytes in [byte_level as fn(&str) -> Vec<u8>, sentence_piece] {
        let parts: Vec<Vec<u8>> = pieces.iter().map(|piece| bytes(piece)).collect();
        let whole = parts.concat();
        if !text.is_empty() && whole.windows(text.len()).any(|window| window == text.as_bytes()) {
            return show(&parts);
        }
    }
    pieces.to_vec()
}

/// A special token may have letters outside the alphabet: it stands for itself.
fn byte_level(piece: &str) -> Vec<u8> {
    let bytes: Option<Vec<u8>> = piece.chars().map(byte_of).collect();
    bytes.unwrap_or_else(|| piece.as_bytes().to_vec())
}

/// The byte that a letter of GPT-2's `bytes_to_unicode` stands for: printable bytes for themselves, the others, in order,
/// from U+0100 on.
fn byte_of(letter: char) -> Option<u8> {
    let byte = match u32::from(letter) {
        code @ (0x21..=0x7e | 0xa1..=0xac | 0xae..=0xff) => code,
        code @ 0x100..=0x120 => code - 0x100,
        code @ 0x121..=0x142 => code - 0x121 + 0x7f,
        0x143 => 0xad,
        _ => return None,
    };
    u8::try_from(byte).ok()
}

fn sentence_piece(piece: &str) -> Vec<u8> {
    let byte = piece.strip_prefix("<0x").and_then(|rest| rest.strip_suffix('>')).filter(|hex| hex.len() == 2);
    match byte.and_then(|hex| u8::from_str_radix(hex, 16).ok()) {
        Some(byte) => vec![byte],
        None => piece.replace('▁', " ").into_bytes(),
    }
}

fn show(parts: &[Vec<u8>]) -> Vec<String> {
    let whole = parts.concat();
    let mut starts = Vec::with_capacity(parts.len());
    let mut shown: Vec<String> = Vec::with_capacity(parts.len());
    let mut at = 0;
    for part in parts {
        starts.push(at);
        shown.push(String::new());
        at += part.len();
    }
    let token_of = |byte: usize| starts.partition_point(|&start| start <= byte) - 1;
    let mut at = 0;
    for chunk in whole.utf8_chunks() {
        for character in chunk.valid().chars() {
            let last = token_of(at + character.len_utf8() - 1);
            let first = token_of(at);
            shown[first].push(visible(character));
            shown[first + 1..=last].iter_mut().for_each(|rest| rest.push(REST));
            at += character.len_utf8();
        }
        if !chunk.invalid().is_empty() {
            shown[token_of(at)].push('\u{fffd}');
            at += chunk.invalid().len();
        }
    }
    shown
}

fn visible(character: char) -> char {
    match character {
        ' ' => '▁',
        '\n' => '↵',
        '\t' => '⇥',
        other => other,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(pieces: &[&str], text: &str) -> Vec<String> {
        let pieces: Vec<String> = pieces.iter().map(|&piece| piece.to_owned()).collect();
        readable(&pieces, text)
    }

    /// Pieces of golden/runs/llama; a special token with letters of its own as in DeepSeek's vocabularies.
    #[test]
    fn byte_level_pieces_become_text() {
        let pieces = ["<|begin_of_text|>", "âĢ", "ŀ", "Ich", "ĠTr", "Ã¤n", "en"];
        assert_eq!(read(&pieces, "„Ich Tränen"), ["<|begin_of_text|>", "„", "·", "Ich", "▁Tr", "än", "en"]);
        assert_eq!(read(&["<｜begin▁of▁sentence｜>", "Ä", "ģ"], "ā")[1..], ["ā", "·"]);
    }

    #[test]
    fn sentence_pieces_and_bytes_become_text() {
        let pieces = ["<bos>", "▁Ich", "▁<", "<0xE1>", "<0x83>", "<0x90>", "b"];
        assert_eq!(read(&pieces, "Ich <აb"), ["<bos>", "▁Ich", "▁<", "ა", "·", "·", "b"]);
    }

    #[test]
    fn pieces_that_do_not_give_the_text_stay() {
        for (pieces, text) in
            [(["[CLS]", "ne", "##tt"], "Nett"), (["âĢ", "ŀ", "x"], "„y"), (["a", "", ""], "")]
        {
            assert_eq!(read(&pieces, text), pieces);
        }
    }

    #[test]
    fn the_alphabet_has_a_letter_for_every_byte() {
        let letters: Vec<u8> = ('\0'..'\u{200}').filter_map(byte_of).collect();
        let mut bytes = letters.clone();
        bytes.sort_unstable();
        assert_eq!(bytes, (0..=255).collect::<Vec<u8>>());
        assert_eq!(byte_of('Ġ'), Some(b' '));
        assert_eq!(byte_of('Ċ'), Some(b'\n'));
    }
}
