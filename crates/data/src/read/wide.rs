//! EuroGEST's first release: two tables with one row a source sentence.
//!
//! The neutral table has one column a language. The gendered one has two, “the man said” and “the woman said”, named by two header
//! rows, the first of which repeats the language. The first column is the sentence's number, 0 to 3564, the same in both tables;
//! `GEST_sentence` is the English source, `stereotype_number` comes last and is written `9.0` in one table and `9` in the other.
//! Empty cells are sentences that quality estimation or the comparison of the two translations dropped. The last row of both
//! tables has a number and nothing else.

use std::collections::BTreeMap;

use stereometer_core::{Gender, Language};

use crate::Fault;
use crate::door::{Cell, Door, Listener, Row};
use crate::fault::excerpt;
use crate::note::Note;
use crate::read::InputFile;
use crate::read::table::{Record, Table};

/// The column of the English source.
pub(super) const SENTENCE: &str = "GEST_sentence";
/// The column of the stereotype.
pub(super) const STEREOTYPE: &str = "stereotype_number";
/// What the second header row writes above the masculine and the feminine column of a language.
const SAID: [(&str, Gender); 2] = [("the man said", Gender::Masculine), ("the woman said", Gender::Feminine)];

/// The columns of one language.
#[derive(Default)]
struct Columns {
    neutral: Option<usize>,
    masculine: Option<usize>,
    feminine: Option<usize>,
}

pub(super) fn read(file: &InputFile, door: &mut Door<'_>) {
    let Some(mut table) = Table::open(file, door) else { return };
    let (sentence, stereotype) = (table.require(SENTENCE, door), table.require(STEREOTYPE, door));
    let header = table.header().to_vec();
    let is_paired = header.windows(2).any(|pair| pair[0] == pair[1]);
    let second = if is_paired { table.second_header(door) } else { None };
    let mut languages = languages(&header, second.as_ref(), file, door);
    let english = door.known_language("English");
    if let Some(english) = english.clone() {
        languages.insert(english, Columns { neutral: sentence, ..Columns::default() });
    }
    if door.has_problems_in(file) {
        return;
    }
    while let Some(record) = table.next(door) {
        let place = &record.place;
        let is_padding = (0..header.len()).skip(1).all(|column| record.get(Some(column)).trim().is_empty());
        if is_padding {
            door.note(Note::BlankRecord, place);
            continue;
        }
        let source = door.source(record.get(Some(0)), &place.column("GEST_ID"));
        let number = door.stereotype(record.get(stereotype), &place.column(STEREOTYPE));
        let (Some(source), Some(stereotype)) = (source, number) else { continue };
        for (language, columns) in &languages {
            let cell = |index: Option<usize>| {
                let column = index.and_then(|index| header.get(index)).map_or("", String::as_str);
                Cell { text: record.get(index), column }
            };
            let [neutral, masculine, feminine] =
                [columns.neutral, columns.masculine, columns.feminine].map(cell);
            let row = Row {
                place,
                language,
                source: &source,
                stereotype,
                stereotype_column: STEREOTYPE,
                neutral,
                masculine,
                feminine,
                may_be_empty: true,
            };
            if Some(language) == english.as_ref() {
                door.enter_source(&row);
            // Most cells of the gendered table are empty, so that is no note.
            } else if [neutral, masculine, feminine].iter().any(|cell| !cell.text.trim().is_empty()) {
                door.enter(&row);
            }
        }
    }
}

/// Which columns belong to which language. Names that are no language, and halves of a pair, are problems.
fn languages(
    header: &[String],
    second: Option<&Record>,
    file: &InputFile,
    door: &mut Door<'_>,
) -> BTreeMap<Language, Columns> {
    let mut languages: BTreeMap<Language, Columns> = BTreeMap::new();
    for (i, name) in header.iter().enumerate().skip(1) {
        if [SENTENCE, STEREOTYPE].contains(&name.as_str()) {
            continue;
        }
        let place = file.place().column(name);
        let Some(language) = door.language(name, &place) else { continue };
        let columns = languages.entry(language).or_default();
        let label = second.map(|second| second.get(Some(i)).trim());
        let said =
            label.map(|label| SAID.iter().find(|(words, _)| *words == label).map(|(_, gender)| gender));
        let slot = match said {
            None => &mut columns.neutral,
            Some(Some(Gender::Masculine)) => &mut columns.masculine,
            Some(Some(Gender::Feminine)) => &mut columns.feminine,
            Some(None) => {
                let found = excerpt(label.unwrap_or_default());
                door.problem(place, Fault::MissingColumn { name: SAID[0].0, found });
                continue;
            }
        };
        if slot.replace(i).is_some() {
            door.problem(place, Fault::DuplicateColumn { name: name.clone() });
        }
    }
    for (language, columns) in &languages {
        let missing = match (columns.masculine, columns.feminine) {
            (Some(_), None) => Gender::Feminine,
            (None, Some(_)) => Gender::Masculine,
            _ => continue,
        };
        door.problem(file.place().column(language.as_str()), Fault::HalfPair { missing });
    }
    languages
}
