//! What the reader of a result should know about the files behind it, although nothing is wrong enough to refuse them.

use unicode_normalization::is_nfc;

use crate::script::lacks;

/// What is counted while reading: the words for it, with the number of occurrences in front.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Note {
    ByteOrderMark,
    BlankRecord,
    NoTranslation,
    Trimmed,
    Normalized,
    Entity,
    MissingCode,
    Replacement,
    Invisible,
    OtherScript,
    SourceDiffers,
    ColumnNotRead(String),
    FileNotRead(String),
}

impl Note {
    pub fn words(&self, n: usize) -> String {
        let cells = if n == 1 { "1 cell".to_owned() } else { format!("{} cells", grouped(n)) };
        let rows = if n == 1 { "1 row".to_owned() } else { format!("{} rows", grouped(n)) };
        match self {
            Self::ByteOrderMark => "begins with a byte-order mark, which was skipped".to_owned(),
            Self::BlankRecord => format!("{rows} without stereotype and text skipped"),
            Self::NoTranslation => format!("{rows} without a sentence in this language skipped"),
            Self::Trimmed => format!("{cells} had outer white space, which was taken off"),
            Self::Normalized => format!("{cells} brought to Unicode normal form C"),
            Self::Entity => {
                format!("{cells} with an HTML entity such as `&quot;`, kept as text; decode it in the file")
            }
            Self::MissingCode => {
                format!("{cells} with a word such as `NA`, kept as text; leave a cell empty if it is empty")
            }
            Self::Replacement => format!("{cells} with the character U+FFFD, which stands for a lost letter"),
            Self::Invisible => format!("{cells} with invisible characters, kept as they are"),
            Self::OtherScript => {
                format!("{cells} without a letter of the language's script: is this the right language?")
            }
            Self::SourceDiffers => {
                format!("{rows} with another source sentence than before; the first one counts")
            }
            Self::ColumnNotRead(name) => format!("the column `{name}` is not read"),
            Self::FileNotRead(_) => "not read: no file of a stereotype set".to_owned(),
        }
    }

    /// What there is to note about a cell's text in a language of this script.
    pub fn of_text(text: &str, script: &str) -> impl Iterator<Item = Self> {
        let trimmed = text.trim();
        let seen = [
            (trimmed.len() != text.len(), Self::Trimmed),
            (!is_nfc(trimmed), Self::Normalized),
            (has_entity(trimmed), Self::Entity),
            (is_missing_code(trimmed), Self::MissingCode),
            (trimmed.contains('\u{fffd}'), Self::Replacement),
            (trimmed.chars().any(|c| is_invisible(c) && !matches!(c, '\n' | '\r' | '\t')), Self::Invisible),
            (lacks(script, trimmed), Self::OtherScript),
        ];
        seen.into_iter().filter_map(|(found, note)| found.then_some(note))
    }
}

/// A number with commas between its thousands.
pub(crate) fn grouped(n: usize) -> String {
    let digits = n.to_string();
    let comma = |i: usize| (i > 0 && (digits.len() - i).is_multiple_of(3)).then_some(',');
    digits.char_indices().flat_map(|(i, digit)| comma(i).into_iter().chain([digit])).collect()
}

/// `&#39;`, `&#x27;`, `&quot;` and the like, which translation services return when asked for HTML.
fn has_entity(text: &str) -> bool {
    text.split('&').skip(1).any(|rest| {
        let Some((name, _)) = rest.split_once(';') else { return false };
        name.strip_prefix('#').map_or(["quot", "amp", "lt", "gt", "nbsp", "apos"].contains(&name), |number| {
            !number.is_empty()
                && number.len() <= 7
                && number.bytes().all(|byte| byte.is_ascii_hexdigit() || byte == b'x')
        })
    })
}

fn is_missing_code(text: &str) -> bool {
    ["NA", "N/A", "n/a", "NaN", "nan", "null", "NULL", "None", "-"].contains(&text)
}

/// Characters that a reader cannot see and a tokenizer can: controls, zero-width spaces, soft hyphens, marks of direction.
/// Joiners are not among them: Hindi writes with them.
pub(crate) fn is_invisible(c: char) -> bool {
    c.is_control()
        || matches!(
            c,
            '\u{ad}' | '\u{200b}' | '\u{200e}' | '\u{200f}' | '\u{2028}'
                ..='\u{202e}' | '\u{2060}' | '\u{2066}'
                ..='\u{2069}' | '\u{feff}'
        )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_grouped_by_thousands() {
        assert_eq!(
            [0, 999, 1_000, 56_497, 1_000_000].map(grouped),
            ["0", "999", "1,000", "56,497", "1,000,000"]
        );
    }

    #[test]
    fn entities_are_told_from_ampersands() {
        assert!(["it&#39;s", "&quot;no&quot;", "&#x27;s", "R&amp;D"].into_iter().all(has_entity));
        assert!(!["R&D; and more", "a & b", "fish &chips;", "&#;"].into_iter().any(has_entity));
    }
}
