//! In which languages does which language model lean towards stereotypes, and how far? (EuroGEST, figure 12.)
//!
//! Up to four runs are dots of different shapes in one row a language; more are a grid. Every number is of the run's own
//! items; differences on shared items have a figure of their own.

use stereometer_core::{Estimate, Language, Verdict};
use stereometer_record::Comparison;

use super::dots::{Dots, extent};
use super::grid::{Grid, GridCell, Paint, Row, column_width, heads};
use super::{Entry, Parts};
use crate::comparison::runs::{MARKS, by_size, in_language, languages, legend, short_labels};
use crate::figures::Figure;
use crate::figures::rows::{ROW, Rows, label_width};
use crate::scale::Scale;
use crate::svg::{Anchor, Svg};
use crate::words::{Kind, NEUTRAL, percent, plural};
use crate::{About, Cell, Column, Table};

pub const ENTRY: Entry = Entry {
    name: "g_s_by_model",
    title: "Strength of stereotyping (g_s) by language and run",
    absent: "No run has a g_s in any language.",
    draw,
};

/// A language, or the mean over them, and each run's g_s.
struct Line<'a> {
    name: &'a str,
    about: About,
    values: Vec<Option<&'a Estimate>>,
}

fn draw(comparison: &Comparison) -> Option<Figure> {
    comparison.runs.iter().flat_map(|run| &run.results.languages).find(|one| one.g_s.is_some())?;
    let languages = languages(comparison);
    let is_dots = comparison.runs.len() <= MARKS.len();
    let order = by_size(comparison);
    let lines = lines(comparison, &languages, &order);
    let level = percent(comparison.level);
    let how = if is_dots {
        format!(
            "A shape a run, by size; bars are {level} intervals; filled: the interval leaves out 1. The numbers are under the \
             pointer and in the table."
        )
    } else {
        format!(
            "▲ the {level} interval lies above 1, ▼ below 1, ○ it includes 1, ? there is none; – on hatching: no g_s."
        )
    };
    Some(ENTRY.figure(Parts {
        reading: format!(
            "g_s by language. {NEUTRAL}; above = towards stereotypes. {how} Languages stand in the order of g_s in the \
             reference; the last row is each run's mean over its languages."
        ),
        alt: alt(comparison, &languages),
        svg: if is_dots { dots(comparison, &lines, &order) } else { grid(comparison, &lines, &order) },
        table: table(comparison, &languages),
    }))
}

fn lines<'a>(
    comparison: &'a Comparison,
    languages: &[(&Language, &'a str)],
    order: &[usize],
) -> Vec<Line<'a>> {
    let mut lines: Vec<Line<'a>> = languages
        .iter()
        .map(|(language, name)| {
            let of_run = |&run: &usize| in_language(&comparison.runs[run], language)?.g_s.as_ref();
            let about = About::language(language);
            Line { name, about, values: order.iter().map(of_run).collect() }
        })
        .collect();
    if languages.len() > 1 {
        let means = order.iter().map(|&run| comparison.runs[run].results.mean_g_s.as_ref());
        lines.push(Line { name: "Mean", about: About::default(), values: means.collect() });
    }
    lines
}

