//! Ratings and scores as the long CSVs that the readers beside this file read. Numbers keep full precision, what is missing
//! is an empty cell.

use std::fmt::Display;

use stereometer_core::HumanScores;

use super::{Rating, scores};
use crate::Inventory;

/// Ratings, one a row.
pub fn ratings_csv(ratings: &[Rating], inventory: &Inventory) -> String {
    let header = ["language", "participant", "group", "left", "right", "rating", "order", "attention_passed"];
    let rows = ratings.iter().map(|rating| {
        let pair = &inventory.pairs()[rating.pair];
        [
            rating.language.to_string(),
            rating.annotator.to_string(),
            rating.group.to_string(),
            pair.left.id.to_string(),
            pair.right.id.to_string(),
            rating.value.to_string(),
            shown(rating.order),
            shown(rating.attention_passed),
        ]
    });
    table(&header, rows)
}

/// Scores, one a row.
pub fn scores_csv(humans: &HumanScores) -> String {
    let rows = humans.cells.iter().map(|cell| {
        [
            cell.language.to_string(),
            cell.group.to_string(),
            cell.pole.to_string(),
            shown(cell.annotators),
            shown(cell.score),
            shown(cell.std_error),
            shown(cell.interval.map(|interval| interval.low)),
            shown(cell.interval.map(|interval| interval.high)),
        ]
    });
    table(&scores::COLUMNS, rows)
}

fn shown(value: Option<impl Display>) -> String {
    value.map_or_else(String::new, |value| value.to_string())
}

fn table<const N: usize>(header: &[&str; N], rows: impl Iterator<Item = [String; N]>) -> String {
    let mut text = header.join(",");
    text.push('\n');
    for row in rows {
        text.push_str(&row.map(|cell| quoted(&cell)).join(","));
        text.push('\n');
    }
    text
}

/// A cell; in quotation marks where it would otherwise end early.
fn quoted(cell: &str) -> String {
    if cell.contains([',', '"', '\n', '\r']) {
        format!("\"{}\"", cell.replace('"', "\"\""))
    } else {
        cell.to_owned()
    }
}
