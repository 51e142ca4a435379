//! A data set from the Hub, as plain files.
//!
//! Only tables and the papers beside them are taken. A data set that is built by a script has none, and is refused: no
//! code from a repository is run.

use std::fs;
use std::path::Path;

use super::{Hub, RepoId, Snapshot};
use crate::{FetchError, Watch};

impl Hub {
    /// A data set's files in the cache, when all are there.
    pub fn find_set(&self, repo: &RepoId) -> Option<Snapshot> {
        let snapshot = self.cached(repo)?;
        match self.missing(repo, &snapshot) {
            Some(missing) => missing.is_empty().then_some(snapshot),
            // Fetched by another tool: nothing says whether it is complete. Offline that is the best there is.
            None => (self.settings.offline && has_table(&snapshot.path)).then_some(snapshot),
        }
    }

    /// A data set's CSV, TSV, Parquet and JSON Lines files, and the licence and readme beside them.
    pub fn fetch_set(&self, repo: &RepoId, watch: &mut Watch<'_>) -> Result<Snapshot, FetchError> {
        if let Some(snapshot) = self.find_set(repo) {
            return Ok(snapshot);
        }
        if self.settings.offline {
            let missing = self.cached(repo).and_then(|snapshot| self.missing(repo, &snapshot));
            return Err(self.offline(repo, missing.unwrap_or_default()));
        }
        let listing = self.list(repo)?;
        let names = listing.files.iter().map(|file| &file.name);
        let files: Vec<String> = names.filter(|name| is_table(name) || is_paper(name)).cloned().collect();
        if !files.iter().any(|name| is_table(name)) {
            return Err(FetchError::NoData { repo: repo.to_string() });
        }
        self.fetch_complete(repo, &listing, files, watch)
    }
}

fn is_table(name: &str) -> bool {
    let ending = Path::new(name).extension().and_then(|ending| ending.to_str()).unwrap_or_default();
    ["csv", "tsv", "parquet", "jsonl"].contains(&ending.to_lowercase().as_str())
}

fn is_paper(name: &str) -> bool {
    let name = name.to_lowercase();
    ["readme", "license", "licence"].iter().any(|start| name.starts_with(start))
}

/// Whether a table lies somewhere in the directory.
fn has_table(directory: &Path) -> bool {
    let Ok(entries) = fs::read_dir(directory) else { return false };
    entries
        .filter_map(|entry| Some(entry.ok()?.path()))
        .any(|path| if path.is_dir() { has_table(&path) } else { path.to_str().is_some_and(is_table) })
}
