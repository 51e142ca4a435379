//! From the name of a stereotype set to its files on this disk.

use std::path::PathBuf;

use crate::catalogue::catalogue;
use crate::hub::{RepoId, RepoKind, Snapshot};
use crate::{Event, FetchError, Places, Watch};
use stereometer_core::near;

/// A set's files on this disk.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LocatedSet {
    /// The catalogue's name, or the Hub's `org/name`.
    pub name: String,
    /// The directory of its files.
    pub path: PathBuf,
    /// The repository that they came from.
    pub repo: String,
    /// At this commit.
    pub commit: String,
}

/// Finds a set by its name or the Hub's `org/name`, and fetches it if it is not here.
pub fn pull_set(name: &str, places: &Places, watch: &mut Watch<'_>) -> Result<LocatedSet, FetchError> {
    let (name, repo) = wanted(name)?;
    watch(Event::Trying { name: &name, source: &format!("the Hub's data set {repo}") });
    let snapshot = places.hub.fetch_set(&repo, watch)?;
    Ok(located(name, &repo, snapshot))
}

/// Finds a set that is here already; asks no network.
pub fn find_set(name: &str, places: &Places) -> Option<LocatedSet> {
    let (name, repo) = wanted(name).ok()?;
    let snapshot = places.hub.find_set(&repo)?;
    Some(located(name, &repo, snapshot))
}

fn wanted(name: &str) -> Result<(String, RepoId), FetchError> {
    let (called, id) = match catalogue().set(name) {
        Some(entry) => (entry.name.as_str(), entry.repo.as_str()),
        None => (name, name),
    };
    let unknown = || {
        let near = near(name, catalogue().sets().iter().map(|entry| entry.name.as_str()));
        FetchError::UnknownName { what: "set", name: name.to_owned(), near }
    };
    let repo = RepoId::parse(RepoKind::Dataset, id).ok_or_else(unknown)?;
    Ok((called.to_owned(), repo))
}

fn located(name: String, repo: &RepoId, snapshot: Snapshot) -> LocatedSet {
    LocatedSet { name, path: snapshot.path, repo: repo.id().to_owned(), commit: snapshot.commit }
}
