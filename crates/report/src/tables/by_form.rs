//! Does the conclusion depend on how the two variants came about: gendered sentence, pronoun or noun template?

use stereometer_core::Verdict;
use stereometer_record::Results;

use crate::overall::by_g_s;
use crate::words::{Kind, percent};
use crate::{Cell, Column, Table};

/// g_s and default masculine rate for each form of item.
pub fn table(results: &Results) -> Table {
    let mut columns = Column::language().to_vec();
    columns.extend([
        Column::new(
            "form",
            "form",
            "gendered: the sentence marks the gender; pronoun, noun: template around it",
        ),
        Column::new("n_items", "items", "scored items of this form"),
    ]);
    columns.extend(Column::estimate("g_s", "g_s", "q_masculine / q_feminine, geometric means; neutral 1"));
    columns.push(Column::new("verdict", "interval says", "on which side of 1 the whole interval lies"));
    columns.extend(Column::estimate("default_masculine_rate", "default", "mean of q_1 to q_14; neutral 0.5"));
    let rows = by_g_s(results).into_iter().flat_map(|language| {
        language.by_form.iter().map(|one| {
            let mut row = Cell::language(language).to_vec();
            row.extend([Cell::text(one.form.to_string()), Cell::Count(one.n)]);
            row.extend(Cell::estimate(Kind::Ratio, one.g_s.as_ref(), "no g_s: a side has no such item"));
            let verdict = one.g_s.as_ref().map_or(Verdict::Unknown, |g_s| Verdict::of(g_s, 1.0));
            row.push(Cell::text(verdict.word()));
            row.extend(Cell::estimate(Kind::Rate, one.default_masculine_rate.as_ref(), "no rate"));
            row
        })
    });
    let caption =
        format!("g_s and default masculine rate by form of item with {} intervals.", percent(results.level));
    Table { name: "by_form", caption, columns, rows: rows.collect() }
}
