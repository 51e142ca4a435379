//! The inventories that have a name, and the one way to open any inventory.

use std::fs;
use std::path::Path;

use sha2::{Digest, Sha256};
use stereometer_core::Language;

use super::fault::{Faults, InventoryFault};
use super::released::{self, StudyInputs};
use super::scheme::{self, Raw, Scheme};
use super::{Inventory, language};
use crate::embedded::INVENTORIES;
use crate::fault::excerpt;
use crate::language::hex;
use crate::packs::list;
use crate::{DataError, Fault, Place, Problem, Provenance, SetFile};

/// An inventory that has a name.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct KnownInventory {
    /// The name, as on the command line.
    pub name: String,
    /// What it is, in a sentence.
    pub title: String,
    /// Its licence.
    pub licence: String,
}

const SCHEME: &str = "inventory.toml";

/// The files of a folder: name and content.
type Files = Vec<(String, String)>;

/// The inventories that are part of the program, in all their versions.
pub fn known_inventories() -> Vec<KnownInventory> {
    builtin_schemes()
        .flat_map(|(_, raw)| {
            let licence = raw.licence.unwrap_or_default();
            raw.versions.into_iter().map(move |version| KnownInventory {
                name: version.name,
                title: version.title,
                licence: licence.clone(),
            })
        })
        .collect()
}

fn builtin_schemes() -> impl Iterator<Item = (&'static [(&'static str, &'static str)], Raw)> {
    INVENTORIES.iter().filter_map(|(_, files)| {
        let (_, toml) = files.iter().find(|(name, _)| *name == SCHEME)?;
        Some((*files, scheme::parse(toml, &mut Faults::of(SCHEME))?))
    })
}

impl Inventory {
    /// Opens an inventory by its name, such as `abc`, or by the path of a folder: one with an `inventory.toml`, or the study's
    /// inputs, of which those of mBERT are taken.
    pub fn open(name_or_path: &str) -> Result<Self, DataError> {
        Self::open_study(name_or_path, StudyInputs::default())
    }

    /// The same, with a choice among the study's inputs; it makes no difference to any other inventory.
    pub fn open_study(name_or_path: &str, inputs: StudyInputs) -> Result<Self, DataError> {
        match read(name_or_path, inputs)? {
            (Some(inventory), problems) if problems.is_empty() => Ok(inventory),
            (_, problems) => {
                let others = problems.len().saturating_sub(1);
                let first = problems.into_iter().next().unwrap_or_else(|| Problem {
                    place: Place::file(&name_or_path.into()),
                    fault: Fault::Inventory(InventoryFault::NoScheme),
                });
                Err(DataError::Data { first: Box::new(first), others })
            }
        }
    }

    /// The languages that a choice such as `en,Hindi` or `all` names, each once, in the inventory's order.
    pub fn select(&self, choice: &str) -> Result<Vec<Language>, DataError> {
        let mut chosen = Vec::new();
        for word in choice.split(',').map(str::trim).filter(|word| !word.is_empty()) {
            let lower = word.to_lowercase();
            let is_meant = |one: &&super::InventoryLanguage| {
                lower == "all"
                    || one.language.as_str() == lower
                    || one.name.to_lowercase() == lower
                    || one.endonym.to_lowercase() == lower
            };
            let before = chosen.len();
            chosen.extend(self.languages.iter().filter(is_meant).map(|one| one.language.clone()));
            if chosen.len() == before {
                return Err(self.no_language(word));
            }
        }
        let selected: Vec<Language> = self.languages().filter(|one| chosen.contains(one)).cloned().collect();
        if selected.is_empty() {
            let available = list(self.languages());
            return Err(DataError::NothingSelected { choice: choice.to_owned(), available });
        }
        Ok(selected)
    }

    /// That a word is no language of this inventory, and which there are.
    pub fn no_language(&self, word: &str) -> DataError {
        DataError::LanguageNotInInventory { name: excerpt(word), available: list(self.languages()) }
    }
}

