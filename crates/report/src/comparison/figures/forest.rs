//! Differences beside one another: a row each, a panel a pair of runs, all on one axis; filled marks are findings.

use stereometer_record::Difference;

use super::dots::extent;
use crate::figures::rows::{Rows, label_width};
use crate::scale::Scale;
use crate::svg::{Anchor, Mark, Svg};
use crate::words::Kind;

/// A difference counts as found if its Holm-adjusted p lies below this.
pub const ALPHA: f64 = 0.05;

const PLOT: f64 = 250.0;
const NUMBERS: f64 = 62.0;

/// Whether a difference is a finding: its p, adjusted by Holm, lies below [`ALPHA`].
pub fn is_found(difference: &Difference) -> bool {
    difference.test.as_ref().is_some_and(|test| test.holm < ALPHA)
}

/// One panel: a head and a difference a row.
pub struct Panel<'a> {
    /// Which pair.
    pub head: String,
    /// As many as the labels; none = missing.
    pub rows: Vec<Option<&'a Difference>>,
}

/// Rows that all panels share; an empty label leaves a gap, with a heading where it has one.
pub enum Label {
    /// A row.
    Row(String),
    /// A gap before a block.
    Heading(&'static str),
}

impl Label {
    fn text(&self) -> &str {
        match self {
            Self::Row(text) => text,
            Self::Heading(text) => text,
        }
    }
}

/// Draws the panels side by side.
pub fn forest(labels: &[Label], panels: &[Panel<'_>], directions: [&str; 2]) -> Svg {
    let left = label_width(labels.iter().map(Label::text)).max(96.0) + 4.0;
    let wide = if panels.len() > 2 { 190.0 } else { PLOT };
    let step = wide + NUMBERS + 24.0;
    let rows = Rows { top: 56.0, n: labels.len() };
    let width = left + step * panels.len() as f64;
    let mut svg = Svg::new(width, rows.height());
    svg.mark(Mark::Circle, "above-mark", (left + 6.0, 12.0), 5.0);
    svg.text("small", (left + 16.0, 16.0), Anchor::Start, "Holm p < 0.05");
    svg.mark(Mark::Circle, "open-mark", (left + 126.0, 12.0), 5.0);
    svg.text("small", (left + 136.0, 16.0), Anchor::Start, "not");
    rows.bands(&mut svg, width);
    for (row, label) in labels.iter().enumerate() {
        match label {
            Label::Row(text) => rows.label(&mut svg, row, left - 8.0, text),
            Label::Heading(text) => {
                svg.text("head", (left - 8.0, rows.middle(row) + 4.5), Anchor::End, text);
            }
        }
    }
    for (place, panel) in panels.iter().enumerate() {
        let from = left + step * place as f64;
        let shown = panels.iter().flat_map(|panel| panel.rows.iter().flatten()).map(|one| &one.difference);
        let scale = Scale::linear(extent(shown).chain([0.0]), (from, from + wide));
        svg.text("head", (from, rows.top - 12.0), Anchor::Start, &panel.head);
        rows.axis(&mut svg, &scale, 0.0, directions);
        for (row, difference) in panel.rows.iter().enumerate() {
            let Label::Row(label) = &labels[row] else { continue };
            match difference {
                Some(one) => draw_row(&mut svg, (rows, row), label, one, &scale),
                None => rows.number(&mut svg, row, from + wide + NUMBERS, "–"),
            }
        }
    }
    svg
}

fn draw_row(svg: &mut Svg, (rows, row): (Rows, usize), label: &str, one: &Difference, scale: &Scale) {
    let y = rows.middle(row);
    let value = one.difference.value;
    let (mark, class) = match is_found(one) {
        true if value < 0.0 => (Mark::Diamond, "below"),
        true => (Mark::Circle, "above"),
        false => (Mark::Circle, "open"),
    };
    let p = one.test.as_ref().map_or_else(
        || "no test: nothing differs".to_owned(),
        |test| format!("p = {}, Holm {}", Kind::P.show(test.p), Kind::P.show(test.holm)),
    );
    svg.open(class, &format!("{label}: {}; {p}", Kind::Difference.brief(&one.difference)));
    if let Some(interval) = one.difference.interval() {
        let ends = [interval.low, interval.high].map(|end| (scale.place(end), y));
        svg.line(&format!("{class}-whisker"), ends[0], ends[1]);
    }
    svg.mark(mark, &format!("{class}-mark"), (scale.place(value), y), 4.5);
    svg.close();
    rows.number(svg, row, scale.ends().1 + NUMBERS, &Kind::Difference.show(value));
}
