//! CSV text as records: a strict layer over the `csv` crate.
//!
//! The crate reads anything: a quotation mark that is never closed swallows the rest of the file, and a table with semicolons is one
//! wide column. So the text is looked over first, and what is not plain comma-separated UTF-8 is refused with its place.

use crate::door::Listener;
use crate::fault::excerpt;
use crate::note::Note;
use crate::read::InputFile;
use crate::{Fault, Place};

/// Cells in one record.
const MAX_CELLS: usize = 1_024;
/// Every column that some format knows; a header that has one of them only after another split has the wrong delimiter.
const KNOWN: [&str; 12] = [
    "id",
    "stereotype",
    "neutral",
    "masculine",
    "feminine",
    super::wide::SENTENCE,
    super::wide::STEREOTYPE,
    super::hub::ID,
    super::hub::STEREOTYPE,
    "rating",
    "score",
    "Traits",
];
/// What spreadsheets put between cells when it is not a comma.
const OTHER_DELIMITERS: [(u8, &str); 3] = [(b';', "semicolons"), (b'\t', "tabs"), (b'|', "vertical bars")];

/// A CSV file, past its header.
pub(crate) struct Table<'a> {
    file: &'a InputFile,
    header: Vec<String>,
    reader: csv::Reader<&'a [u8]>,
    lines: Vec<u64>,
    /// Records above the first one that counts.
    above: usize,
}

/// One record, as wide as the header.
pub(crate) struct Record {
    pub place: Place,
    cells: Vec<String>,
}

impl Record {
    /// The text of a cell; empty for a column that the file does not have.
    pub fn get(&self, column: Option<usize>) -> &str {
        column.and_then(|column| self.cells.get(column)).map_or("", String::as_str)
    }
}

impl<'a> Table<'a> {
    /// Looks the file over and reads its header. `None` if nothing can be read; the door knows why.
    pub fn open(file: &'a InputFile, door: &mut dyn Listener) -> Option<Self> {
        let place = file.place();
        let bytes = file.text(door);
        let names = split_header(bytes, b',');
        if let Some(found) = other_delimiter(bytes, &names) {
            door.problem(Place { line: Some(1), ..place }, Fault::Delimiter { found });
            return None;
        }
        let scan = scan(bytes);
        if let Some(broken) = scan.broken {
            let column = names.get(broken.column).filter(|_| broken.record > 0).cloned();
            let record = (broken.record > 0).then_some(broken.record as u64);
            door.problem(Place { record, line: Some(broken.line), column, ..place }, broken.fault);
            return None;
        }
        let mut reader = csv::ReaderBuilder::new().has_headers(false).flexible(true).from_reader(bytes);
        let mut first = csv::ByteRecord::new();
        // The header was read once already, so this cannot fail: the reader's own errors are those of its source.
        reader.read_byte_record(&mut first).ok()?;
        Some(Self { file, header: names, reader, lines: scan.lines, above: 1 })
    }

    /// The names of the columns.
    pub fn header(&self) -> &[String] {
        &self.header
    }

    /// The place of a column in the header.
    pub fn column(&self, name: &str) -> Option<usize> {
        self.header.iter().position(|column| column == name)
    }

    /// The same, for a column that has to be there.
    pub fn require(&self, name: &'static str, door: &mut dyn Listener) -> Option<usize> {
        let column = self.column(name);
        if column.is_none() {
            let found = excerpt(&self.header.join(", "));
            door.problem(self.file.place(), Fault::MissingColumn { name, found });
        }
        column
    }

    /// Whether every column has a name of its own.
    pub fn has_distinct_columns(&self, door: &mut dyn Listener) -> bool {
        let is_second = |i: usize| !self.header[i].is_empty() && self.header[..i].contains(&self.header[i]);
        let Some(second) = (0..self.header.len()).find(|&i| is_second(i)) else { return true };
        door.problem(self.file.place(), Fault::DuplicateColumn { name: self.header[second].clone() });
        false
    }

    /// A further row of the header, below the first.
    pub fn second_header(&mut self, door: &mut dyn Listener) -> Option<Record> {
        let record = self.next(door);
        self.above += 1;
        record
    }

    /// The next record that has the header's width and is UTF-8. Records that are not are problems, blank ones are notes.
    pub fn next(&mut self, door: &mut dyn Listener) -> Option<Record> {
        loop {
            let mut bytes = csv::ByteRecord::new();
            if !self.reader.read_byte_record(&mut bytes).ok()? {
                return None;
            }
            let index = bytes.position().map_or(0, csv::Position::record) as usize;
            let record = (index + 1).saturating_sub(self.above) as u64;
            let place =
                Place { record: Some(record), line: self.lines.get(index).copied(), ..self.file.place() };
            if bytes.iter().all(|cell| cell.trim_ascii().is_empty()) {
                door.note(Note::BlankRecord, &place);
            } else if bytes.len() != self.header.len() {
                door.problem(place, Fault::CellCount { expected: self.header.len(), found: bytes.len() });
            } else if let Some(cells) = self.decode(&bytes, &place, door) {
                return Some(Record { place, cells });
            }
        }
    }

