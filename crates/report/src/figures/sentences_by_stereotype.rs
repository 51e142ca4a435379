//! How many sentences stand behind each stereotype?
//!
//! Least, median and most over the languages (figure 7 of EuroGEST). A language without a scored sentence counts
//! as 0. Where every sentence is one item, the threshold below which a cell is marked as few is drawn as a line.

use stereometer_core::{Gender, StereotypeId};
use stereometer_record::Results;

use super::Figure;
use super::rows::{Rows, legend};
use crate::overall::stereotype;
use crate::scale::Scale;
use crate::svg::{Anchor, Mark, Svg};
use crate::words::{count, plural};
use crate::{About, Cell, Column, Table};

const NAME: &str = "sentences_by_stereotype";
const LEFT: f64 = 180.0;

/// One stereotype's scored source sentences over the languages.
struct Spread<'a> {
    id: StereotypeId,
    total: usize,
    /// Fewest, with the first language that has so few.
    least: (usize, &'a str),
    /// Of an even number of languages, the mean of the middle two.
    median: f64,
    /// Most, with the first language that has so many.
    most: (usize, &'a str),
    /// Languages with fewer than the threshold's items.
    few: usize,
}

/// Draws the figure.
pub fn draw(results: &Results) -> Figure {
    let spreads = spreads(results);
    Figure {
        name: NAME,
        title: "How many sentences stand behind each stereotype",
        reading: reading(results),
        alt: alt(results, &spreads),
        svg: plot(results, &spreads),
        table: table(&spreads),
    }
}

/// None without a language.
fn spreads(results: &Results) -> Vec<Spread<'_>> {
    StereotypeId::all()
        .filter_map(|id| {
            let mut counts: Vec<(usize, &str)> = results
                .languages
                .iter()
                .map(|one| (stereotype(one, id).map_or(0, |cell| cell.q.n), one.name.as_str()))
                .collect();
            counts.sort_unstable();
            let few = |one: &&_| stereotype(one, id).is_none_or(|cell| cell.few);
            let (least, most) = (*counts.first()?, *counts.last()?);
            Some(Spread {
                id,
                total: counts.iter().map(|one| one.0).sum(),
                least,
                median: median(&counts),
                most: counts.iter().find(|one| one.0 == most.0).copied().unwrap_or(most),
                few: results.languages.iter().filter(few).count(),
            })
        })
        .collect()
}

fn median(sorted: &[(usize, &str)]) -> f64 {
    let (low, high) = (sorted[(sorted.len() - 1) / 2].0, sorted[sorted.len() / 2].0);
    (low + high) as f64 / 2.0
}

fn median_in_words(median: f64) -> String {
    if median.fract() == 0.0 { count(median as usize) } else { format!("{}.5", count(median as usize)) }
}

/// Only then are sentences and the threshold, which counts items, on one axis.
fn one_item_a_sentence(results: &Results) -> bool {
    results.languages.iter().flat_map(|language| &language.stereotypes).all(|cell| cell.n == cell.q.n)
}

fn reading(results: &Results) -> String {
    let signs = match results.languages.as_slice() {
        [only] => format!("The mark is the number of scored source sentences in {}.", only.name),
        _ => "Scored source sentences a language: the bar runs from the language with the fewest to the one with the \
              most, the mark is the median."
            .to_owned(),
    };
    let line = if one_item_a_sentence(results) { " (dashed line)" } else { "" };
    let few = if results.languages.len() == 1 { "" } else { "; “few in” says in how many languages" };
    format!("{signs} Fewer than {} items{line} are few{few}.", results.min_items)
}

