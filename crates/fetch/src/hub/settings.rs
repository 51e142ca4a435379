//! Where the Hub is, where its cache lies, and who asks: the same variables as Hugging Face's own tools read.
//!
//! `HF_ENDPOINT`; `HF_HUB_CACHE`, else `HF_HOME/hub`, else `~/.cache/huggingface/hub`; `HF_TOKEN`, else the file `token`
//! that `hf auth login` writes; `HF_HUB_OFFLINE`.

use std::ffi::OsString;
use std::fmt;
use std::path::PathBuf;

use crate::cache::{path_of, user_cache};
use crate::{FetchError, Patience};

/// The settings of a [`Hub`](super::Hub).
#[derive(Clone, PartialEq, Eq)]
pub struct HubSettings {
    /// The Hub's address, or a mirror's.
    pub endpoint: String,
    /// The Hub's cache on this disk.
    pub cache: PathBuf,
    /// A token, for gated and private repositories.
    pub token: Option<String>,
    /// Look at the cache only.
    pub offline: bool,
    /// How long to wait for the network.
    pub patience: Patience,
}

impl HubSettings {
    /// The settings that the environment describes.
    pub fn from_env() -> Result<Self, FetchError> {
        Self::from_lookup(&|name| std::env::var_os(name))
    }

    /// The settings that these variables describe: [`from_env`](Self::from_env) with the environment as a value.
    pub fn from_lookup(variable: &dyn Fn(&str) -> Option<OsString>) -> Result<Self, FetchError> {
        let text = |name| {
            let value = variable(name)?.into_string().ok()?.trim().to_owned();
            (!value.is_empty()).then_some(value)
        };
        let home = path_of(variable, "HF_HOME")
            .or_else(|| user_cache(variable).map(|caches| caches.join("huggingface")))
            .ok_or(FetchError::NoHome)?;
        let cache = path_of(variable, "HF_HUB_CACHE").unwrap_or_else(|| home.join("hub"));
        let endpoint = text("HF_ENDPOINT").unwrap_or_else(|| "https://huggingface.co".to_owned());
        Ok(Self {
            endpoint: endpoint.trim_end_matches('/').to_owned(),
            token: text("HF_TOKEN").or_else(|| {
                let saved = std::fs::read_to_string(home.join("token")).ok()?.trim().to_owned();
                (!saved.is_empty()).then_some(saved)
            }),
            offline: text("HF_HUB_OFFLINE").is_some_and(|value| is_true(&value)),
            cache,
            patience: Patience::default(),
        })
    }
}

/// What Hugging Face's tools take for true.
fn is_true(value: &str) -> bool {
    ["1", "on", "yes", "true"].contains(&value.to_lowercase().as_str())
}

impl fmt::Debug for HubSettings {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("HubSettings")
            .field("endpoint", &self.endpoint)
            .field("cache", &self.cache)
            .field("token", &self.token.as_ref().map(|_| "…")) // a token is never shown
            .field("offline", &self.offline)
            .field("patience", &self.patience)
            .finish()
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;

    fn settings(variables: &[(&str, &str)]) -> HubSettings {
        let lookup = |name: &str| variables.iter().find(|(key, _)| *key == name).map(|(_, v)| (*v).into());
        HubSettings::from_lookup(&lookup).unwrap()
    }

    #[test]
    fn the_hub_itself_is_the_default() {
        let plain = settings(&[("HOME", "/home/ada")]);
        assert_eq!(plain.endpoint, "https://huggingface.co");
        assert_eq!(plain.cache, Path::new("/home/ada/.cache/huggingface/hub"));
        assert!(!plain.offline && plain.token.is_none());
    }

    #[test]
    fn every_variable_is_honoured() {
        let set = settings(&[
            ("HF_ENDPOINT", "http://mirror.example/"),
            ("HF_HOME", "/data/hf"),
            ("HF_TOKEN", "hf_secret\n"),
            ("HF_HUB_OFFLINE", "True"),
        ]);
        assert_eq!(set.endpoint, "http://mirror.example");
        assert_eq!(set.cache, Path::new("/data/hf/hub"));
        assert_eq!(set.token.as_deref(), Some("hf_secret"));
        assert!(set.offline);
        assert!(!format!("{set:?}").contains("secret"));
        assert!(!settings(&[("HOME", "/h"), ("HF_HUB_OFFLINE", "0")]).offline);
        assert_eq!(settings(&[("HF_HOME", "/a"), ("HF_HUB_CACHE", "/b")]).cache, Path::new("/b"));
    }

    #[test]
    fn the_token_of_a_login_is_found() {
        let home = tempfile::tempdir().unwrap();
        std::fs::write(home.path().join("token"), "hf_saved\n").unwrap();
        assert_eq!(
            settings(&[("HF_HOME", home.path().to_str().unwrap())]).token.as_deref(),
            Some("hf_saved")
        );
    }
}