/// Reads what can be read, and lists what cannot.
pub(crate) fn read(
    name_or_path: &str,
    inputs: StudyInputs,
) -> Result<(Option<Inventory>, Vec<Problem>), DataError> {
    for (files, raw) in builtin_schemes() {
        if raw.versions.iter().any(|version| version.name == name_or_path) {
            let files: Files =
                files.iter().map(|(name, toml)| ((*name).to_owned(), (*toml).to_owned())).collect();
            return Ok(assemble(&files, Some(name_or_path)));
        }
    }
    let path = Path::new(name_or_path);
    if !path.is_dir() {
        let known = known_inventories().into_iter().map(|one| one.name).collect::<Vec<_>>().join(", ");
        return Err(DataError::UnknownInventory { name: name_or_path.to_owned(), known });
    }
    if path.join(released::INPUTS).is_file() {
        return released::read(path, inputs, Inventory::open("abc")?);
    }
    Ok(assemble(&files_of(path)?, None))
}

/// Whether a folder holds an inventory, ours or the study's.
pub(super) fn is_folder(path: &Path) -> bool {
    [SCHEME, released::INPUTS].iter().any(|name| path.join(name).is_file())
}

/// The TOML files of a folder, by name.
fn files_of(folder: &Path) -> Result<Files, DataError> {
    let io = |path: &Path, source| DataError::Io { path: path.to_owned(), source };
    let mut files = Vec::new();
    for entry in fs::read_dir(folder).map_err(|source| io(folder, source))? {
        let path = entry.map_err(|source| io(folder, source))?.path();
        let name = path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
        if path.extension().is_some_and(|extension| extension == "toml") && !name.starts_with('.') {
            files.push((name, fs::read_to_string(&path).map_err(|source| io(&path, source))?));
        }
    }
    files.sort();
    Ok(files)
}

/// An inventory from its files, in one of its versions.
fn assemble(files: &[(String, String)], version: Option<&str>) -> (Option<Inventory>, Vec<Problem>) {
    let mut faults = Faults::of(SCHEME);
    let Some((_, toml)) = files.iter().find(|(name, _)| name == SCHEME) else {
        faults.whole(InventoryFault::NoScheme);
        return (None, faults.found);
    };
    let scheme = scheme::parse(toml, &mut faults).and_then(|raw| raw.version(version, &mut faults));
    let Some(scheme) = scheme else { return (None, faults.found) };
    let mut problems = faults.found;
    let (mut languages, mut notes) = (Vec::new(), Vec::new());
    for (name, toml) in files.iter().filter(|(name, _)| name != SCHEME) {
        let mut faults = Faults::of(name);
        languages.extend(language::parse(toml, &scheme, &mut faults, &mut notes));
        problems.append(&mut faults.found);
    }
    if languages.is_empty() && problems.is_empty() {
        let mut faults = Faults::of(SCHEME);
        faults.whole(InventoryFault::Nothing { what: "languages: no `<tag>.toml` lies beside this file" });
        problems.append(&mut faults.found);
    }
    let files = files
        .iter()
        .map(|(name, toml)| SetFile {
            name: name.as_str().into(),
            sha256: hex(&Sha256::digest(toml.as_bytes())),
            sentences: languages
                .iter()
                .find(|one| Some(one.language.as_str()) == name.strip_suffix(".toml"))
                .map_or(0, |one| one.templates.len()),
        })
        .collect();
    let Scheme { name, version, origin, licence, groups, pairs, aliases, languages: order, .. } = scheme;
    let place = |one: &super::InventoryLanguage| order.iter().position(|tag| *tag == one.language);
    languages.sort_by_key(|one| place(one).unwrap_or(order.len()));
    let provenance = Provenance { origin, licence, files };
    (Some(Inventory { name, version, provenance, groups, pairs, languages, aliases, notes }), problems)
}
