//! In which languages does the model lean towards gender stereotypes, how far, and how sure is that?
//!
//! A dot and its interval a language, on a logarithmic axis because g_s is a ratio; the neutral line at 1. The shape
//! of the dot says what the interval says, so that no colour is needed.

use stereometer_core::{Average, Estimate};
use stereometer_record::{LanguageResult, Results};

use super::Figure;
use super::rows::{ROW, Rows, label_width, legend};
use crate::overall::by_g_s;
use crate::scale::Scale;
use crate::svg::{Anchor, Mark, Svg};
use crate::verdict::Verdict;
use crate::words::{GEOMETRIC, Kind, NEUTRAL, count, no_interval, percent, plural};
use crate::{About, Cell, Column, Table};

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
             {NEUTRAL}; right of the line the model leans towards the stereotypes, left of it against them. \
             Bars are {} intervals; n is the number of source sentences.{}{}",
            percent(results.level),
            if languages.len() > 1 {
                " The mean is taken over the languages, resampled together."
            } else {
                ""
            },
            if results.average == Average::Arithmetic { format!(" {GEOMETRIC}.") } else { String::new() }
        ),
        alt: alt(&languages),
        svg: plot(results, &languages),
        table: table(results, &languages),
    }
}

fn plot(results: &Results, languages: &[&LanguageResult]) -> Svg {
    let mut entries: Vec<(&str, Option<&Estimate>)> =
        languages.iter().map(|language| (language.name.as_str(), language.g_s.as_ref())).collect();
    let mean = results.mean_g_s.as_ref().filter(|_| languages.len() > 1);
    entries.extend(mean.map(|mean| ("Mean", Some(mean))));
    let left = label_width(entries.iter().map(|entry| entry.0));
    let (right, rows) = (left + 330.0, Rows { top: 50.0, n: entries.len() });
    let width = right + 220.0;
    let mut svg = Svg::new(width, rows.height());
    let shown = entries.iter().filter_map(|entry| entry.1).flat_map(|g_s| {
        let interval = g_s.interval();
        [Some(g_s.value), interval.map(|one| one.low), interval.map(|one| one.high)].into_iter().flatten()
    });
    let scale = Scale::logarithmic(shown.chain([1.0]), (left, right));
    signs(&mut svg, left, &entries);
    svg.text("head", (right + 145.0, rows.top - 8.0), Anchor::End, "g_s, interval");
    svg.text("head", (width - 8.0, rows.top - 8.0), Anchor::End, "n");
    rows.bands(&mut svg, width);
    rows.axis(&mut svg, &scale, 1.0, ["anti-stereotypical", "stereotypical"]);
    for (row, (name, g_s)) in entries.iter().enumerate() {
        // The mean, below the languages, is about none of them.
        let about = languages.get(row).map_or_else(About::default, |one| About::language(&one.language));
        svg.open_about("row", "", about);
        rows.label(&mut svg, row, left - 8.0, name);
        match g_s {
            Some(g_s) => draw_row(&mut svg, (rows, row), name, g_s, &scale),
            None => svg.text("small", (right + 12.0, rows.middle(row) + 4.5), Anchor::Start, "no g_s"),
        }
        svg.close();
    }
    if mean.is_some() {
        let y = rows.middle(languages.len()) - ROW / 2.0;
        svg.line("divide", (0.0, y), (width, y));
    }
    svg
}

/// The legend, with the square only where it occurs.
fn signs(svg: &mut Svg, left: f64, entries: &[(&str, Option<&Estimate>)]) {
    let mut signs = vec![
        (Mark::Circle, "above-mark", "towards stereotypes"),
        (Mark::Diamond, "below-mark", "against them"),
        (Mark::Circle, "open-mark", "cannot tell"),
    ];
    if entries.iter().filter_map(|entry| entry.1).any(|g_s| g_s.interval().is_none()) {
        signs.push((Mark::Square, "unknown-mark", "no interval"));
    }
    legend(svg, left, &signs);
}

fn draw_row(svg: &mut Svg, (rows, row): (Rows, usize), name: &str, g_s: &Estimate, scale: &Scale) {
    let (right, y) = (scale.ends().1, rows.middle(row));
    let verdict = Verdict::of(g_s, 1.0);
    let mark = match verdict {
        Verdict::Above | Verdict::Open => Mark::Circle,
        Verdict::Below => Mark::Diamond,
        Verdict::Unknown => Mark::Square,
    };
    svg.open(verdict.class(), &format!("{name}: g_s {}", Kind::Ratio.brief(g_s)));
    if let Some(interval) = g_s.interval() {
        let ends = [interval.low, interval.high].map(|end| (scale.place(end), y));
        svg.line(&format!("{}-whisker", verdict.class()), ends[0], ends[1]);
    }
    svg.mark(mark, &format!("{}-mark", verdict.class()), (scale.place(g_s.value), y), 5.0);
    svg.close();
    rows.number(svg, row, right + 55.0, &Kind::Ratio.show(g_s.value));
    let interval =
        g_s.interval().map_or_else(|| short(no_interval(g_s)).to_owned(), |one| Kind::Ratio.interval(one));
    svg.text("small", (right + 63.0, y + 4.5), Anchor::Start, &interval);
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
    let mut columns = Column::language().to_vec();
    columns.extend([
        Column::new("n_items", "items", "scored items (minimal pairs)"),
        Column::new("n_sources", "n", "source sentences, the unit of resampling"),
    ]);
    columns.extend(Column::estimate("g_s", "g_s", "q_masculine / q_feminine, geometric means; neutral 1"));
    columns.push(Column::new("verdict", "interval says", "on which side of 1 the whole interval lies"));
    columns.extend(Column::estimate(
        "g_s_arithmetic",
        "arithmetic g_s",
        "the same from arithmetic means, as EuroGEST's released program; neutral 1",
    ));
    let mut rows: Vec<Vec<Cell>> = languages.iter().map(|language| table_row(language)).collect();
    if let Some(mean) = results.mean_g_s.as_ref().filter(|_| languages.len() > 1) {
        let items = languages.iter().map(|language| language.n_items).sum();
        let mut row = vec![
            Cell::text("mean"),
            Cell::text("over the languages"),
            Cell::Count(items),
            Cell::Count(mean.n),
        ];
        row.extend(Cell::estimate(Kind::Ratio, Some(mean), NO_G_S));
        row.push(Cell::text(Verdict::of(mean, 1.0).word()));
        row.extend([Cell::Missing(""), Cell::Missing(""), Cell::Missing("")]);
        rows.push(row);
    }
    let caption = format!("g_s by language with {} intervals.", percent(results.level));
    Table { name: NAME, caption, columns, rows }
}

fn table_row(language: &LanguageResult) -> Vec<Cell> {
    let mut row = Cell::language(language).to_vec();
    row.extend([Cell::Count(language.n_items), Cell::Count(language.n_sources)]);
    row.extend(Cell::estimate(Kind::Ratio, language.g_s.as_ref(), NO_G_S));
    let verdict = language.g_s.as_ref().map_or(Verdict::Unknown, |g_s| Verdict::of(g_s, 1.0));
    row.push(Cell::text(verdict.word()));
    row.extend(Cell::estimate(Kind::Ratio, language.g_s_arithmetic.as_ref(), NO_G_S));
    row
}
