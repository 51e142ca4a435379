//! A repository's files at one commit in the Hub's cache.
//!
//! ```text
//! <cache>/models--org--name/
//!   blobs/<etag>                    the content
//!   snapshots/<commit>/<file>       a link to it
//!   refs/<revision>                 the commit that the revision stood for
//!   stereometer/<commit>.json       ours: which files made this snapshot complete
//! ```
//!
//! The last file is what tells a complete data set from one whose download was interrupted: nothing in a directory of
//! CSV files says how many there should be.

use std::fs;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use super::{Hub, RepoId};
use crate::FetchError;

/// The files of a repository, on this disk.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Snapshot {
    /// Their directory.
    pub path: PathBuf,
    /// The commit that they are of.
    pub commit: String,
}

/// Which files were fetched to make a snapshot complete.
#[derive(Serialize, Deserialize)]
struct Manifest {
    files: Vec<String>,
}

impl Hub {
    /// The snapshot in the cache that the revision stands for, complete or not.
    pub(super) fn cached(&self, repo: &RepoId) -> Option<Snapshot> {
        let named = fs::read_to_string(self.folder(repo).join("refs").join(repo.revision()));
        let commit = named.map_or_else(|_| repo.revision().to_owned(), |commit| commit.trim().to_owned());
        let path = self.snapshot_path(repo, &commit);
        path.is_dir().then_some(Snapshot { path, commit })
    }

    /// Which of the files that were fetched for the snapshot are gone; nothing is known when another tool fetched it.
    pub(super) fn missing(&self, repo: &RepoId, snapshot: &Snapshot) -> Option<Vec<String>> {
        let text = fs::read_to_string(self.manifest(repo, &snapshot.commit)).ok()?;
        let manifest: Manifest = serde_json::from_str(&text).ok()?;
        Some(manifest.files.into_iter().filter(|file| !snapshot.path.join(file).exists()).collect())
    }

    /// Notes that the snapshot is complete, and that the revision stands for it.
    pub(super) fn complete(
        &self,
        repo: &RepoId,
        snapshot: &Snapshot,
        files: Vec<String>,
    ) -> Result<(), FetchError> {
        let path = self.manifest(repo, &snapshot.commit);
        let folder = self.folder(repo).join("stereometer");
        fs::create_dir_all(&folder).map_err(FetchError::io("create", &folder))?;
        let text = serde_json::to_string_pretty(&Manifest { files }).unwrap_or_default();
        let part = path.with_extension("part");
        fs::write(&part, text).map_err(FetchError::io("write", &part))?;
        fs::rename(&part, &path).map_err(FetchError::io("rename", &part))?;
        if repo.revision() == snapshot.commit {
            return Ok(());
        }
        let refs = self.folder(repo).join("refs");
        self.cache_repo(repo).create_ref(&snapshot.commit).map_err(FetchError::io("write", &refs))
    }

    /// Puts a blob into a snapshot under its file's name.
    pub(super) fn place(
        &self,
        repo: &RepoId,
        commit: &str,
        file: &str,
        blob: &Path,
    ) -> Result<(), FetchError> {
        let path = self.snapshot_path(repo, commit).join(file);
        let parent = path.parent().unwrap_or(&path);
        fs::create_dir_all(parent).map_err(FetchError::io("create", parent))?;
        if path.exists() {
            return Ok(());
        }
        // A link whose blob is gone is there, but does not exist.
        let _ = fs::remove_file(&path);
        link(blob, &path, file.split('/').count() + 1).map_err(FetchError::io("write", &path))
    }

    pub(super) fn blob(&self, repo: &RepoId, etag: &str) -> PathBuf {
        self.cache_repo(repo).blob_path(etag)
    }

    pub(super) fn snapshot_path(&self, repo: &RepoId, commit: &str) -> PathBuf {
        self.cache_repo(repo).pointer_path(commit)
    }

    fn manifest(&self, repo: &RepoId, commit: &str) -> PathBuf {
        self.folder(repo).join("stereometer").join(format!("{commit}.json"))
    }

    fn folder(&self, repo: &RepoId) -> PathBuf {
        self.settings.cache.join(repo.as_hf().folder_name())
    }

    fn cache_repo(&self, repo: &RepoId) -> hf_hub::CacheRepo {
        hf_hub::Cache::new(self.settings.cache.clone()).repo(repo.as_hf())
    }
}

/// A link that still holds when the cache is moved: `../../blobs/<etag>`.
#[cfg(unix)]
fn link(blob: &Path, path: &Path, depth: usize) -> std::io::Result<()> {
    let mut relative: PathBuf = std::iter::repeat_n("..", depth).collect();
    relative.push("blobs");
    relative.extend(blob.file_name());
    match std::os::unix::fs::symlink(relative, path) {
        // Another process placed it first: the same blob of the same commit.
        Err(error) if error.kind() == std::io::ErrorKind::AlreadyExists => Ok(()),
        other => other,
    }
}

/// Where links need a privilege: a second name for the same bytes, or a copy.
#[cfg(not(unix))]
fn link(blob: &Path, path: &Path, _depth: usize) -> std::io::Result<()> {
    fs::hard_link(blob, path).or_else(|_| fs::copy(blob, path).map(drop))
}
