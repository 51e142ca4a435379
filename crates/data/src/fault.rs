//! What can be wrong with a file, and where: file, record, line and column.

use std::fmt;
use std::sync::Arc;

use stereometer_core::{Gender, Language};

use crate::InventoryFault;
use crate::note::is_invisible;
use thiserror::Error;

/// A place in a file, as exact as it is known.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Place {
    /// The file, as the user named it.
    pub file: Arc<str>,
    /// The record, counted from 1 below the header.
    pub record: Option<u64>,
    /// The line on which the record begins, counted from 1.
    pub line: Option<u64>,
    /// The column, or the key of a TOML file.
    pub column: Option<String>,
}

impl Place {
    /// A whole file.
    pub fn file(file: &Arc<str>) -> Self {
        Self { file: Arc::clone(file), record: None, line: None, column: None }
    }

    /// The same place, narrowed to a column.
    #[must_use]
    pub fn column(&self, column: &str) -> Self {
        Self { column: Some(column.to_owned()), ..self.clone() }
    }
}

impl Place {
    /// The place within its file: `record 3 (line 4), column neutral`; nothing for the whole file.
    pub(crate) fn within(&self) -> String {
        let record = match (self.record, self.line) {
            (Some(record), Some(line)) => Some(format!("record {record} (line {line})")),
            (Some(record), None) => Some(format!("record {record}")),
            (None, Some(line)) => Some(format!("line {line}")),
            (None, None) => None,
        };
        let is_table = ![".toml", ".json", ".jsonl"].iter().any(|ending| self.file.ends_with(ending));
        let word = if is_table { "column" } else { "key" };
        let column = self.column.as_ref().map(|column| format!("{word} `{}`", shortened(column, 200)));
        record.into_iter().chain(column).collect::<Vec<_>>().join(", ")
    }
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.file)?;
        let within = self.within();
        if within.is_empty() { Ok(()) } else { write!(f, ", {within}") }
    }
}

/// A fault and its place.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("{place}: {fault}")]
pub struct Problem {
    /// Where.
    pub place: Place,
    /// What.
    pub fault: Fault,
}

