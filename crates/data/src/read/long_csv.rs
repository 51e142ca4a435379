//! The plain format that users write their own sets in: one row a sentence and language.
//!
//! Columns `id`, `stereotype`, and `neutral` or the pair `masculine` and `feminine` (or all three); `language` unless the file's
//! name says it. `source` may hold the sentence that was translated; it is for the reader's eyes.

use stereometer_core::Language;

use crate::door::{Cell, Door, Listener, Row};
use crate::note::Note;
use crate::read::table::Table;
use crate::read::{InputFile, language_of_items_file};
use crate::{Fault, Place};

/// The columns that are read.
pub(super) const COLUMNS: [&str; 6] = ["id", "stereotype", "neutral", "masculine", "feminine", "language"];
/// Columns that are known and not read.
pub(super) const SILENT: [&str; 1] = ["source"];

pub(super) fn read(file: &InputFile, door: &mut Door<'_>) {
    let Some(mut table) = Table::open(file, door) else { return };
    let [_, _, neutral, masculine, feminine, language] = COLUMNS.map(|name| table.column(name));
    let (id, stereotype) = (table.require("id", door), table.require("stereotype", door));
    match (neutral, masculine, feminine) {
        (_, Some(_), Some(_)) | (Some(_), None, None) => {}
        (None, None, None) => drop(table.require("neutral", door)),
        (_, None, _) => drop(table.require("masculine", door)),
        (_, _, None) => drop(table.require("feminine", door)),
    }
    let Some(from_name) = language_of_name(file, language.is_some(), door) else { return };
    if !table.has_distinct_columns(door) || id.is_none() || stereotype.is_none() || door.has_problems_in(file)
    {
        return;
    }
    for column in
        table.header().iter().filter(|column| !COLUMNS.iter().chain(&SILENT).any(|known| known == *column))
    {
        door.note(Note::ColumnNotRead(column.clone()), &file.place());
    }
    let mut rows = 0;
    while let Some(record) = table.next(door) {
        rows += 1;
        let place = &record.place;
        let source = door.source(record.get(id), &place.column("id"));
        let number = door.stereotype(record.get(stereotype), &place.column("stereotype"));
        let language =
            language_of_row(language.map(|_| record.get(language)), from_name.as_ref(), place, door);
        let (Some(source), Some(stereotype), Some(language)) = (source, number, language) else { continue };
        let cell = |index, column| Cell { text: record.get(index), column };
        door.enter(&Row {
            place,
            language: &language,
            source: &source,
            stereotype,
            stereotype_column: "stereotype",
            neutral: cell(neutral, "neutral"),
            masculine: cell(masculine, "masculine"),
            feminine: cell(feminine, "feminine"),
            may_be_empty: false,
        });
    }
    if rows == 0 && !door.has_problems_in(file) {
        door.problem(file.place(), Fault::NoRows);
    }
}

/// The language that the file's name states, if it states one; `None` if it states an unknown one, or if nothing does.
#[expect(clippy::option_option, reason = "a file that states no language is not a file with a problem")]
pub(super) fn language_of_name(
    file: &InputFile,
    has_column: bool,
    door: &mut Door<'_>,
) -> Option<Option<Language>> {
    match language_of_items_file(file.base_name()) {
        Some(name) => door.language(name, &file.place()).map(Some),
        None if has_column => Some(None),
        None => {
            door.problem(file.place(), Fault::NoLanguage);
            None
        }
    }
}

/// The language of a row: its own cell, which must not contradict the file's name, or else the file's.
pub(super) fn language_of_row(
    cell: Option<&str>,
    from_name: Option<&Language>,
    place: &Place,
    door: &mut Door<'_>,
) -> Option<Language> {
    let place = place.column("language");
    match (cell.map(str::trim).filter(|cell| !cell.is_empty()), from_name) {
        (None, Some(file)) => Some(file.clone()),
        (None, None) => {
            door.problem(place, Fault::EmptyCell);
            None
        }
        (Some(name), file) => {
            let row = door.language(name, &place)?;
            if let Some(file) = file.filter(|file| **file != row) {
                door.problem(place, Fault::LanguageDiffers { row, file: file.clone() });
                return None;
            }
            Some(row)
        }
    }
}
