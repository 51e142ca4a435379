//! The folder of a run, and the one process that may write to it.

use std::collections::HashSet;
use std::fs::{self, File, OpenOptions};
use std::io::Write;
use std::path::{Path, PathBuf};

use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::{
    AssociationSpec, Comparison, FORMAT_VERSION, ItemsWriter, LeakageResults, RecordError, Results, Row,
    RunSpec, Spec, read_items, write_atomically,
};

/// What a run writes beside `spec.json`.
pub(crate) const OWN_FILES: [&str; 5] =
    ["items.jsonl", "events.jsonl", "results.json", "associations.csv", "report"];

/// A run on disk. While it is held for writing, its `.lock` is locked.
#[derive(Debug)]
pub struct Directory<S> {
    path: PathBuf,
    spec: S,
    _lock: Option<File>,
}

/// The folder of an audit.
pub type RunDirectory = Directory<RunSpec>;

/// The folder of an association run.
pub type AssociationDirectory = Directory<AssociationSpec>;

impl<S: Spec> Directory<S> {
    /// Begins a run in a new folder, or in one that holds no run and nothing that a run would overwrite.
    pub fn create(path: &Path, spec: S) -> Result<Self, RecordError> {
        let lock = lock(path)?;
        if path.join("spec.json").exists() {
            return Err(RecordError::Exists(path.to_owned()));
        }
        Self::begin(path, spec, lock)
    }

    /// Continues the run in a folder, or begins it when there is none; refuses if the rows would not fit together.
    pub fn resume_or_create(path: &Path, spec: S) -> Result<Self, RecordError> {
        let lock = lock(path)?;
        if !path.join("spec.json").exists() {
            return Self::begin(path, spec, lock);
        }
        let there: S = read_spec(path)?;
        let differences = there.differences(&spec);
        if !differences.is_empty() {
            return Err(RecordError::Mismatch { path: path.to_owned(), differences });
        }
        Ok(Self { path: path.to_owned(), spec: there, _lock: Some(lock) })
    }

    fn begin(path: &Path, spec: S, lock: File) -> Result<Self, RecordError> {
        if let Some(file) = OWN_FILES.into_iter().find(|file| path.join(file).exists()) {
            return Err(RecordError::Foreign { path: path.to_owned(), file });
        }
        write_json(&path.join("spec.json"), &spec)?;
        Ok(Self { path: path.to_owned(), spec, _lock: Some(lock) })
    }

    /// Opens a run for reading.
    pub fn open(path: &Path) -> Result<Self, RecordError> {
        Ok(Self { path: path.to_owned(), spec: read_spec(path)?, _lock: None })
    }

    /// The folder.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// What was run.
    pub fn spec(&self) -> &S {
        &self.spec
    }

    /// Hash of the identity, part of every row's key.
    pub fn identity_hash(&self) -> String {
        self.spec.identity_hash()
    }

    /// `items.jsonl`, ready for appending, with the rows that are there already, checked.
    pub fn items_writer(&self) -> Result<(ItemsWriter, Vec<S::Row>), RecordError> {
        let (writer, records) = ItemsWriter::open(&self.items_path())?;
        self.check(&records)?;
        Ok((writer, records))
    }

    /// All rows, checked: each belongs to this run, is whole, and stands once.
    pub fn items(&self) -> Result<Vec<S::Row>, RecordError> {
        let records: Vec<S::Row> = read_items(&self.items_path())?;
        self.check(&records)?;
        Ok(records)
    }

    fn check(&self, records: &[S::Row]) -> Result<(), RecordError> {
        let identity_hash = self.identity_hash();
        let mut seen = HashSet::new();
        for (index, record) in records.iter().enumerate() {
            let fault = record.fault(&identity_hash).or_else(|| {
                (!seen.insert(record.key())).then(|| "the row stands in the file twice".to_owned())
            });
            if let Some(detail) = fault {
                return Err(RecordError::Malformed { path: self.items_path(), line: index + 1, detail });
            }
        }
        if records.len() > self.spec.n_items() {
            let detail = format!("{} rows, where the whole run has {}", records.len(), self.spec.n_items());
            return Err(RecordError::Malformed { path: self.items_path(), line: records.len(), detail });
        }
        Ok(())
    }

