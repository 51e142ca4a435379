//! The plain format as JSON: one object a line, with the keys of the long CSV. A missing key, `null` and `""` are all empty.

use serde_json::{Map, Value};

use crate::door::{Cell, Door, Listener, Row};
use crate::fault::excerpt;
use crate::note::Note;
use crate::read::InputFile;
use crate::read::long_csv::{COLUMNS, SILENT, language_of_name, language_of_row};
use crate::{Fault, Place};

/// Bytes in one line: three sentences of the longest kind, with every letter escaped, have a fifth of that.
const MAX_LINE: usize = 1 << 20;

pub(super) fn read(file: &InputFile, door: &mut Door<'_>) {
    let place = file.place();
    // Whether a row has a language is known only when it is read, so the name of the file may be silent here.
    let Some(from_name) = language_of_name(file, true, door) else { return };
    let mut record = 0;
    for (line, text) in (1..).zip(file.text(door).split(|byte| *byte == b'\n')) {
        if text.trim_ascii().is_empty() {
            continue;
        }
        record += 1;
        let place = Place { record: Some(record), line: Some(line), ..place.clone() };
        match str::from_utf8(text) {
            _ if text.len() > MAX_LINE => {
                let detail = format!("the line has {} bytes", text.len());
                door.problem(place, Fault::Json { detail });
            }
            Ok(text) => row(text, from_name.as_ref(), &place, door),
            Err(error) => {
                let byte = text.get(error.valid_up_to()).copied().unwrap_or_default();
                door.problem(place, Fault::NotUtf8 { byte });
            }
        }
    }
}

fn row(text: &str, from_name: Option<&stereometer_core::Language>, place: &Place, door: &mut Door<'_>) {
    let object: Map<String, Value> = match serde_json::from_str(text) {
        Ok(object) => object,
        Err(error) => {
            // The parser counts lines within this one; its column is right.
            let detail = error.to_string().replace("line 1 column", "character");
            return door.problem(place.clone(), Fault::Json { detail });
        }
    };
    for key in object.keys().filter(|key| !COLUMNS.iter().chain(&SILENT).any(|known| known == *key)) {
        door.note(Note::ColumnNotRead(excerpt(key)), &Place::file(&place.file));
    }
    let texts = COLUMNS.map(|key| {
        let found = match object.get(key) {
            None | Some(Value::Null) => return Some(String::new()),
            Some(Value::String(text)) => return Some(text.clone()),
            Some(Value::Number(number)) if ["id", "stereotype"].contains(&key) => {
                return Some(number.to_string());
            }
            Some(Value::Number(_)) => "a number",
            Some(Value::Bool(_)) => "true or false",
            Some(Value::Array(_)) => "a list",
            Some(Value::Object(_)) => "an object",
        };
        door.problem(place.column(key), Fault::JsonType { found });
        None
    });
    let [Some(id), Some(stereotype), Some(neutral), Some(masculine), Some(feminine), Some(language)] = texts
    else {
        return;
    };
    let source = door.source(&id, &place.column("id"));
    let stereotype = door.stereotype(&stereotype, &place.column("stereotype"));
    let language = language_of_row(Some(&language), from_name, place, door);
    let (Some(source), Some(stereotype), Some(language)) = (source, stereotype, language) else { return };
    door.enter(&Row {
        place,
        language: &language,
        source: &source,
        stereotype,
        stereotype_column: "stereotype",
        neutral: Cell { text: &neutral, column: "neutral" },
        masculine: Cell { text: &masculine, column: "masculine" },
        feminine: Cell { text: &feminine, column: "feminine" },
        may_be_empty: false,
    });
}
