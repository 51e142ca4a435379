//! What an inventory holds, and everything that is wrong or doubtful about it: for `set info` and `set check`.

use std::collections::BTreeSet;
use std::path::Path;

use stereometer_core::{Language, Warning};

use super::open::{self, known_inventories};
use super::{Inventory, StudyInputs};
use crate::{DataError, Problem};

/// How much of an inventory is in one language.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct InventoryCounts {
    /// The language.
    pub language: Language,
    /// Templates.
    pub templates: usize,
    /// Kinds of templates.
    pub kinds: usize,
    /// Forms that a subject can have.
    pub forms: Vec<String>,
    /// Items: a template, a form and a group or the neutral noun.
    pub items: usize,
}

/// The check of an inventory.
#[derive(Debug)]
pub struct InventoryReport {
    /// What could be read.
    pub inventory: Option<Inventory>,
    /// What is wrong: with a single one, the inventory does not open.
    pub problems: Vec<Problem>,
    /// What is doubtful.
    pub notes: Vec<Warning>,
}

/// Whether a name or a path is an inventory, not a set of sentences.
pub fn is_inventory(name_or_path: &str) -> bool {
    known_inventories().iter().any(|known| known.name == name_or_path)
        || open::is_folder(Path::new(name_or_path))
}

/// Reads an inventory, and lists all that is wrong or doubtful.
pub fn check_inventory(name_or_path: &str, inputs: StudyInputs) -> Result<InventoryReport, DataError> {
    let (inventory, problems) = open::read(name_or_path, inputs)?;
    let mut notes = Vec::new();
    if let Some(inventory) = &inventory {
        notes.extend_from_slice(inventory.notes());
        // What a problem leaves out is missing everywhere: told once, as the problem.
        if problems.is_empty() {
            notes.extend(doubts(inventory));
        }
    }
    Ok(InventoryReport { inventory, problems, notes })
}

fn doubts(inventory: &Inventory) -> Vec<Warning> {
    let languages: Vec<Language> = inventory.languages().cloned().collect();
    let (items, mut warnings) = inventory.items(&languages);
    let small: BTreeSet<String> = items
        .iter()
        .filter(|item| item.text.starts_with(char::is_lowercase))
        .map(|item| {
            format!(
                "{}: the template `{}` begins with a small letter: `{}`",
                item.language, item.template, item.text
            )
        })
        .collect();
    warnings.extend(small.into_iter().take(1).map(|detail| Warning::Data { detail }));
    warnings
}

impl Inventory {
    /// How much there is in each language, in order.
    pub fn counts(&self) -> Vec<InventoryCounts> {
        self.languages
            .iter()
            .map(|one| InventoryCounts {
                language: one.language.clone(),
                templates: one.templates.len(),
                kinds: one.templates.iter().map(|template| &template.kind).collect::<BTreeSet<_>>().len(),
                forms: one.forms.iter().map(|form| form.key.to_string()).collect(),
                items: self.items(std::slice::from_ref(&one.language)).0.len(),
            })
            .collect()
    }
}
