//! What has no score, and why?

use stereometer_record::Results;

use crate::{Cell, Column, Table};

/// Counts by language and reason.
pub fn table(results: &Results) -> Table {
    let columns = vec![
        Column::new("language", "language", "BCP 47 tag"),
        Column::new("count", "items", "items without a score"),
        Column::new("reason", "reason", "short name, as in items.jsonl"),
        Column::new("words", "in words", "the reason"),
        Column::new("examples", "for example", "ids of the first few, separated by spaces"),
    ];
    let rows = results.unscored.iter().map(|row| {
        vec![
            Cell::text(row.language.as_str()),
            Cell::Count(row.count),
            Cell::text(&row.reason),
            Cell::text(&row.words),
            Cell::text(row.examples.join(" ")),
        ]
    });
    let caption = "Items without a score, by language and reason.".to_owned();
    Table { name: "unscored", caption, columns, rows: rows.collect() }
}
