//! A small drawing: lines, rectangles, marks and texts with class names, so that one style sheet colours them all.
//!
//! Text stays text, in a generic font family: the reader's browser shapes it, whatever the script.

use std::fmt::{Display, Write as _};

use stereometer_core::Language;

use crate::html::escape;
use crate::links::{About, Links};
use crate::theme::figure_css;

/// A drawing in the making.
#[derive(Debug, Clone, PartialEq)]
pub struct Svg {
    width: f64,
    height: f64,
    parts: Vec<Part>,
}

/// Groups are kept apart from what is in them, because a page makes links of some.
#[derive(Debug, Clone, PartialEq)]
enum Part {
    /// An element.
    Element(String),
    /// A group begins.
    Open { class: String, title: String, about: About },
    /// The last open group ends.
    Close,
}

/// Shapes that differ without colour.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Mark {
    /// Circle.
    Circle,
    /// Square.
    Square,
    /// Square on its corner.
    Diamond,
    /// Triangle on its base.
    Triangle,
}

/// Where a text begins, ends or has its middle.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Anchor {
    /// Begins at the point.
    Start,
    /// Has its middle at the point.
    Middle,
    /// Ends at the point.
    End,
}

impl Svg {
    /// An empty drawing.
    pub fn new(width: f64, height: f64) -> Self {
        Self { width, height, parts: Vec::new() }
    }

    /// Its nominal width in pixels.
    pub fn width(&self) -> f64 {
        self.width
    }

    /// Its nominal height in pixels.
    pub fn height(&self) -> f64 {
        self.height
    }

