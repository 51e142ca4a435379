//! Which stereotypes does the model tie to the masculine, and which to the feminine, in each language?
//!
//! Rank 1 is the stereotype with the highest masculine rate. A model with stereotypes shows purple (high numbers) in
//! the upper block, about women, and orange (low numbers) in the lower one, about men. The number stands in every
//! cell, in black or white by contrast; a missing cell is a dash on hatching; few items have their number under
//! the rank.

use stereometer_core::{Gender, StereotypeId};
use stereometer_record::{LanguageResult, Results, StereotypeResult};

use super::Figure;
use super::rows::label_width;
use crate::overall::{by_g_s, stereotype};
use crate::svg::{Anchor, Svg};
use crate::theme::HEAT_STEPS;
use crate::words::{Kind, list, percent, plural};
use crate::{About, Cell, Column, Table};

const NAME: &str = "rank_heat_map";
const CELL: (f64, f64) = (27.0, 24.0);
const LEFT: f64 = 158.0;
/// Between the stereotypes about women and those about men.
const GAP: f64 = 26.0;

/// Draws the figure.
pub fn draw(results: &Results) -> Figure {
    let languages = by_g_s(results);
    Figure {
        name: NAME,
        title: "Masculine rank of every stereotype in every language",
        reading: format!(
            "1 = the most masculine stereotype of the language, {} = the most feminine; ties share the mean rank. \
             A stereotyping model has high numbers (purple) above and low numbers (orange) below. {} – marks \
             a stereotype without scored sentences. Languages stand in the order of Figure 1; the intervals of the ranks are in \
             the table and under the pointer.",
            StereotypeId::all().len(),
            few_in_words(results)
        ),
        alt: alt(&languages),
        svg: plot(&languages),
        table: table(results, &languages),
    }
}

/// Where every cell rests on few items, marking each would say nothing.
fn all_few(languages: &[&LanguageResult]) -> bool {
    languages.iter().flat_map(|language| &language.stereotypes).all(|result| result.few)
}

fn few_in_words(results: &Results) -> String {
    if all_few(&by_g_s(results)) {
        format!("Every cell rests on fewer than {} items.", results.min_items)
    } else {
        format!("Cells of fewer than {} items have their number below the rank (n=3).", results.min_items)
    }
}

fn top(languages: &[&LanguageResult]) -> f64 {
    label_width(languages.iter().map(|language| language.name.as_str())) * 0.87 + 34.0
}

fn plot(languages: &[&LanguageResult]) -> Svg {
    let top = top(languages);
    let width = LEFT + CELL.0 * languages.len().max(11) as f64 + 50.0;
    let height = top + GAP + CELL.1 * StereotypeId::all().len() as f64 + 46.0;
    let mut svg = Svg::new(width, height);
    let mark_few = !all_few(languages);
    for (column, language) in languages.iter().enumerate() {
        let x = LEFT + CELL.0 * (column as f64 + 0.5) + 4.0;
        svg.open_about("heading", "", About::language(&language.language));
        svg.rising_text("label", (x, top - 8.0), &language.name);
        svg.close();
    }
    svg.text("head", (LEFT - 10.0, top - 8.0), Anchor::End, "women are …");
    svg.text("head", (LEFT - 10.0, row_top(top, 7) - 8.0), Anchor::End, "men are …");
    for id in StereotypeId::all() {
        let y = row_top(top, id.index());
        svg.open_about("heading", "", About::stereotype(id));
        svg.text("label", (LEFT - 10.0, y + 16.5), Anchor::End, id.info().name);
        svg.close();
        for (column, language) in languages.iter().enumerate() {
            let corner = (LEFT + CELL.0 * column as f64, y);
            draw_cell(&mut svg, corner, (language, id), mark_few);
        }
    }
    key(&mut svg, height - 26.0);
    svg
}

fn row_top(top: f64, index: usize) -> f64 {
    top + CELL.1 * index as f64 + if index < 7 { 0.0 } else { GAP }
}

fn draw_cell(
    svg: &mut Svg,
    (x, y): (f64, f64),
    (language, id): (&LanguageResult, StereotypeId),
    mark_few: bool,
) {
    let size = (CELL.0 - 1.0, CELL.1 - 1.0);
    let few = stereotype(language, id).filter(|result| result.few && mark_few);
    let middle = (x + size.0 / 2.0, y + if few.is_some() { 11.5 } else { 16.0 });
    let about = About::cell(&language.language, id);
    let Some(result) = stereotype(language, id) else {
        svg.open_about("cell", &format!("{}, {}: no scored sentence", language.name, id.phrase()), about);
        svg.rect("missing", (x, y), size);
        svg.line("hatch", (x, y + size.1), (x + size.0, y));
        svg.text("missing-text", middle, Anchor::Middle, "–");
        svg.close();
        return;
    };
    svg.open_about(&format!("cell heat{}", step(result, language)), &title(language, result), about);
    svg.rect("heat", (x, y), size);
    svg.text("heat-text", middle, Anchor::Middle, &Kind::Rank.show(result.rank.value));
    if let Some(few) = few {
        svg.text("few", (middle.0, y + 21.0), Anchor::Middle, &format!("n={}", few.n));
    }
    svg.close();
}

