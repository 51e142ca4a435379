//! Differences beside one another: a row each, a panel a pair of runs, all on one axis; filled marks are findings.

use stereometer_record::{Comparison, Difference};

use super::dots::extent;
use crate::About;
use crate::comparison::runs::pair_label;
use crate::figures::rows::{Rows, label_width, legend};
use crate::scale::Scale;
use crate::svg::{Anchor, Mark, Svg};
use crate::words::Kind;

/// A difference counts as found if its Holm-adjusted p lies below this.
pub const ALPHA: f64 = 0.05;

/// Room for the difference right of a plot.
const NUMBERS: f64 = 58.0;

/// Whether a difference is a finding: its p, adjusted by Holm, lies below [`ALPHA`].
pub fn is_found(difference: &Difference) -> bool {
    difference.test.as_ref().is_some_and(|test| test.holm < ALPHA)
}

/// What there is to say of each pair's differences, as one text: “second − first: …; …”.
pub fn pair_by_pair(
    comparison: &Comparison,
    all: &[&Difference],
    say: impl Fn(&[&Difference]) -> String,
) -> String {
    let labels: Vec<String> = comparison.runs.iter().map(|run| run.label.clone()).collect();
    let clauses = comparison.pairs.iter().enumerate().map(|(place, pair)| {
        let of: Vec<&Difference> = all.iter().filter(|one| one.pair == place).copied().collect();
        format!("{}: {}", pair_label(pair, &labels), say(&of))
    });
    clauses.collect::<Vec<_>>().join("; ")
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
    /// A row, and what it is about.
    Row(String, About),
    /// A gap before a block.
    Heading(&'static str),
}

impl Label {
    fn text(&self) -> &str {
        match self {
            Self::Row(text, _) => text,
            Self::Heading(text) => text,
        }
    }
}

/// Draws the panels side by side.
pub fn forest(labels: &[Label], panels: &[Panel<'_>], directions: [&str; 2]) -> Svg {
    let left = label_width(labels.iter().map(Label::text)).max(96.0) + 4.0;
    // One panel has room for the interval and p in words.
    let is_alone = panels.len() == 1;
    let wide = if is_alone { 330.0 } else { 250.0 };
    let step = wide + NUMBERS + if is_alone { 230.0 } else { 24.0 };
    let rows = Rows { top: 56.0, n: labels.len() };
    let width = left + step * panels.len() as f64;
    let mut svg = Svg::new(width, rows.height());
    legend(
        &mut svg,
        left,
        &[
            (Mark::Circle, "above-mark", "more, Holm p < 0.05"),
            (Mark::Diamond, "below-mark", "less, Holm p < 0.05"),
            (Mark::Circle, "open-mark", "cannot tell"),
        ],
    );
    rows.bands(&mut svg, width);
    for (row, label) in labels.iter().enumerate() {
        match label {
            Label::Row(text, about) => {
                svg.open_about("row", "", about.clone());
                rows.label(&mut svg, row, left - 8.0, text);
                svg.close();
            }
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
        if is_alone {
            let right = from + wide;
            svg.text("head", (right + NUMBERS + 16.0, rows.top - 12.0), Anchor::Start, "interval");
            svg.text("head", (right + NUMBERS + 222.0, rows.top - 12.0), Anchor::End, "p (Holm)");
        }
        rows.axis(&mut svg, &scale, 0.0, directions);
        for (row, difference) in panel.rows.iter().enumerate() {
            let Label::Row(label, about) = &labels[row] else { continue };
            svg.open_about("row", "", about.clone());
            match difference {
                Some(one) => {
                    draw_row(&mut svg, (rows, row), label, one, &scale);
                    if is_alone {
                        in_words(&mut svg, (rows, row), from + wide + NUMBERS, one);
                    }
                }
                None => rows.number(&mut svg, row, from + wide + NUMBERS, "–"),
            }
            svg.close();
        }
    }
    svg
}

/// The interval and the adjusted p, right of the difference.
fn in_words(svg: &mut Svg, (rows, row): (Rows, usize), left: f64, one: &Difference) {
    let y = rows.middle(row) + 4.5;
    let interval = one.difference.interval();
    let interval =
        interval.map_or_else(|| "no interval".to_owned(), |interval| Kind::Difference.interval(interval));
    svg.text("small", (left + 16.0, y), Anchor::Start, &interval);
    let p = one.test.as_ref().map_or_else(|| "–".to_owned(), |test| Kind::P.show(test.holm));
    rows.number(svg, row, left + 222.0, &p);
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
