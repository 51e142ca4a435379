//! Which script a letter belongs to, as far as that tells a text in the wrong language from one in the right one.

/// Which characters are simplified and which traditional is not judged.
const HAN: &[(char, char)] = &[('\u{3400}', '\u{4dbf}'), ('\u{4e00}', '\u{9fff}')];

/// Ranges of letters by ISO 15924 script. A script that is not listed is not judged.
const SCRIPTS: [(&str, &[(char, char)]); 10] = [
    ("Latn", &[('A', 'Z'), ('a', 'z'), ('\u{aa}', '\u{24f}'), ('\u{1e00}', '\u{1eff}')]),
    ("Cyrl", &[('\u{400}', '\u{52f}')]),
    ("Grek", &[('\u{370}', '\u{3ff}'), ('\u{1f00}', '\u{1fff}')]),
    ("Armn", &[('\u{530}', '\u{58f}')]),
    ("Hebr", &[('\u{590}', '\u{5ff}')]),
    ("Arab", &[('\u{600}', '\u{6ff}'), ('\u{750}', '\u{77f}')]),
    ("Deva", &[('\u{900}', '\u{97f}')]),
    ("Hans", HAN),
    ("Hant", HAN),
    ("Geor", &[('\u{10a0}', '\u{10ff}'), ('\u{1c90}', '\u{1cbf}')]),
];

/// Whether letters of a script can be told from others.
pub(crate) fn is_known(script: &str) -> bool {
    SCRIPTS.iter().any(|(name, _)| *name == script)
}

/// Whether a text has letters and none of them is of a script. Names and loan words in another script are common; a sentence
/// without a single letter of its language's script is in another language.
pub(crate) fn lacks(script: &str, text: &str) -> bool {
    let Some((_, ranges)) = SCRIPTS.iter().find(|(name, _)| *name == script) else { return false };
    let is_of_script = |c: char| ranges.iter().any(|&(first, last)| (first..=last).contains(&c));
    !text.chars().any(|c| c.is_alphabetic() && is_of_script(c))
}

#[cfg(test)]
mod tests {
    use super::lacks;

    #[test]
    fn a_text_in_another_script_is_told_from_a_loan_word() {
        assert!(lacks("Cyrl", "I cook."));
        assert!(!lacks("Cyrl", "Я люблю Netflix."));
        assert!(!lacks("Latn", "Ég elda."));
        assert!(lacks("Latn", "Γράφω."));
        assert!(lacks("Hans", "I cook.") && !lacks("Hans", "我做饭。"));
        assert!(!lacks("Grek", "Γράφω.") && !lacks("Zzzz", "I cook."));
    }
}