/// What can be wrong with a set or a language pack.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum Fault {
    /// Not a byte, or nothing but white space.
    #[error("the file is empty")]
    EmptyFile,
    /// A header and nothing below it.
    #[error("the file has a header and no rows")]
    NoRows,
    /// A directory in which no file is one of a set.
    #[error("the directory holds no file of a stereotype set")]
    NoFiles,
    /// Larger than any set of sentences.
    #[error("the file has {bytes} bytes; more than {limit} are not read")]
    TooLarge {
        /// Its size.
        bytes: u64,
        /// What is accepted.
        limit: u64,
    },
    /// A directory with more files than any set.
    #[error("the directory holds more than {limit} files of tables, or more than {bytes} bytes of them")]
    TooManyFiles {
        /// How many are accepted.
        limit: usize,
        /// How many bytes all of them may have.
        bytes: usize,
    },
    /// Bytes that are not UTF-8.
    #[error("the text is not UTF-8 (byte 0x{byte:02x})")]
    NotUtf8 {
        /// The first offending byte.
        byte: u8,
    },
    /// A byte-order mark of UTF-16.
    #[error("the file is UTF-16, not UTF-8")]
    Utf16,
    /// Cells separated by something other than a comma.
    #[error("the cells are separated by {found}, not by commas")]
    Delimiter {
        /// What was found, in words.
        found: &'static str,
    },
    /// A quotation mark that is never closed.
    #[error("the quotation mark that opens this cell is never closed")]
    UnclosedQuote,
    /// Text between a closing quotation mark and the next comma.
    #[error("text follows the closing quotation mark of this cell")]
    TextAfterQuote,
    /// More cells than a table of sentences can have.
    #[error("more than {limit} cells in one record")]
    TooManyCells {
        /// What is accepted.
        limit: usize,
    },
    /// A record that is shorter or longer than the header.
    #[error("{found} cells where the header has {expected}")]
    CellCount {
        /// Cells of the header.
        expected: usize,
        /// Cells of the record.
        found: usize,
    },
    /// A column that the format needs.
    #[error("the column `{name}` is missing; found: {found}")]
    MissingColumn {
        /// Its name.
        name: &'static str,
        /// The columns that there are.
        found: String,
    },
    /// Two columns of one name.
    #[error("the header names the column `{name}` twice")]
    DuplicateColumn {
        /// Its name.
        name: String,
    },
    /// Columns that belong to no known format.
    #[error("this is no known format of a stereotype set: {found}")]
    UnknownFormat {
        /// What was seen instead.
        found: String,
    },
    /// Files of several formats in one directory.
    #[error("the directory mixes formats: {formats}")]
    MixedFormats {
        /// One file of each.
        formats: String,
    },
    /// A cell that has to be filled.
    #[error("the cell is empty")]
    EmptyCell,
    /// A row without any text.
    #[error("the row has no sentence: `neutral`, `masculine` and `feminine` are all empty")]
    NoSentence,
    /// Text without a single letter.
    #[error("the sentence `{text}` has no letter")]
    NoLetter {
        /// The text.
        text: String,
    },
    /// A sentence longer than any sentence.
    #[error("the sentence has {bytes} bytes; more than {limit} are not accepted")]
    LongSentence {
        /// Its length.
        bytes: usize,
        /// What is accepted.
        limit: usize,
    },
    /// One half of a pair.
    #[error("the {missing} sentence is missing beside its {} one", missing.other())]
    HalfPair {
        /// The half that is missing.
        missing: Gender,
    },
    /// A neutral sentence and a pair in one row.
    #[error("the row has both a neutral sentence and a gendered pair")]
    BothForms,
    /// Not a number.
    #[error("`{text}` is not the number of a stereotype")]
    NotAStereotype {
        /// What was found.
        text: String,
    },
    /// A number without a stereotype.
    #[error("stereotype {number} does not exist: the GEST stereotypes are numbered 1 to 16")]
    UnknownStereotype {
        /// The number.
        number: String,
    },
    /// One source sentence under two stereotypes.
    #[error("`{id}` has stereotype {here} here and stereotype {there} in {first}")]
    StereotypeDiffers {
        /// The identifier of the sentence.
        id: String,
        /// The number in this row.
        here: u16,
        /// The number seen before.
        there: u16,
        /// Where it was seen before.
        first: Box<Place>,
    },
    /// A language without a pack.
    #[error("unknown language `{name}`; known: {known}")]
    UnknownLanguage {
        /// What was found.
        name: String,
        /// The tags of the packs.
        known: String,
    },
    /// Nothing says which language a row is in.
    #[error("neither a column `language` nor the file's name says which language this is")]
    NoLanguage,
    /// The row and the file's name disagree.
    #[error("the row says `{row}`, but the file's name says `{file}`")]
    LanguageDiffers {
        /// The language of the row.
        row: Language,
        /// The language of the file's name.
        file: Language,
    },
    /// Two rows that would become the same item.
    #[error("`{id}` is there twice for `{language}`; first in {first}")]
    Duplicate {
        /// The identifier of the sentence.
        id: String,
        /// Its language.
        language: Language,
        /// The other row.
        first: Box<Place>,
    },
    /// An identifier that would break a file of results.
    #[error("the identifier has {what}")]
    BadId {
        /// What is wrong with it.
        what: &'static str,
    },
    /// A line that is not a JSON object.
    #[error("not a JSON object: {detail}")]
    Json {
        /// What the parser says.
        detail: String,
    },
    /// A JSON value of the wrong type.
    #[error("{found} where a text is expected")]
    JsonType {
        /// What was found.
        found: &'static str,
    },
    /// A TOML file that does not parse, or lacks a key.
    #[error("{detail}")]
    Toml {
        /// What the parser says.
        detail: String,
    },
    /// A Parquet file that does not open.
    #[error("the Parquet file cannot be read: {detail}")]
    Parquet {
        /// What the reader says.
        detail: String,
    },
    /// A Parquet file in a compression that is not built in.
    #[error("the Parquet file is compressed with {codec}; Snappy and no compression are read")]
    ParquetCodec {
        /// The compression.
        codec: String,
    },
    /// A template whose two variants are the same string.
    #[error("both variants of the template are `{text}`")]
    EqualTemplates {
        /// The string.
        text: String,
    },
    /// A template that is neither there nor absent for a reason.
    #[error("give either `masculine` and `feminine`, or `absent` with a reason")]
    UnclearTemplate,
    /// White space around a template, which the program adds itself.
    #[error("`{text}` begins or ends with white space")]
    PaddedTemplate {
        /// The string.
        text: String,
    },
    /// A pack under another language's name.
    #[error("the pack's tag `{tag}` is not the file's name")]
    PackName {
        /// The tag inside.
        tag: Language,
    },
    /// Something about an inventory.
    #[error(transparent)]
    Inventory(InventoryFault),
}

