//! How far does each language model lean over all its languages, and does that change with size and tuning? (EuroGEST,
//! figure 5.)
//!
//! A row a run, by family and size; a base model and the instruction-tuned one made from it are joined. The mean is each
//! run's own, over its languages and items: the differences figure compares on shared items.

use stereometer_core::{Tuning, Verdict};
use stereometer_record::{ComparedRun, Comparison, Trend};

use super::dots::extent;
use super::{Entry, Parts};
use crate::comparison::runs::{are_base_and_tuned, by_size, parameters, short_labels};
use crate::figures::Figure;
use crate::figures::rows::{Rows, label_width, legend};
use crate::page::facts::parameters as in_words;
use crate::scale::Scale;
use crate::svg::{Anchor, Mark, Svg};
use crate::words::{Kind, NEUTRAL, count, percent, plural};
use crate::{Cell, Column, Table};

pub const ENTRY: Entry = Entry {
    name: "mean_g_s",
    title: "Mean strength of stereotyping (g_s) of every run",
    absent: "No run has a g_s in any language.",
    draw,
};

/// A row of the figure.
enum Line {
    Family(String),
    Run(usize),
}

fn draw(comparison: &Comparison) -> Option<Figure> {
    comparison.runs.iter().find(|run| run.results.mean_g_s.is_some())?;
    let order = by_size(comparison);
    Some(ENTRY.figure(Parts {
        reading: format!(
            "g_s is the masculine rate on stereotypes about men divided by that on stereotypes about women, here its mean \
             over the languages of each run, with its {} interval. {NEUTRAL}; right of the line = towards stereotypes. \
             Circle: base model or unknown; diamond: instruction-tuned; filled: the interval leaves out 1. A line joins a \
             base model and its tuned one; within a family, size grows downwards. Runs over other languages or items are \
             not on one scale: the differences below use what both runs share.",
            percent(comparison.level)
        ),
        alt: alt(comparison),
        svg: plot(comparison, &lines(comparison, &order)),
        table: table(comparison, &order),
    }))
}

/// Rows in order; families have a heading where any run has one.
fn lines(comparison: &Comparison, order: &[usize]) -> Vec<Line> {
    let has_families = comparison.runs.iter().any(|run| run.family.is_some());
    let mut lines = Vec::new();
    let mut current: Option<Option<&str>> = None;
    for &place in order {
        let family = comparison.runs[place].family.as_deref();
        if has_families && current != Some(family) {
            lines.push(Line::Family(family.unwrap_or("no family known").to_owned()));
            current = Some(family);
        }
        lines.push(Line::Run(place));
    }
    lines
}

fn plot(comparison: &Comparison, lines: &[Line]) -> Svg {
    let labels = short_labels(comparison);
    let left = label_width(labels.iter().map(String::as_str)).max(130.0);
    let right = left + 330.0;
    let width = right + 320.0;
    let rows = Rows { top: 50.0, n: lines.len() };
    let mut svg = Svg::new(width, rows.height());
    let estimates = comparison.runs.iter().filter_map(|run| run.results.mean_g_s.as_ref());
    let scale = Scale::logarithmic(extent(estimates).chain([1.0]), (left, right));
    legend(
        &mut svg,
        left,
        &[
            (Mark::Circle, "above-mark", "base or unknown"),
            (Mark::Diamond, "above-mark", "instruction-tuned"),
            (Mark::Circle, "open-mark", "interval includes 1, or none"),
        ],
    );
    for (place, head) in [(80.0, "size"), (135.0, "g_s"), (310.0, "n")] {
        svg.text("head", (right + place, rows.top - 8.0), Anchor::End, head);
    }
    svg.text("head", (right + 145.0, rows.top - 8.0), Anchor::Start, "interval");
    rows.bands(&mut svg, width);
    rows.axis(&mut svg, &scale, 1.0, ["anti-stereotypical", "stereotypical"]);
    let mut before: Option<(usize, (f64, f64))> = None;
    for (row, line) in lines.iter().enumerate() {
        let Line::Run(place) = line else { continue };
        let Some(g_s) = &comparison.runs[*place].results.mean_g_s else { continue };
        let at = (scale.place(g_s.value), rows.middle(row));
        if let Some((other, from)) = before
            && are_base_and_tuned(&comparison.runs[other], &comparison.runs[*place])
        {
            svg.line("join", from, at);
        }
        before = Some((*place, at));
    }
    for (row, line) in lines.iter().enumerate() {
        match line {
            Line::Family(name) => {
                let trends = comparison.trends.iter().filter(|trend| trend.family == *name);
                svg.text("head", (left - 8.0, rows.middle(row) + 4.5), Anchor::End, name);
                let said: Vec<String> = trends.map(|trend| in_short(comparison, trend)).collect();
                let at = (width - 8.0, rows.middle(row) + 4.5);
                if !said.is_empty() {
                    svg.text("small", at, Anchor::End, &format!("τ of g_s with size: {}", said.join("; ")));
                }
            }
            Line::Run(place) => {
                rows.label(&mut svg, row, left - 8.0, &labels[*place]);
                draw_run(&mut svg, (rows, row), &comparison.runs[*place], &scale);
            }
        }
    }
    svg
}

