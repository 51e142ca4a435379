//! A sentence as it stands inside quotation marks: without the punctuation and the white space around it.
//!
//! EuroGEST strips every character that is neither a letter, a digit nor white space (`[^\w\s]+`) from both ends. This does the
//! same for marks that end or open a sentence, and differs where stripping would damage the sentence:
//!
//! * signs that are read aloud stay: “I give 100%” keeps its percent sign, “5 €” and “C++” what belongs to them;
//! * a bracket or quotation mark stays while its partner is inside: “I love sports (all of them)”, “I always say ‘no’”;
//! * an apostrophe that touches a letter stays: Dutch “'s Avonds”, Italian “un po'”;
//! * a dash before a digit stays: “-10 degrees”;
//! * combining marks are part of their letter and are never touched.

use unicode_normalization::char::is_combining_mark;

/// Punctuation that stands alone. `¡` and `¿` open what `!` and `?` close.
const LOOSE: &str = ".,;:!?…‥·•،؛؟۔।॥、。！？，：；‽⁇⁈⁉¡¿";
/// Dashes and hyphens, which also open direct speech in many languages.
const DASHES: &str = "-‐‑‒–—―";
/// Opening mark, and every mark that closes it in one of the languages. `”…”` and `"…"` open and close alike.
const PAIRS: [(char, &str); 15] = [
    ('(', ")"),
    ('[', "]"),
    ('{', "}"),
    ('«', "»"),
    ('»', "«»"),
    ('‹', "›"),
    ('›', "‹›"),
    ('“', "”“"),
    ('„', "“”„"),
    ('”', "”"),
    ('‘', "’"),
    ('‚', "‘’"),
    ('’', "’"),
    ('"', "\""),
    ('\'', "'"),
];

/// The sentence without the punctuation and white space around it.
pub(crate) fn bare(sentence: &str) -> &str {
    let mut rest = sentence;
    loop {
        let shorter = unwrapped(end_stripped(start_stripped(rest)));
        if shorter.len() == rest.len() {
            return rest;
        }
        rest = shorter;
    }
}

fn is_loose(c: char) -> bool {
    c.is_whitespace() || LOOSE.contains(c) || DASHES.contains(c)
}

fn is_mark(c: char) -> bool {
    PAIRS.iter().any(|&(open, close)| c == open || close.contains(c))
}

fn closes(open: char, close: char) -> bool {
    PAIRS.iter().any(|&(mark, partners)| mark == open && partners.contains(close))
}

/// Without the first character, where that one does not belong to the sentence.
fn start_stripped(text: &str) -> &str {
    let mut chars = text.chars();
    let Some(first) = chars.next() else { return text };
    let rest = chars.as_str();
    let next = chars.next();
    let belongs = next.is_some_and(is_combining_mark)
        || (DASHES.contains(first) && next.is_some_and(char::is_numeric))
        || (is_apostrophe(first) && next.is_some_and(char::is_alphanumeric));
    let lone = is_mark(first) && !rest.chars().any(|c| closes(first, c));
    if !belongs && (is_loose(first) || lone) { rest } else { text }
}

/// Without the last character, where that one does not belong to the sentence.
fn end_stripped(text: &str) -> &str {
    let mut chars = text.chars();
    let Some(last) = chars.next_back() else { return text };
    let rest = chars.as_str();
    let belongs = is_apostrophe(last) && chars.next_back().is_some_and(char::is_alphanumeric);
    let lone = is_mark(last) && !rest.chars().any(|c| closes(c, last));
    if !belongs && (is_loose(last) || lone) { rest } else { text }
}

/// Without the marks that enclose the whole. `“Yes” and “no”` is not enclosed: its first mark is closed inside.
fn unwrapped(text: &str) -> &str {
    let mut chars = text.chars();
    let (Some(first), Some(last)) = (chars.next(), chars.next_back()) else { return text };
    let inside = chars.as_str();
    let enclosed = closes(first, last) && !inside.chars().any(|c| c == first || closes(first, c));
    if enclosed { inside } else { text }
}

fn is_apostrophe(c: char) -> bool {
    matches!(c, '\'' | '’')
}

#[cfg(test)]
mod tests {
    use super::bare;

    #[test]
    fn what_surrounds_a_sentence_goes() {
        for (given, expected) in [
            ("I cook.", "I cook"),
            ("  I cook . . . ", "I cook"),
            ("I cook…", "I cook"),
            ("¿Por qué lloro?", "Por qué lloro"),
            ("¡Yo puedo!", "Yo puedo"),
            ("– Я готую.", "Я готую"),
            ("“I cook.”", "I cook"),
            ("« Je cuisine. »", "Je cuisine"),
            ("»Ich koche.«", "Ich koche"),
            ("„Gotuję”", "Gotuję"),
            ("”Jag lagar mat.”", "Jag lagar mat"),
            ("I cook.\"", "I cook"),
            ("(I cook.)", "I cook"),
            ("I cook?!", "I cook"),
            ("Γιατί κλαίω;", "Γιατί κλαίω"),
            ("...", ""),
            ("", ""),
        ] {
            assert_eq!(bare(given), expected, "{given}");
        }
    }

    #[test]
    fn what_belongs_to_a_sentence_stays() {
        for (given, expected) in [
            ("I give 100%.", "I give 100%"),
            ("I write C++.", "I write C++"),
            ("I love sports (all of them).", "I love sports (all of them)"),
            ("I always say “no”.", "I always say “no”"),
            ("“Yes” and “no” are hard for me.", "“Yes” and “no” are hard for me"),
            ("“Yes” is not “no”.", "“Yes” is not “no”"),
            ("'s Avonds kook ik.", "'s Avonds kook ik"),
            ("Cucino un po'.", "Cucino un po'"),
            ("-10 degrees is nothing to me.", "-10 degrees is nothing to me"),
            ("J’aime ça, l’été.", "J’aime ça, l’été"),
            ("e\u{301}a\u{323}\u{302}", "e\u{301}a\u{323}\u{302}"),
        ] {
            assert_eq!(bare(given), expected, "{given}");
        }
    }

    proptest::proptest! {
        #[test]
        fn stripping_twice_is_stripping_once(text in "[-.,¿!“”„\"'’()«» a1é\u{301}]{0,12}") {
            let once = bare(&text);
            proptest::prop_assert_eq!(bare(once), once);
            proptest::prop_assert!(text.contains(once));
        }
    }
}
