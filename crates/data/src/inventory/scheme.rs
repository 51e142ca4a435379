//! `inventory.toml`: the groups, the trait pairs, the versions that choose among the pairs, and other spellings.

use std::collections::{BTreeMap, BTreeSet};

use serde::Deserialize;
use stereometer_core::{Dimension, GroupCategory, Language, Slug, Valence};

use super::fault::{Faults, InventoryFault};
use super::names;
use super::{Aliases, Group, Pole, TraitPair};
use crate::language::toml_problem;

/// What `inventory.toml` says, in one version.
#[derive(Debug)]
pub(crate) struct Scheme {
    pub(crate) name: String,
    pub(crate) version: String,
    pub(crate) origin: String,
    pub(crate) licence: Option<String>,
    /// The order of the languages.
    pub(crate) languages: Vec<Language>,
    pub(crate) groups: Vec<Group>,
    pub(crate) pairs: Vec<TraitPair>,
    /// Poles of other versions: a language file has them too.
    pub(crate) other_poles: BTreeSet<Slug>,
    pub(crate) aliases: Aliases,
}

/// A version of an inventory, for lists.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Version {
    pub(crate) name: String,
    #[serde(rename = "version")]
    pub(crate) number: String,
    pub(crate) title: String,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Raw {
    origin: String,
    pub(crate) licence: Option<String>,
    pub(crate) versions: Vec<Version>,
    /// The order in which languages are shown; those that are not named follow by their tags.
    #[serde(default)]
    languages: Vec<Language>,
    groups: Vec<RawGroup>,
    pairs: Vec<RawPair>,
    #[serde(default)]
    aliases: RawAliases,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RawGroup {
    key: Slug,
    name: String,
    category: GroupCategory,
    home: Option<Language>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RawPair {
    dimension: Dimension,
    versions: Option<Vec<String>>,
    left: RawPole,
    right: RawPole,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RawPole {
    key: Slug,
    name: String,
    valence: Valence,
}

#[derive(Deserialize, Default)]
#[serde(deny_unknown_fields)]
struct RawAliases {
    #[serde(default)]
    groups: BTreeMap<Slug, Vec<String>>,
    #[serde(default)]
    poles: BTreeMap<Slug, Vec<String>>,
}

/// Parses the file as far as TOML goes.
pub(crate) fn parse(toml: &str, faults: &mut Faults) -> Option<Raw> {
    toml::from_str(toml).map_err(|error| faults.found.push(toml_problem(faults.file(), toml, &error))).ok()
}

impl Raw {
    /// The inventory in one of its versions; the first, where none is named.
    pub(crate) fn version(self, name: Option<&str>, faults: &mut Faults) -> Option<Scheme> {
        self.check_versions(faults);
        let version =
            self.versions.iter().find(|version| name.is_none_or(|name| version.name == name))?.clone();
        let groups = groups(self.groups, faults);
        let (mut pairs, mut other_poles) = (Vec::new(), BTreeSet::new());
        for pair in self.pairs {
            let is_in = pair.versions.as_ref().is_none_or(|names| names.contains(&version.name));
            let dimension = pair.dimension;
            let [left, right] =
                [pair.left, pair.right].map(|raw| Pole { id: raw.key, name: raw.name, valence: raw.valence });
            if is_in {
                pairs.push(TraitPair { dimension, left, right });
            } else {
                other_poles.extend([left.id, right.id]);
            }
        }
        let group_keys: Vec<&Slug> = groups.iter().map(|group| &group.id).collect();
        let poles: Vec<&Slug> = pairs.iter().flat_map(|pair| [&pair.left.id, &pair.right.id]).collect();
        check_unique("pairs", &poles, faults);
        for key in poles.iter().filter(|key| group_keys.contains(key)) {
            faults.at("pairs", InventoryFault::GroupAndPole { key: key.to_string() });
        }
        for (what, is_empty) in [("groups", groups.is_empty()), ("pairs", pairs.is_empty())] {
            if is_empty {
                faults.at(what, InventoryFault::Nothing { what });
            }
        }
        let all: Vec<&Slug> = poles.iter().copied().chain(&other_poles).collect();
        names::check_reserved(&group_keys, faults);
        let group_names: Vec<(&Slug, &str)> =
            groups.iter().map(|group| (&group.id, group.name.as_str())).collect();
        let pole_names: Vec<(&Slug, &str)> = pairs
            .iter()
            .flat_map(|pair| [&pair.left, &pair.right])
            .map(|pole| (&pole.id, pole.name.as_str()))
            .collect();
        let known_groups = names::spellings("groups", &group_keys, &group_names, faults);
        let known_poles = names::spellings("pairs", &all, &pole_names, faults);
        let mut aliases = Aliases {
            groups: aliases("groups", self.aliases.groups, &group_keys, &known_groups, faults),
            poles: aliases("poles", self.aliases.poles, &all, &known_poles, faults),
        };
        aliases.poles.retain(|_, key| poles.contains(&&*key));
        other_poles.retain(|key| !pairs.iter().any(|pair| [&pair.left.id, &pair.right.id].contains(&key)));
        Some(Scheme {
            name: version.name,
            version: version.number,
            origin: self.origin,
            licence: self.licence,
            languages: self.languages,
            groups,
            pairs,
            other_poles,
            aliases,
        })
    }

    fn check_versions(&self, faults: &mut Faults) {
        if self.versions.is_empty() {
            faults.at("versions", InventoryFault::Nothing { what: "versions" });
        }
        let own: Vec<&str> = self.versions.iter().map(|version| version.name.as_str()).collect();
        for (at, name) in own.iter().enumerate() {
            names::check_own(name, faults);
            if own.iter().take(at).any(|seen| seen == name) {
                faults.at("versions.name", InventoryFault::Twice { key: (*name).to_owned() });
            }
        }
        for pair in &self.pairs {
            for name in pair.versions.iter().flatten().filter(|name| !own.contains(&name.as_str())) {
                let known = own.join(", ");
                faults.at(
                    "pairs.versions",
                    InventoryFault::Unknown { what: "version", key: name.clone(), known },
                );
            }
        }
    }
}

fn groups(raw: Vec<RawGroup>, faults: &mut Faults) -> Vec<Group> {
    let groups: Vec<Group> = raw
        .into_iter()
        .map(|raw| {
            if (raw.category == GroupCategory::NonShared) != raw.home.is_some() {
                faults.at(&format!("groups.{}", raw.key), InventoryFault::Home);
            }
            Group { id: raw.key, name: raw.name, category: raw.category, home: raw.home }
        })
        .collect();
    check_unique("groups", &groups.iter().map(|group| &group.id).collect::<Vec<_>>(), faults);
    groups
}

fn check_unique(place: &str, keys: &[&Slug], faults: &mut Faults) {
    let mut seen = BTreeSet::new();
    for key in keys {
        if !seen.insert(*key) {
            faults.at(place, InventoryFault::Twice { key: key.to_string() });
        }
    }
}

/// Spellings in lower case, each of one known key.
fn aliases(
    what: &'static str,
    raw: BTreeMap<Slug, Vec<String>>,
    known: &[&Slug],
    taken: &BTreeMap<String, Slug>,
    faults: &mut Faults,
) -> BTreeMap<String, Slug> {
    let mut aliases: BTreeMap<String, Slug> = BTreeMap::new();
    for (key, spellings) in raw {
        let place = format!("aliases.{what}.{key}");
        if !known.contains(&&key) {
            let what = if what == "groups" { "group" } else { "pole" };
            let known = join(known);
            faults.at(&place, InventoryFault::Unknown { what, key: key.to_string(), known });
            continue;
        }
        for spelling in spellings {
            faults.found_at(&place, names::untidy(&spelling));
            let alias = spelling.to_lowercase();
            match taken.get(&alias).or_else(|| aliases.get(&alias)) {
                Some(first) if *first != key => {
                    let (first, second) = (first.to_string(), key.to_string());
                    faults.at(&place, InventoryFault::AliasTwice { alias, first, second });
                }
                _ => drop(aliases.insert(alias, key.clone())),
            }
        }
    }
    aliases
}

/// Keys separated by commas.
pub(crate) fn join(keys: &[&Slug]) -> String {
    keys.iter().map(|key| key.as_str()).collect::<Vec<_>>().join(", ")
}
