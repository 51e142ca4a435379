//! What stands behind each run by itself: its sentences, its rates by form, its token counts. Side by side, for they need no
//! difference to be compared by eye: who wins on other sentences, or on longer words, has not won.

use stereometer_record::Comparison;

use super::page::beginning;
use crate::figures::{BEHIND, Figure};
use crate::html::escape;
use crate::links::Links;
use crate::page::shell::folded;
use crate::{Cell, Column, Table};

/// With more runs than these the page would be all drawings; each run's own report has them.
const DRAWN: usize = 4;

/// One figure for every run.
pub struct Each {
    title: &'static str,
    /// A label and a figure a run.
    drawn: Vec<(String, Figure)>,
    /// The numbers of all runs.
    pub table: Table,
}

/// All of them, in the order of a run's own report.
pub fn each(comparison: &Comparison) -> Vec<Each> {
    BEHIND
        .iter()
        .map(|draw| comparison.runs.iter().map(|run| (run.label.clone(), draw(&run.results))).collect())
        .filter_map(|drawn: Vec<(String, Figure)>| {
            Some(Each { title: drawn.first()?.1.title, table: joined(&drawn)?, drawn })
        })
        .collect()
}

/// The section.
pub fn section(each: &[Each]) -> String {
    let parts: String = each.iter().map(part).collect();
    format!("<section id=\"each\">\n<h2>Each run by itself</h2>\n{parts}</section>\n")
}

fn part(each: &Each) -> String {
    let too_many = if each.drawn.len() > DRAWN {
        format!("<p>Drawn for up to {DRAWN} runs; each run's own report has the figure.</p>\n")
    } else {
        String::new()
    };
    let drawings: String = each
        .drawn
        .iter()
        .enumerate()
        .filter(|_| too_many.is_empty())
        .map(|(place, (label, figure))| {
            let id = format!("{}-{}", figure.name, place + 1);
            format!(
                "<details open><summary>{label}</summary>\n<figure>\n<div class=\"scroll\" tabindex=\"0\" role=\"region\" \
                 aria-label=\"{title}, {label}\">{svg}</div>\n<figcaption>{reading}</figcaption>\n</figure>\n</details>\n",
                label = escape(label),
                title = escape(figure.title),
                svg = figure.svg.inline(&id, figure.title, &figure.alt, &Links::default()),
                reading = escape(&figure.reading),
            )
        })
        .collect();
    let numbers = folded("The numbers of all runs", &beginning(&each.table), &Links::default());
    format!("<h3>{}</h3>\n{too_many}{drawings}{numbers}", escape(each.title))
}

/// The tables of all runs below one another; what a run's table has not is empty there.
fn joined(drawn: &[(String, Figure)]) -> Option<Table> {
    let mut columns: Vec<Column> = Vec::new();
    for column in drawn.iter().flat_map(|(_, figure)| &figure.table.columns) {
        if columns.iter().all(|known| known.key != column.key) {
            columns.push(column.clone());
        }
    }
    let rows = drawn.iter().flat_map(|(label, figure)| {
        let place = |key: &str| figure.table.columns.iter().position(|column| column.key == key);
        let places: Vec<Option<usize>> = columns.iter().map(|column| place(&column.key)).collect();
        figure.table.rows.iter().map(move |row| {
            let cell = |place: &Option<usize>| place.map_or(Cell::Missing(""), |place| row[place].clone());
            std::iter::once(Cell::text(label)).chain(places.iter().map(cell)).collect()
        })
    });
    let rows = rows.collect();
    columns.insert(0, Column::new("run", "run", "name of the run in this comparison"));
    let first = &drawn.first()?.1.table;
    Some(Table { name: first.name, caption: format!("By run: {}", first.caption), columns, rows })
}
