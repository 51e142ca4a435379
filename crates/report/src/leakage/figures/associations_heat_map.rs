//! What is thought of every group on every trait pair, in every language: people and language models side by side.
//!
//! A square's size is how strong, its filling which pole: full = the right one (powerful, modern, warm), empty = the left one. So
//! nothing hangs on colour, and a cell of ten pixels can be read.

use std::fmt::Write as _;

use stereometer_core::Language;

use super::{Entry, Parts};
use crate::figures::Figure;
use crate::leakage::study::Study;
use crate::letters::cut;
use crate::svg::{Anchor, Svg, num};
use crate::words::{Kind, count, plural};
use crate::{About, Cell, Column, Holds, Table};

pub const ENTRY: Entry = Entry {
    name: "associations_heat_map",
    title: "What is thought of every group",
    absent: "Neither people nor a language model have both poles of any pair.",
    draw,
};

/// Runs that are drawn beside people; the table has all.
const DRAWN: usize = 2;
const CELL: f64 = 13.0;
const LEFT: f64 = 176.0;
/// Room for the groups' own names.
const RIGHT: f64 = 170.0;
const GAP: f64 = 24.0;
const HEADS: f64 = 150.0;
/// Before groups of another category, and pairs of another dimension.
const BREAK: f64 = 8.0;
/// As many root mean squares fill a cell.
const FULL: f64 = 2.5;

fn draw(study: &Study<'_>) -> Option<Figure> {
    let runs = study.results.runs.len();
    let panels = panels(study, runs);
    if panels.iter().all(|panel| panel.unit.is_none()) {
        return None;
    }
    let cells = panels.iter().map(|panel| panel.values.len()).sum::<usize>();
    let missing = panels.iter().flat_map(|panel| &panel.values).filter(|value| value.is_none()).count();
    Some(ENTRY.figure(Parts {
        reading: format!(
            "A row is a group, a column a trait pair “left – right”. A full square: the right pole is the stronger one; an \
             empty square: the left one. Its area is the difference of the two poles in root mean squares of its panel, \
             {FULL} and more fill the cell, so patterns may be compared between panels, strengths not. Hatched: missing, \
             because nobody rated it or no template has a score. Gaps set apart the categories of groups and the dimensions of pairs; at the right the groups' own \
             names.{}",
            if runs > DRAWN { format!(" Of {} runs the first {DRAWN} are drawn; the table has all.", count(runs)) } else { String::new() },
        ),
        alt: format!(
            "Grids of squares for {} by {} in {}: people and {}. {} of {} cells are missing.",
            plural(study.results.inventory.groups.len(), "group"),
            plural(study.results.inventory.pairs.len(), "trait pair"),
            plural(study.languages().len(), "language"),
            plural(runs, "run"),
            count(missing),
            count(cells)
        ),
        svg: svg(study, &panels),
        table: table(study, &panels),
    }))
}

/// What a judge thinks in a language.
struct Panel<'a> {
    run: Option<usize>,
    language: &'a Language,
    /// Group by group, pair by pair: right − left.
    values: Vec<Option<f64>>,
    /// Their root mean square; none where nothing is known, or all is 0.
    unit: Option<f64>,
}

fn panels<'a>(study: &Study<'a>, runs: usize) -> Vec<Panel<'a>> {
    let inventory = &study.results.inventory;
    let judges = || std::iter::once(None).chain((0..runs).map(Some));
    study
        .languages()
        .into_iter()
        .flat_map(|language| judges().map(move |run| (language, run)))
        .map(|(language, run)| {
            let values: Vec<Option<f64>> = inventory
                .groups
                .iter()
                .flat_map(|group| inventory.pairs.iter().map(move |pair| (group, pair)))
                .map(|(group, pair)| study.difference(run, language, &group.id, pair))
                .collect();
            let known = values.iter().flatten().count();
            let sum: f64 = values.iter().flatten().map(|value| value * value).sum();
            let unit = (known > 0).then(|| (sum / known as f64).sqrt());
            Panel { run, language, values, unit: unit.filter(|unit| *unit > 0.0) }
        })
        .collect()
}

