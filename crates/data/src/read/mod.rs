//! The formats a set can come in. Which one a file has is read from its content, never from its name alone.

mod hub;
mod jsonl;
mod long_csv;
mod parquet;
pub(crate) mod table;
mod wide;

use std::fs;
use std::io::Read as _;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use sha2::{Digest, Sha256};

use crate::door::{Door, Listener};
use crate::fault::excerpt;
use crate::language::hex;
use crate::note::Note;
use crate::{DataError, Fault, Place};

/// Larger files are no sets of sentences. EuroGEST as a whole has 6.5 MB.
const MAX_FILE: u64 = 64 << 20;

/// What some programs put before UTF-8 text.
const BYTE_ORDER_MARK: &[u8] = b"\xef\xbb\xbf";

/// A file in memory.
pub(crate) struct InputFile {
    /// Its name within the set.
    pub name: Arc<str>,
    /// Its name as the user knows it, for messages.
    pub shown: Arc<str>,
    /// Where it lies, if on a disk.
    pub path: Option<PathBuf>,
    /// Its content.
    pub bytes: Vec<u8>,
}

impl InputFile {
    pub fn in_memory(name: &str, bytes: impl Into<Vec<u8>>) -> Self {
        Self { name: Arc::from(name), shown: Arc::from(name), path: None, bytes: bytes.into() }
    }

    /// Reads a file; `root` is the directory of the set.
    pub fn open(path: &Path, root: &Path) -> Result<Self, DataError> {
        let io = |source| DataError::Io { path: path.to_owned(), source };
        let shown: Arc<str> = Arc::from(path.to_string_lossy());
        let name = path.strip_prefix(root).unwrap_or(path).to_string_lossy().replace('\\', "/");
        let mut bytes = Vec::new();
        fs::File::open(path).map_err(io)?.take(MAX_FILE + 1).read_to_end(&mut bytes).map_err(io)?;
        if bytes.len() as u64 > MAX_FILE {
            let size = fs::metadata(path).map_or(bytes.len() as u64, |metadata| metadata.len());
            let fault = Fault::TooLarge { bytes: size, limit: MAX_FILE };
            return Err(crate::Problem { place: Place::file(&shown), fault }.into());
        }
        Ok(Self { name: Arc::from(name), shown, path: Some(path.to_owned()), bytes })
    }

    pub fn sha256(&self) -> String {
        hex(&Sha256::digest(&self.bytes))
    }

    /// Its text without the byte-order mark, which is noted.
    pub fn text(&self, door: &mut dyn Listener) -> &[u8] {
        let rest = self.bytes.strip_prefix(BYTE_ORDER_MARK);
        if rest.is_some() {
            door.note(Note::ByteOrderMark, &self.place());
        }
        rest.unwrap_or(&self.bytes)
    }

    pub fn place(&self) -> Place {
        Place::file(&self.shown)
    }

    /// The file's name without its directories.
    pub fn base_name(&self) -> &str {
        self.name.rsplit('/').next().unwrap_or_default()
    }
}

/// What a file is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Format {
    /// The documented plain format, one row a sentence and language, as CSV.
    LongCsv,
    /// The same, one JSON object a line.
    Jsonl,
    /// EuroGEST's first release: one row a source sentence, one or two columns a language.
    Wide,
    /// EuroGEST on the Hugging Face Hub: one file a language, as CSV.
    HubCsv,
    /// The same as Parquet.
    HubParquet,
}

/// Formats whose files can make one set together.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Family {
    /// A user's own set.
    Plain,
    /// EuroGEST as it was released.
    EuroGest,
}

impl Format {
    pub fn family(self) -> Family {
        match self {
            Self::LongCsv | Self::Jsonl => Family::Plain,
            Self::Wide | Self::HubCsv | Self::HubParquet => Family::EuroGest,
        }
    }

    /// The format that the content has.
    pub fn of(file: &InputFile) -> Result<Self, Fault> {
        let bytes = file.bytes.strip_prefix(BYTE_ORDER_MARK).unwrap_or(&file.bytes);
        let columns = table::column_names(bytes);
        let has = |names: &[&str]| names.iter().any(|name| columns.iter().any(|column| column == name));
        if bytes.trim_ascii().is_empty() {
            Err(Fault::EmptyFile)
        } else if bytes.starts_with(&[0xff, 0xfe]) || bytes.starts_with(&[0xfe, 0xff]) {
            Err(Fault::Utf16)
        } else if bytes.starts_with(b"PAR1") {
            Ok(Self::HubParquet)
        } else if bytes.starts_with(b"PK\x03\x04") {
            let found = "a ZIP archive or a spreadsheet; export it as “CSV UTF-8”".to_owned();
            Err(Fault::UnknownFormat { found })
        } else if bytes.trim_ascii_start().starts_with(b"{") {
            Ok(Self::Jsonl)
        } else if has(&[wide::STEREOTYPE, wide::SENTENCE]) {
            Ok(Self::Wide)
        } else if has(&[hub::ID, hub::STEREOTYPE]) {
            Ok(Self::HubCsv)
        } else if has(&long_csv::COLUMNS) {
            Ok(Self::LongCsv)
        } else {
            Err(Fault::UnknownFormat { found: format!("the columns {}", excerpt(&columns.join(", "))) })
        }
    }

    /// Reads one file of this format.
    pub fn read(self, file: &InputFile, door: &mut Door<'_>) {
        door.begin(file);
        match self {
            Self::LongCsv => long_csv::read(file, door),
            Self::Jsonl => jsonl::read(file, door),
            Self::Wide => wide::read(file, door),
            Self::HubCsv => hub::read_csv(file, door),
            Self::HubParquet => hub::read_parquet(file, door),
        }
    }
}

/// The language that a file's name states: `items.<language>.csv`.
pub(crate) fn language_of_items_file(base_name: &str) -> Option<&str> {
    let stem = base_name.strip_prefix("items.")?;
    stem.strip_suffix(".csv").or_else(|| stem.strip_suffix(".jsonl"))
}
