//! The door: every row of every format passes here, once, and comes out as a [`Sentence`] or as a [`Problem`].
//!
//! Text is brought to NFC and loses its outer white space. Both change what a tokenizer sees, so both are counted, as are other
//! things that a reader of the result should know; the counts become the set's notes.

use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;

use stereometer_core::{Language, StereotypeId, Warning};
use unicode_normalization::{UnicodeNormalization, is_nfc};

use crate::read::InputFile;
use crate::script::lacks;
use crate::{Fault, Origin, Packs, Place, Problem, Provenance, Sentence, SetFile, StereotypeSet, Text};

/// Problems beyond this number are counted, not kept.
const MAX_PROBLEMS: usize = 1_000;
/// Bytes of one sentence. The longest of EuroGEST has under 500.
const MAX_SENTENCE: usize = 10_000;
/// Bytes of an identifier.
const MAX_ID: usize = 200;

/// Problems in the order in which they were found.
#[derive(Debug, Default)]
pub(crate) struct Problems {
    pub list: Vec<Problem>,
    pub more: usize,
}

impl Problems {
    pub fn push(&mut self, place: Place, fault: Fault) {
        if self.list.len() < MAX_PROBLEMS {
            self.list.push(Problem { place, fault });
        } else {
            self.more += 1;
        }
    }
}

/// What is counted while reading: the words for it, with the number of occurrences in front.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Note {
    ByteOrderMark,
    BlankRecord,
    NoTranslation,
    Trimmed,
    Normalized,
    Entity,
    MissingCode,
    Replacement,
    Invisible,
    OtherScript,
    SourceDiffers,
    ColumnNotRead(String),
    FileNotRead(String),
}

impl Note {
    fn words(&self, n: usize) -> String {
        let cells = if n == 1 { "1 cell".to_owned() } else { format!("{} cells", grouped(n)) };
        let rows = if n == 1 { "1 row".to_owned() } else { format!("{} rows", grouped(n)) };
        match self {
            Self::ByteOrderMark => "begins with a byte-order mark, which was skipped".to_owned(),
            Self::BlankRecord => format!("{rows} without stereotype and text skipped"),
            Self::NoTranslation => format!("{rows} without a sentence in this language skipped"),
            Self::Trimmed => format!("{cells} had outer white space, which was taken off"),
            Self::Normalized => format!("{cells} brought to Unicode normal form C"),
            Self::Entity => {
                format!("{cells} with an HTML entity such as `&quot;`, kept as text; decode it in the file")
            }
            Self::MissingCode => {
                format!("{cells} with a word such as `NA`, kept as text; leave a cell empty if it is empty")
            }
            Self::Replacement => format!("{cells} with the character U+FFFD, which stands for a lost letter"),
            Self::Invisible => format!("{cells} with invisible characters, kept as they are"),
            Self::OtherScript => {
                format!("{cells} without a letter of the language's script: is this the right language?")
            }
            Self::SourceDiffers => {
                format!("{rows} with another source sentence than before; the first one counts")
            }
            Self::ColumnNotRead(name) => format!("the column `{name}` is not read"),
            Self::FileNotRead(_) => "not read: no file of a stereotype set".to_owned(),
        }
    }
}

/// A row of any format, with the names of the columns that its texts come from.
#[derive(Clone, Copy)]
pub(crate) struct Row<'a> {
    pub place: &'a Place,
    pub language: &'a Language,
    pub source: &'a str,
    pub stereotype: StereotypeId,
    pub stereotype_column: &'a str,
    pub neutral: Cell<'a>,
    pub masculine: Cell<'a>,
    pub feminine: Cell<'a>,
    /// Whether a row without any text is a sentence that was dropped (EuroGEST) rather than a mistake.
    pub may_be_empty: bool,
}

/// A text and the column that it stands in.
#[derive(Clone, Copy, Default)]
pub(crate) struct Cell<'a> {
    pub text: &'a str,
    pub column: &'a str,
}