/// Where each group's row begins, below the heads.
fn rows(study: &Study<'_>) -> Vec<f64> {
    places(study.results.inventory.groups.iter().map(|group| group.category))
}

/// Where each pair's column begins, from the left of a panel.
fn columns(study: &Study<'_>) -> Vec<f64> {
    places(study.results.inventory.pairs.iter().map(|pair| pair.dimension))
}

/// Cells one after the other, with a gap where another kind begins.
fn places<K: PartialEq + Copy>(kinds: impl Iterator<Item = K>) -> Vec<f64> {
    let mut at = 0.0;
    let mut before = None;
    let places = kinds.map(|kind| {
        if before.is_some_and(|before| before != kind) {
            at += BREAK;
        }
        before = Some(kind);
        at += CELL;
        at - CELL
    });
    places.collect()
}

fn svg(study: &Study<'_>, panels: &[Panel<'_>]) -> Svg {
    let inventory = &study.results.inventory;
    let rows = rows(study);
    let columns = columns(study);
    let wide = columns.last().map_or(0.0, |last| last + CELL);
    let n_judges = 1 + study.results.runs.len().min(DRAWN);
    let body = rows.last().map_or(0.0, |last| last + CELL);
    let block = HEADS + body + 26.0;
    let legend = 30.0;
    let width = LEFT + (wide + GAP) * n_judges as f64 + RIGHT;
    let languages = study.languages();
    let mut svg = Svg::new(width.max(620.0), legend + block * languages.len() as f64);
    draw_legend(&mut svg);
    for (at, language) in languages.iter().enumerate() {
        let y = legend + block * at as f64;
        svg.open_about("block", "", About::language(language));
        svg.text("head", (8.0, y + 18.0), Anchor::Start, study.language_name(language));
        let of = panels.iter().filter(|panel| panel.language == *language);
        let of = of.filter(|panel| panel.run.is_none_or(|run| run < DRAWN));
        for (place, panel) in of.enumerate() {
            let x = LEFT + (wide + GAP) * place as f64;
            let name = panel.run.map_or("people", |run| study.label(run));
            svg.text("head", (x, y + 18.0), Anchor::Start, name);
            for (column, pair) in inventory.pairs.iter().enumerate() {
                let label = format!("{} – {}", cut(&pair.left.name, 13.0), cut(&pair.right.name, 13.0));
                svg.rising_text("few", (x + columns[column] + CELL / 2.0 + 2.0, y + HEADS - 5.0), &label);
            }
            draw_cells(&mut svg, panel, (x, y + HEADS), (&rows, &columns));
        }
        for (group, row) in inventory.groups.iter().zip(&rows) {
            let line = y + HEADS + row + 10.5;
            svg.text("few", (LEFT - 6.0, line), Anchor::End, &cut(&group.name, 26.0));
            let own = study.native_group(language, &group.id).filter(|own| *own != group.name);
            if let Some(own) = own {
                let x = LEFT + (wide + GAP) * n_judges as f64 - GAP + 8.0;
                svg.text_in(language, "few", (x, line), &cut(own, 26.0));
            }
        }
        svg.close();
    }
    svg
}

fn draw_legend(svg: &mut Svg) {
    let y = 4.0;
    let mut x = 8.0;
    for (share, text) in [(1.0, "right pole, strongly"), (0.4, "weakly")] {
        svg.path("heat-right", &square((x, y), share));
        svg.text("small", (x + 20.0, y + 11.0), Anchor::Start, text);
        x += 38.0 + text.len() as f64 * 6.6;
    }
    for (share, text) in [(1.0, "left pole, strongly"), (0.4, "weakly")] {
        svg.path("heat-left", &square((x, y), share));
        svg.text("small", (x + 20.0, y + 11.0), Anchor::Start, text);
        x += 38.0 + text.len() as f64 * 6.6;
    }
    svg.path("hatch", &stroke((x, y)));
    svg.text("small", (x + 20.0, y + 11.0), Anchor::Start, "missing");
}

