//! Which stereotypes does each language model tie to the masculine, and which to the feminine? (EuroGEST, figure 3.)
//!
//! Rank 1 is the most masculine stereotype of a language. Up to three runs have a panel each, with the mean over the
//! languages as its last column; of more runs only the means are drawn, in one panel. The table has every rank.

use stereometer_core::{Gender, Language, StereotypeId};
use stereometer_record::{ComparedRun, Comparison, LanguageResult};

use super::grid::{Grid, GridCell, Head, Paint, Row, heads};
use super::{Entry, Parts};
use crate::comparison::runs::{by_size, in_language, languages, mean_rank, short_labels};
use crate::figures::Figure;
use crate::overall::stereotype;
use crate::svg::Anchor;
use crate::theme::HEAT_STEPS;
use crate::words::{Kind, percent, plural};
use crate::{About, Cell, Column, Svg, Table};

pub const ENTRY: Entry = Entry {
    name: "ranks_by_model",
    title: "Masculine rank of every stereotype, by run",
    absent: "No run has a scored stereotype.",
    draw,
};

const PANELS: usize = 3;
const LEFT: f64 = 116.0;
const CELL: (f64, f64) = (27.0, 17.0);

fn draw(comparison: &Comparison) -> Option<Figure> {
    let all = comparison.runs.iter().flat_map(|run| &run.results.languages);
    all.clone().find(|language| !language.stereotypes.is_empty())?;
    let languages = languages(comparison);
    let order = by_size(comparison);
    let is_panels = comparison.runs.len() <= PANELS;
    let how = if is_panels {
        "A panel a run; the last column is the mean over its languages."
    } else {
        "The means over each run's languages; the ranks in every language are in the table."
    };
    Some(ENTRY.figure(Parts {
        reading: format!(
            "1 = the most masculine stereotype of a language, {} = the most feminine; ties share the mean rank. A \
             stereotyping model has high numbers (purple) in the upper block, about women, and low numbers (orange) in the \
             lower one, about men. {how} – on hatching: no scored sentence.",
            StereotypeId::all().len()
        ),
        alt: alt(comparison),
        svg: if is_panels { panels(comparison, &languages) } else { means(comparison, &order) },
        table: table(comparison, &languages),
    }))
}

fn step(rank: f64, stereotypes: usize) -> usize {
    let last = stereotypes as f64;
    let share = if last > 1.0 { (rank - 1.0) / (last - 1.0) } else { 0.5 };
    (share.clamp(0.0, 1.0) * (HEAT_STEPS - 1) as f64).round() as usize
}

fn rank_cell(language: &LanguageResult, id: StereotypeId) -> Option<GridCell> {
    let rank = &stereotype(language, id)?.rank;
    Some(GridCell {
        paint: Paint::Heat(step(rank.value, language.stereotypes.len())),
        sign: "",
        shown: Kind::Rank.show(rank.value),
        title: format!("{}, {}: rank {}", language.name, id.phrase(), Kind::Rank.brief(rank)),
    })
}

fn mean_cell(run: &ComparedRun, id: StereotypeId) -> Option<GridCell> {
    let (mean, n) = mean_rank(run, id)?;
    let most = run.results.languages.iter().map(|language| language.stereotypes.len()).max()?;
    Some(GridCell {
        paint: Paint::Heat(step(mean, most)),
        sign: "",
        shown: format!("{mean:.1}"),
        title: format!("{}, {}: mean rank {mean:.1} over {}", run.label, id.phrase(), plural(n, "language")),
    })
}

fn block(id: StereotypeId) -> Option<String> {
    match id.get() {
        1 => Some("women are …".to_owned()),
        8 => Some("men are …".to_owned()),
        _ => None,
    }
}

fn panels(comparison: &Comparison, languages: &[(&Language, &str)]) -> Svg {
    let labels = short_labels(comparison);
    let grids: Vec<Grid> = comparison
        .runs
        .iter()
        .enumerate()
        .map(|(place, run)| {
            let rows = StereotypeId::all().map(|id| {
                let cells = languages
                    .iter()
                    .map(|(language, _)| rank_cell(in_language(run, language)?, id))
                    .chain([mean_cell(run, id)]);
                let (label, note) = (id.info().name.to_owned(), String::new());
                let about = About::stereotype(id);
                Row { heading: block(id), label, about, cells: cells.collect(), note }
            });
            // Names once; tags where the panels below repeat them.
            let heads = languages.iter().map(|(language, name)| {
                let label = if place == 0 { name } else { tag(language) };
                Head { label: label.to_owned(), about: About::language(language) }
            });
            let mean = if place == 0 { "Mean" } else { "⌀" };
            let mean = Head { label: mean.to_owned(), about: About::default() };
            let columns = heads.chain([mean]).collect();
            Grid { columns, rows: rows.collect(), left: LEFT, cell: CELL, right: 0.0 }
        })
        .collect();
    let width = grids.iter().map(Grid::width).fold(420.0, f64::max);
    let height = grids.iter().map(|grid| grid.height() + 26.0).sum::<f64>() + 28.0;
    let mut svg = Svg::new(width, height);
    let mut y = 0.0;
    for (grid, label) in grids.iter().zip(&labels) {
        svg.text("head", (8.0, y + 16.0), Anchor::Start, label);
        grid.draw(&mut svg, y + 18.0);
        y += grid.height() + 26.0;
    }
    key(&mut svg, y + 4.0);
    svg
}

