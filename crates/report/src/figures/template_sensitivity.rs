//! Does the conclusion depend on how the two variants came about: gendered sentence, pronoun or noun template?
//!
//! A grid of g_s: a row a language, a column a form of item, and all items together. The sentences of the forms differ,
//! so a form that disagrees is a reason to read g_s of each form, not a proof that the template is at work.

use stereometer_record::{LanguageResult, Results};

use super::Figure;
use super::forms;
use super::grid::{self, Grid};
use crate::overall::by_g_s;
use crate::words::{list, percent, plural};
use crate::{Cell, Column, Table};

const NAME: &str = "template_sensitivity";
const NO_G_S: &str = "no g_s: a side has no scored item";

/// Draws the figure.
pub fn draw(results: &Results) -> Figure {
    let languages = by_g_s(results);
    let grid = grid(results, &languages);
    Figure {
        name: NAME,
        title: "What changes with the form of the items",
        reading: reading(results),
        alt: alt(&grid),
        svg: grid.plot(),
        table: table(results, &languages),
    }
}

fn grid<'a>(results: &Results, languages: &[&'a LanguageResult]) -> Grid<'a> {
    let forms = forms::forms(results);
    let row = |language: &'a LanguageResult| {
        let of_form = |form: &_| forms::of(language, *form)?.g_s.as_ref();
        std::iter::once(language.g_s.as_ref()).chain(forms.iter().map(of_form)).collect()
    };
    Grid {
        columns: std::iter::once("all items").chain(forms.iter().map(|form| forms::short(*form))).collect(),
        framed: 0,
        rows: languages.iter().map(|language| (*language, row(language))).collect(),
    }
}

fn reading(results: &Results) -> String {
    format!(
        "g_s of all items (framed) and of the items of each form alone: {}. – marks a form without a g_s in a language. \
         “changes” marks languages in which a form's sign differs from that of all items; few items of a form alone can \
         turn ▲ into ○.{}",
        grid::signs(&percent(results.level)),
        forms::lacking(results)
    )
}

fn alt(grid: &Grid<'_>) -> String {
    let changing = grid.changing();
    let clause = if changing.is_empty() {
        "No form says something else than all items together.".to_owned()
    } else {
        format!("A form says something else than all items in {}: {}.", changing.len(), list(&changing))
    };
    format!("Grid of g_s for {} on {}. {clause}", plural(grid.rows.len(), "language"), list(&grid.columns))
}

fn table(results: &Results, languages: &[&LanguageResult]) -> Table {
    let mut columns = Column::language().to_vec();
    columns.extend([
        Column::new(
            "form",
            "form",
            "gendered: the sentence marks the gender; pronoun, noun: template around it; all: together",
        ),
        Column::new("n_items", "items", "scored items of this form"),
    ]);
    columns.extend(grid::columns());
    let forms = forms::forms(results);
    let rows = languages.iter().flat_map(|language| {
        let mut all = Cell::language(language).to_vec();
        all.extend([Cell::text("all"), Cell::Count(language.n_items)]);
        all.extend(grid::cells(language.g_s.as_ref(), language.default_masculine_rate.as_ref(), NO_G_S));
        let of_form = forms.iter().map(|&form| {
            let one = forms::of(language, form);
            let g_s = one.and_then(|one| one.g_s.as_ref());
            let rate = one.and_then(|one| one.default_masculine_rate.as_ref());
            let mut row = Cell::language(language).to_vec();
            row.extend([Cell::text(form.to_string()), Cell::Count(one.map_or(0, |one| one.n))]);
            row.extend(grid::cells(g_s, rate, if one.is_none() { forms::none(form) } else { NO_G_S }));
            row
        });
        std::iter::once(all).chain(of_form)
    });
    let caption =
        format!("g_s and default masculine rate by form of item with {} intervals.", percent(results.level));
    Table { name: NAME, caption, columns, rows: rows.collect() }
}
