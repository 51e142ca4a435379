//! Which groups and traits are looked at, and in which sentences: the inventory of a leakage study (methods, section 7).

mod cells;
mod check;
mod choice;
mod complete;
mod fault;
mod items;
mod language;
mod names;
mod open;
mod reader;
mod released;
mod scheme;
mod template;

use std::collections::BTreeMap;

use stereometer_core::{Dimension, GroupCategory, Language, Slug, Valence, Warning};

use self::cells::{Cells, Words};
pub use self::check::{InventoryCounts, InventoryReport, check_inventory, is_inventory};
use self::choice::ChoicePrompt;
pub use self::fault::InventoryFault;
pub use self::items::TemplateFilter;
use self::language::Form;
pub use self::open::{KnownInventory, known_inventories};
pub use self::released::StudyInputs;
use self::template::{Cases, Template};
use crate::Provenance;

/// An inventory that was checked at the door: what it names exists, and every form that a template needs is there.
#[derive(Debug, Clone, PartialEq)]
pub struct Inventory {
    pub(crate) name: String,
    pub(crate) version: String,
    pub(crate) provenance: Provenance,
    pub(crate) groups: Vec<Group>,
    pub(crate) pairs: Vec<TraitPair>,
    pub(crate) languages: Vec<InventoryLanguage>,
    pub(crate) aliases: Aliases,
    pub(crate) notes: Vec<Warning>,
}

/// A social group.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Group {
    /// Its key.
    pub id: Slug,
    /// English name.
    pub name: String,
    /// How widely it is known.
    pub category: GroupCategory,
    /// Where a non-shared group is at home.
    pub home: Option<Language>,
}

/// Two opposite traits.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TraitPair {
    /// The dimension of the ABC model.
    pub dimension: Dimension,
    /// The low end: powerless, traditional, cold.
    pub left: Pole,
    /// The high end: powerful, modern, warm.
    pub right: Pole,
}

/// One end of a trait pair.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Pole {
    /// Its key, unique among all poles.
    pub id: Slug,
    /// English name.
    pub name: String,
    /// Praise, reproach or neither.
    pub valence: Valence,
}

/// An inventory in one language.
#[derive(Debug, Clone, PartialEq)]
pub struct InventoryLanguage {
    pub(crate) language: Language,
    pub(crate) name: String,
    pub(crate) endonym: String,
    pub(crate) checked_by: String,
    /// What a reader calls a group or a pole in this language.
    pub(crate) names: BTreeMap<Slug, String>,
    pub(crate) cases: Cases,
    pub(crate) forms: Vec<Form>,
    pub(crate) words: Words,
    pub(crate) groups: BTreeMap<Slug, Cells>,
    /// The poles of the inventory's version, in order.
    pub(crate) poles: Vec<Slug>,
    pub(crate) traits: BTreeMap<Slug, Cells>,
    pub(crate) templates: Vec<Template>,
    pub(crate) choice: Option<ChoicePrompt>,
}

/// Other spellings of groups and poles, as files of studies have them; each stands for one key.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Aliases {
    pub(crate) groups: BTreeMap<String, Slug>,
    pub(crate) poles: BTreeMap<String, Slug>,
}

impl Inventory {
    /// Its name.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Its version.
    pub fn version(&self) -> &str {
        &self.version
    }

    /// Where it comes from.
    pub fn provenance(&self) -> &Provenance {
        &self.provenance
    }

    /// The groups, in order.
    pub fn groups(&self) -> &[Group] {
        &self.groups
    }

    /// The trait pairs, in order.
    pub fn pairs(&self) -> &[TraitPair] {
        &self.pairs
    }

    /// The poles, left then right, pair by pair.
    pub fn poles(&self) -> impl Iterator<Item = &Pole> {
        self.pairs.iter().flat_map(|pair| [&pair.left, &pair.right])
    }

    /// What a language calls things, and its prompt.
    pub fn language(&self, language: &Language) -> Option<&InventoryLanguage> {
        self.languages.iter().find(|one| one.language == *language)
    }

    /// The languages, in order.
    pub fn languages(&self) -> impl Iterator<Item = &Language> {
        self.languages.iter().map(|one| &one.language)
    }

    /// What there is to know about how it was read.
    pub fn notes(&self) -> &[Warning] {
        &self.notes
    }

    /// The group that a file means, by its key, its English name or an alias; letter case does not matter.
    pub fn group_named(&self, name: &str) -> Option<&Group> {
        let name = name.trim();
        let by_key = |group: &&Group| group.id.as_str() == name || group.name.eq_ignore_ascii_case(name);
        self.groups.iter().find(by_key).or_else(|| {
            let id = self.aliases.groups.get(&name.to_lowercase())?;
            self.groups.iter().find(|group| group.id == *id)
        })
    }

    /// The pole that a file means, likewise.
    pub fn pole_named(&self, name: &str) -> Option<&Pole> {
        let name = name.trim();
        self.poles().find(|pole| pole.id.as_str() == name || pole.name.eq_ignore_ascii_case(name)).or_else(
            || {
                let id = self.aliases.poles.get(&name.to_lowercase())?;
                self.poles().find(|pole| pole.id == *id)
            },
        )
    }
}

impl InventoryLanguage {
    /// The tag.
    pub fn language(&self) -> &Language {
        &self.language
    }

    /// English name of the language.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The language's own name.
    pub fn endonym(&self) -> &str {
        &self.endonym
    }

    /// Who wrote the file and who has checked it.
    pub fn checked_by(&self) -> &str {
        &self.checked_by
    }

    /// How many templates it has.
    pub fn n_templates(&self) -> usize {
        self.templates.len()
    }

    /// What a group or a pole is called in this language.
    pub fn name_of(&self, id: &Slug) -> Option<&str> {
        self.names.get(id).map(String::as_str)
    }
}
