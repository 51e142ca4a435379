//! Items: one row a variant, as it was scored.

use std::fmt::Write as _;

use stereometer_core::{Gender, Outcome, StereotypeId};
use stereometer_record::{ItemRecord, ScoredText};

use super::{TableInfo, Take, run_cells, run_columns};
use crate::export::Run;
use crate::{Cell, Column, Holds, ReportError, Table};

/// The row in the table of tables.
pub const TABLE: TableInfo = TableInfo { name: "items", head, rows };

fn head() -> Table {
    let mut columns = run_columns().to_vec();
    columns.extend(item_columns());
    columns.extend([
        Column::new("variant", "variant", "masculine or feminine"),
        Column::new("text", "text", "the variant's text"),
        Column::new("n_tokens", "tokens", "its tokens, with special ones; missing when unscored")
            .holding(Holds::Counts),
        Column::new("n_scored", "scored", "its tokens that have a log-probability").holding(Holds::Counts),
        Column::new("sum_logprob", "sum", "sum of the log-probabilities, in nats; missing when unscored")
            .holding(Holds::Numbers),
        Column::new("mean_logprob", "mean", "their mean, in nats a token; missing when unscored")
            .holding(Holds::Numbers),
        Column::new("tokens", "tokens", "the pieces as the vocabulary spells them, as a JSON list"),
        Column::new(
            "logprobs",
            "log-probabilities",
            "one for each token, in nats, as a JSON list; null where a token is only a condition",
        ),
        Column::new("outcome", "outcome", "scored or unscored"),
        Column::new("reason", "reason", "why the item is unscored, as in items.jsonl"),
    ]);
    Table {
        name: "items",
        caption: "One row a variant of an item, as it was scored.".to_owned(),
        columns,
        rows: Vec::new(),
    }
}

fn rows(run: &Run<'_>, take: Take<'_>) -> Result<(), ReportError> {
    for record in run.items {
        for gender in [Gender::Masculine, Gender::Feminine] {
            take(&row(run, record, gender))?;
        }
    }
    Ok(())
}

fn row(run: &Run<'_>, record: &ItemRecord, gender: Gender) -> Vec<Cell> {
    let mut row = run_cells(run).to_vec();
    row.extend(item_cells(record));
    row.push(Cell::text(gender.to_string()));
    row.push(Cell::text(&record.texts[usize::from(gender == Gender::Feminine)]));
    match &record.outcome {
        Outcome::Scored(variants) => {
            let text = match gender {
                Gender::Masculine => &variants.masculine,
                Gender::Feminine => &variants.feminine,
            };
            row.extend(answer(text));
            row.extend([Cell::text("scored"), Cell::Missing("")]);
        }
        Outcome::Unscored(reason) => {
            row.extend(std::iter::repeat_n(Cell::Missing("unscored"), 6));
            row.extend([Cell::text("unscored"), Cell::text(reason.name())]);
        }
    }
    row
}

fn answer(text: &ScoredText) -> [Cell; 6] {
    let scored = text.logprobs.iter().flatten();
    let (n, sum) = (scored.clone().count(), scored.map(|&value| f64::from(value)).sum::<f64>());
    let number = |value: f64| Cell::Number(value, format!("{value:.3}"));
    [
        Cell::Count(text.token_ids.len()),
        Cell::Count(n),
        if n == 0 { Cell::Missing("nothing scored") } else { number(sum) },
        if n == 0 { Cell::Missing("nothing scored") } else { number(sum / n as f64) },
        Cell::text(serde_json::Value::from(text.tokens.clone()).to_string()),
        Cell::text(list(&text.logprobs)),
    ]
}

fn list(logprobs: &[Option<f32>]) -> String {
    let mut list = String::from("[");
    for (place, value) in logprobs.iter().enumerate() {
        if place > 0 {
            list.push(',');
        }
        // An f32 as short as it was stored.
        let _ = match value {
            Some(value) => write!(list, "{value:?}"),
            None => write!(list, "null"),
        };
    }
    list.push(']');
    list
}

/// The columns that say which item.
pub(super) fn item_columns() -> Vec<Column> {
    let mut columns = vec![
        Column::new("item", "item", "the item: language, source and form"),
        Column::new("language", "language", "BCP 47 tag"),
        Column::new("source", "source", "the source sentence: the same in every language"),
    ];
    columns.extend(stereotype_columns());
    columns.push(Column::new(
        "form",
        "form",
        "gendered: the sentence marks the gender; pronoun, noun: template around it",
    ));
    columns
}

/// The cells of [`item_columns`].
pub(super) fn item_cells(record: &ItemRecord) -> Vec<Cell> {
    let mut cells =
        vec![Cell::text(&record.id), Cell::text(record.language.as_str()), Cell::text(&record.source)];
    cells.extend(stereotype_cells(record.stereotype));
    cells.push(Cell::text(record.form.to_string()));
    cells
}

/// The columns that say which stereotype.
pub(super) fn stereotype_columns() -> [Column; 3] {
    let [number, name] = Column::stereotype();
    [
        number.holding(Holds::Counts),
        name,
        Column::new("about", "about", "whom the stereotype is about: feminine or masculine"),
    ]
}

/// The cells of [`stereotype_columns`].
pub(super) fn stereotype_cells(id: StereotypeId) -> [Cell; 3] {
    let [number, name] = Cell::stereotype(id);
    [number, name, Cell::text(id.info().about.to_string())]
}