fn dots(comparison: &Comparison, lines: &[Line<'_>], order: &[usize]) -> Svg {
    let all = short_labels(comparison);
    let labels: Vec<String> = order.iter().map(|&run| all[run].clone()).collect();
    let left = label_width(lines.iter().map(|line| line.name));
    let (right, width) = (left + 560.0, left + 580.0);
    // The legend is measured first: its height decides where the rows begin.
    let top = legend(&mut Svg::new(width, 0.0), width, &labels, SIGNS) + 6.0;
    let rows = Rows { top, n: lines.len() };
    let mut svg = Svg::new(width, rows.height());
    legend(&mut svg, width, &labels, SIGNS);
    let shown = lines.iter().flat_map(|line| line.values.iter().flatten().copied());
    let scale = Scale::logarithmic(extent(shown).chain([1.0]), (left, right));
    rows.bands(&mut svg, width);
    rows.axis(&mut svg, &scale, 1.0, ["anti-stereotypical", "stereotypical"]);
    let dots = Dots { rows, scale: &scale, kind: Kind::Ratio, neutral: 1.0, labels: &labels };
    for (row, line) in lines.iter().enumerate() {
        svg.open_about("row", "", line.about.clone());
        rows.label(&mut svg, row, left - 8.0, line.name);
        if line.values.iter().all(Option::is_none) {
            svg.text("small", (left + 8.0, rows.middle(row) + 4.5), Anchor::Start, "no g_s");
        }
        dots.draw(&mut svg, row, line.name, &line.values);
        svg.close();
    }
    if lines.len() > 1 {
        let y = rows.middle(lines.len() - 1) - ROW / 2.0;
        svg.line("divide", (0.0, y), (width, y));
    }
    svg
}

const SIGNS: [&str; 2] = ["the interval leaves out 1", "it includes 1, or there is none"];

fn grid(comparison: &Comparison, lines: &[Line<'_>], order: &[usize]) -> Svg {
    let labels = short_labels(comparison);
    let columns = heads(order.iter().map(|&run| &labels[run]));
    let cell = |name: &str, column: usize, g_s: &Estimate| {
        let verdict = Verdict::of(g_s, 1.0);
        GridCell {
            paint: Paint::Verdict(verdict),
            sign: verdict.sign(),
            shown: Kind::Ratio.show(g_s.value),
            title: format!("{name}, {}: g_s {}", columns[column].label, Kind::Ratio.brief(g_s)),
        }
    };
    let rows = lines.iter().map(|line| Row {
        heading: (line.name == "Mean").then(String::new),
        label: line.name.to_owned(),
        about: line.about.clone(),
        cells: line
            .values
            .iter()
            .enumerate()
            .map(|(column, g_s)| g_s.map(|g_s| cell(line.name, column, g_s)))
            .collect(),
        note: String::new(),
    });
    let rows = rows.collect();
    let left = label_width(lines.iter().map(|line| line.name));
    let wide = column_width(&columns, [50.0, 72.0]);
    let grid = Grid { columns, rows, left, cell: (wide, ROW), right: 0.0 };
    let mut svg = Svg::new(grid.width(), grid.height());
    grid.draw(&mut svg, 0.0);
    svg
}

fn alt(comparison: &Comparison, languages: &[(&Language, &str)]) -> String {
    let clauses: Vec<String> = comparison
        .runs
        .iter()
        .map(|run| {
            let verdicts = |wanted| {
                let all = run.results.languages.iter().filter_map(|one| one.g_s.as_ref());
                all.filter(|g_s| Verdict::of(g_s, 1.0) == wanted).count()
            };
            let (above, below) = (verdicts(Verdict::Above), verdicts(Verdict::Below));
            format!("{}: {above} above, {below} below", run.label)
        })
        .collect();
    format!(
        "g_s of {} in {}. Number of languages whose interval lies above and below 1: {}.",
        plural(comparison.runs.len(), "run"),
        plural(languages.len(), "language"),
        clauses.join("; ")
    )
}

fn table(comparison: &Comparison, languages: &[(&Language, &str)]) -> Table {
    let mut columns = vec![Column::new("run", "run", "name of the run in this comparison")];
    columns.extend(Column::language());
    columns.extend([
        Column::new("n_items", "items", "scored items (minimal pairs)"),
        Column::new("n_sources", "n", "source sentences, the unit of resampling"),
    ]);
    columns.extend(Column::estimate("g_s", "g_s", "q_masculine / q_feminine, geometric means; neutral 1"));
    columns.push(Column::new("verdict", "interval says", "on which side of 1 the whole interval lies"));
    let rows = languages.iter().flat_map(|(language, _)| {
        comparison.runs.iter().filter_map(move |run| {
            let result = in_language(run, language)?;
            let mut row = vec![Cell::text(&run.label)];
            row.extend(Cell::language(result));
            row.extend([Cell::Count(result.n_items), Cell::Count(result.n_sources)]);
            row.extend(Cell::estimate(
                Kind::Ratio,
                result.g_s.as_ref(),
                "no g_s: a whole side has no scored sentence",
            ));
            let verdict = result.g_s.as_ref().map_or(Verdict::Unknown, |g_s| Verdict::of(g_s, 1.0));
            row.push(Cell::text(verdict.word()));
            Some(row)
        })
    });
    let caption = format!("g_s by language and run with {} intervals.", percent(comparison.level));
    Table { name: ENTRY.name, caption, columns, rows: rows.collect() }
}
