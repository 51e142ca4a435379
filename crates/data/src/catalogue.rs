//! The sets that have a name, and the one way to open any set.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use serde::Deserialize;

use crate::door::{About, Door, Listener, Problems};
use crate::embedded::MINI;
use crate::language::toml_problem;
use crate::note::Note;
use crate::read::{Family, Format, InputFile, language_of_items_file};
use crate::{DataError, Fault, Packs, Place, Problem, StereotypeSet};

/// A set that has a name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct KnownSet {
    /// The name, as on the command line.
    pub name: &'static str,
    /// What it is, in a sentence.
    pub title: &'static str,
    /// Its licence.
    pub licence: &'static str,
    /// Who made it.
    pub origin: &'static str,
    /// Whether it is part of the program; else it has to be fetched.
    pub is_builtin: bool,
}

const KNOWN: [KnownSet; 2] = [DEMONSTRATION, EUROGEST];
const DEMONSTRATION: KnownSet = KnownSet {
    name: "mini",
    title: "built-in demonstration: 16 stereotypes, 4 sentences each, 30 languages; not validated",
    licence: "MIT OR Apache-2.0",
    origin: "written for Stereometer as a demonstration; see SOURCE.md",
    is_builtin: true,
};
const EUROGEST: KnownSet = KnownSet {
    name: "eurogest",
    title: "EuroGEST: 3,565 sentences for 16 stereotypes, translated from English into 29 languages",
    licence: "Apache-2.0",
    origin: "EuroGEST (Rowe, Klimaszewski, Guillou, Vallor and Birch 2025), machine translations of GEST 1.1 (Pikuliak, \
                 Hrckova, Oresko and Šimko 2024)",
    is_builtin: false,
};
const MINI_TOML: &str = include_str!("../sets/mini/set.toml");
/// How deep and how wide a directory is searched.
const MAX_DEPTH: usize = 4;
const MAX_FILES: usize = 2_000;
const MAX_BYTES: usize = 512 << 20;

/// The sets that have a name.
pub fn known() -> &'static [KnownSet] {
    &KNOWN
}

/// Opens a set by its name or its path. `pulled` is where a set that has to be fetched was put, if it was.
pub fn open(name_or_path: &str, pulled: Option<&Path>, packs: &Packs) -> Result<StereotypeSet, DataError> {
    refuse_problems(read(name_or_path, pulled, packs)?)
}

/// Reads a set from memory: one file in the plain long format, whose name may state the language (`items.de.csv`).
pub fn read_bytes(file_name: &str, bytes: &[u8], packs: &Packs) -> Result<StereotypeSet, DataError> {
    let file = InputFile::in_memory(file_name, bytes);
    let shown = Arc::clone(&file.shown);
    refuse_problems(read_files(&[file], None, &shown, packs)?)
}

fn refuse_problems((set, problems): (StereotypeSet, Problems)) -> Result<StereotypeSet, DataError> {
    let others = (problems.list.len() + problems.more).saturating_sub(1);
    match problems.list.into_iter().next() {
        Some(first) => Err(DataError::Data { first: Box::new(first), others }),
        None => Ok(set),
    }
}

/// Reads what can be read, and lists what cannot.
pub(crate) fn read(
    name_or_path: &str,
    pulled: Option<&Path>,
    packs: &Packs,
) -> Result<(StereotypeSet, Problems), DataError> {
    let known = KNOWN.iter().find(|set| set.name == name_or_path);
    let (path, about) = match (known, pulled) {
        (Some(set), _) if set.is_builtin => return mini(packs),
        (Some(set), None) => return Err(DataError::NotPulled { name: set.name.to_owned() }),
        (Some(set), Some(path)) => (path, Some(About::known(set))),
        (None, _) => (Path::new(name_or_path), None),
    };
    let metadata = fs::metadata(path).map_err(|source| match source.kind() {
        std::io::ErrorKind::NotFound if known.is_none() => {
            let names: Vec<&str> = KNOWN.iter().map(|set| set.name).collect();
            DataError::UnknownSet { name: name_or_path.to_owned(), known: names.join(", ") }
        }
        _ => DataError::Io { path: path.to_owned(), source },
    })?;
    if metadata.is_dir() { read_directory(path, about, packs) } else { read_file(path, about, packs) }
}

fn mini(packs: &Packs) -> Result<(StereotypeSet, Problems), DataError> {
    let about = About::from_toml("set.toml", MINI_TOML)?;
    let files: Vec<InputFile> = MINI.iter().map(|(name, csv)| InputFile::in_memory(name, *csv)).collect();
    read_files(&files, Some(about), &Arc::from(DEMONSTRATION.name), packs)
}

fn read_file(
    path: &Path,
    about: Option<About>,
    packs: &Packs,
) -> Result<(StereotypeSet, Problems), DataError> {
    let file = InputFile::open(path, path.parent().unwrap_or(path))?;
    let shown = Arc::clone(&file.shown);
    read_files(&[file], about, &shown, packs)
}

