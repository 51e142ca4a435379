//! EuroGEST on the Hugging Face Hub: one split a language, as CSV or Parquet.
//!
//! Columns `GEST_ID`, `Source` (the English sentence), `Stereotype_ID`, `Neutral`, `Masculine`, `Feminine`. The language is the split,
//! which is part of the file's name: `data/Bulgarian-00000-of-00001.parquet`, `Bulgarian.csv`, `eurogest_bg.csv`.

use stereometer_core::Language;

use crate::door::{Cell, Door, Listener, Row};
use crate::read::InputFile;
use crate::read::parquet::{self, Strings};
use crate::read::table::Table;
use crate::{Fault, Place};

/// The column of the sentence's number.
pub(super) const ID: &str = "GEST_ID";
/// The column of the stereotype.
pub(super) const STEREOTYPE: &str = "Stereotype_ID";
const COLUMNS: [&str; 6] = [ID, STEREOTYPE, "Source", "Neutral", "Masculine", "Feminine"];
/// The columns that have to be there; a language without gendered pairs may lack the others.
const REQUIRED: [&str; 3] = [ID, STEREOTYPE, "Neutral"];

pub(super) fn read_csv(file: &InputFile, door: &mut Door<'_>) {
    let Some(mut table) = Table::open(file, door) else { return };
    let has_all = REQUIRED.map(|name| table.require(name, door).is_some()) == [true; 3];
    let Some(split) = Split::of(file, door).filter(|_| has_all && table.has_distinct_columns(door)) else {
        return;
    };
    let columns = COLUMNS.map(|name| table.column(name));
    while let Some(record) = table.next(door) {
        split.enter(columns.map(|column| record.get(column)), &record.place, door);
    }
}

pub(super) fn read_parquet(file: &InputFile, door: &mut Door<'_>) {
    let Some(split) = Split::of(file, door) else { return };
    let Strings { found, rows } = match parquet::strings(file, &COLUMNS) {
        Ok(strings) => strings,
        Err(fault) => return door.problem(file.place(), fault),
    };
    if let Some(name) = REQUIRED.into_iter().find(|name| !found.iter().any(|column| column == name)) {
        return door.problem(file.place(), Fault::MissingColumn { name, found: found.join(", ") });
    }
    for (record, row) in (1..).zip(&rows) {
        let place = Place { record: Some(record), ..file.place() };
        let texts = COLUMNS.map(|name| COLUMNS.iter().position(|column| *column == name));
        split.enter(texts.map(|i| i.and_then(|i| row.get(i)).map_or("", String::as_str)), &place, door);
    }
}

/// The language of a file, and English beside it.
struct Split {
    language: Language,
    english: Option<Language>,
}

impl Split {
    fn of(file: &InputFile, door: &mut Door<'_>) -> Option<Self> {
        // A split need not have every sentence, so the first one does not fix their order.
        door.order_by_number();
        let language = language_of_split(file, door);
        if language.is_none() {
            door.problem(file.place(), Fault::NoLanguage);
        }
        Some(Self { language: language?, english: door.known_language("English") })
    }

    fn enter(&self, texts: [&str; 6], place: &Place, door: &mut Door<'_>) {
        let [id, number, source_text, neutral, masculine, feminine] = texts;
        let source = door.source(id, &place.column(ID));
        let stereotype = door.stereotype(number, &place.column(STEREOTYPE));
        let (Some(source), Some(stereotype)) = (source, stereotype) else { return };
        let cell = |text, column| Cell { text, column };
        let mut row = Row {
            place,
            language: &self.language,
            source: &source,
            stereotype,
            stereotype_column: STEREOTYPE,
            neutral: cell(neutral, "Neutral"),
            masculine: cell(masculine, "Masculine"),
            feminine: cell(feminine, "Feminine"),
            may_be_empty: true,
        };
        let is_english = self.english.as_ref() == Some(&self.language);
        if !is_english {
            door.enter(&row);
        }
        // The English split repeats the source; where it does not, the source stands for it.
        if let Some(english) = self.english.as_ref().filter(|_| !source_text.trim().is_empty() || is_english)
        {
            row.language = english;
            row.neutral =
                if source_text.trim().is_empty() { row.neutral } else { cell(source_text, "Source") };
            (row.masculine, row.feminine) = (Cell::default(), Cell::default());
            door.enter_source(&row);
        }
    }
}

/// The language in a split's file name: the name without its shard number, or a word of it.
fn language_of_split(file: &InputFile, door: &Door<'_>) -> Option<Language> {
    let stem = file.base_name().split('.').next()?;
    let words: Vec<&str> = stem.split(['-', '_', ' ']).filter(|word| !is_shard(word)).collect();
    let whole = words.join("-");
    let last_first = words.iter().rev().copied();
    std::iter::once(whole.as_str()).chain(last_first).find_map(|word| door.known_language(word))
}

/// Whether this is a part of `-00000-of-00001`.
fn is_shard(word: &str) -> bool {
    word == "of" || (!word.is_empty() && word.bytes().all(|byte| byte.is_ascii_digit()))
}
