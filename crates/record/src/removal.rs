//! A run is taken off the disk: the files that a run writes, and nothing else.
//!
//! First every check, then the first deletion: a [`Removal`] is a run that may go, and whose lock is held until it has.
//! The folder itself goes when nothing is left in it. Symbolic links are never followed: a folder, file or report that is
//! one is refused, because what it leads to may be anything.

use std::fs::{self, File};
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use crate::run_directory::{OWN_FILES, lock_there, read_spec};
use crate::{RecordError, RunSpec};

/// A run that may go.
#[derive(Debug)]
pub struct Removal {
    path: PathBuf,
    files: Vec<PathBuf>,
    bytes: u64,
    lock: Option<File>,
}

impl Removal {
    /// Checks that the folder is a run, that nobody writes to it, and that nothing of it leads elsewhere.
    pub fn plan(path: &Path) -> Result<Self, RecordError> {
        // With a slash at its end, the path of a link would be that of its target.
        let path: &Path = &path.components().collect::<PathBuf>();
        if fs::symlink_metadata(path).is_ok_and(|found| found.is_symlink()) {
            return Err(RecordError::Link(path.to_owned()));
        }
        match read_spec::<RunSpec>(path) {
            Ok(_) | Err(RecordError::TooNew { .. } | RecordError::OtherKind { .. }) => {}
            // A damaged run is one all the same, and is what one wants to be rid of: if it ever was one.
            Err(RecordError::Malformed { .. }) if path.join("items.jsonl").is_file() => {}
            Err(RecordError::Malformed { .. }) => return Err(RecordError::NotARun(path.to_owned())),
            Err(error) => return Err(error),
        }
        let mut files = Vec::new();
        let mut bytes = 0;
        for name in OWN_FILES.into_iter().chain(["spec.json"]) {
            let file = path.join(name);
            match fs::symlink_metadata(&file) {
                Ok(found) => {
                    if let Some(link) = link_in(&file)? {
                        return Err(RecordError::Link(link));
                    }
                    let own = if found.is_dir() { report_files(&file)? } else { vec![file] };
                    for one in &own {
                        bytes += size(one)?;
                    }
                    files.extend(own);
                }
                Err(error) if error.kind() == ErrorKind::NotFound => {}
                Err(error) => return Err(RecordError::io(&file, "cannot read")(error)),
            }
        }
        Ok(Self { path: path.to_owned(), files, bytes, lock: lock_there(path)? })
    }

    /// The folder.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// How much space its files take.
    pub fn bytes(&self) -> u64 {
        self.bytes
    }

    /// Removes the run, `spec.json` last, and returns the names that stay in the folder; empty when it went too.
    pub fn remove(self) -> Result<Vec<String>, RecordError> {
        for file in &self.files {
            fs::remove_file(file).map_err(RecordError::io(file, "cannot remove"))?;
        }
        for folder in REPORT_FOLDERS.iter().map(|(name, _)| self.path.join("report").join(name)) {
            // Somebody's own files keep it.
            let _ = fs::remove_dir(folder);
        }
        let lock = self.path.join(".lock");
        if self.lock.is_some() {
            fs::remove_file(&lock).map_err(RecordError::io(&lock, "cannot remove"))?;
        }
        let entries = fs::read_dir(&self.path).map_err(RecordError::io(&self.path, "cannot read"))?;
        let mut left: Vec<String> =
            entries.flatten().map(|entry| entry.file_name().to_string_lossy().into_owned()).collect();
        left.sort();
        if left.is_empty() {
            // Not by a name such as `.`, under which no folder can be removed.
            let folder = self.path.canonicalize().map_err(RecordError::io(&self.path, "cannot remove"))?;
            fs::remove_dir(&folder).map_err(RecordError::io(&self.path, "cannot remove"))?;
        }
        Ok(left)
    }
}

/// Folders of a report, with the endings of the files that it writes there; the report's own folder last.
const REPORT_FOLDERS: [(&str, &[&str]); 4] = [
    ("figures", &["svg", "png", "pdf"]),
    ("tables", &["csv", "md"]),
    ("sentences", &["html"]),
    ("", &["html"]),
];

/// The files in a run's report that a report writes.
fn report_files(report: &Path) -> Result<Vec<PathBuf>, RecordError> {
    let mut files = Vec::new();
    for (name, endings) in REPORT_FOLDERS {
        let folder = report.join(name);
        let entries = match fs::read_dir(&folder) {
            Ok(entries) => entries,
            Err(error) if error.kind() == ErrorKind::NotFound => continue,
            Err(error) => return Err(RecordError::io(&folder, "cannot read")(error)),
        };
        for entry in entries {
            let path = entry.map_err(RecordError::io(&folder, "cannot read"))?.path();
            let ending = path.extension().and_then(|ending| ending.to_str()).unwrap_or_default();
            if path.is_file() && endings.contains(&ending) {
                files.push(path);
            }
        }
    }
    Ok(files)
}

/// The first symbolic link at or below a path.
fn link_in(path: &Path) -> Result<Option<PathBuf>, RecordError> {
    let found = fs::symlink_metadata(path).map_err(RecordError::io(path, "cannot read"))?;
    if found.is_symlink() {
        return Ok(Some(path.to_owned()));
    }
    if found.is_dir() {
        for entry in fs::read_dir(path).map_err(RecordError::io(path, "cannot read"))? {
            let entry = entry.map_err(RecordError::io(path, "cannot read"))?;
            if let Some(link) = link_in(&entry.path())? {
                return Ok(Some(link));
            }
        }
    }
    Ok(None)
}

/// Bytes of all files at or below a path; symbolic links count nothing.
pub fn size(path: &Path) -> Result<u64, RecordError> {
    let found = fs::symlink_metadata(path).map_err(RecordError::io(path, "cannot read"))?;
    if !found.is_dir() {
        return Ok(if found.is_file() { found.len() } else { 0 });
    }
    let mut total = 0;
    for entry in fs::read_dir(path).map_err(RecordError::io(path, "cannot read"))? {
        total += size(&entry.map_err(RecordError::io(path, "cannot read"))?.path())?;
    }
    Ok(total)
}