/// What a finished set says about itself.
pub(crate) struct About {
    pub name: String,
    pub version: Option<String>,
    pub origin: String,
    pub licence: Option<String>,
}

/// Collects sentences, problems and notes from any number of files.
pub(crate) struct Door<'a> {
    packs: &'a Packs,
    sentences: Vec<Sentence>,
    problems: Problems,
    notes: BTreeMap<(usize, Note), (usize, Place)>,
    seen: HashMap<(Language, String, bool), Place>,
    stereotypes: HashMap<String, (StereotypeId, usize, Place)>,
    source_texts: HashMap<String, String>,
    source_language: Option<Language>,
    files: Vec<SetFile>,
    by_number: bool,
}

impl<'a> Door<'a> {
    pub fn new(packs: &'a Packs) -> Self {
        Self {
            packs,
            sentences: Vec::new(),
            problems: Problems::default(),
            notes: BTreeMap::new(),
            seen: HashMap::new(),
            stereotypes: HashMap::new(),
            source_texts: HashMap::new(),
            source_language: None,
            files: Vec::new(),
            by_number: false,
        }
    }

    /// Source sentences come in the order of their numbers, not in that of their first appearance.
    pub fn order_by_number(&mut self) {
        self.by_number = true;
    }

    /// Begins a file: whatever is noted or entered from here on belongs to it.
    pub fn begin(&mut self, file: &InputFile) {
        self.files.push(SetFile { name: Arc::clone(&file.name), sha256: file.sha256(), sentences: 0 });
    }

    pub fn problem(&mut self, place: Place, fault: Fault) {
        self.problems.push(place, fault);
    }

    pub fn note(&mut self, note: Note, place: &Place) {
        let entry = self.notes.entry((self.files.len(), note)).or_insert_with(|| (0, place.clone()));
        entry.0 += 1;
    }

    /// Whether anything was wrong with a file so far.
    pub fn has_problems_in(&self, file: &InputFile) -> bool {
        self.problems.list.iter().any(|problem| problem.place.file == file.shown)
    }

    /// The language that a name stands for; a name that no pack has is a problem.
    pub fn language(&mut self, name: &str, place: &Place) -> Option<Language> {
        let found = self.packs.find(name);
        if found.is_none() {
            let fault = Fault::UnknownLanguage { name: excerpt(name), known: self.packs.tags() };
            self.problem(place.clone(), fault);
        }
        found
    }

    /// A language name in a file's name, where it is one.
    pub fn known_language(&self, name: &str) -> Option<Language> {
        self.packs.find(name)
    }

    /// An identifier of a source sentence.
    pub fn source(&mut self, text: &str, place: &Place) -> Option<String> {
        let id: String = text.trim().nfc().collect();
        let fault = if id.is_empty() {
            Fault::EmptyCell
        } else if id.len() > MAX_ID {
            Fault::BadId { what: "more than 200 bytes" }
        } else if id.chars().any(char::is_control) {
            Fault::BadId { what: "a line break or another control character" }
        } else {
            return Some(id);
        };
        self.problem(place.clone(), fault);
        None
    }

    /// The number of a stereotype. Spreadsheets and pandas write `9` as `9.0`: read as 9.
    pub fn stereotype(&mut self, text: &str, place: &Place) -> Option<StereotypeId> {
        let text = text.trim();
        let number = text.strip_suffix(".0").unwrap_or(text);
        let fault = if text.is_empty() {
            Fault::EmptyCell
        } else if !number.bytes().all(|byte| byte.is_ascii_digit()) {
            Fault::NotAStereotype { text: excerpt(text) }
        } else {
            match number.parse::<u16>().ok().and_then(|number| StereotypeId::try_from(number).ok()) {
                Some(id) => return Some(id),
                None => Fault::UnknownStereotype { number: excerpt(number) },
            }
        };
        self.problem(place.clone(), fault);
        None
    }

