//! Which files a repository has at one commit.

use serde::Deserialize;
use ureq::Body;
use ureq::http::Response;

use super::{Hub, RepoId};
use crate::http::{network, refused};
use crate::part::is_sha256;
use crate::{Expected, FetchError};

/// The files of a repository at one commit.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Listing {
    /// The commit.
    pub commit: String,
    /// Its files.
    pub files: Vec<HubFile>,
}

/// One file of a repository.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HubFile {
    /// Its path in the repository.
    pub name: String,
    /// Its size in bytes, where the Hub tells it.
    pub size: Option<u64>,
    /// The name of its content in the Hub's cache: the SHA-256 of a large file, the git id of a small one.
    pub etag: Option<String>,
    /// Its SHA-256. A git id is no plain digest of the content, so small files are compared by size alone.
    pub sha256: Option<String>,
}

impl Listing {
    /// The file of this name.
    pub(super) fn file(&self, repo: &RepoId, name: &str) -> Result<&HubFile, FetchError> {
        self.files.iter().find(|file| file.name == name).ok_or_else(|| FetchError::NotFound {
            what: format!("{name} of {repo}"),
            endpoint: "the Hub".to_owned(),
        })
    }

    pub(super) fn has(&self, name: &str) -> bool {
        self.files.iter().any(|file| file.name == name)
    }
}

impl HubFile {
    pub(super) fn new(name: String, size: Option<u64>, etag: Option<&str>) -> Self {
        let etag = etag.and_then(plain_etag);
        let sha256 = etag.clone().filter(|etag| is_sha256(etag));
        Self { name, size, etag, sha256 }
    }

    pub(super) fn expected(&self) -> Expected {
        Expected { size: self.size, sha256: self.sha256.clone() }
    }

    /// The same file with what else is known of it, unless the two contradict each other: better to know that before a
    /// download than after it.
    pub(super) fn agree(&self, known: &Expected) -> Result<Self, FetchError> {
        if let (Some(expected), Some(actual)) = (known.size, self.size)
            && expected != actual
        {
            return Err(FetchError::WrongSize { file: self.name.clone(), expected, actual });
        }
        if let (Some(expected), Some(actual)) = (&known.sha256, &self.sha256)
            && expected != actual
        {
            let (expected, actual) = (expected.clone(), actual.clone());
            return Err(FetchError::WrongSum { file: self.name.clone(), expected, actual });
        }
        let size = self.size.or(known.size);
        let sha256 = self.sha256.clone().or_else(|| known.sha256.clone());
        Ok(Self { size, sha256, ..self.clone() })
    }
}

/// The Hub's answer, as far as it is read.
#[derive(Deserialize)]
struct Answer {
    sha: String,
    siblings: Vec<Sibling>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Sibling {
    rfilename: String,
    size: Option<u64>,
    blob_id: Option<String>,
    lfs: Option<Lfs>,
}

#[derive(Deserialize)]
struct Lfs {
    sha256: Option<String>,
    size: Option<u64>,
}

impl Hub {
    /// Asks the Hub which files a repository has.
    pub fn list(&self, repo: &RepoId) -> Result<Listing, FetchError> {
        if self.settings.offline {
            return Err(self.offline(repo, Vec::new()));
        }
        let patience = &self.settings.patience;
        let url = repo.page(&self.settings.endpoint);
        let mut response = self
            .api
            .repo(repo.as_hf())
            .info_request()
            .query("blobs", "true") // sizes and checksums along with the names
            .config()
            .timeout_resolve(Some(patience.connect))
            .timeout_connect(Some(patience.connect))
            .timeout_recv_response(Some(patience.answer))
            .timeout_per_read(Some(patience.answer))
            .http_status_as_error(false)
            .build()
            .call()
            .map_err(|error| network(&url, &error))?;
        if response.status() != 200 {
            return Err(self.explain(repo, None, refused(&url, &response)));
        }
        read(repo, &mut response)
    }

    /// An answer 401, 403 or 404 in the Hub's terms.
    pub(super) fn explain(&self, repo: &RepoId, file: Option<&str>, error: FetchError) -> FetchError {
        let FetchError::Refused { status, code, .. } = &error else { return error };
        // To those without a token the Hub answers 401 for a repository that does not exist, too.
        let missing = matches!(code.as_deref(), Some("RepoNotFound" | "RevisionNotFound" | "EntryNotFound"));
        match status {
            401 | 403 if !missing => FetchError::Gated {
                repo: repo.to_string(),
                page: repo.page(&self.settings.endpoint),
                with_token: self.settings.token.is_some(),
            },
            401 | 403 | 404 => FetchError::NotFound {
                what: file.map_or_else(|| repo.to_string(), |file| format!("{file} of {repo}")),
                endpoint: self.settings.endpoint.clone(),
            },
            _ => error,
        }
    }

    pub(super) fn offline(&self, repo: &RepoId, missing: Vec<String>) -> FetchError {
        FetchError::Offline { repo: repo.to_string(), cache: self.settings.cache.clone(), missing }
    }
}

fn read(repo: &RepoId, response: &mut Response<Body>) -> Result<Listing, FetchError> {
    let bad = |reason: String| FetchError::BadListing { repo: repo.to_string(), reason };
    let text = response.body_mut().read_to_string().map_err(|error| bad(error.to_string()))?;
    let answer: Answer = serde_json::from_str(&text).map_err(|error| bad(error.to_string()))?;
    if !is_plain(&answer.sha) || answer.sha.contains('/') {
        return Err(bad(format!("{:?} is no commit", answer.sha)));
    }
    if let Some(odd) = answer.siblings.iter().find(|sibling| !is_plain(&sibling.rfilename)) {
        return Err(bad(format!("{:?} is no file name", odd.rfilename)));
    }
    let files = answer.siblings.into_iter().map(HubFile::from).collect();
    Ok(Listing { commit: answer.sha, files })
}

impl From<Sibling> for HubFile {
    fn from(sibling: Sibling) -> Self {
        let (lfs_sum, lfs_size) = sibling.lfs.map_or((None, None), |lfs| (lfs.sha256, lfs.size));
        Self::new(sibling.rfilename, lfs_size.or(sibling.size), lfs_sum.or(sibling.blob_id).as_deref())
    }
}

/// A name that stays inside the directory it is joined to: it comes from another machine.
fn is_plain(name: &str) -> bool {
    !name.is_empty()
        && !name.contains(['\\', ':', '\0'])
        && name.split('/').all(|part| !part.is_empty() && part != "." && part != "..")
}

/// An etag that can be a file name.
fn plain_etag(etag: &str) -> Option<String> {
    let etag = etag.trim_start_matches("W/").trim_matches('"');
    (!etag.is_empty() && etag.chars().all(|c| c.is_ascii_alphanumeric() || c == '-')).then(|| etag.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_that_leave_the_directory_are_refused() {
        for name in ["a.csv", "data/a.parquet", ".gitattributes"] {
            assert!(is_plain(name), "{name}");
        }
        for name in ["", "../a", "/etc/passwd", "a/../../b", "a//b", "C:\\a", "a\\..\\b"] {
            assert!(!is_plain(name), "{name}");
        }
    }

    #[test]
    fn etags_become_file_names() {
        assert_eq!(plain_etag("\"abc123\"").as_deref(), Some("abc123"));
        assert_eq!(plain_etag("W/\"abc\"").as_deref(), Some("abc"));
        assert_eq!(plain_etag("../x"), None);
    }
}
