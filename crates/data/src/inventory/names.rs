//! Names of `inventory.toml`: each means one thing, and is what a reader sees.

use std::collections::BTreeMap;

use stereometer_core::Slug;

use super::fault::{Faults, InventoryFault};
use crate::fault::excerpt;
use crate::language::nfc;
use crate::note::is_invisible;

/// The subject of sentences about the neutral noun: items are called after it.
const PRIOR: &str = "prior";

/// What is wrong with a text that a person wrote, beside its script.
pub(crate) fn untidy(text: &str) -> Option<InventoryFault> {
    let composed = nfc(text);
    if let Some(fault) = invisible(text, &[]) {
        Some(fault)
    } else if composed != text {
        Some(InventoryFault::NotComposed { text: excerpt(&composed) })
    } else if text.trim() != text || text.is_empty() || text.contains(['{', '}']) {
        Some(InventoryFault::Untidy { text: excerpt(text) })
    } else {
        None
    }
}

/// The first character that nobody sees, beside some that may be there.
pub(crate) fn invisible(text: &str, allowed: &[char]) -> Option<InventoryFault> {
    let found = text.chars().find(|c| is_invisible(*c) && !allowed.contains(c))?;
    Some(InventoryFault::Invisible { text: excerpt(text), code: format!("U+{:04X}", u32::from(found)) })
}

/// The name of an inventory stands on command lines and in names of files.
pub(crate) fn check_own(name: &str, faults: &mut Faults) {
    let is_bad = |c: char| is_invisible(c) || "/\\:*?\"<>|".contains(c);
    if name.trim() != name || name.is_empty() || name.starts_with('.') || name.contains(is_bad) {
        faults.at("versions.name", InventoryFault::BadName { name: excerpt(name) });
    }
}

/// A group cannot be called as the neutral noun is.
pub(crate) fn check_reserved(groups: &[&Slug], faults: &mut Faults) {
    if groups.iter().any(|key| key.as_str() == PRIOR) {
        faults.at(&format!("groups.{PRIOR}"), InventoryFault::Reserved { key: PRIOR.to_owned() });
    }
}

/// Every key and English name, in lower case, with the key that it means; one that means two is a fault.
pub(crate) fn spellings(
    what: &str,
    keys: &[&Slug],
    named: &[(&Slug, &str)],
    faults: &mut Faults,
) -> BTreeMap<String, Slug> {
    let mut known: BTreeMap<String, Slug> =
        keys.iter().map(|key| (key.to_string(), (*key).clone())).collect();
    for (key, name) in named {
        let place = format!("{what}.{key}");
        faults.found_at(&place, untidy(name));
        let alias = name.to_lowercase();
        match known.get(&alias) {
            Some(first) if first != *key => {
                let (first, second) = (first.to_string(), key.to_string());
                faults.at(&place, InventoryFault::AliasTwice { alias, first, second });
            }
            _ => drop(known.insert(alias, (*key).clone())),
        }
    }
    known
}