impl Fault {
    /// What the user can do about it, where that is not plain from the fault itself.
    pub fn hint(&self) -> Option<&'static str> {
        Some(match self {
            Self::NotUtf8 { .. } | Self::Utf16 => "save the file as “CSV UTF-8”",
            Self::Delimiter { .. } => {
                "save the file with commas between the cells; a cell that holds a comma goes in double quotation marks"
            }
            Self::UnclosedQuote | Self::TextAfterQuote => {
                "inside a quoted cell, a quotation mark is written twice: \"I say \"\"no\"\"\""
            }
            Self::CellCount { .. } => {
                "a cell that holds a comma or a line break goes in double quotation marks"
            }
            Self::MissingColumn { .. }
            | Self::UnknownFormat { .. }
            | Self::NoFiles
            | Self::MixedFormats { .. } => "docs/formats.md shows every format with an example",
            Self::NoLanguage => "add a column `language`, or name the file `items.<language>.csv`",
            Self::UnknownLanguage { .. } => {
                "a pack for a further language is one TOML file: see docs/formats.md"
            }
            Self::HalfPair { .. } => {
                "a sentence that is the same for every speaker goes in `neutral`; else fill `masculine` and `feminine`"
            }
            Self::BothForms => "fill either `neutral` or the pair, or split the row in two",
            Self::Duplicate { .. } => {
                "an `id` stands for one source sentence; within a language it is used once"
            }
            Self::StereotypeDiffers { .. } => {
                "a translation keeps the `id` and the `stereotype` of its source sentence"
            }
            Self::EqualTemplates { .. } => {
                "where the language makes no difference, write `absent` and the reason"
            }
            Self::Parquet { .. } => "fetch the file again: it may be incomplete",
            Self::ParquetCodec { .. } => "write it with Snappy, or as CSV",
            Self::Json { .. } => "write one object a line, without brackets or commas between the lines",
            Self::Inventory(fault) => return fault.hint(),
            Self::EmptyFile
            | Self::NoRows
            | Self::TooLarge { .. }
            | Self::TooManyFiles { .. }
            | Self::TooManyCells { .. }
            | Self::DuplicateColumn { .. }
            | Self::EmptyCell
            | Self::NoSentence
            | Self::NoLetter { .. }
            | Self::LongSentence { .. }
            | Self::NotAStereotype { .. }
            | Self::UnknownStereotype { .. }
            | Self::LanguageDiffers { .. }
            | Self::BadId { .. }
            | Self::JsonType { .. }
            | Self::Toml { .. }
            | Self::UnclearTemplate
            | Self::PaddedTemplate { .. }
            | Self::PackName { .. } => return None,
        })
    }
}

/// The beginning of a text, for a message: what a terminal would obey or not show is written as its code.
pub fn excerpt(text: &str) -> String {
    shortened(text, 60)
}

fn shortened(text: &str, most: usize) -> String {
    let mut shown = String::new();
    for (n, c) in text.chars().enumerate() {
        if n == most {
            shown.push('…');
            break;
        }
        if is_invisible(c) { shown.extend(c.escape_default()) } else { shown.push(c) }
    }
    shown
}