/// The colour of a rank among the ranks of its language; one stereotype alone is neither.
fn step(result: &StereotypeResult, language: &LanguageResult) -> usize {
    let last = language.stereotypes.len() as f64;
    let share = if last > 1.0 { (result.rank.value - 1.0) / (last - 1.0) } else { 0.5 };
    (share.clamp(0.0, 1.0) * (HEAT_STEPS - 1) as f64).round() as usize
}

fn title(language: &LanguageResult, result: &StereotypeResult) -> String {
    let few = if result.few { format!("; {}: few", plural(result.q.n, "sentence")) } else { String::new() };
    format!(
        "{}, {}: rank {}; q = {}{few}",
        language.name,
        result.stereotype.phrase(),
        Kind::Rank.brief(&result.rank),
        Kind::Rate.show(result.q.value)
    )
}

fn key(svg: &mut Svg, y: f64) {
    let left = LEFT + 78.0;
    svg.text("small", (left - 8.0, y + 12.0), Anchor::End, "1 = most masculine");
    for step in 0..HEAT_STEPS {
        svg.open(&format!("cell heat{step}"), "");
        svg.rect("heat", (left + 14.0 * step as f64, y), (14.0, 16.0));
        svg.close();
    }
    svg.text("small", (left + 14.0 * HEAT_STEPS as f64 + 8.0, y + 12.0), Anchor::Start, "16 = most feminine");
}

fn alt(languages: &[&LanguageResult]) -> String {
    let share = |about: Gender, wanted: fn(f64) -> bool| {
        let cells: Vec<f64> = languages
            .iter()
            .flat_map(|language| &language.stereotypes)
            .filter(|result| result.stereotype.info().about == about)
            .map(|result| result.rank.value)
            .collect();
        format!("{} of {}", cells.iter().filter(|&&rank| wanted(rank)).count(), cells.len())
    };
    let missing: Vec<&str> = languages
        .iter()
        .filter(|language| language.stereotypes.len() < StereotypeId::all().len())
        .map(|language| language.name.as_str())
        .collect();
    let gaps =
        if missing.is_empty() { String::new() } else { format!(" Cells are missing in {}.", list(&missing)) };
    format!(
        "Heat map of the ranks 1 (most masculine) to 16 of 16 stereotypes in {}. {} cells about women lie in the \
         feminine half (rank above 8.5), {} cells about men in the masculine half.{gaps}",
        plural(languages.len(), "language"),
        share(Gender::Feminine, |rank| rank > 8.5),
        share(Gender::Masculine, |rank| rank < 8.5),
    )
}

fn table(results: &Results, languages: &[&LanguageResult]) -> Table {
    let mut columns = Column::language().to_vec();
    columns.extend(Column::stereotype());
    columns.extend([
        Column::new("n_items", "items", "scored items"),
        Column::new("n", "n", "source sentences, the unit of resampling"),
        Column::new("few", "few", "yes: fewer items than the threshold of the run"),
    ]);
    columns.extend(Column::estimate("rank", "rank", "1 = highest masculine rate of the language"));
    columns.extend(Column::estimate("q", "q", "mean masculine rate of the stereotype; neutral 0.5"));
    let rows = languages.iter().flat_map(|language| {
        StereotypeId::all().map(move |id| {
            let result = stereotype(language, id);
            let mut row = Cell::language(language).to_vec();
            row.extend(Cell::stereotype(id));
            row.extend([
                Cell::Count(result.map_or(0, |result| result.n)),
                Cell::Count(result.map_or(0, |result| result.q.n)),
                Cell::text(if result.is_none_or(|result| result.few) { "yes" } else { "no" }),
            ]);
            row.extend(Cell::estimate(Kind::Rank, result.map(|result| &result.rank), "no scored sentence"));
            row.extend(Cell::estimate(Kind::Rate, result.map(|result| &result.q), "no scored sentence"));
            row
        })
    });
    let caption = format!(
        "Ranks and mean masculine rates by language and stereotype with {} intervals.",
        percent(results.level)
    );
    Table { name: NAME, caption, columns, rows: rows.collect() }
}