    /// Takes in a row: checks its texts, and that it is neither a duplicate nor at odds with its translations.
    pub fn enter(&mut self, row: &Row<'_>) {
        let Some(text) = self.text(row) else { return };
        let Row { place, language, source, stereotype, .. } = *row;
        let key = (language.clone(), source.to_owned(), matches!(text, Text::Gendered { .. }));
        if let Some(first) = self.seen.get(&key) {
            let first = Box::new(first.clone());
            let fault = Fault::Duplicate { id: source.to_owned(), language: language.clone(), first };
            return self.problem(place.clone(), fault);
        }
        let order = self.stereotypes.len();
        let known = self.stereotypes.entry(source.to_owned());
        let (there, _, first) = known.or_insert_with(|| (stereotype, order, place.clone()));
        if *there != stereotype {
            let (there, first) = (there.get(), Box::new(first.clone()));
            let fault =
                Fault::StereotypeDiffers { id: source.to_owned(), here: stereotype.get(), there, first };
            return self.problem(place.column(row.stereotype_column), fault);
        }
        self.seen.insert(key, place.clone());
        let Some(file) = self.files.last_mut() else { return };
        file.sentences += 1;
        let origin = Origin { file: Arc::clone(&file.name), record: place.record.unwrap_or(0) };
        let (language, source) = (language.clone(), source.to_owned());
        self.sentences.push(Sentence { language, source, stereotype, text, origin });
    }

    /// Takes in the sentence that the others were translated from, once, as a neutral sentence of `language`.
    pub fn enter_source(&mut self, row: &Row<'_>) {
        let text = row.neutral.text.trim();
        if let Some(first) = self.source_texts.get(row.source) {
            if first != text {
                self.note(Note::SourceDiffers, row.place);
            }
            return;
        }
        self.source_language = Some(row.language.clone());
        let entered_as_translation =
            self.seen.contains_key(&(row.language.clone(), row.source.to_owned(), false));
        if !entered_as_translation {
            self.enter(row);
        }
        self.source_texts.insert(row.source.to_owned(), text.to_owned());
    }

    fn text(&mut self, row: &Row<'_>) -> Option<Text> {
        let [neutral, masculine, feminine] =
            [row.neutral, row.masculine, row.feminine].map(|cell| self.clean(cell, row));
        let half = |missing, cell: Cell<'_>| (row.place.column(cell.column), Fault::HalfPair { missing });
        let (place, fault) = match (neutral?, masculine?, feminine?) {
            (text, m, f) if !text.is_empty() && m.is_empty() && f.is_empty() => {
                return Some(Text::Neutral(text));
            }
            (text, m, f) if text.is_empty() && !m.is_empty() && !f.is_empty() => {
                return Some(Text::Gendered { masculine: m, feminine: f });
            }
            (text, m, f) if text.is_empty() && m.is_empty() && f.is_empty() => {
                if row.may_be_empty {
                    self.note(Note::NoTranslation, row.place);
                    return None;
                }
                (row.place.clone(), Fault::NoSentence)
            }
            (text, ..) if !text.is_empty() => (row.place.clone(), Fault::BothForms),
            (_, m, _) if m.is_empty() => half(stereometer_core::Gender::Masculine, row.masculine),
            _ => half(stereometer_core::Gender::Feminine, row.feminine),
        };
        self.problem(place, fault);
        None
    }

    /// A cell's text in NFC and without outer white space; `None` if it cannot be a sentence.
    fn clean(&mut self, cell: Cell<'_>, row: &Row<'_>) -> Option<String> {
        let trimmed = cell.text.trim();
        if trimmed.is_empty() {
            return Some(String::new());
        }
        let place = row.place.column(cell.column);
        let script = self.packs.get(row.language).map_or("", |pack| pack.script());
        let fault = if trimmed.len() > MAX_SENTENCE {
            Fault::LongSentence { bytes: trimmed.len(), limit: MAX_SENTENCE }
        } else if !trimmed.chars().any(char::is_alphabetic) {
            Fault::NoLetter { text: excerpt(trimmed) }
        } else {
            let seen = [
                (trimmed.len() != cell.text.len(), Note::Trimmed),
                (!is_nfc(trimmed), Note::Normalized),
                (has_entity(trimmed), Note::Entity),
                (is_missing_code(trimmed), Note::MissingCode),
                (trimmed.contains('\u{fffd}'), Note::Replacement),
                (trimmed.chars().any(is_invisible), Note::Invisible),
                (lacks(script, trimmed), Note::OtherScript),
            ];
            seen.into_iter().filter(|(found, _)| *found).for_each(|(_, note)| self.note(note, &place));
            return Some(trimmed.nfc().collect());
        };
        self.problem(place, fault);
        None
    }