/// The language without script or region: room is short, the name is under the pointer.
fn tag(language: &Language) -> &str {
    language.as_str().split('-').next().unwrap_or_default()
}

fn means(comparison: &Comparison, order: &[usize]) -> Svg {
    let labels = short_labels(comparison);
    let rows = StereotypeId::all().map(|id| Row {
        heading: block(id),
        label: id.info().name.to_owned(),
        about: About::stereotype(id),
        cells: order.iter().map(|&run| mean_cell(&comparison.runs[run], id)).collect(),
        note: String::new(),
    });
    let columns = heads(order.iter().map(|&run| &labels[run]));
    let grid = Grid { columns, rows: rows.collect(), left: LEFT, cell: (38.0, 22.0), right: 0.0 };
    let mut svg = Svg::new(grid.width().max(420.0), grid.height() + 30.0);
    grid.draw(&mut svg, 0.0);
    key(&mut svg, grid.height() + 8.0);
    svg
}

fn key(svg: &mut Svg, y: f64) {
    svg.text("small", (8.0, y + 12.0), Anchor::Start, "1 = most masculine");
    for step in 0..HEAT_STEPS {
        svg.open(&format!("cell heat{step}"), "");
        svg.rect("heat", (140.0 + 14.0 * step as f64, y), (14.0, 16.0));
        svg.close();
    }
    let end = 140.0 + 14.0 * HEAT_STEPS as f64 + 8.0;
    svg.text("small", (end, y + 12.0), Anchor::Start, "16 = most feminine");
}

fn alt(comparison: &Comparison) -> String {
    let clauses: Vec<String> = comparison
        .runs
        .iter()
        .map(|run| {
            let half = |about: Gender, wanted: fn(f64) -> bool| {
                let ranks = StereotypeId::all().filter(|id| id.info().about == about);
                let ranks: Vec<f64> = ranks.filter_map(|id| Some(mean_rank(run, id)?.0)).collect();
                format!("{} of {}", ranks.iter().filter(|&&rank| wanted(rank)).count(), ranks.len())
            };
            format!(
                "{}: {} about women in the feminine half, {} about men in the masculine half",
                run.label,
                half(Gender::Feminine, |rank| rank > 8.5),
                half(Gender::Masculine, |rank| rank < 8.5)
            )
        })
        .collect();
    format!("Heat map of masculine ranks. Mean rank over the languages: {}.", clauses.join("; "))
}

fn table(comparison: &Comparison, languages: &[(&Language, &str)]) -> Table {
    let mut columns = vec![Column::new("run", "run", "name of the run in this comparison")];
    columns.extend([
        Column::new("language", "language", "BCP 47 tag; “mean”: over the run's languages, without interval"),
        Column::new("language_name", "name", "English name of the language"),
    ]);
    columns.extend(Column::stereotype());
    columns.push(Column::new("n", "n", "source sentences; in rows of means, languages"));
    columns.extend(Column::estimate("rank", "rank", "1 = highest masculine rate of the language"));
    columns.push(Column::new("q", "q", "mean masculine rate of the stereotype; neutral 0.5"));
    let mut rows = Vec::new();
    for run in &comparison.runs {
        for id in StereotypeId::all() {
            let Some((mean, n)) = mean_rank(run, id) else { continue };
            let mut row = vec![Cell::text(&run.label), Cell::text("mean"), Cell::text("over the languages")];
            row.extend(Cell::stereotype(id));
            row.extend([Cell::Count(n), Cell::Number(mean, format!("{mean:.2}"))]);
            row.extend([Cell::Missing("mean of ranks: no interval"), Cell::Missing(""), Cell::Missing("")]);
            rows.push(row);
        }
    }
    for run in &comparison.runs {
        for result in languages.iter().filter_map(|(language, _)| in_language(run, language)) {
            for id in StereotypeId::all() {
                let one = stereotype(result, id);
                let mut row = vec![Cell::text(&run.label)];
                row.extend(Cell::language(result));
                row.extend(Cell::stereotype(id));
                row.push(Cell::Count(one.map_or(0, |one| one.q.n)));
                row.extend(Cell::estimate(Kind::Rank, one.map(|one| &one.rank), "no scored sentence"));
                row.push(one.map_or(Cell::Missing(""), |one| Cell::number(Kind::Rate, one.q.value)));
                rows.push(row);
            }
        }
    }
    let caption = format!(
        "Ranks and mean masculine rates by run, language and stereotype with {} intervals; means first.",
        percent(comparison.level)
    );
    Table { name: ENTRY.name, caption, columns, rows }
}
