//! The Hugging Face Hub: model directories and data-set files, in the Hub's own cache.
//!
//! Addresses, the file list and the cache's layout are `hf-hub`'s, so that `transformers`, candle and others find what
//! was fetched here and the other way round. The bytes come through [`download`](crate::download()), which verifies.
//!
//! * A repository is taken whole at one commit: the list of files is asked for once, every file is compared with the
//!   size (and, for large files, the SHA-256) of that list, and only when all are there is the snapshot used.
//! * What is complete in the cache is used without asking the Hub, so that a second run sees the same weights.
//! * With `HF_HUB_OFFLINE` only the cache is looked at.

mod fetch;
mod listing;
mod model;
mod repo;
mod set;
mod settings;
mod snapshot;
mod weights;

use hf_hub::api::sync::{Api, ApiBuilder};

pub use listing::{HubFile, Listing};
pub use repo::{RepoId, RepoKind};
pub use settings::HubSettings;
pub use snapshot::Snapshot;
pub(crate) use weights::{has_safetensors, is_gguf, missing_files, only_gguf};

use crate::{FetchError, Http};

/// A way to the Hub, or to a mirror of it.
pub struct Hub {
    settings: HubSettings,
    http: Http,
    api: Api,
}

impl Hub {
    /// The Hub that the environment describes.
    pub fn from_env() -> Result<Self, FetchError> {
        Self::new(HubSettings::from_env()?)
    }

    /// The Hub with these settings.
    pub fn new(settings: HubSettings) -> Result<Self, FetchError> {
        let api = ApiBuilder::from_cache(hf_hub::Cache::new(settings.cache.clone()))
            .with_endpoint(settings.endpoint.clone())
            .with_token(settings.token.clone())
            .with_progress(false)
            .build()
            .map_err(|error| FetchError::BadAddress {
                url: settings.endpoint.clone(),
                reason: error.to_string(),
            })?;
        let http = Http::new(settings.patience.clone());
        Ok(Self { settings, http, api })
    }

    /// The settings.
    pub fn settings(&self) -> &HubSettings {
        &self.settings
    }
}