    /// Appends one event, with its time, to `events.jsonl`.
    pub fn event<T: Serialize>(&self, time: &str, event: &T) -> Result<(), RecordError> {
        let path = self.path.join("events.jsonl");
        let body = serde_json::json!({ "time": time, "event": event });
        let mut file = OpenOptions::new()
            .create(true)
            .append(true)
            .open(&path)
            .map_err(RecordError::io(&path, "cannot open"))?;
        file.write_all(format!("{body}\n").as_bytes()).map_err(RecordError::io(&path, "cannot write"))
    }

    fn items_path(&self) -> PathBuf {
        self.path.join("items.jsonl")
    }
}

/// Writes `results.json` into a folder.
pub fn write_results(folder: &Path, results: &Results) -> Result<(), RecordError> {
    fs::create_dir_all(folder).map_err(RecordError::io(folder, "cannot create the folder"))?;
    write_json(&folder.join("results.json"), results)
}

/// Writes `comparison.json` into a folder.
pub fn write_comparison(folder: &Path, comparison: &Comparison) -> Result<(), RecordError> {
    fs::create_dir_all(folder).map_err(RecordError::io(folder, "cannot create the folder"))?;
    write_json(&folder.join("comparison.json"), comparison)
}

/// Writes `leakage.json` into a folder.
pub fn write_leakage(folder: &Path, leakage: &LeakageResults) -> Result<(), RecordError> {
    fs::create_dir_all(folder).map_err(RecordError::io(folder, "cannot create the folder"))?;
    write_json(&folder.join("leakage.json"), leakage)
}

fn write_json<T: Serialize>(path: &Path, value: &T) -> Result<(), RecordError> {
    let text = serde_json::to_string_pretty(value).map_err(|error| RecordError::Malformed {
        path: path.to_owned(),
        line: 0,
        detail: error.to_string(),
    })?;
    write_atomically(path, text.as_bytes())
}

pub(crate) fn read_spec<S: Spec>(run: &Path) -> Result<S, RecordError> {
    let path = run.join("spec.json");
    if !path.exists() {
        return Err(RecordError::NotARun(run.to_owned()));
    }
    let head: Head = read_json(&path)?;
    if head.format_version > FORMAT_VERSION {
        return Err(RecordError::TooNew { path, found: head.format_version, known: FORMAT_VERSION });
    }
    let is_association = head.association.is_some();
    if is_association != S::IS_ASSOCIATION {
        return Err(RecordError::OtherKind { path: run.to_owned(), is_association });
    }
    let spec: S = read_json(&path)?;
    match spec.fault() {
        Some(detail) => Err(RecordError::Malformed { path, line: 0, detail }),
        None => Ok(spec),
    }
}

/// What is read first: which version and kind of run it is.
#[derive(serde::Deserialize)]
struct Head {
    format_version: u32,
    association: Option<serde::de::IgnoredAny>,
}

fn read_json<T: DeserializeOwned>(path: &Path) -> Result<T, RecordError> {
    let text = fs::read_to_string(path).map_err(RecordError::io(path, "cannot read"))?;
    serde_json::from_str(&text).map_err(|error| RecordError::Malformed {
        path: path.to_owned(),
        line: error.line(),
        detail: error.to_string(),
    })
}

/// Makes the folder and takes its lock before anything of a run is read or written: of two processes that begin at
/// once, one is refused. The lock goes with the process, however it ends.
fn lock(run: &Path) -> Result<File, RecordError> {
    fs::create_dir_all(run).map_err(RecordError::io(run, "cannot create the folder"))?;
    let path = run.join(".lock");
    let file = OpenOptions::new()
        .create(true)
        .truncate(false)
        .write(true)
        .open(&path)
        .map_err(RecordError::io(&path, "cannot open"))?;
    hold(file, run)
}

/// Takes the lock of a run that has one, and makes none.
pub(crate) fn lock_there(run: &Path) -> Result<Option<File>, RecordError> {
    let path = run.join(".lock");
    match fs::symlink_metadata(&path) {
        Ok(found) if found.is_symlink() => return Err(RecordError::Link(path)),
        Ok(_) => {}
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(RecordError::io(&path, "cannot read")(error)),
    }
    let file = OpenOptions::new().write(true).open(&path).map_err(RecordError::io(&path, "cannot open"))?;
    hold(file, run).map(Some)
}

fn hold(file: File, run: &Path) -> Result<File, RecordError> {
    match file.try_lock() {
        Ok(()) => Ok(file),
        Err(fs::TryLockError::WouldBlock) => Err(RecordError::Locked(run.to_owned())),
        Err(fs::TryLockError::Error(error)) => Err(RecordError::io(&run.join(".lock"), "cannot lock")(error)),
    }
}
