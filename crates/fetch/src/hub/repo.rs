//! The name of a repository on the Hub: `org/name`, or `org/name@revision`.

use std::fmt;

use hf_hub::{Repo, RepoType};

/// What a repository holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RepoKind {
    /// A model.
    Model,
    /// A data set.
    Dataset,
}

/// A repository at a revision.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RepoId {
    kind: RepoKind,
    id: String,
    revision: String,
}

impl RepoId {
    /// Reads `org/name` or `org/name@revision`; nothing when it is not of that form.
    pub fn parse(kind: RepoKind, text: &str) -> Option<Self> {
        let (id, revision) = text.split_once('@').unwrap_or((text, "main"));
        let (org, name) = id.split_once('/')?;
        let is_word = |word: &str| {
            word.starts_with(|c: char| c.is_ascii_alphanumeric() || c == '_')
                && word.chars().all(|c| c.is_ascii_alphanumeric() || "-_.".contains(c))
                && !word.contains("..")
        };
        let is_revision = revision.split('/').all(is_word);
        (is_word(org) && is_word(name) && is_revision).then(|| Self {
            kind,
            id: id.to_owned(),
            revision: revision.to_owned(),
        })
    }

    /// What it holds.
    pub fn kind(&self) -> RepoKind {
        self.kind
    }

    /// `org/name`.
    pub fn id(&self) -> &str {
        &self.id
    }

    /// The branch, tag or commit.
    pub fn revision(&self) -> &str {
        &self.revision
    }

    /// The page for people.
    pub(crate) fn page(&self, endpoint: &str) -> String {
        match self.kind {
            RepoKind::Model => format!("{endpoint}/{}", self.id),
            RepoKind::Dataset => format!("{endpoint}/datasets/{}", self.id),
        }
    }

    pub(crate) fn as_hf(&self) -> Repo {
        let kind = match self.kind {
            RepoKind::Model => RepoType::Model,
            RepoKind::Dataset => RepoType::Dataset,
        };
        Repo::with_revision(self.id.clone(), kind, self.revision.clone())
    }
}

impl fmt::Display for RepoId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.id)?;
        if self.revision == "main" { Ok(()) } else { write!(f, "@{}", self.revision) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_the_hub_are_told_from_paths() {
        let plain = RepoId::parse(RepoKind::Model, "Qwen/Qwen2.5-0.5B").unwrap();
        assert_eq!((plain.id(), plain.revision()), ("Qwen/Qwen2.5-0.5B", "main"));
        let pinned = RepoId::parse(RepoKind::Model, "org/name@refs/pr/5").unwrap();
        assert_eq!(pinned.to_string(), "org/name@refs/pr/5");
        for path in ["gpt2", "./a/b", "../b", "a/b/c", "/a/b", "a/", "a/..", "a b/c", "~/model", "a/b@"] {
            assert!(RepoId::parse(RepoKind::Model, path).is_none(), "{path}");
        }
    }
}
