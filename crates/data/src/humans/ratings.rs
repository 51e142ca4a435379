//! Ratings, one a row: what a survey of one's own exports, and what `humans import` writes.
//!
//! Columns `language` (unless the file's name says it), `participant`, `group`, `pair` or both of `left` and `right`, and
//! `rating`; `order` and `attention_passed` may stand beside them. An empty rating was not given. Where there are both `pair`
//! and `left` or `right`, they have to agree.

use std::sync::Arc;

use super::fault::SurveyFault;
use super::intake::Intake;
use super::people::{Speakers, name_of};
use super::{Rating, SCALE};
use crate::Place;
use crate::fault::excerpt;
use crate::read::InputFile;
use crate::read::table::{Record, Table};

const COLUMNS: [&str; 9] =
    ["language", "participant", "group", "pair", "left", "right", "rating", "order", "attention_passed"];

pub(super) fn read(file: &InputFile, mut speakers: Speakers, intake: &mut Intake<'_>) {
    let place = file.place();
    let before = intake.n_problems();
    let Some(mut table) = Table::open(file, intake) else { return };
    let [language, _, _, pair, left, right, _, order, passed] = COLUMNS.map(|name| table.column(name));
    let [participant, group, rating] =
        ["participant", "group", "rating"].map(|name| table.require(name, intake));
    if pair.is_none() && (left.is_none() || right.is_none()) {
        table.require("pair", intake);
    }
    if language.is_none() && speakers.of_file().is_none() {
        intake.refuse(place.clone(), SurveyFault::NoLanguage);
    }
    if !table.has_distinct_columns(intake) || intake.n_problems() > before {
        return;
    }
    for column in table.header().iter().filter(|column| !COLUMNS.contains(&column.as_str())) {
        intake.remark(format!("the column `{}` is not read", excerpt(column)), &place);
    }
    let mut any = false;
    while let Some(record) = table.next(intake) {
        let at = |column: &str| record.place.column(column);
        let language = speakers.of_row(&record, language, intake);
        let name = name_of(record.get(participant), &at("participant"), intake);
        let id = intake.group(record.get(group), &at("group"));
        let pair = pair_of(&record, pair, [left, right], intake);
        let order = optional(record.get(order), &at("order"), count, intake);
        let passed = optional(record.get(passed), &at("attention_passed"), flag, intake);
        let text = record.get(rating);
        if text.trim().is_empty() {
            intake.remark("the rating is empty: not rated".to_owned(), &at("rating"));
            continue;
        }
        let value = intake.parsed(text, -SCALE, "−50 to 50", &at("rating"));
        let (Some(language), Some(name), Some(id), Some((pair, sign)), Some(value)) =
            (language, name, id, pair, value)
        else {
            continue;
        };
        any = true;
        let rating = Rating {
            language,
            annotator: Arc::from(name),
            group: id,
            pair,
            value: sign * value,
            order,
            attention_passed: passed,
        };
        intake.rating(rating, &record.place);
    }
    if !any && intake.n_problems() == before {
        intake.refuse(place, SurveyFault::NoData { what: "rating" });
    }
}

fn pair_of(
    record: &Record,
    pair: Option<usize>,
    sides: [Option<usize>; 2],
    intake: &mut Intake<'_>,
) -> Option<(usize, f64)> {
    if pair.is_none() {
        let [left, right] = sides.map(|side| record.get(side));
        return intake.pair(left, right, &record.place.column("left"));
    }
    let (text, place) = (record.get(pair), record.place.column("pair"));
    if let Some((left, right)) = text.split_once(" - ").or_else(|| text.split_once(" – ")) {
        for (column, side, half) in [("left", sides[0], left), ("right", sides[1], right)] {
            let cell = record.get(side).trim();
            if !cell.is_empty() && !intake.is_same_pole(cell, half) {
                let (pair, side) = (excerpt(text), excerpt(cell));
                intake.refuse(record.place.column(column), SurveyFault::PairDiffers { pair, side });
                return None;
            }
        }
        return intake.pair(left, right, &place);
    }
    intake.refuse(place, SurveyFault::NotAPair { text: excerpt(text) });
    None
}

/// What a cell says; nothing where it is empty.
fn optional<T>(
    text: &str,
    place: &Place,
    read: fn(&str) -> Result<T, SurveyFault>,
    intake: &mut Intake<'_>,
) -> Option<T> {
    let text = text.trim();
    if text.is_empty() {
        return None;
    }
    read(text).map_err(|fault| intake.refuse(place.clone(), fault)).ok()
}

fn count(text: &str) -> Result<u32, SurveyFault> {
    let number = text.strip_suffix(".0").unwrap_or(text).parse().ok().filter(|number| *number >= 1);
    number.ok_or_else(|| SurveyFault::NotACount { text: excerpt(text), least: 1 })
}

fn flag(text: &str) -> Result<bool, SurveyFault> {
    match text.to_ascii_lowercase().as_str() {
        "true" | "1" | "yes" => Ok(true),
        "false" | "0" | "no" => Ok(false),
        _ => Err(SurveyFault::NotAFlag { text: excerpt(text) }),
    }
}
