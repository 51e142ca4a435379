//! The places where models and sets can be: this program's cache, the Hub, and Python's wheels.

use crate::{CacheDir, FetchError, Hub, Pip, WheelSource};

/// Everything that [`resolve_model`](crate::resolve_model) and [`pull_set`](crate::pull_set) look through.
pub struct Places {
    /// Stereometer's own cache.
    pub cache: CacheDir,
    /// The Hugging Face Hub and its cache.
    pub hub: Hub,
    /// Where Python wheels come from.
    pub wheels: Box<dyn WheelSource>,
}

impl Places {
    /// The places that the environment describes.
    pub fn from_env() -> Result<Self, FetchError> {
        Ok(Self { cache: CacheDir::from_env()?, hub: Hub::from_env()?, wheels: Box::new(Pip::default()) })
    }
}
