//! What figures with one row a language or stereotype share: row places, grid, axis, legend.

use crate::scale::Scale;
use crate::svg::{Anchor, Mark, Svg};

/// Height of a row in pixels.
pub const ROW: f64 = 22.0;

/// Rows below one another between a legend and an axis.
#[derive(Debug, Clone, Copy)]
pub struct Rows {
    /// Top of the first row.
    pub top: f64,
    /// Number of rows.
    pub n: usize,
}

impl Rows {
    /// Bottom of the last row.
    pub fn bottom(self) -> f64 {
        self.top + ROW * self.n.max(1) as f64
    }

    /// Middle of a row.
    pub fn middle(self, row: usize) -> f64 {
        self.top + ROW * (row as f64 + 0.5)
    }

    /// Height of the figure, with room for the axis.
    pub fn height(self) -> f64 {
        self.bottom() + 48.0
    }

    /// A faint band behind every second row.
    pub fn bands(self, svg: &mut Svg, width: f64) {
        for row in (1..self.n).step_by(2) {
            svg.rect("band", (0.0, self.top + ROW * row as f64), (width, ROW));
        }
    }

    /// Grid lines and their numbers.
    pub fn grid(self, svg: &mut Svg, scale: &Scale) {
        for (value, label) in scale.ticks() {
            let x = scale.place(value);
            svg.line("grid", (x, self.top), (x, self.bottom()));
            svg.text("small", (x, self.bottom() + 15.0), Anchor::Middle, &label);
        }
    }

    /// The grid, the neutral line, and what either direction means.
    pub fn axis(self, svg: &mut Svg, scale: &Scale, neutral: f64, directions: [&str; 2]) {
        let bottom = self.bottom();
        self.grid(svg, scale);
        let x = scale.place(neutral);
        svg.line("neutral", (x, self.top), (x, bottom + 3.0));
        let (from, to) = scale.ends();
        svg.text("small", (from, bottom + 35.0), Anchor::Start, &format!("← {}", directions[0]));
        svg.text("small", (to, bottom + 35.0), Anchor::End, &format!("{} →", directions[1]));
    }

    /// A row's label, ending left of the plot.
    pub fn label(self, svg: &mut Svg, row: usize, right: f64, label: &str) {
        svg.text("label", (right, self.middle(row) + 4.5), Anchor::End, label);
    }

    /// A number in a column right of the plot.
    pub fn number(self, svg: &mut Svg, row: usize, right: f64, number: &str) {
        svg.text("number", (right, self.middle(row) + 4.5), Anchor::End, number);
    }
}

/// Room for labels of these lengths, in pixels.
pub fn label_width<'a>(labels: impl Iterator<Item = &'a str>) -> f64 {
    let longest = labels.map(|label| label.chars().count()).max().unwrap_or(0);
    (longest as f64 * 7.4 + 12.0).clamp(70.0, 220.0)
}

/// Signs with their meaning in one line above the plot.
pub fn legend(svg: &mut Svg, left: f64, entries: &[(Mark, &str, &str)]) {
    let mut x = left;
    for (mark, class, text) in entries {
        svg.mark(*mark, class, (x + 6.0, 12.0), 5.0);
        svg.text("small", (x + 16.0, 16.0), Anchor::Start, text);
        x += 38.0 + text.chars().count() as f64 * 6.8;
    }
}
