//! From `--set` to a stereotype set.

use std::path::PathBuf;

use stereometer_data::{Packs, StereotypeSet, known};
use stereometer_fetch::{Places, find_set};

use crate::failure::Failure;

/// Opens a built-in set, a pulled one, or a path.
pub fn open(name_or_path: &str, packs: &Packs) -> Result<StereotypeSet, Failure> {
    Ok(stereometer_data::open(name_or_path, pulled(name_or_path)?.as_deref(), packs)?)
}

/// Where a set that has to be fetched lies, if it was. Built-in sets and paths need no cache.
pub fn pulled(name_or_path: &str) -> Result<Option<PathBuf>, Failure> {
    if !known().iter().any(|set| set.name == name_or_path && !set.is_builtin) {
        return Ok(None);
    }
    Ok(find_set(name_or_path, &Places::from_env()?).map(|located| located.path))
}