fn draw_run(svg: &mut Svg, (rows, row): (Rows, usize), run: &ComparedRun, scale: &Scale) {
    let (right, y) = (scale.ends().1, rows.middle(row));
    rows.number(
        svg,
        row,
        right + 80.0,
        &in_words(parameters(run)).replace(" million", " M").replace(" billion", " B"),
    );
    let Some(g_s) = &run.results.mean_g_s else {
        svg.text("small", (right + 145.0, y + 4.5), Anchor::Start, "no g_s");
        return;
    };
    let class = match Verdict::of(g_s, 1.0) {
        Verdict::Unknown | Verdict::Open => "open",
        verdict => verdict.class(),
    };
    let mark = if run.tuning == Some(Tuning::Instruct) { Mark::Diamond } else { Mark::Circle };
    svg.open(class, &format!("{}: mean g_s {}", run.label, Kind::Ratio.brief(g_s)));
    if let Some(interval) = g_s.interval() {
        let ends = [interval.low, interval.high].map(|end| (scale.place(end), y));
        svg.line(&format!("{class}-whisker"), ends[0], ends[1]);
    }
    svg.mark(mark, &format!("{class}-mark"), (scale.place(g_s.value), y), 5.0);
    svg.close();
    rows.number(svg, row, right + 135.0, &Kind::Ratio.show(g_s.value));
    let interval =
        g_s.interval().map_or_else(|| "no interval".to_owned(), |interval| Kind::Ratio.interval(interval));
    svg.text("small", (right + 145.0, y + 4.5), Anchor::Start, &interval);
    rows.number(svg, row, right + 310.0, &count(g_s.n));
}

/// “base +0.667, p = 0.333, n = 4”.
fn in_short(comparison: &Comparison, trend: &Trend) -> String {
    let n = sizes(comparison, trend);
    let tuning = trend.tuning.map(|tuning| format!("{tuning} ")).unwrap_or_default();
    match (trend.tau, trend.p) {
        (Some(tau), Some(p)) => {
            format!("{tuning}{}, p = {}, n = {n}", Kind::Difference.show(tau), Kind::P.show(p))
        }
        (Some(tau), None) => format!("{tuning}{}, n = {n}", Kind::Difference.show(tau)),
        (None, _) => format!("{tuning}none, all equal"),
    }
}

/// Different sizes behind a trend.
pub fn sizes(comparison: &Comparison, trend: &Trend) -> usize {
    let mut sizes: Vec<u64> = trend.runs.iter().map(|&place| parameters(&comparison.runs[place])).collect();
    sizes.sort_unstable();
    sizes.dedup();
    sizes.len()
}

fn alt(comparison: &Comparison) -> String {
    let mut with: Vec<(&str, f64)> = comparison
        .runs
        .iter()
        .filter_map(|run| Some((run.label.as_str(), run.results.mean_g_s.as_ref()?.value)))
        .collect();
    with.sort_by(|a, b| b.1.total_cmp(&a.1));
    let verdict = |wanted| {
        let all = comparison.runs.iter().filter_map(|run| run.results.mean_g_s.as_ref());
        all.filter(|g_s| Verdict::of(g_s, 1.0) == wanted).count()
    };
    let ends = match with.as_slice() {
        [top, .., bottom] => format!(
            "Highest: {} with {}; lowest: {} with {}.",
            top.0,
            Kind::Ratio.show(top.1),
            bottom.0,
            Kind::Ratio.show(bottom.1)
        ),
        [only] => format!("{} has {}.", only.0, Kind::Ratio.show(only.1)),
        [] => String::new(),
    };
    format!(
        "Dot plot of mean g_s for {}. {ends} The interval lies above 1 in {} and below 1 in {}.",
        plural(with.len(), "run"),
        verdict(Verdict::Above),
        verdict(Verdict::Below)
    )
}

fn table(comparison: &Comparison, order: &[usize]) -> Table {
    let mut columns = vec![
        Column::new("run", "run", "name of the run in this comparison"),
        Column::new("family", "family", "family of the language model; empty: not known"),
        Column::new("tuning", "tuning", "base or instruct; empty: not known"),
        Column::new("parameters", "parameters", "parameters of the language model"),
        Column::new("languages", "languages", "languages with a g_s"),
    ];
    columns.extend(Column::estimate("mean_g_s", "mean g_s", "mean of g_s over the languages; neutral 1"));
    columns.push(Column::new("n", "n", "source sentences, the unit of resampling"));
    columns.push(Column::new("verdict", "interval says", "on which side of 1 the whole interval lies"));
    let rows = order.iter().map(|&place| {
        let run = &comparison.runs[place];
        let mean = run.results.mean_g_s.as_ref();
        let languages = run.results.languages.iter().filter(|one| one.g_s.is_some()).count();
        let mut row = vec![
            Cell::text(&run.label),
            run.family.as_ref().map_or(Cell::Missing(""), Cell::text),
            run.tuning.map_or(Cell::Missing(""), |tuning| Cell::text(tuning.name())),
            Cell::Count(parameters(run) as usize),
            Cell::Count(languages),
        ];
        row.extend(Cell::estimate(Kind::Ratio, mean, "no g_s"));
        row.push(mean.map_or(Cell::Missing(""), |mean| Cell::Count(mean.n)));
        row.push(Cell::text(mean.map_or(Verdict::Unknown, |mean| Verdict::of(mean, 1.0)).word()));
        row
    });
    let caption = format!("Mean g_s of every run with {} intervals.", percent(comparison.level));
    Table { name: ENTRY.name, caption, columns, rows: rows.collect() }
}