fn read_directory(
    root: &Path,
    about: Option<About>,
    packs: &Packs,
) -> Result<(StereotypeSet, Problems), DataError> {
    let shown: Arc<str> = Arc::from(root.to_string_lossy());
    let toml = root.join("set.toml");
    let described = match fs::read_to_string(&toml) {
        Ok(text) => Some(About::from_toml(&toml.to_string_lossy(), &text)?),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => None,
        Err(source) => return Err(DataError::Io { path: toml, source }),
    };
    let mut paths = Vec::new();
    list_files(root, MAX_DEPTH, &mut paths)?;
    let is_named = |path: &PathBuf| path.file_name().is_some_and(|name| is_items(&name.to_string_lossy()));
    // Files named as the plain format asks for are the set; whatever lies beside them is not.
    if paths.iter().any(is_named) {
        paths.retain(is_named);
    }
    let (mut files, mut bytes) = (Vec::new(), 0);
    for path in &paths {
        let file = InputFile::open(path, root)?;
        bytes += file.bytes.len();
        files.push(file);
        if bytes > MAX_BYTES || files.len() > MAX_FILES {
            let fault = Fault::TooManyFiles { limit: MAX_FILES, bytes: MAX_BYTES };
            return Err(Problem { place: Place::file(&shown), fault }.into());
        }
    }
    read_files(&files, about.or(described), &shown, packs)
}

/// Whether a file has the name that the plain format asks for.
fn is_items(base_name: &str) -> bool {
    language_of_items_file(base_name).is_some()
}

/// Every file that may be part of a set, sorted by its path.
fn list_files(directory: &Path, depth: usize, found: &mut Vec<PathBuf>) -> Result<(), DataError> {
    let io = |source| DataError::Io { path: directory.to_owned(), source };
    let mut entries: Vec<PathBuf> = fs::read_dir(directory)
        .map_err(io)?
        .map(|entry| entry.map(|entry| entry.path()))
        .collect::<Result<_, _>>()
        .map_err(io)?;
    entries.sort();
    for path in entries {
        let is_hidden = path.file_name().is_none_or(|name| name.to_string_lossy().starts_with('.'));
        let extension = path.extension().map(|extension| extension.to_string_lossy().to_lowercase());
        if is_hidden || found.len() > MAX_FILES {
            continue;
        }
        if path.is_dir() {
            if depth > 1 {
                list_files(&path, depth - 1, found)?;
            }
        } else if extension
            .is_some_and(|extension| ["csv", "tsv", "jsonl", "ndjson", "parquet"].contains(&&*extension))
        {
            found.push(path);
        }
    }
    Ok(())
}

/// Reads files of one family of formats; files of none are noted if there are others.
fn read_files(
    files: &[InputFile],
    about: Option<About>,
    shown: &Arc<str>,
    packs: &Packs,
) -> Result<(StereotypeSet, Problems), DataError> {
    let mut door = Door::new(packs);
    let mut formats: Vec<(Format, &InputFile)> = Vec::new();
    for file in files {
        match Format::of(file) {
            Ok(format) => formats.push((format, file)),
            Err(Fault::UnknownFormat { .. }) if files.len() > 1 && !is_items(file.base_name()) => {
                door.note(Note::FileNotRead(file.name.to_string()), &file.place());
            }
            Err(fault) => door.problem(file.place(), fault),
        }
    }
    let refused = |fault| Err(Problem { place: Place::file(shown), fault }.into());
    let family = formats.first().map(|(format, _)| format.family());
    if family.is_none() && files.len() != 1 {
        return refused(Fault::NoFiles);
    }
    if let Some((_, other)) = formats.iter().find(|(format, _)| Some(format.family()) != family) {
        let first = formats.first().map_or("", |(_, file)| &file.name);
        return refused(Fault::MixedFormats { formats: format!("{first} and {}", other.name) });
    }
    for (format, file) in formats {
        format.read(file, &mut door);
    }
    let by_family = || match family {
        Some(Family::EuroGest) => About::known(&EUROGEST),
        Some(Family::Plain) | None => About::unnamed(shown),
    };
    Ok(door.finish(about.unwrap_or_else(by_family)))
}

/// What `set.toml` says of a set.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct SetToml {
    name: String,
    version: Option<String>,
    title: Option<String>,
    origin: Option<String>,
    licence: Option<String>,
    #[serde(rename = "stereotypes")]
    _stereotypes: Scheme,
}

/// The list of stereotypes that a set's numbers belong to.
#[derive(Deserialize)]
#[serde(rename_all = "lowercase")]
enum Scheme {
    Gest,
}

impl About {
    fn known(set: &KnownSet) -> Self {
        Self {
            name: set.name.to_owned(),
            version: None,
            origin: set.origin.to_owned(),
            licence: Some(set.licence.to_owned()),
        }
    }

    fn unnamed(path: &str) -> Self {
        let stem = Path::new(path).file_stem().map_or(path.into(), |stem| stem.to_string_lossy());
        let origin = "not stated; a `set.toml` beside the files can state it".to_owned();
        Self { name: stem.into_owned(), version: None, origin, licence: None }
    }

    fn from_toml(file: &str, text: &str) -> Result<Self, DataError> {
        let toml: SetToml =
            toml::from_str(text).map_err(|error| toml_problem(&Arc::from(file), text, &error))?;
        let origin = toml.origin.or(toml.title).unwrap_or_else(|| "not stated".to_owned());
        Ok(Self { name: toml.name, version: toml.version, origin, licence: toml.licence })
    }
}
