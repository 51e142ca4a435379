//! How far does the model prefer the masculine variant where a sentence is about a stereotype of women, and where it
//! is about one of men?
//!
//! g_s is a ratio and hides the level: a model may prefer the masculine everywhere. Here both means are seen against
//! 0.5 (no preference) and against the language's default masculine rate.

use stereometer_record::{LanguageResult, Results};

use super::Figure;
use super::rows::{Rows, label_width, legend};
use crate::overall::by_g_s;
use crate::scale::Scale;
use crate::svg::{Anchor, Mark, Svg};
use crate::words::{Kind, percent, plural};
use crate::{About, Cell, Column, Table};

const NAME: &str = "masculine_rates";

/// Draws the figure.
pub fn draw(results: &Results) -> Figure {
    let languages = by_g_s(results);
    Figure {
        name: NAME,
        title: "Masculine rate on stereotypes about women and about men",
        reading: format!(
            "The share of the masculine variant, 0.5 = no preference. Circle: mean over the stereotypes about women; \
             square: over those about men; thin stroke: the default masculine rate. A square right of its circle is \
             stereotypical. The {} intervals are in the table and under the pointer; languages stand in the order of Figure 1.",
            percent(results.level)
        ),
        alt: alt(&languages),
        svg: plot(&languages),
        table: table(results, &languages),
    }
}

fn plot(languages: &[&LanguageResult]) -> Svg {
    let left = label_width(languages.iter().map(|language| language.name.as_str()));
    let (right, rows) = (left + 370.0, Rows { top: 50.0, n: languages.len() });
    let width = right + 180.0;
    let mut svg = Svg::new(width, rows.height());
    let shown = languages
        .iter()
        .flat_map(|one| [&one.q_feminine, &one.q_masculine, &one.default_masculine_rate])
        .flatten()
        .map(|estimate| estimate.value);
    let scale = Scale::linear(shown.chain([0.5]), (left, right));
    legend(
        &mut svg,
        left,
        &[
            (Mark::Circle, "feminine-mark", "stereotypes about women"),
            (Mark::Square, "masculine-mark", "stereotypes about men"),
        ],
    );
    for (place, heading) in [(60.0, "women"), (116.0, "men"), (172.0, "default")] {
        svg.text("head", (right + place, rows.top - 8.0), Anchor::End, heading);
    }
    rows.bands(&mut svg, width);
    rows.axis(&mut svg, &scale, 0.5, ["prefers feminine", "prefers masculine"]);
    for (row, language) in languages.iter().enumerate() {
        svg.open_about("row", "", About::language(&language.language));
        draw_row(&mut svg, rows, row, language, &scale);
        svg.close();
    }
    svg
}

fn draw_row(svg: &mut Svg, rows: Rows, row: usize, language: &LanguageResult, scale: &Scale) {
    let ((left, right), y) = (scale.ends(), rows.middle(row));
    rows.label(svg, row, left - 8.0, &language.name);
    if let (Some(f), Some(m)) = (&language.q_feminine, &language.q_masculine) {
        svg.line("join", (scale.place(f.value), y), (scale.place(m.value), y));
    }
    if let Some(d) = &language.default_masculine_rate {
        let x = scale.place(d.value);
        svg.open("default", &format!("{}, default masculine rate {}", language.name, Kind::Rate.brief(d)));
        svg.line("default-stroke", (x, y - 8.0), (x, y + 8.0));
        svg.close();
    }
    let sides = [
        (&language.q_feminine, Mark::Circle, "feminine", "about women"),
        (&language.q_masculine, Mark::Square, "masculine", "about men"),
    ];
    for (estimate, mark, class, what) in sides {
        let Some(estimate) = estimate else { continue };
        svg.open(class, &format!("{}, {what}: {}", language.name, Kind::Rate.brief(estimate)));
        svg.mark(mark, &format!("{class}-mark"), (scale.place(estimate.value), y), 5.0);
        svg.close();
    }
    let numbers = [&language.q_feminine, &language.q_masculine, &language.default_masculine_rate];
    for (estimate, place) in numbers.into_iter().zip([60.0, 116.0, 172.0]) {
        let shown = estimate.as_ref().map_or_else(|| "–".to_owned(), |one| Kind::Rate.show(one.value));
        rows.number(svg, row, right + place, &shown);
    }
}

fn alt(languages: &[&LanguageResult]) -> String {
    let both: Vec<(f64, f64)> = languages
        .iter()
        .filter_map(|one| Some((one.q_feminine.as_ref()?.value, one.q_masculine.as_ref()?.value)))
        .collect();
    let higher = both.iter().filter(|(f, m)| m > f).count();
    let masculine = both.iter().filter(|(f, m)| f.min(*m) > 0.5).count();
    let feminine = both.iter().filter(|(f, m)| f.max(*m) < 0.5).count();
    format!(
        "Two marks a language for {}: the mean masculine rate on stereotypes about women and about men. The rate is \
         higher on those about men in {higher}. Both rates lie above 0.5 in {masculine} and below 0.5 in {feminine}.",
        plural(both.len(), "language")
    )
}

fn table(results: &Results, languages: &[&LanguageResult]) -> Table {
    let rates = [
        ("q_feminine", "about women", "mean of q_1 to q_7; neutral 0.5"),
        ("q_masculine", "about men", "mean of q_8 to q_16; neutral 0.5"),
        ("default_masculine_rate", "default", "mean of q_1 to q_14; neutral 0.5"),
    ];
    let mut columns = Column::language().to_vec();
    for (key, label, meaning) in rates {
        columns.extend(Column::estimate(key, label, meaning));
        columns.push(Column::new(&format!("{key}_n"), "n", &format!("source sentences behind {key}")));
    }
    let rows = languages.iter().map(|language| {
        let mut row = Cell::language(language).to_vec();

        for rate in [&language.q_feminine, &language.q_masculine, &language.default_masculine_rate] {
            row.extend(Cell::estimate(Kind::Rate, rate.as_ref(), "no scored sentence"));
            row.push(Cell::Count(rate.as_ref().map_or(0, |one| one.n)));
        }
        row
    });
    let caption = format!("Mean masculine rates by language with {} intervals.", percent(results.level));
    Table { name: NAME, caption, columns, rows: rows.collect() }
}
