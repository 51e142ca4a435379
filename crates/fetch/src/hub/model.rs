//! A model from the Hub: a directory of config, tokenizer and safetensors, or one GGUF file.

use std::fs;
use std::path::Path;

use super::weights::{
    Weights, companions, has_tokenizer, is_gguf, missing_files, only_gguf, shards, weights,
};
use super::{Hub, HubFile, Listing, RepoId, Snapshot};
use crate::{Expected, FetchError, Watch, sha256_of};

impl Hub {
    /// A model in the cache, when all of it is there. Of a repository of one GGUF file the path is the file's.
    pub fn find_model(&self, repo: &RepoId) -> Option<Snapshot> {
        let snapshot = self.cached(repo)?;
        let ours = match self.missing(repo, &snapshot) {
            Some(missing) if missing.is_empty() => true,
            Some(_) => return None,
            None => self.settings.offline,
        };
        if missing_files(&snapshot.path).is_ok_and(|missing| missing.is_empty()) {
            return (ours || has_tokenizer(&snapshot.path)).then_some(snapshot);
        }
        let file = only_gguf(&snapshot.path).ok().flatten().filter(|_| ours)?;
        Some(Snapshot { path: file, ..snapshot })
    }

    /// A model: from the cache, or fetched. Of a repository of one GGUF file the path is the file's.
    pub fn fetch_model(&self, repo: &RepoId, watch: &mut Watch<'_>) -> Result<Snapshot, FetchError> {
        if let Some(snapshot) = self.find_model(repo) {
            return Ok(snapshot);
        }
        if self.settings.offline {
            let missing = self.cached(repo).and_then(|snapshot| missing_files(&snapshot.path).ok());
            return Err(self.offline(repo, missing.unwrap_or_default()));
        }
        let listing = self.list(repo)?;
        match weights(repo, &listing.files)? {
            Weights::Single(file) => self.fetch_directory(repo, &listing, vec![file], watch),
            Weights::Sharded(index) => {
                let files = self.fetch_shard_names(repo, &listing, &index, watch)?;
                self.fetch_directory(repo, &listing, files, watch)
            }
            Weights::Gguf(files) => match files.as_slice() {
                [file] => self.fetch_listed(repo, &listing, file, watch),
                _ => Err(FetchError::ManyWeights { repo: repo.to_string(), files }),
            },
        }
    }

    /// The GGUF file of this size and checksum in the cache; the path is the file's.
    pub fn find_gguf(&self, repo: &RepoId, known: &Expected) -> Option<Snapshot> {
        let snapshot = self.cached(repo)?;
        let mut files = fs::read_dir(&snapshot.path).ok()?.filter_map(|entry| Some(entry.ok()?.path()));
        let path = files.find(|path| path.to_str().is_some_and(is_gguf) && is_known(path, known))?;
        Some(Snapshot { path, ..snapshot })
    }

    /// The GGUF file of this size and checksum, whatever its name in the repository; the path is the file's.
    pub fn fetch_gguf(
        &self,
        repo: &RepoId,
        known: &Expected,
        watch: &mut Watch<'_>,
    ) -> Result<Snapshot, FetchError> {
        if let Some(found) = self.find_gguf(repo, known) {
            return Ok(found);
        }
        let mut listing = self.list(repo)?;
        let mut files: Vec<&mut HubFile> =
            listing.files.iter_mut().filter(|file| is_gguf(&file.name)).collect();
        let several = files.len() > 1;
        let names = || FetchError::NoWeights { repo: repo.to_string() };
        let same = files.iter().position(|file| file.sha256.is_some() && file.sha256 == known.sha256);
        let file = match same {
            None if several => {
                let files = files.iter().map(|file| file.name.clone()).collect();
                return Err(FetchError::ManyWeights { repo: repo.to_string(), files });
            }
            index => files.get_mut(index.unwrap_or(0)).ok_or_else(names)?,
        };
        **file = file.agree(known)?;
        let name = file.name.clone();
        self.fetch_listed(repo, &listing, &name, watch)
    }

    /// One named file of a repository in the cache; the path is the file's.
    pub fn find_file(&self, repo: &RepoId, name: &str) -> Option<Snapshot> {
        let snapshot = self.cached(repo)?;
        let path = snapshot.path.join(name);
        path.is_file().then_some(Snapshot { path, ..snapshot })
    }

    /// One named file of a repository; the path is the file's.
    pub fn fetch_file(
        &self,
        repo: &RepoId,
        name: &str,
        watch: &mut Watch<'_>,
    ) -> Result<Snapshot, FetchError> {
        if let Some(found) = self.find_file(repo, name) {
            return Ok(found);
        }
        let listing = self.list(repo)?;
        self.fetch_listed(repo, &listing, name, watch)
    }

    fn fetch_listed(
        &self,
        repo: &RepoId,
        listing: &Listing,
        name: &str,
        watch: &mut Watch<'_>,
    ) -> Result<Snapshot, FetchError> {
        let snapshot = self.fetch_complete(repo, listing, vec![name.to_owned()], watch)?;
        Ok(Snapshot { path: snapshot.path.join(name), ..snapshot })
    }

    fn fetch_directory(
        &self,
        repo: &RepoId,
        listing: &Listing,
        weights: Vec<String>,
        watch: &mut Watch<'_>,
    ) -> Result<Snapshot, FetchError> {
        // The small files first: without them the weights are of no use.
        let mut files: Vec<String> = companions(&listing.files).map(|file| file.name.clone()).collect();
        files.extend(weights);
        self.fetch_complete(repo, listing, files, watch)
    }

    /// The index and the shards that it names.
    fn fetch_shard_names(
        &self,
        repo: &RepoId,
        listing: &Listing,
        index: &str,
        watch: &mut Watch<'_>,
    ) -> Result<Vec<String>, FetchError> {
        self.fetch_blob(repo, listing, listing.file(repo, index)?, watch)?;
        let mut files = shards(&self.snapshot_path(repo, &listing.commit).join(index))?;
        if let Some(shard) = files.iter().find(|name| !listing.has(name)) {
            let (repo, index, shard) = (repo.to_string(), index.to_owned(), shard.clone());
            return Err(FetchError::NoShard { repo, index, shard });
        }
        files.insert(0, index.to_owned());
        Ok(files)
    }
}

/// Whether a file in the cache is the one that is meant. In the Hub's cache a large file's content is named by its
/// SHA-256, so it need not be read again.
fn is_known(path: &Path, known: &Expected) -> bool {
    let size = fs::metadata(path).map(|data| data.len()).ok();
    if size.is_none() || size != known.size {
        return false;
    }
    let Some(sum) = &known.sha256 else { return true };
    let named =
        fs::canonicalize(path).is_ok_and(|blob| blob.file_name().is_some_and(|name| name == sum.as_str()));
    named || sha256_of(path).is_ok_and(|actual| actual == *sum)
}
