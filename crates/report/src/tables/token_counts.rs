//! Do differences in length drive the masculine rate?

use stereometer_record::Results;

use crate::overall::by_g_s;
use crate::words::{Kind, percent};
use crate::{Cell, Column, Table};

/// The token-count confound by language.
pub fn table(results: &Results) -> Table {
    let mut columns = Column::language().to_vec();
    columns.extend([Column::new("n_items", "items", "scored items"),
        Column::new(
            "correlation",
            "r with length",
            "Pearson correlation of the masculine rate with (tokens masculine − tokens feminine); 0 = unrelated",
        ),
        Column::new("n_equal", "equal pairs", "pairs whose variants have equally many tokens"),
    ]);
    columns.extend(Column::estimate("g_s", "g_s, all", "g_s of all items; neutral 1"));
    columns.extend(Column::estimate(
        "g_s_equal",
        "g_s, equal pairs",
        "g_s of the equal pairs alone; neutral 1",
    ));
    let rows = by_g_s(results).into_iter().filter_map(|language| {
        let check = language.token_counts.as_ref()?;
        let correlation =
            check.correlation.map_or(Cell::Missing("no variation"), |r| Cell::number(Kind::Difference, r));
        let mut row = Cell::language(language).to_vec();
        row.extend([Cell::Count(language.n_items), correlation, Cell::Count(check.n_equal)]);
        row.extend(Cell::estimate(Kind::Ratio, language.g_s.as_ref(), "no g_s"));
        row.extend(Cell::estimate(Kind::Ratio, check.g_s_equal.as_ref(), "no g_s: a side has no equal pair"));
        Some(row)
    });
    let caption = format!(
        "Masculine rate and difference in token counts; g_s with {} intervals, the correlation without.",
        percent(results.level)
    );
    Table { name: "token_counts", caption, columns, rows: rows.collect() }
}