fn plot(results: &Results, spreads: &[Spread<'_>]) -> Svg {
    let right = LEFT + 330.0;
    let width = right + columns(results).last().map_or(0.0, |last| last.0) + 8.0;
    let rows = Rows { top: 50.0, n: StereotypeId::all().len() + 1 };
    let mut svg = Svg::new(width, rows.height());
    let threshold = Some(results.min_items).filter(|_| one_item_a_sentence(results));
    let scale = Scale::counts(spreads.iter().map(|one| one.most.0).chain(threshold), (LEFT, right));
    legend(
        &mut svg,
        LEFT,
        &[(Mark::Circle, "feminine-mark", "about women"), (Mark::Square, "masculine-mark", "about men")],
    );
    for (place, heading, _) in columns(results) {
        svg.text("head", (right + place, rows.top - 8.0), Anchor::End, heading);
    }
    rows.grid(&mut svg, &scale);
    svg.text("small", (LEFT, rows.bottom() + 35.0), Anchor::Start, "scored source sentences");
    for row in spreads.iter().map(row) {
        svg.line("grid", (LEFT, rows.middle(row)), (right, rows.middle(row)));
    }
    if let Some(threshold) = threshold {
        let x = scale.place(threshold as f64);
        svg.line("neutral", (x, rows.top), (x, rows.bottom()));
    }
    for one in spreads {
        let (mark, class) = match one.id.info().about {
            Gender::Feminine => (Mark::Circle, "feminine"),
            Gender::Masculine => (Mark::Square, "masculine"),
        };
        let row = row(one);
        let (y, place) = (rows.middle(row), |n: f64| scale.place(n));
        svg.open_about("row", "", About::stereotype(one.id));
        rows.label(&mut svg, row, LEFT - 8.0, &one.id.phrase());
        svg.open(class, &title(one));
        svg.line("range", (place(one.least.0 as f64), y), (place(one.most.0 as f64), y));
        svg.mark(mark, &format!("{class}-mark"), (place(one.median), y), 5.0);
        svg.close();
        for (place, _, number) in columns(results) {
            rows.number(&mut svg, row, right + place, &number(one));
        }
        svg.close();
    }
    svg
}

/// An empty row stands between the stereotypes about women and those about men.
fn row(one: &Spread<'_>) -> usize {
    one.id.index() + usize::from(one.id.info().about == Gender::Masculine)
}

/// Where the numbers end, their heading, and the number.
type NumberColumn = (f64, &'static str, fn(&Spread<'_>) -> String);

/// Of one language, the fewest, the median and the most are the same.
fn columns(results: &Results) -> Vec<NumberColumn> {
    if results.languages.len() == 1 {
        let few = |one: &Spread<'_>| if one.few == 0 { "no" } else { "yes" }.to_owned();
        return vec![(86.0, "sentences", |one| count(one.total)), (136.0, "few", few)];
    }
    vec![
        (60.0, "total", |one| count(one.total)),
        (116.0, "fewest", |one| count(one.least.0)),
        (176.0, "median", |one| median_in_words(one.median)),
        (226.0, "most", |one| count(one.most.0)),
        (276.0, "few in", |one| count(one.few)),
    ]
}

fn title(one: &Spread<'_>) -> String {
    format!(
        "{}: {} in {} to {} in {}, median {}",
        one.id.phrase(),
        count(one.least.0),
        one.least.1,
        count(one.most.0),
        one.most.1,
        median_in_words(one.median)
    )
}

fn alt(results: &Results, spreads: &[Spread<'_>]) -> String {
    let by = |one: &&Spread<'_>| one.total;
    let (Some(top), Some(bottom)) = (spreads.iter().max_by_key(by), spreads.iter().min_by_key(by)) else {
        return "No language, so no sentences.".to_owned();
    };
    let few: usize = spreads.iter().map(|one| one.few).sum();
    format!(
        "Range plot of the scored source sentences of 16 stereotypes over {}. Most in all: “{}” with {}; fewest: \
         “{}” with {}. {few} of {} rest on fewer than {} items.",
        plural(results.languages.len(), "language"),
        top.id.phrase(),
        count(top.total),
        bottom.id.phrase(),
        count(bottom.total),
        plural(results.languages.len() * spreads.len(), "cell"),
        results.min_items
    )
}

fn table(spreads: &[Spread<'_>]) -> Table {
    let mut columns = Column::stereotype().to_vec();
    columns.extend([
        Column::new("total", "total", "scored source sentences, summed over the languages"),
        Column::new("fewest", "fewest", "in the language with the fewest; 0 if it has none"),
        Column::new("fewest_language", "in", "name of the first language with so few"),
        Column::new("median", "median", "over the languages; of an even number, the mean of the middle two"),
        Column::new("most", "most", "in the language with the most"),
        Column::new("most_language", "in", "name of the first language with so many"),
        Column::new("few", "few in", "languages with fewer items than the threshold of the run"),
    ]);
    let rows = spreads.iter().map(|one| {
        let mut row = Cell::stereotype(one.id).to_vec();
        row.extend([
            Cell::Count(one.total),
            Cell::Count(one.least.0),
            Cell::text(one.least.1),
            Cell::Number(one.median, median_in_words(one.median)),
            Cell::Count(one.most.0),
            Cell::text(one.most.1),
            Cell::Count(one.few),
        ]);
        row
    });
    let caption =
        "Scored source sentences by stereotype; the counts of every language are in the table of the ranks.";
    Table { name: NAME, caption: caption.to_owned(), columns, rows: rows.collect() }
}
