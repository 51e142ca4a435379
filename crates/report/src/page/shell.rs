//! What every page of a report shares: head, style, script, contents, and a figure with its table.
//!
//! A page is one file without a network address. Its one script is named by its hash in the page's own
//! content-security policy, so that a browser runs no other, whatever a text in it may try.

use stereometer_record::sha256_hex;

use crate::Table;
use crate::figures::Figure;
use crate::html::escape;
use crate::links::Links;
use crate::theme::{FIGURE_CSS, page_css};

const SCRIPT: &str = include_str!("../../assets/page.js");

/// A page; all but the title is HTML.
pub struct Shell<'a> {
    /// The title, as text.
    pub title: &'a str,
    /// A line above the title.
    pub kicker: &'a str,
    /// What stands below the title in large type, or nothing.
    pub lead: &'a str,
    /// The controls of [`super::filter`], or nothing.
    pub filter: &'a str,
    /// The sections.
    pub sections: &'a str,
}

impl Shell<'_> {
    /// The file.
    pub fn html(&self) -> String {
        let Self { title, kicker, lead, filter, sections } = self;
        let lead =
            if lead.is_empty() { String::new() } else { format!("<div class=\"answer\">\n{lead}</div>\n") };
        format!(
            "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
             <meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'; \
             script-src 'sha256-{hash}'; base-uri 'none'; form-action 'none'\">\n\
             <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
             <title>{title}</title>\n<style>\n{css}</style>\n<style id=\"figure-style\">\n{FIGURE_CSS}</style>\n\
             </head>\n<body>\n<header>\n<p class=\"kicker\">{kicker}</p>\n<h1>{title}</h1>\n{lead}</header>\n\
             {filter}<main>\n{sections}</main>\n<script>{SCRIPT}</script>\n</body>\n</html>\n",
            hash = base64(&sha256_hex(SCRIPT)),
            title = escape(title),
            css = page_css(),
        )
    }
}

/// The contents: ids and titles of the sections.
pub fn contents<'a>(parts: impl Iterator<Item = (&'a str, &'a str)>) -> String {
    let entries: String =
        parts.map(|(id, title)| format!("<li><a href=\"#{id}\">{}</a></li>\n", escape(title))).collect();
    format!("<nav aria-label=\"Contents\"><ul>\n{entries}</ul></nav>\n")
}

/// A figure with how to read it and its numbers.
pub fn section(number: usize, figure: &Figure, links: &Links) -> String {
    let name = figure.name;
    let svg = figure.svg.inline(name, figure.title, &figure.alt, links);
    let leads = if svg.contains("<a href=") {
        "<span class=\"screen-only\">Click what belongs to one stereotype in one language to read its sentences; its row in \
         the table leads there too. </span>"
    } else {
        ""
    };
    format!(
        "<section id=\"{name}\">\n<h2>{title}</h2>\n<figure>\n\
         <div class=\"scroll\" tabindex=\"0\" role=\"region\" aria-label=\"Figure {number}\">{svg}</div>\n\
         <figcaption><b>Figure {number}.</b> {reading} {leads}<a href=\"figures/{name}.svg\" data-save=\"svg\">SVG</a>\
         </figcaption>\n</figure>\n{table}</section>\n",
        title = escape(figure.title),
        reading = escape(&figure.reading),
        table = folded("The numbers of this figure", &figure.table, links),
    )
}

/// A table that opens on request; print shows only the open ones.
pub fn folded(summary: &str, table: &Table, links: &Links) -> String {
    format!("<details><summary>{}</summary>\n{}</details>\n", escape(summary), table.html(links))
}

/// Figures that cannot be drawn, by title, and why; `what` has not got them.
pub fn absent_figures<'a>(what: &str, absent: impl Iterator<Item = (&'a str, &'a str)>) -> String {
    let lines: String =
        absent.map(|(title, why)| format!("<li>“{}”: {}</li>\n", escape(title), escape(why))).collect();
    if lines.is_empty() {
        return String::new();
    }
    format!(
        "<section id=\"absent\">\n<h2>Figures that this {what} has not</h2>\n<ul>\n{lines}</ul>\n</section>\n"
    )
}

/// Base64 (RFC 4648) of bytes in hexadecimal digits: 3 bytes, 6 digits, are 4 letters; the last group is filled up.
fn base64(hex: &str) -> String {
    const LETTERS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let digits: Vec<u32> = hex.chars().filter_map(|digit| digit.to_digit(16)).collect();
    let mut text = String::new();
    for group in digits.chunks(6) {
        let bits = (0..6).fold(0, |bits, place| bits << 4 | group.get(place).copied().unwrap_or(0));
        let letters = group.len() / 2 + 1;
        for place in 0..4 {
            let letter = LETTERS[(bits >> (18 - 6 * place)) as usize & 63];
            text.push(if place < letters { char::from(letter) } else { '=' });
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The test vectors of RFC 4648, section 10: f, fo, foo, foob.
    #[test]
    fn base64_is_that_of_the_standard() {
        let cases = [("66", "Zg=="), ("666f", "Zm8="), ("666f6f", "Zm9v"), ("666f6f62", "Zm9vYg==")];
        for (hex, text) in cases {
            assert_eq!(base64(hex), text);
        }
    }

    #[test]
    fn the_script_is_small_and_cannot_end_early() {
        assert!(SCRIPT.len() < 8_000, "{}", SCRIPT.len());
        assert!(!SCRIPT.to_lowercase().contains("</script") && !SCRIPT.contains("<!--"));
        assert!(!SCRIPT.contains("innerHTML") && !SCRIPT.contains("eval"));
    }
}
