//! Scores: one row an item and rule, over all rules of the run's method.

use stereometer_score::info;

use super::items::{item_cells, item_columns};
use super::{TableInfo, Take, run_cells, run_columns};
use crate::export::Run;
use crate::pair::{ScoredPair, answers, under};
use crate::words::Kind;
use crate::{Cell, Column, Holds, ReportError, Table};

/// The row in the table of tables.
pub const TABLE: TableInfo = TableInfo { name: "scores", head, rows };

fn head() -> Table {
    let mut columns = run_columns().to_vec();
    columns.extend(item_columns());
    columns.extend([
        Column::new("rule", "rule", "how token log-probabilities become one number"),
        Column::new("masculine_rate", "r", "share of the masculine variant, 0 to 1; neutral 0.5")
            .holding(Holds::Numbers),
        Column::new(
            "log_odds",
            "log-odds",
            "score of the masculine variant − that of the feminine one, in nats (per-byte: nats a byte); neutral 0",
        )
        .holding(Holds::Numbers),
        Column::new("reason", "reason", "why there is no score, as in items.jsonl"),
    ]);
    Table {
        name: "scores",
        caption: "One row an item and rule: the masculine rate, or why there is none.".to_owned(),
        columns,
        rows: Vec::new(),
    }
}

fn rows(run: &Run<'_>, take: Take<'_>) -> Result<(), ReportError> {
    for record in run.items {
        let pair = answers(record);
        for &rule in info(run.spec.identity.method).rules {
            let mut row = run_cells(run).to_vec();
            row.extend(item_cells(record));
            row.push(Cell::text(rule.name()));
            row.extend(
                match pair.as_ref().map_err(Clone::clone).and_then(|pair| under(rule, record, pair)) {
                    // The difference is finite where the rate is rounded to 0 or 1.
                    Ok(ScoredPair { rate, scores: [masculine, feminine] }) => [
                        Cell::number(Kind::Rate, rate),
                        Cell::number(Kind::Difference, masculine - feminine),
                        Cell::Missing(""),
                    ],
                    Err(reason) => {
                        [Cell::Missing("unscored"), Cell::Missing("unscored"), Cell::text(reason.name())]
                    }
                },
            );
            take(&row)?;
        }
    }
    Ok(())
}
