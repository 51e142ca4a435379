//! Files of a repository: asked for, verified, and placed in the Hub's cache.

use std::fs;

use hf_hub::api::sync::ApiError;

use super::{Hub, HubFile, Listing, RepoId, Snapshot};
use crate::download::{Download, download};
use crate::{FetchError, Watch};

impl Hub {
    /// Fetches these files, and notes that they make the snapshot complete.
    pub(super) fn fetch_complete(
        &self,
        repo: &RepoId,
        listing: &Listing,
        names: Vec<String>,
        watch: &mut Watch<'_>,
    ) -> Result<Snapshot, FetchError> {
        for name in &names {
            self.fetch_blob(repo, listing, listing.file(repo, name)?, watch)?;
        }
        let path = self.snapshot_path(repo, &listing.commit);
        let snapshot = Snapshot { path, commit: listing.commit.clone() };
        self.complete(repo, &snapshot, names)?;
        Ok(snapshot)
    }

    /// Fetches one file, unless its content is in the cache already.
    pub(super) fn fetch_blob(
        &self,
        repo: &RepoId,
        listing: &Listing,
        file: &HubFile,
        watch: &mut Watch<'_>,
    ) -> Result<(), FetchError> {
        let url = self.api.repo(repo.as_hf()).url(&file.name);
        let file = self.describe(repo, file, &url)?;
        let unnamed = || format!("{}-{}", listing.commit, file.name.replace('/', "-"));
        let blob = self.blob(repo, &file.etag.clone().unwrap_or_else(unnamed));
        // Not every tool compares: a blob of the wrong length is fetched again.
        if let (Ok(data), Some(size)) = (fs::metadata(&blob), file.size)
            && data.len() != size
        {
            fs::remove_file(&blob).map_err(FetchError::io("remove", &blob))?;
        }
        let wanted = Download {
            url: &url,
            target: &blob,
            label: &file.name,
            expected: file.expected(),
            token: self.settings.token.as_deref(),
        };
        download(&self.http, &wanted, watch).map_err(|error| self.explain(repo, Some(&file.name), error))?;
        self.place(repo, &listing.commit, &file.name, &blob)
    }

    /// The file with its size and checksum. The Hub lists them; a mirror may list names only, and then they are in the
    /// headers of the file itself.
    fn describe(&self, repo: &RepoId, file: &HubFile, url: &str) -> Result<HubFile, FetchError> {
        if file.etag.is_some() && file.size.is_some() {
            return Ok(file.clone());
        }
        let refused = match self.api.metadata(url) {
            Ok(data) => {
                let told = HubFile::new(file.name.clone(), Some(data.size() as u64), Some(data.etag()));
                return told.agree(&file.expected());
            }
            Err(ApiError::RequestError(error)) => match *error {
                ureq::Error::StatusCode(status @ (401 | 403 | 404)) => status,
                _ => return Ok(file.clone()),
            },
            // A plain web server: take what it sends, and compare with what is known.
            Err(_) => return Ok(file.clone()),
        };
        let error = FetchError::Refused { url: url.to_owned(), status: refused, message: None, code: None };
        Err(self.explain(repo, Some(&file.name), error))
    }
}
