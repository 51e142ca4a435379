//! The folder of an export: new, empty, or an earlier export.
//!
//! `export.json` lists the files that belong to it. An earlier export is replaced as a whole: its files that the new one
//! does not have are removed, for they would contradict it. Nothing else in the folder is touched.

use std::collections::BTreeSet;
use std::fs;
use std::io::{ErrorKind, Write as _};
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use serde_json::Value;
use stereometer_record::{RecordError, WholeFile};

use super::unwritten;
use crate::ReportError;

const LIST: &str = "export.json";

/// A folder that an export may write to.
#[derive(Debug)]
pub struct Folder {
    path: PathBuf,
    before: Vec<String>,
}

/// `export.json`.
#[derive(Debug, Serialize, Deserialize)]
struct Contents {
    tool_version: String,
    format: String,
    files: Vec<String>,
    runs: Vec<Value>,
}

impl Folder {
    /// Opens or makes it; a folder with anything else in it is refused.
    pub fn open(path: &Path) -> Result<Self, ReportError> {
        fs::create_dir_all(path).map_err(|source| ReportError::Folder { path: path.to_owned(), source })?;
        let read = |source| RecordError::Io { path: path.to_owned(), action: "cannot read", source };
        let list = path.join(LIST);
        let before = match fs::read_to_string(&list) {
            Ok(text) => {
                let contents: Contents = serde_json::from_str(&text).map_err(|error| {
                    RecordError::Malformed { path: list, line: error.line(), detail: error.to_string() }
                })?;
                contents.files
            }
            Err(error) if error.kind() == ErrorKind::NotFound => {
                if let Some(entry) = fs::read_dir(path).map_err(read)?.next() {
                    let found = entry.map_err(read)?.file_name().to_string_lossy().into_owned();
                    return Err(ReportError::NotAnExport { path: path.to_owned(), found });
                }
                Vec::new()
            }
            Err(source) => return Err(RecordError::Io { path: list, action: "cannot read", source }.into()),
        };
        Ok(Self { path: path.to_owned(), before })
    }

    /// Begins a file in it.
    pub fn file(&self, name: &str) -> Result<WholeFile, ReportError> {
        Ok(WholeFile::create(&self.path.join(name))?)
    }

    /// Gives every file its name, removes what an earlier export alone had, and lists the contents; `runs` says where the
    /// numbers come from. Returns the paths, that list last.
    pub fn finish(
        self,
        format: &str,
        mut files: Vec<WholeFile>,
        runs: Vec<Value>,
    ) -> Result<Vec<PathBuf>, ReportError> {
        let name = |file: &WholeFile| file.path().file_name().map(|name| name.to_string_lossy().into_owned());
        let contents = Contents {
            tool_version: env!("CARGO_PKG_VERSION").to_owned(),
            format: format.to_owned(),
            files: files.iter().filter_map(name).collect(),
            runs,
        };
        let mut list = self.file(LIST)?;
        let text = serde_json::to_string_pretty(&contents).map_err(|error| ReportError::Format {
            path: list.path().to_owned(),
            detail: error.to_string(),
        })?;
        writeln!(list, "{text}").map_err(unwritten(list.path()))?;
        files.push(list);
        // A full disk is found out before any file has its name.
        files.iter_mut().try_for_each(WholeFile::settle)?;
        let paths = files.iter().map(|file| file.path().to_owned()).collect();
        files.into_iter().try_for_each(WholeFile::finish)?;
        self.remove_stale(&contents)?;
        Ok(paths)
    }

    fn remove_stale(&self, contents: &Contents) -> Result<(), ReportError> {
        let now: BTreeSet<&String> = contents.files.iter().collect();
        for stale in self.before.iter().filter(|file| !now.contains(file) && is_plain(file)) {
            let path = self.path.join(stale);
            match fs::remove_file(&path) {
                Err(source) if source.kind() != ErrorKind::NotFound => {
                    return Err(RecordError::Io { path, action: "cannot remove", source }.into());
                }
                _ => {}
            }
        }
        Ok(())
    }
}

/// Whether a listed name is one in the folder itself and not the list's own, whoever wrote it.
fn is_plain(name: &str) -> bool {
    name != LIST && Path::new(name).file_name().is_some_and(|own| own == name)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn export(path: &Path, names: &[&str]) -> Result<Vec<PathBuf>, ReportError> {
        let folder = Folder::open(path)?;
        let files = names.iter().map(|name| {
            let mut file = folder.file(name).unwrap();
            file.write_all(name.as_bytes()).unwrap();
            file
        });
        let files = files.collect();
        folder.finish("csv", files, Vec::new())
    }

    #[test]
    fn an_export_replaces_an_export_and_nothing_else() {
        let outer = tempfile::tempdir().unwrap();
        let path = outer.path().join("out");
        export(&path, &["items.csv", "README.md"]).unwrap();
        fs::write(path.join("mine.txt"), "mine").unwrap();
        fs::write(outer.path().join("outside"), "").unwrap();
        let list = fs::read_to_string(path.join(LIST))
            .unwrap()
            .replace("\"items.csv\"", "\"items.csv\", \"../outside\"");
        fs::write(path.join(LIST), list).unwrap();
        export(&path, &["items.parquet", "README.md"]).unwrap();
        let mut names: Vec<_> =
            fs::read_dir(&path).unwrap().map(|entry| entry.unwrap().file_name()).collect();
        names.sort();
        assert_eq!(names, ["README.md", "export.json", "items.parquet", "mine.txt"]);
        assert!(outer.path().join("outside").exists());
    }

    #[test]
    fn a_folder_with_something_else_is_refused() {
        let folder = tempfile::tempdir().unwrap();
        fs::write(folder.path().join("items.csv"), "mine").unwrap();
        let error = export(folder.path(), &["items.csv"]).unwrap_err();
        assert!(
            error.to_string().ends_with("the folder holds `items.csv` and no export (no export.json)"),
            "{error}"
        );
        assert_eq!(fs::read_to_string(folder.path().join("items.csv")).unwrap(), "mine");
    }
}
