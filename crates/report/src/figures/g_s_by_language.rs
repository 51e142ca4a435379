//! In which languages does the model lean towards gender stereotypes, how far, and how sure is that?
//!
//! A dot and its interval a language, on a logarithmic axis because g_s is a ratio; the neutral line at 1. The shape
//! of the dot says what the interval says, so that no colour is needed.

use stereometer_record::{LanguageResult, Results};

use super::Figure;
use super::rows::{Rows, label_width, legend};
use crate::overall::by_g_s;
use crate::scale::Scale;
use crate::svg::{Anchor, Mark, Svg};
use crate::verdict::Verdict;
use crate::words::{Kind, count, no_interval, percent, plural};
use crate::{Cell, Column, Table};

const NAME: &str = "g_s_by_language";
const NO_G_S: &str = "no g_s: a whole side has no scored sentence";

/// Draws the figure.
pub fn draw(results: &Results) -> Figure {
    let languages = by_g_s(results);
    Figure {
        name: NAME,
        title: "Strength of stereotyping (g_s) by language",
        reading: format!(
            "g_s is the masculine rate on stereotypes about men divided by that on stereotypes about women. \
             1 = no stereotyping; right of the line the model leans towards the stereotypes, left of it against them. \
             Bars are {} intervals; n is the number of source sentences.",
            percent(results.level)
        ),
        alt: alt(&languages),
        svg: plot(&languages),
        table: table(results, &languages),
    }
}

fn plot(languages: &[&LanguageResult]) -> Svg {
    let left = label_width(languages.iter().map(|language| language.name.as_str()));
    let (right, rows) = (left + 330.0, Rows { top: 50.0, n: languages.len() });
    let width = right + 220.0;
    let mut svg = Svg::new(width, rows.height());
    let shown = languages.iter().filter_map(|language| language.g_s.as_ref()).flat_map(|g_s| {
        let interval = g_s.interval();
        [Some(g_s.value), interval.map(|one| one.low), interval.map(|one| one.high)].into_iter().flatten()
    });
    let scale = Scale::logarithmic(shown.chain([1.0]), (left, right));
    legend(
        &mut svg,
        left,
        &[
            (Mark::Circle, "above-mark", "towards stereotypes"),
            (Mark::Diamond, "below-mark", "against them"),
            (Mark::Circle, "open-mark", "cannot tell"),
        ],
    );
    svg.text("head", (right + 145.0, rows.top - 8.0), Anchor::End, "g_s, interval");
    svg.text("head", (width - 8.0, rows.top - 8.0), Anchor::End, "n");
    rows.bands(&mut svg, width);
    rows.axis(&mut svg, &scale, 1.0, ["anti-stereotypical", "stereotypical"]);
    for (row, language) in languages.iter().enumerate() {
        draw_row(&mut svg, rows, row, language, &scale);
    }
    svg
}

fn draw_row(svg: &mut Svg, rows: Rows, row: usize, language: &LanguageResult, scale: &Scale) {
    let (left, right) = scale.ends();
    let y = rows.middle(row);
    rows.label(svg, row, left - 8.0, &language.name);
    let Some(g_s) = &language.g_s else {
        svg.text("small", (right + 12.0, y + 4.5), Anchor::Start, "no g_s");
        return;
    };
    let verdict = Verdict::of(g_s, 1.0);
    let mark = match verdict {
        Verdict::Above | Verdict::Open => Mark::Circle,
        Verdict::Below => Mark::Diamond,
        Verdict::Unknown => Mark::Square,
    };
    svg.open(verdict.class(), &format!("{}: g_s {}", language.name, Kind::Ratio.brief(g_s)));
    if let Some(interval) = g_s.interval() {
        svg.line(
            &format!("{}-whisker", verdict.class()),
            (scale.place(interval.low), y),
            (scale.place(interval.high), y),
        );
    }
    svg.mark(mark, &format!("{}-mark", verdict.class()), (scale.place(g_s.value), y), 5.0);
    svg.close();
    rows.number(svg, row, right + 55.0, &Kind::Ratio.show(g_s.value));
    match g_s.interval() {
        Some(interval) => {
            svg.text("small", (right + 63.0, y + 4.5), Anchor::Start, &Kind::Ratio.interval(interval));
        }
        None => svg.text("small", (right + 63.0, y + 4.5), Anchor::Start, short(no_interval(g_s))),
    }
    rows.number(svg, row, right + 212.0, &count(g_s.n));
}

fn short(why: &'static str) -> &'static str {
    why.split(':').next().unwrap_or(why)
}

fn alt(languages: &[&LanguageResult]) -> String {
    let with: Vec<_> = languages.iter().filter_map(|one| Some((&one.name, one.g_s.as_ref()?))).collect();
    let (Some((top, high)), Some((bottom, low))) = (with.first(), with.last()) else {
        return "No language has a g_s.".to_owned();
    };
    let above = with.iter().filter(|(_, g_s)| Verdict::of(g_s, 1.0) == Verdict::Above).count();
    let below = with.iter().filter(|(_, g_s)| Verdict::of(g_s, 1.0) == Verdict::Below).count();
    format!(
        "Dot plot of g_s for {}, sorted. Highest: {top} with {}; lowest: {bottom} with {}. The interval lies above 1 \
         in {above} and below 1 in {below}.",
        plural(with.len(), "language"),
        Kind::Ratio.show(high.value),
        Kind::Ratio.show(low.value)
    )
}

fn table(results: &Results, languages: &[&LanguageResult]) -> Table {
    let mut columns = vec![
        Column::new("language", "language", "BCP 47 tag"),
        Column::new("name", "name", "English name of the language"),
        Column::new("n_items", "items", "scored items (minimal pairs)"),
        Column::new("n_sources", "n", "source sentences, the unit of resampling"),
    ];
    columns.extend(Column::estimate("g_s", "g_s", "q_masculine / q_feminine, geometric means; neutral 1"));
    columns.push(Column::new("verdict", "interval says", "on which side of 1 the whole interval lies"));
    columns.extend(Column::estimate(
        "g_s_arithmetic",
        "arithmetic g_s",
        "the same from arithmetic means, as EuroGEST's released program; neutral 1",
    ));
    let rows = languages.iter().map(|language| {
        let mut row = vec![
            Cell::text(language.language.as_str()),
            Cell::text(&language.name),
            Cell::Count(language.n_items),
            Cell::Count(language.n_sources),
        ];
        row.extend(Cell::estimate(Kind::Ratio, language.g_s.as_ref(), NO_G_S));
        let verdict = language.g_s.as_ref().map_or(Verdict::Unknown, |g_s| Verdict::of(g_s, 1.0));
        row.push(Cell::text(verdict.word()));
        row.extend(Cell::estimate(Kind::Ratio, language.g_s_arithmetic.as_ref(), NO_G_S));
        row
    });
    let caption = format!("g_s by language with {} intervals.", percent(results.level));
    Table { name: NAME, caption, columns, rows: rows.collect() }
}
