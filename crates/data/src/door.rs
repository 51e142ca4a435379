//! The door: every row of every format passes here, once, and comes out as a [`Sentence`] or as a [`Problem`].
//!
//! Text is brought to NFC and loses its outer white space. Both change what a tokenizer sees, so both are counted, as are other
//! things that a reader of the result should know; the counts become the set's notes.

use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;

use stereometer_core::{Language, StereotypeId, Warning};
use unicode_normalization::UnicodeNormalization;

use crate::fault::excerpt;
use crate::note::Note;
use crate::read::InputFile;
use crate::{Fault, Origin, Packs, Place, Problem, Provenance, Sentence, SetFile, StereotypeSet, Text};

/// Problems beyond this number are counted, not kept.
const MAX_PROBLEMS: usize = 1_000;
/// Bytes of one sentence. The longest of EuroGEST has under 500.
const MAX_SENTENCE: usize = 1_000_000;
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

/// Who is told what is wrong with a table, and what is worth knowing of it.
pub(crate) trait Listener {
    /// Something that cannot be accepted.
    fn problem(&mut self, place: Place, fault: Fault);
    /// Something that was repaired or passed over.
    fn note(&mut self, note: Note, place: &Place);
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

impl Listener for Door<'_> {
    fn problem(&mut self, place: Place, fault: Fault) {
        self.problems.push(place, fault);
    }

    fn note(&mut self, note: Note, place: &Place) {
        let entry = self.notes.entry((self.files.len(), note)).or_insert_with(|| (0, place.clone()));
        entry.0 += 1;
    }
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
            Note::of_text(cell.text, script).for_each(|note| self.note(note, &place));
            return Some(trimmed.nfc().collect());
        };
        self.problem(place, fault);
        None
    }

    /// The notes as warnings, one a kind. They go into reports, which are mailed, so they name files within the set and not the
    /// user's directories.
    fn warnings(&self) -> Vec<Warning> {
        let mut by_kind: BTreeMap<&Note, Vec<(usize, usize, &Place)>> = BTreeMap::new();
        for ((file, note), (n, place)) in &self.notes {
            by_kind.entry(note).or_default().push((*file, *n, place));
        }
        let warning = |(note, found): (&Note, Vec<(usize, usize, &Place)>)| {
            let words = note.words(found.iter().map(|(_, n, _)| n).sum());
            let (file, _, place) = *found.first()?;
            let within = place.within();
            let within_set =
                file.checked_sub(1).and_then(|file| self.files.get(file)).map_or("", |file| &file.name);
            let file = if let Note::FileNotRead(name) = note { name } else { within_set };
            let detail = match (found.len(), within.as_str()) {
                (1, "") => format!("{file}: {words}"),
                (1, within) => format!("{file}: {words} (first: {within})"),
                (files, "") => format!("{files} files: {words} (first: {file})"),
                (files, within) => format!("{files} files: {words} (first: {file}, {within})"),
            };
            Some(Warning::Data { detail })
        };
        by_kind.into_iter().filter_map(warning).collect()
    }

    /// Closes the door: the set of everything that was entered, and everything that was not.
    pub fn finish(mut self, about: About) -> (StereotypeSet, Problems) {
        let order = |sentence: &Sentence| match sentence.source.parse() {
            Ok(number) if self.by_number => number,
            _ => self.stereotypes.get(&sentence.source).map_or(0, |(_, order, _)| *order),
        };
        self.sentences.sort_by_cached_key(|sentence| (sentence.language.clone(), order(sentence)));
        let notes = self.warnings();
        let set = StereotypeSet {
            name: about.name,
            version: about.version,
            provenance: Provenance { origin: about.origin, licence: about.licence, files: self.files },
            source_language: self.source_language,
            notes,
            sentences: self.sentences,
        };
        (set, self.problems)
    }
}
