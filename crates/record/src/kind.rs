//! The kinds of runs: what `spec.json` says, and what a row of `items.jsonl` is.

use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::spec::{LANGUAGES, differs, join, short, subset};
use crate::{AssociationRecord, AssociationSpec, ItemRecord, RunSpec, sha256_hex};

/// Fewer resamples give no interval, more do not fit the memory.
const RESAMPLES: std::ops::RangeInclusive<usize> = 20..=100_000;

/// What was run.
pub trait Spec: Serialize + DeserializeOwned {
    /// A line of its `items.jsonl`.
    type Row: Row;
    /// Whether it asks for associations: its `spec.json` then has the key `association`.
    const IS_ASSOCIATION: bool;
    /// Hash of everything that the rows depend on, part of every row's key.
    fn identity_hash(&self) -> String;
    /// How another run differs in what the rows depend on, in words; empty when rows may be mixed.
    fn differences(&self, other: &Self) -> Vec<String>;
    /// Number of items of the whole run.
    fn n_items(&self) -> usize;
    /// What is wrong with it, if anything.
    fn fault(&self) -> Option<String>;
}

/// A line of `items.jsonl`.
pub trait Row: Serialize + DeserializeOwned {
    /// Its content key.
    fn key(&self) -> &str;
    /// The id of its item.
    fn id(&self) -> &str;
    /// What is wrong with a row that claims to belong to the run with this identity.
    fn fault(&self, identity_hash: &str) -> Option<String>;
}

impl Spec for RunSpec {
    type Row = ItemRecord;
    const IS_ASSOCIATION: bool = false;

    fn identity_hash(&self) -> String {
        self.identity.hash()
    }

    fn differences(&self, other: &Self) -> Vec<String> {
        self.identity.differences(&other.identity)
    }

    fn n_items(&self) -> usize {
        self.n_items
    }

    fn fault(&self) -> Option<String> {
        (!RESAMPLES.contains(&self.resamples)).then(|| {
            format!("{} resamples; {} to {} are possible", self.resamples, RESAMPLES.start(), RESAMPLES.end())
        })
    }
}

impl Row for ItemRecord {
    fn key(&self) -> &str {
        &self.key
    }

    fn id(&self) -> &str {
        &self.id
    }

    fn fault(&self, identity_hash: &str) -> Option<String> {
        self.fault(identity_hash)
    }
}

impl Spec for AssociationSpec {
    type Row = AssociationRecord;
    const IS_ASSOCIATION: bool = true;

    fn identity_hash(&self) -> String {
        sha256_hex(serde_json::to_string(&self.association).unwrap_or_default())
    }

    fn differences(&self, other: &Self) -> Vec<String> {
        let (there, here) = (&self.association, &other.association);
        let mut found = there.model.differences(&here.model);
        let mut compare =
            |what: &str, there: String, here: String| found.extend(differs(what, &there, &here));
        compare("the method", there.method.to_string(), here.method.to_string());
        compare("the inventory", there.inventory.name.clone(), here.inventory.name.clone());
        compare(LANGUAGES, join(&there.languages), join(&here.languages));
        let whole = "inventory";
        compare("the subset", subset(there.subset.as_ref(), whole), subset(here.subset.as_ref(), whole));
        compare("the items' hash", short(&there.items_sha256), short(&here.items_sha256));
        found
    }

    fn n_items(&self) -> usize {
        self.n_items
    }

    fn fault(&self) -> Option<String> {
        None
    }
}

impl Row for AssociationRecord {
    fn key(&self) -> &str {
        &self.key
    }

    fn id(&self) -> &str {
        &self.id
    }

    fn fault(&self, identity_hash: &str) -> Option<String> {
        self.fault(identity_hash)
    }
}