/// A square whose area is this share of the cell.
fn square((x, y): (f64, f64), share: f64) -> String {
    let side = (CELL - 3.0) * share.clamp(0.0, 1.0).sqrt();
    let (x, y) = (x + (CELL - side) / 2.0, y + (CELL - side) / 2.0);
    format!("M{} {}h{s}v{s}h-{s}z", num(x), num(y), s = num(side))
}

/// A missing cell: a slanting stroke.
fn stroke((x, y): (f64, f64)) -> String {
    let reach = num(CELL - 4.0);
    format!("M{} {}l{reach} -{reach}", num(x + 2.0), num(y + CELL - 2.0))
}

fn draw_cells(svg: &mut Svg, panel: &Panel<'_>, (x, y): (f64, f64), (rows, columns): (&[f64], &[f64])) {
    let wide = columns.last().map_or(0.0, |last| last + CELL);
    let n_pairs = columns.len();
    let (mut right, mut left, mut missing) = (String::new(), String::new(), String::new());
    for (row, top) in rows.iter().enumerate() {
        svg.rect("band", (x, y + top + 0.5), (wide, CELL - 1.0));
        for (column, right_by) in columns.iter().enumerate() {
            let corner = (x + right_by, y + top);
            match panel.values[row * n_pairs + column] {
                None => missing.push_str(&stroke(corner)),
                Some(value) => {
                    let Some(unit) = panel.unit else { continue };
                    let course = if value < 0.0 { &mut left } else { &mut right };
                    if value != 0.0 {
                        let _ = write!(course, "{}", square(corner, value.abs() / unit / FULL));
                    }
                }
            }
        }
    }
    svg.path("heat-right", &right);
    svg.path("heat-left", &left);
    svg.path("hatch", &missing);
}

fn table(study: &Study<'_>, panels: &[Panel<'_>]) -> Table {
    let columns = vec![
        Column::new("judge", "judge", "“people”, or the name of a run"),
        Column::new("language", "language", "BCP 47 tag"),
        Column::new("group", "group", "key of the group"),
        Column::new("left", "left pole", "key of the low end of the pair"),
        Column::new("right", "right pole", "key of the high end of the pair"),
        Column::new("dimension", "dimension", "dimension of the ABC model that the pair belongs to"),
        Column::new(
            "difference",
            "right − left",
            "score of the right pole minus that of the left one, in the judge's own unit; neutral 0; empty: missing",
        )
        .holding(Holds::Numbers),
        Column::new("relative", "relative", "the same in root mean squares over all pairs of this judge and language")
            .holding(Holds::Numbers),
    ];
    let inventory = &study.results.inventory;
    let rows = panels.iter().flat_map(|panel| {
        let judge = panel.run.map_or("people", |run| study.run(run));
        panel.values.iter().enumerate().map(move |(place, value)| {
            let group = &inventory.groups[place / inventory.pairs.len()];
            let pair = &inventory.pairs[place % inventory.pairs.len()];
            let why = if panel.run.is_none() { "nobody rated it" } else { "no score" };
            let relative = value.zip(panel.unit).map(|(value, unit)| value / unit);
            let number = |value: Option<f64>, why| {
                value.map_or(Cell::Missing(why), |value| Cell::number(Kind::Difference, value))
            };
            vec![
                Cell::text(judge),
                Cell::text(panel.language.as_str()),
                Cell::text(group.id.as_str()),
                Cell::text(pair.left.id.as_str()),
                Cell::text(pair.right.id.as_str()),
                Cell::text(pair.dimension.name()),
                number(*value, why),
                number(relative, ""),
            ]
        })
    });
    let caption = "Right minus left pole of every group and trait pair.".to_owned();
    Table { name: ENTRY.name, caption, columns, rows: rows.collect() }
}
