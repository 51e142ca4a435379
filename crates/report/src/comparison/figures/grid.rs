//! A grid of numbers: rows and columns with headings, a sign or a colour in every cell, hatching where one is missing.

use stereometer_core::Verdict;

use crate::svg::{Anchor, Svg};

/// Height of a column head's line.
const HEAD: f64 = 22.0;
/// Between two blocks of rows.
const GAP: f64 = 22.0;

/// Rows of cells under column heads.
pub struct Grid {
    /// Heads of the columns.
    pub columns: Vec<String>,
    /// Rows from the top.
    pub rows: Vec<Row>,
    /// Width of the row labels.
    pub left: f64,
    /// Width and height of a cell.
    pub cell: (f64, f64),
    /// Room for the notes right of the cells.
    pub right: f64,
}

/// One row.
pub struct Row {
    /// Begins a block with this heading.
    pub heading: Option<String>,
    /// Name of the row.
    pub label: String,
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
            if rise {
                svg.rising_text("label", (x + 4.0, y + self.top() - 8.0), head);
            } else {
                svg.text("head", (x, y + self.top() - 8.0), Anchor::Middle, head);
            }
        }
        let mut y = y + self.top();
        for row in &self.rows {
            if let Some(heading) = &row.heading {
                svg.text("head", (self.left - 8.0, y + GAP - 7.0), Anchor::End, heading);
                y += GAP;
            }
            let middle = y + self.cell.1 / 2.0 + 4.0;
            svg.text("label", (self.left - 8.0, middle), Anchor::End, &row.label);
            for (column, cell) in row.cells.iter().enumerate() {
                let corner = (self.left + self.cell.0 * column as f64, y);
                let size = (self.cell.0 - 1.0, self.cell.1 - 1.0);
                match cell {
                    Some(cell) => cell.draw(svg, corner, size),
                    None => missing(svg, corner, size, &format!("{}: none", row.label)),
                }
            }
            let end = self.left + self.cell.0 * self.columns.len() as f64;
            if !row.note.is_empty() {
                svg.text("small", (end + 8.0, middle), Anchor::Start, &row.note);
            }
            y += self.cell.1;
        }
    }

    fn heads_rise(&self) -> bool {
        self.columns.iter().any(|head| head.chars().count() as f64 * 7.2 > self.cell.0)
    }

    fn top(&self) -> f64 {
        let longest = self.columns.iter().map(|head| head.chars().count()).max().unwrap_or(0);
        if self.heads_rise() { longest as f64 * 6.2 + 26.0 } else { HEAD }
    }
}

impl GridCell {
    fn draw(&self, svg: &mut Svg, (x, y): (f64, f64), size: (f64, f64)) {
        let (group, ground, ink) = match self.paint {
            Paint::Verdict(verdict) => {
                ("cell".to_owned(), format!("{}-cell", verdict.class()), "number tiny")
            }
            Paint::Heat(step) => (format!("cell heat{step}"), "heat".to_owned(), "heat-text tiny"),
            Paint::Correlation(value) => ("cell".to_owned(), shade(value), "number tiny"),
        };
        svg.open(&group, &self.title);
        svg.rect(&ground, (x, y), size);
        let line = y + size.1 / 2.0 + 4.0;
        if self.sign.is_empty() {
            svg.text(ink, (x + size.0 / 2.0, line), Anchor::Middle, &self.shown);
        } else {
            let wide = 15.0 + self.shown.chars().count() as f64 * 6.4;
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

fn missing(svg: &mut Svg, (x, y): (f64, f64), size: (f64, f64), title: &str) {
    svg.open("cell", title);
    svg.rect("missing", (x, y), size);
    svg.line("hatch", (x, y + size.1), (x + size.0, y));
    svg.text("missing-text tiny", (x + size.0 / 2.0, y + size.1 / 2.0 + 4.0), Anchor::Middle, "–");
    svg.close();
}
