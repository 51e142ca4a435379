//! Is a stereotype followed everywhere, or in a few languages only?
//!
//! For every run and stereotype, in how many languages the whole interval of the inclination lies above 0, and below 0.
//! Languages without an inclination are not counted; the table says how many they are. The intervals are not adjusted
//! for their number: some lie beyond 0 by chance.

use stereometer_core::{Gender, StereotypeId, Verdict};
use stereometer_record::{Comparison, OverallStereotype};

use super::grid::{Grid, GridCell, Paint, Row, column_width, heads};
use super::{Entry, Parts};
use crate::comparison::runs::{by_size, short_labels};
use crate::figures::Figure;
use crate::figures::rows::ROW;
use crate::words::{Kind, percent, plural};
use crate::{About, Cell, Column, Svg, Table};

pub const ENTRY: Entry = Entry {
    name: "beyond_neutral",
    title: "In how many languages each stereotype is followed",
    absent: "No run has an inclination, so none lies beyond 0.",
    draw,
};

fn draw(comparison: &Comparison) -> Option<Figure> {
    comparison.runs.iter().flat_map(|run| &run.results.stereotypes).find(|one| one.languages > 0)?;
    let order = by_size(comparison);
    let level = percent(comparison.level);
    Some(ENTRY.figure(Parts {
        reading: format!(
            "Languages whose {level} interval of the inclination lies above 0 (towards the stereotype) / below 0 (against \
             it). The intervals are not adjusted for their number: without any stereotyping, about {} of the languages would \
             lie beyond 0 by chance. ▲ more above than below, and more than these; ▼ the same below; ○ neither.",
            percent(round(1.0 - comparison.level))
        ),
        alt: alt(comparison),
        svg: plot(comparison, &order),
        table: table(comparison, &order),
    }))
}

/// A share without the last digits of a difference.
fn round(share: f64) -> f64 {
    (share * 1e6).round() / 1e6
}

fn of(comparison: &Comparison, run: usize, id: StereotypeId) -> Option<&OverallStereotype> {
    let all = &comparison.runs[run].results.stereotypes;
    all.iter().find(|one| one.stereotype == id && one.languages > 0)
}

/// The side with more languages, if they are more than chance alone would put on both sides together.
fn leaning(one: &OverallStereotype, level: f64) -> Verdict {
    let by_chance = (1.0 - level) * one.languages as f64;
    let stands_out = |n: usize, other: usize| n > other && n as f64 > by_chance;
    if stands_out(one.towards, one.against) {
        Verdict::Above
    } else if stands_out(one.against, one.towards) {
        Verdict::Below
    } else {
        Verdict::Open
    }
}

fn plot(comparison: &Comparison, order: &[usize]) -> Svg {
    let labels = short_labels(comparison);
    let cell = |run: usize, id: StereotypeId| {
        let one = of(comparison, run, id)?;
        let verdict = leaning(one, comparison.level);
        Some(GridCell {
            paint: Paint::Verdict(verdict),
            sign: verdict.sign(),
            shown: format!("{}/{}", one.towards, one.against),
            title: format!(
                "{}, {}: above 0 in {}, below 0 in {} of {}",
                labels[run],
                id.phrase(),
                one.towards,
                one.against,
                plural(one.languages, "language")
            ),
        })
    };
    let rows = StereotypeId::all().map(|id| Row {
        heading: match id.get() {
            1 => Some("women are …".to_owned()),
            8 => Some("men are …".to_owned()),
            _ => None,
        },
        label: id.info().name.to_owned(),
        about: About::stereotype(id),
        cells: order.iter().map(|&run| cell(run, id)).collect(),
        note: String::new(),
    });
    let rows = rows.collect();
    let columns = heads(order.iter().map(|&run| &labels[run]));
    let wide = column_width(&columns, [52.0, 84.0]);
    let grid = Grid { columns, rows, left: 110.0, cell: (wide, ROW), right: 0.0 };
    let mut svg = Svg::new(grid.width(), grid.height());
    grid.draw(&mut svg, 0.0);
    svg
}

fn alt(comparison: &Comparison) -> String {
    let clauses: Vec<String> = comparison
        .runs
        .iter()
        .map(|run| {
            let most = |about: Gender| {
                let side = run.results.stereotypes.iter().filter(|one| one.stereotype.info().about == about);
                // The first of equals, as the table has it.
                let best = side.fold(None, |best: Option<&OverallStereotype>, one| match best {
                    Some(known) if known.towards >= one.towards => best,
                    _ => Some(one),
                });
                best.map(|one| {
                    format!("“{}” in {} of {}", one.stereotype.phrase(), one.towards, one.languages)
                })
            };
            let sides: Vec<String> =
                [Gender::Feminine, Gender::Masculine].into_iter().filter_map(most).collect();
            format!("{}: {}", run.label, sides.join(", "))
        })
        .collect();
    format!("Grid of stereotypes and runs. Followed in the most languages: {}.", clauses.join("; "))
}

fn table(comparison: &Comparison, order: &[usize]) -> Table {
    let mut columns = vec![Column::new("run", "run", "name of the run in this comparison")];
    columns.extend(Column::stereotype());
    columns.extend([
        Column::new("languages", "languages", "languages of the run that have an inclination"),
        Column::new("missing", "without", "languages of the run that have none"),
        Column::new("towards", "above 0", "languages whose whole interval lies above 0"),
        Column::new("against", "below 0", "languages whose whole interval lies below 0"),
    ]);
    columns.push(Column::new(
        "share_towards",
        "share above",
        "towards / languages; without any stereotyping about half of 1 − level",
    ));
    let rows = order.iter().flat_map(|&run| {
        comparison.runs[run].results.stereotypes.iter().map(move |one| {
            let mut row = vec![Cell::text(&comparison.runs[run].label)];
            row.extend(Cell::stereotype(one.stereotype));
            row.extend([
                Cell::Count(one.languages),
                Cell::Count(one.missing.len()),
                Cell::Count(one.towards),
                Cell::Count(one.against),
            ]);
            row.push(if one.languages == 0 {
                Cell::Missing("no language")
            } else {
                Cell::number(Kind::Rate, one.towards as f64 / one.languages as f64)
            });
            row
        })
    });
    let caption = format!(
        "Languages whose {} interval of the inclination lies beyond 0, by run and stereotype.",
        percent(comparison.level)
    );
    Table { name: ENTRY.name, caption, columns, rows: rows.collect() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_language_of_thirty_is_what_chance_gives() {
        let with = |towards, against| OverallStereotype {
            stereotype: StereotypeId::try_from(1).unwrap(),
            languages: 30,
            missing: Vec::new(),
            inclination: None,
            towards,
            against,
        };
        let says = |towards, against| leaning(&with(towards, against), 0.95);
        assert_eq!([says(1, 0), says(2, 2), says(0, 0)], [Verdict::Open; 3]);
        assert_eq!([says(2, 1), says(1, 2)], [Verdict::Above, Verdict::Below]);
    }
}