    /// Closes the door: the set of everything that was entered, and everything that was not.
    pub fn finish(mut self, about: About) -> (StereotypeSet, Problems) {
        let order = |sentence: &Sentence| match sentence.source.parse() {
            Ok(number) if self.by_number => number,
            _ => self.stereotypes.get(&sentence.source).map_or(0, |(_, order, _)| *order),
        };
        self.sentences.sort_by_cached_key(|sentence| (sentence.language.clone(), order(sentence)));
        let note = |((_, note), (n, place)): (&(usize, Note), &(usize, Place))| {
            let first = match (place.record, &place.column) {
                (None, None) => String::new(),
                _ => format!(" (first: {place})"),
            };
            Warning::Data { detail: format!("{}: {}{first}", place.file, note.words(*n)) }
        };
        let set = StereotypeSet {
            name: about.name,
            version: about.version,
            provenance: Provenance { origin: about.origin, licence: about.licence, files: self.files },
            source_language: self.source_language,
            notes: self.notes.iter().map(note).collect(),
            sentences: self.sentences,
        };
        (set, self.problems)
    }
}

/// The beginning of a text, for a message.
pub(crate) fn excerpt(text: &str) -> String {
    const MAX: usize = 60;
    if text.chars().count() <= MAX {
        return text.to_owned();
    }
    text.chars().take(MAX).chain(['…']).collect()
}

/// A number with commas between its thousands.
pub(crate) fn grouped(n: usize) -> String {
    let digits = n.to_string();
    let comma = |i: usize| (i > 0 && (digits.len() - i).is_multiple_of(3)).then_some(',');
    digits.char_indices().flat_map(|(i, digit)| comma(i).into_iter().chain([digit])).collect()
}

/// `&#39;`, `&#x27;`, `&quot;` and the like, which translation services return when asked for HTML.
fn has_entity(text: &str) -> bool {
    text.split('&').skip(1).any(|rest| {
        let Some((name, _)) = rest.split_once(';') else { return false };
        name.strip_prefix('#').map_or(["quot", "amp", "lt", "gt", "nbsp", "apos"].contains(&name), |number| {
            !number.is_empty()
                && number.len() <= 7
                && number.bytes().all(|byte| byte.is_ascii_hexdigit() || byte == b'x')
        })
    })
}

fn is_missing_code(text: &str) -> bool {
    ["NA", "N/A", "n/a", "NaN", "nan", "null", "NULL", "None", "-"].contains(&text)
}

/// Characters that a reader cannot see and a tokenizer can: controls, zero-width spaces, soft hyphens, marks of direction.
fn is_invisible(c: char) -> bool {
    (c.is_control() && !matches!(c, '\n' | '\r' | '\t'))
        || matches!(
            c,
            '\u{ad}' | '\u{200b}' | '\u{200e}' | '\u{200f}' | '\u{2060}' | '\u{feff}' | '\u{202a}'
                ..='\u{202e}'
        )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_grouped_by_thousands() {
        assert_eq!(
            [0, 999, 1_000, 56_497, 1_000_000].map(grouped),
            ["0", "999", "1,000", "56,497", "1,000,000"]
        );
    }

    #[test]
    fn entities_are_told_from_ampersands() {
        assert!(["it&#39;s", "&quot;no&quot;", "&#x27;s", "R&amp;D"].into_iter().all(has_entity));
        assert!(!["R&D; and more", "a & b", "fish &chips;", "&#;"].into_iter().any(has_entity));
    }
}
