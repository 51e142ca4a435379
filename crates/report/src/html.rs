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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_text_becomes_markup() {
        assert_eq!(escape("<script>\"a\" & b\u{0}"), "&lt;script&gt;&quot;a&quot; &amp; b\u{fffd}");
    }
}
