//! What the figures share that set g_s of a language beside g_s of the same under another choice: a row a language, a
//! column a choice, one of them framed; a row in which the interval of another column says something else is marked.

use stereometer_core::{Estimate, Verdict};
use stereometer_record::LanguageResult;

use super::rows::{ROW, Rows, label_width};
use crate::svg::{Anchor, Svg};
use crate::words::Kind;
use crate::{About, Cell, Column};

const COLUMN: f64 = 98.0;

/// The signs of the cells in words.
pub fn signs(level: &str) -> String {
    format!(
        "▲ the {level} interval lies above 1 (stereotypical), ▼ below 1 (anti-stereotypical), ○ it includes 1, \
         ? there is none"
    )
}

/// A grid of g_s.
pub struct Grid<'a> {
    /// Headings of the columns.
    pub columns: Vec<&'static str>,
    /// The column that the others are compared with.
    pub framed: usize,
    /// Each language with g_s under every column.
    pub rows: Vec<(&'a LanguageResult, Vec<Option<&'a Estimate>>)>,
}

impl Grid<'_> {
    /// Names of the languages in which another column says something else than the framed one.
    pub fn changing(&self) -> Vec<&str> {
        let rows = self.rows.iter().filter(|(_, cells)| self.changes(cells));
        rows.map(|(language, _)| language.name.as_str()).collect()
    }

    fn changes(&self, cells: &[Option<&Estimate>]) -> bool {
        let Some(Some(own)) = cells.get(self.framed) else { return false };
        cells.iter().flatten().any(|other| Verdict::of(other, 1.0).contradicts(Verdict::of(own, 1.0)))
    }

    /// The drawing.
    pub fn plot(&self) -> Svg {
        let left = label_width(self.rows.iter().map(|(language, _)| language.name.as_str()));
        let rows = Rows { top: 30.0, n: self.rows.len() };
        let right = left + COLUMN * self.columns.len() as f64;
        let mut svg = Svg::new(right + 74.0, rows.bottom() + 8.0);
        for (column, heading) in self.columns.iter().enumerate() {
            let x = left + COLUMN * column as f64;
            svg.text("head", (x + COLUMN / 2.0, rows.top - 10.0), Anchor::Middle, heading);
        }
        for (row, (language, cells)) in self.rows.iter().enumerate() {
            svg.open_about("row", "", About::language(&language.language));
            rows.label(&mut svg, row, left - 8.0, &language.name);
            for ((column, heading), g_s) in self.columns.iter().enumerate().zip(cells) {
                let corner = (left + COLUMN * column as f64, rows.top + ROW * row as f64);
                draw_cell(&mut svg, corner, &format!("{}, {heading}", language.name), *g_s);
            }
            if self.changes(cells) {
                svg.text("small", (right + 8.0, rows.middle(row) + 4.5), Anchor::Start, "changes");
            }
            svg.close();
        }
        if !self.rows.is_empty() {
            let corner = (left + COLUMN * self.framed as f64 - 0.5, rows.top - 1.5);
            svg.rect("frame", corner, (COLUMN - 1.0, rows.bottom() - rows.top + 2.0));
        }
        svg
    }
}

fn draw_cell(svg: &mut Svg, (x, y): (f64, f64), what: &str, g_s: Option<&Estimate>) {
    let size = (COLUMN - 2.0, ROW - 1.0);
    let (class, title, sign, shown) = match g_s {
        Some(g_s) => {
            let verdict = Verdict::of(g_s, 1.0);
            let title = format!("{what}: g_s {}", Kind::Ratio.brief(g_s));
            (verdict.class(), title, verdict.sign(), Kind::Ratio.show(g_s.value))
        }
        None => ("unknown", format!("{what}: no g_s"), "", "–".to_owned()),
    };
    svg.open("cell", &title);
    svg.rect(&format!("{class}-cell"), (x, y), size);
    svg.text("sign", (x + 20.0, y + 15.5), Anchor::Middle, sign);
    svg.text("number", (x + size.0 - 12.0, y + 15.5), Anchor::End, &shown);
    svg.close();
}

/// The columns of g_s, what its interval says, and the default masculine rate.
pub fn columns() -> Vec<Column> {
    let g_s = Column::estimate("g_s", "g_s", "q_masculine / q_feminine, geometric means; neutral 1");
    let verdict = Column::new("verdict", "interval says", "on which side of 1 the whole interval lies");
    let rate = Column::estimate("default_masculine_rate", "default", "mean of q_1 to q_14; neutral 0.5");
    g_s.into_iter().chain([verdict]).chain(rate).collect()
}

/// The cells of [`columns`]; `missing` says why there is no g_s.
pub fn cells(g_s: Option<&Estimate>, default_rate: Option<&Estimate>, missing: &'static str) -> Vec<Cell> {
    let verdict = g_s.map_or(Verdict::Unknown, |g_s| Verdict::of(g_s, 1.0));
    let g_s = Cell::estimate(Kind::Ratio, g_s, missing);
    let rate = Cell::estimate(Kind::Rate, default_rate, "no rate");
    g_s.into_iter().chain([Cell::text(verdict.word())]).chain(rate).collect()
}
