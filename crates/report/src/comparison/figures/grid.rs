//! A grid of numbers: rows and columns with headings, a sign or a colour in every cell, hatching where one is missing.

use stereometer_core::Verdict;

use crate::About;
use crate::svg::{Anchor, Svg};

/// Height of a column head's line.
const HEAD: f64 = 22.0;
/// Width of a letter of a column head.
const HEAD_LETTER: f64 = 7.2;
/// Between two blocks of rows.
const GAP: f64 = 22.0;

/// Rows of cells under column heads.
pub struct Grid {
    /// Heads of the columns.
    pub columns: Vec<Head>,
    /// Rows from the top.
    pub rows: Vec<Row>,
    /// Width of the row labels.
    pub left: f64,
    /// Width and height of a cell.
    pub cell: (f64, f64),
    /// Room for the notes right of the cells.
    pub right: f64,
}

/// The head of a column.
pub struct Head {
    /// Its name.
    pub label: String,
    /// What its cells are about.
    pub about: About,
}

/// One row.
pub struct Row {
    /// Begins a block with this heading.
    pub heading: Option<String>,
    /// Name of the row.
    pub label: String,
    /// What it is about.
    pub about: About,
    /// One cell a column; none = missing.
    pub cells: Vec<Option<GridCell>>,
    /// Right of the cells.
    pub note: String,
}

/// One cell.
pub struct GridCell {
    /// Its ground.
    pub paint: Paint,
    /// A sign that needs no colour, or nothing.
    pub sign: &'static str,
    /// What stands in it.
    pub shown: String,
    /// What the pointer is told.
    pub title: String,
}

/// The ground of a cell.
#[derive(Debug, Clone, Copy)]
pub enum Paint {
    /// What an interval says.
    Verdict(Verdict),
    /// Step of the heat map.
    Heat(usize),
    /// How far a correlation lies from 0, and on which side: −1 to 1.
    Correlation(f64),
}

/// Heads of columns that are runs or choices: about no language and no stereotype.
pub fn heads<'a>(labels: impl IntoIterator<Item = &'a String>) -> Vec<Head> {
    labels.into_iter().map(|label| Head { label: label.clone(), about: About::default() }).collect()
}

/// Width of a column: room for its head where all have it side by side, else between these bounds, with heads that rise.
pub fn column_width(columns: &[Head], [least, most]: [f64; 2]) -> f64 {
    const ALL: f64 = 880.0;
    let (n, wide) = (columns.len().max(1) as f64, longest(columns) * HEAD_LETTER + 10.0);
    if wide * n <= ALL { wide.max(most) } else { (ALL / n).clamp(least, most) }
}

/// Letters of the longest head.
fn longest(columns: &[Head]) -> f64 {
    columns.iter().map(|head| head.label.chars().count()).max().unwrap_or(0) as f64
}

impl Grid {
    /// Width of the drawing.
    pub fn width(&self) -> f64 {
        let cells = self.left + self.cell.0 * self.columns.len() as f64;
        // The last rising head leans over its column.
        cells + self.right.max(if self.heads_rise() { 70.0 } else { 8.0 })
    }

    /// Height of the drawing.
    pub fn height(&self) -> f64 {
        let blocks = self.rows.iter().filter(|row| row.heading.is_some()).count() as f64;
        self.top() + self.cell.1 * self.rows.len() as f64 + GAP * blocks + 4.0
    }

    /// Draws it, beginning at this height.
    pub fn draw(&self, svg: &mut Svg, y: f64) {
        let rise = self.heads_rise();
        for (column, head) in self.columns.iter().enumerate() {
            let x = self.left + self.cell.0 * (column as f64 + 0.5);
            svg.open_about("heading", "", head.about.clone());
            if rise {
                svg.rising_text("label", (x + 4.0, y + self.top() - 8.0), &head.label);
            } else {
                svg.text("head", (x, y + self.top() - 8.0), Anchor::Middle, &head.label);
            }
            svg.close();
        }
        let mut y = y + self.top();
        for row in &self.rows {
            if let Some(heading) = &row.heading {
                svg.text("head", (self.left - 8.0, y + GAP - 7.0), Anchor::End, heading);
                y += GAP;
            }
            let middle = y + self.cell.1 / 2.0 + 4.0;
            svg.open_about("row", "", row.about.clone());
            svg.text("label", (self.left - 8.0, middle), Anchor::End, &row.label);
            for ((column, head), cell) in self.columns.iter().enumerate().zip(&row.cells) {
                let corner = (self.left + self.cell.0 * column as f64, y);
                let size = (self.cell.0 - 1.0, self.cell.1 - 1.0);
                match cell {
                    Some(cell) => cell.draw(svg, corner, size, &head.about),
                    None => missing(svg, corner, size, &format!("{}: none", row.label), &head.about),
                }
            }
            let end = self.left + self.cell.0 * self.columns.len() as f64;
            if !row.note.is_empty() {
                svg.text("small", (end + 8.0, middle), Anchor::Start, &row.note);
            }
            svg.close();
            y += self.cell.1;
        }
    }

    fn heads_rise(&self) -> bool {
        longest(&self.columns) * HEAD_LETTER > self.cell.0
    }

    fn top(&self) -> f64 {
        if self.heads_rise() { longest(&self.columns) * 6.2 + 26.0 } else { HEAD }
    }
}

impl GridCell {
    fn draw(&self, svg: &mut Svg, (x, y): (f64, f64), size: (f64, f64), about: &About) {
        let (group, ground, ink) = match self.paint {
            Paint::Verdict(verdict) => {
                ("cell".to_owned(), format!("{}-cell", verdict.class()), "number tiny")
            }
            Paint::Heat(step) => (format!("cell heat{step}"), "heat".to_owned(), "heat-text tiny"),
            Paint::Correlation(value) => ("cell".to_owned(), shade(value), "number tiny"),
        };
        svg.open_about(&group, &self.title, about.clone());
        svg.rect(&ground, (x, y), size);
        let line = y + size.1 / 2.0 + 4.0;
        if self.sign.is_empty() {
            svg.text(ink, (x + size.0 / 2.0, line), Anchor::Middle, &self.shown);
        } else {
            let wide = 19.0 + self.shown.chars().count() as f64 * 6.4;
            let room = ((size.0 - wide) / 2.0).max(0.0);
            svg.text("sign", (x + room + 6.0, line), Anchor::Middle, self.sign);
            svg.text(ink, (x + size.0 - room - 1.0, line), Anchor::End, &self.shown);
        }
        svg.close();
    }
}

/// Three steps either way from a plain ground.
fn shade(correlation: f64) -> String {
    let side = if correlation < 0.0 { "negative" } else { "positive" };
    match (correlation.abs() * 4.0).floor().min(3.0) as usize {
        0 => "open-cell".to_owned(),
        step => format!("{side}{step}"),
    }
}

fn missing(svg: &mut Svg, (x, y): (f64, f64), size: (f64, f64), title: &str, about: &About) {
    svg.open_about("cell", title, about.clone());
    svg.rect("missing", (x, y), size);
    // A long stroke would cross out the dash.
    if size.0 > 2.5 * size.1 {
        for left in [x, x + size.0 - size.1] {
            svg.line("hatch", (left, y + size.1), (left + size.1, y));
        }
    } else {
        svg.line("hatch", (x, y + size.1), (x + size.0, y));
    }
    svg.text("missing-text tiny", (x + size.0 / 2.0, y + size.1 / 2.0 + 4.0), Anchor::Middle, "–");
    svg.close();
}
