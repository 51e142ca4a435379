//! Do two language models rank the stereotypes alike?
//!
//! Spearman's ρ between the stereotypes of every two runs, ordered by the mean of their ranks over the languages:
//! −1 = reversed, 0 = unrelated, 1 = the same order. Sixteen stereotypes are few: ρ has no interval and no test here.

use stereometer_record::{Comparison, RankAgreement};

use super::grid::{Grid, GridCell, Paint, Row, column_width, heads};
use super::{Entry, Parts};
use crate::comparison::runs::{by_size, short_labels};
use crate::figures::Figure;
use crate::figures::rows::{ROW, label_width};
use crate::words::{Kind, plural};
use crate::{About, Cell, Column, Svg, Table};

pub const ENTRY: Entry = Entry {
    name: "agreement",
    title: "Do the runs rank the stereotypes alike?",
    absent: "No two runs share three stereotypes whose ranks vary, so there is no rank correlation.",
    draw,
};

fn draw(comparison: &Comparison) -> Option<Figure> {
    comparison.rank_agreement.iter().find(|one| one.rho.is_some())?;
    let order = by_size(comparison);
    Some(ENTRY.figure(Parts {
        reading: "Spearman's ρ between the runs' stereotypes, ordered by the mean of their masculine ranks over each run's \
                  languages. 1 = the same order, 0 = unrelated, −1 = reversed. It says nothing about strength: a run that \
                  leans little can have the order of one that leans far."
            .to_owned(),
        alt: alt(comparison),
        svg: plot(comparison, &order),
        table: table(comparison),
    }))
}

fn between(comparison: &Comparison, a: usize, b: usize) -> Option<&RankAgreement> {
    comparison
        .rank_agreement
        .iter()
        .find(|one| (one.first, one.second) == (a, b) || (one.first, one.second) == (b, a))
}

fn plot(comparison: &Comparison, order: &[usize]) -> Svg {
    let labels = short_labels(comparison);
    let cell = |a: usize, b: usize| {
        if a == b {
            let title = format!("{}: the run itself", labels[a]);
            return Some(GridCell {
                paint: Paint::Correlation(0.0),
                sign: "",
                shown: "same".to_owned(),
                title,
            });
        }
        let one = between(comparison, a, b)?;
        let rho = one.rho?;
        let shown = Kind::Difference.show(rho);
        let title = format!("{} and {}: ρ = {shown}, n = {}", labels[a], labels[b], one.stereotypes);
        Some(GridCell { paint: Paint::Correlation(rho), sign: "", shown, title })
    };
    let rows = order.iter().map(|&a| Row {
        heading: None,
        label: labels[a].clone(),
        about: About::default(),
        cells: order.iter().map(|&b| cell(a, b)).collect(),
        note: String::new(),
    });
    let rows: Vec<Row> = rows.collect();
    let left = label_width(rows.iter().map(|row| row.label.as_str()));
    let columns = heads(order.iter().map(|&run| &labels[run]));
    let wide = column_width(&columns, [44.0, 110.0]);
    let grid = Grid { columns, rows, left, cell: (wide, ROW), right: 0.0 };
    let mut svg = Svg::new(grid.width(), grid.height());
    grid.draw(&mut svg, 0.0);
    svg
}

fn alt(comparison: &Comparison) -> String {
    let mut all: Vec<(&RankAgreement, f64)> =
        comparison.rank_agreement.iter().filter_map(|one| Some((one, one.rho?))).collect();
    all.sort_by(|a, b| b.1.total_cmp(&a.1));
    let name = |one: &RankAgreement| {
        format!("{} and {}", comparison.runs[one.first].label, comparison.runs[one.second].label)
    };
    let ends = match all.as_slice() {
        [best, .., least] => format!(
            "Most alike: {} with ρ = {}; least alike: {} with {}.",
            name(best.0),
            Kind::Difference.show(best.1),
            name(least.0),
            Kind::Difference.show(least.1)
        ),
        [only] => format!("{}: ρ = {}.", name(only.0), Kind::Difference.show(only.1)),
        [] => String::new(),
    };
    format!("Matrix of rank correlations between {}. {ends}", plural(comparison.runs.len(), "run"))
}

fn table(comparison: &Comparison) -> Table {
    let columns = vec![
        Column::new("first", "first", "one run of the two"),
        Column::new("second", "second", "the other run"),
        Column::new("rho", "ρ", "Spearman's rank correlation; −1 reversed, 0 unrelated, 1 the same order"),
        Column::new("n", "stereotypes", "stereotypes that both runs have"),
    ];
    let rows = comparison.rank_agreement.iter().map(|one| {
        let why = if one.stereotypes < 3 { "fewer than three stereotypes" } else { "no variation" };
        vec![
            Cell::text(&comparison.runs[one.first].label),
            Cell::text(&comparison.runs[one.second].label),
            one.rho.map_or(Cell::Missing(why), |rho| Cell::number(Kind::Difference, rho)),
            Cell::Count(one.stereotypes),
        ]
    });
    let caption = "Rank correlation of the stereotypes between every two runs.".to_owned();
    Table { name: ENTRY.name, caption, columns, rows: rows.collect() }
}