    fn decode(&self, bytes: &csv::ByteRecord, place: &Place, door: &mut dyn Listener) -> Option<Vec<String>> {
        let mut cells = Vec::with_capacity(bytes.len());
        for (cell, column) in bytes.iter().zip(&self.header) {
            match str::from_utf8(cell) {
                Ok(text) => cells.push(text.to_owned()),
                Err(error) => {
                    let byte = cell.get(error.valid_up_to()).copied().unwrap_or_default();
                    door.problem(place.column(column), Fault::NotUtf8 { byte });
                    return None;
                }
            }
        }
        Some(cells)
    }
}

/// The names of the columns, whatever separates them: only to tell the formats apart.
pub(crate) fn column_names(bytes: &[u8]) -> Vec<String> {
    let names = split_header(bytes, b',');
    let delimiter =
        OTHER_DELIMITERS.into_iter().find(|(_, words)| other_delimiter(bytes, &names) == Some(words));
    delimiter.map_or(names, |(delimiter, _)| split_header(bytes, delimiter))
}

fn split_header(bytes: &[u8], delimiter: u8) -> Vec<String> {
    // A header of sane length: a hostile first line is cut, and then has no known column.
    let bytes = &bytes[..bytes.len().min(64 << 10)];
    let mut reader = csv::ReaderBuilder::new().has_headers(false).delimiter(delimiter).from_reader(bytes);
    let mut record = csv::ByteRecord::new();
    let _ = reader.read_byte_record(&mut record);
    record.iter().map(|cell| String::from_utf8_lossy(cell).trim().to_owned()).collect()
}

fn other_delimiter(bytes: &[u8], names: &[String]) -> Option<&'static str> {
    let known = |names: &[String]| names.iter().any(|name| KNOWN.contains(&name.as_str()));
    if known(names) {
        return None;
    }
    let fits = |delimiter: &(u8, &str)| known(&split_header(bytes, delimiter.0));
    OTHER_DELIMITERS.into_iter().find(fits).map(|(_, words)| words)
}

/// What one look over the text finds: where every record begins, and the first place that breaks the rules of CSV.
struct Scan {
    lines: Vec<u64>,
    broken: Option<Broken>,
}

struct Broken {
    record: usize,
    column: usize,
    line: u64,
    fault: Fault,
}

enum State {
    /// Between records; blank lines are skipped.
    Between,
    /// At the beginning of a cell.
    Cell,
    /// In a cell without quotation marks.
    Plain,
    /// In a quoted cell that began on this line.
    Quoted(u64),
    /// After a quotation mark in that cell: the first of two, or the end of the cell.
    MaybeClosed(u64),
}

fn scan(bytes: &[u8]) -> Scan {
    let mut found = Scan { lines: Vec::new(), broken: None };
    let (mut state, mut line, mut column) = (State::Between, 1, 0);
    for (i, &byte) in bytes.iter().enumerate() {
        if matches!((&state, byte), (State::Between, b) if b != b'\n' && b != b'\r') {
            found.lines.push(line);
            (state, column) = (State::Cell, 0);
        }
        state = match (state, byte) {
            (State::Between, _) | (State::Cell | State::Plain | State::MaybeClosed(_), b'\n' | b'\r') => {
                State::Between
            }
            (State::Cell, b'"') => State::Quoted(line),
            (State::Cell | State::Plain | State::MaybeClosed(_), b',') => {
                column += 1;
                State::Cell
            }
            (State::Cell | State::Plain, _) => State::Plain,
            (State::Quoted(from), b'"') => State::MaybeClosed(from),
            (State::Quoted(from), _) | (State::MaybeClosed(from), b'"') => State::Quoted(from),
            (State::MaybeClosed(_), _) => {
                found.broken = Some(Broken {
                    record: found.lines.len() - 1,
                    column,
                    line,
                    fault: Fault::TextAfterQuote,
                });
                return found;
            }
        };
        if column >= MAX_CELLS {
            let fault = Fault::TooManyCells { limit: MAX_CELLS };
            found.broken = Some(Broken { record: found.lines.len() - 1, column, line, fault });
            return found;
        }
        if byte == b'\n' || (byte == b'\r' && bytes.get(i + 1) != Some(&b'\n')) {
            line += 1;
        }
    }
    if let State::Quoted(line) = state {
        found.broken =
            Some(Broken { record: found.lines.len() - 1, column, line, fault: Fault::UnclosedQuote });
    }
    found
}
