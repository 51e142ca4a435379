//! Text into HTML.

/// Text as the content of an element or a quoted attribute.
pub fn escape(text: &str) -> String {
    let mut safe = String::with_capacity(text.len());
    for character in text.chars() {
        match character {
            '&' => safe.push_str("&amp;"),
            '<' => safe.push_str("&lt;"),
            '>' => safe.push_str("&gt;"),
            '"' => safe.push_str("&quot;"),
            // Control characters are not allowed in HTML, and say nothing to a reader.
            c if c.is_control() && !c.is_whitespace() => safe.push('\u{fffd}'),
            c => safe.push(c),
        }
    }
    safe
}

/// Text whose `words in backticks` become code.
pub fn with_code(text: &str) -> String {
    let parts: Vec<&str> = text.split('`').collect();
    if parts.len().is_multiple_of(2) {
        return escape(text);
    }
    let code = |place: usize| place % 2 == 1;
    parts
        .into_iter()
        .enumerate()
        .map(
            |(place, part)| if code(place) { format!("<code>{}</code>", escape(part)) } else { escape(part) },
        )
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_text_becomes_markup() {
        assert_eq!(escape("<script>\"a\" & b\u{0}"), "&lt;script&gt;&quot;a&quot; &amp; b\u{fffd}");
    }

    #[test]
    fn backticks_become_code_only_in_pairs() {
        assert_eq!(with_code("see `a<b` and `c`"), "see <code>a&lt;b</code> and <code>c</code>");
        assert_eq!(with_code("a ` alone"), "a ` alone");
    }
}