    pub(crate) fn line(&mut self, class: &str, from: (f64, f64), to: (f64, f64)) {
        let (x1, y1, x2, y2) = (num(from.0), num(from.1), num(to.0), num(to.1));
        self.push(format_args!(r#"<line class="{class}" x1="{x1}" y1="{y1}" x2="{x2}" y2="{y2}"/>"#));
    }

    pub(crate) fn rect(&mut self, class: &str, corner: (f64, f64), size: (f64, f64)) {
        let (x, y, width, height) = (num(corner.0), num(corner.1), num(size.0), num(size.1));
        self.push(format_args!(
            r#"<rect class="{class}" x="{x}" y="{y}" width="{width}" height="{height}"/>"#
        ));
    }

    pub(crate) fn text(&mut self, class: &str, at: (f64, f64), anchor: Anchor, text: &str) {
        self.placed_text(&format!("class=\"{class}\""), at, anchor, text);
    }

    /// A text in a language of its own, so that the browser chooses its letters; the name of no font is fixed. It is an element by
    /// itself, because outside of browsers a text of several scripts is shaped with one font.
    pub(crate) fn text_in(&mut self, language: &Language, class: &str, at: (f64, f64), text: &str) {
        let attributes = format!("class=\"{class}\" lang=\"{language}\" xml:lang=\"{language}\"");
        self.placed_text(&attributes, at, Anchor::Start, text);
    }

    /// A path; coordinates come from [`num`].
    pub(crate) fn path(&mut self, class: &str, d: &str) {
        if !d.is_empty() {
            self.push(format_args!(r#"<path class="{class}" d="{d}"/>"#));
        }
    }

    /// Slanting strokes over a rectangle, cut at its edges.
    pub(crate) fn hatch(&mut self, class: &str, (x, y): (f64, f64), (width, height): (f64, f64), step: f64) {
        self.path(class, &hatched((x, y), (width, height), step));
    }

    /// A text that runs upwards, ending or beginning at the point.
    pub(crate) fn rising_text(&mut self, class: &str, at: (f64, f64), text: &str) {
        let turn = format!(r#"class="{class}" transform="rotate(-60 {} {})""#, num(at.0), num(at.1));
        self.placed_text(&turn, at, Anchor::Start, text);
    }

    pub(crate) fn mark(&mut self, mark: Mark, class: &str, at: (f64, f64), radius: f64) {
        let (x, y, r) = (at.0, at.1, radius);
        match mark {
            Mark::Circle => {
                self.push(format_args!(
                    r#"<circle class="{class}" cx="{}" cy="{}" r="{}"/>"#,
                    num(x),
                    num(y),
                    num(r)
                ));
            }
            Mark::Square => self.rect(class, (x - r * 0.9, y - r * 0.9), (r * 1.8, r * 1.8)),
            Mark::Diamond => {
                let (r, y, x) = (r * 1.3, y, x);
                let points = [(x, y - r), (x + r, y), (x, y + r), (x - r, y)]
                    .map(|(x, y)| format!("{},{}", num(x), num(y)))
                    .join(" ");
                self.push(format_args!(r#"<polygon class="{class}" points="{points}"/>"#));
            }
            Mark::Triangle => {
                let r = r * 1.2;
                let points = [(x, y - r), (x + r, y + r * 0.8), (x - r, y + r * 0.8)]
                    .map(|(x, y)| format!("{},{}", num(x), num(y)))
                    .join(" ");
                self.push(format_args!(r#"<polygon class="{class}" points="{points}"/>"#));
            }
        }
    }

    /// Opens a group with a text that appears under the pointer; close it with [`Svg::close`].
    pub(crate) fn open(&mut self, class: &str, title: &str) {
        self.open_about(class, title, About::default());
    }

    /// Opens a group that a page can filter by what it is about, and link to its sentences.
    pub(crate) fn open_about(&mut self, class: &str, title: &str, about: About) {
        self.parts.push(Part::Open { class: class.to_owned(), title: title.to_owned(), about });
    }

    pub(crate) fn close(&mut self) {
        self.parts.push(Part::Close);
    }

    /// The drawing inside a page; `id` is unique there, and `links` say where the sentences behind its cells stand.
    pub fn inline(&self, id: &str, title: &str, alt: &str, links: &Links) -> String {
        let (width, height) = (num(self.width), num(self.height));
        format!(
            "<svg class=\"fig\" style=\"max-width:{width}px;min-width:{}px\" viewBox=\"0 0 {width} {height}\" \
             role=\"img\" aria-labelledby=\"{id}-title {id}-alt\"><title id=\"{id}-title\">{}</title>\
             <desc id=\"{id}-alt\">{}</desc>\n{}</svg>",
            num((self.width * 0.8).round()),
            escape(title),
            escape(alt),
            self.body(links)
        )
    }

    /// The drawing as a file of its own.
    pub fn standalone(&self, title: &str, alt: &str) -> String {
        let (width, height) = (num(self.width), num(self.height));
        format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"fig\" width=\"{width}\" height=\"{height}\" \
             viewBox=\"0 0 {width} {height}\" role=\"img\"><title>{}</title><desc>{}</desc>\n<style>\n{}</style>\n\
             <rect class=\"paper\" width=\"{width}\" height=\"{height}\"/>\n{}</svg>\n",
            escape(title),
            escape(alt),
            figure_css(),
            self.body(&Links::default())
        )
    }

    /// The links are out of the way of the tab key: the figure's table has the same ones.
    fn body(&self, links: &Links) -> String {
        let mut body = String::new();
        let mut open = Vec::new();
        for part in &self.parts {
            let _ = match part {
                Part::Element(element) => writeln!(body, "{element}"),
                Part::Open { class, title, about } => {
                    let href = links.get(about);
                    let name = if href.is_some() { "a" } else { "g" };
                    let href = href.map(|href| format!(" href=\"{}\" tabindex=\"-1\"", escape(href)));
                    let title = if title.is_empty() {
                        String::new()
                    } else {
                        format!("<title>{}</title>", escape(title))
                    };
                    open.push(name);
                    let (href, about) = (href.unwrap_or_default(), about.attributes());
                    writeln!(body, "<{name}{href} class=\"{class}\"{about}>{title}")
                }
                Part::Close => writeln!(body, "</{}>", open.pop().unwrap_or("g")),
            };
        }
        body
    }

    fn placed_text(&mut self, attributes: &str, at: (f64, f64), anchor: Anchor, text: &str) {
        let anchor = match anchor {
            Anchor::Start => "start",
            Anchor::Middle => "middle",
            Anchor::End => "end",
        };
        let (x, y, text) = (num(at.0), num(at.1), escape(text));
        self.push(format_args!(r#"<text {attributes} x="{x}" y="{y}" text-anchor="{anchor}">{text}</text>"#));
    }

    fn push(&mut self, element: impl Display) {
        self.parts.push(Part::Element(element.to_string()));
    }
}

/// Slanting strokes over a rectangle as the course of a path.
pub(crate) fn hatched((x, y): (f64, f64), (width, height): (f64, f64), step: f64) -> String {
    let mut d = String::new();
    let mut from = step / 2.0;
    while from < width + height {
        let low = (x + from.min(width), y + (from - width).max(0.0));
        let high = (x + (from - height).max(0.0), y + from.min(height));
        let _ = write!(d, "M{} {}L{} {}", num(low.0), num(low.1), num(high.0), num(high.1));
        from += step;
    }
    d
}

/// A coordinate with one decimal at most.
pub(crate) fn num(value: f64) -> String {
    let rounded = (value * 10.0).round() / 10.0;
    format!("{}", if rounded == 0.0 { 0.0 } else { rounded })
}
