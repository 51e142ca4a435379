//! From `--set` to a stereotype set.

use stereometer_data::{Packs, StereotypeSet};
use stereometer_fetch::{Places, find_set};

use crate::failure::Failure;

/// Opens a built-in set, a pulled one, or a path.
pub fn open(name_or_path: &str, packs: &Packs) -> Result<StereotypeSet, Failure> {
    let places = Places::from_env()?;
    let pulled = find_set(name_or_path, &places);
    Ok(stereometer_data::open(name_or_path, pulled.as_ref().map(|located| located.path.as_path()), packs)?)
}
