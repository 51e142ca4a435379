//! `set info` and `set check` of an inventory: groups, trait pairs, and per language templates and items.

use stereometer_core::GroupCategory;
use stereometer_data::{Inventory, InventoryReport, StudyInputs, check_inventory};

use super::set::verdict;
use crate::failure::{Exit, Failure};
use crate::out::put;
use crate::table::{Column, render};
use crate::talk::Talk;
use crate::words::plural;

/// Runs `set info`.
pub fn info(name: &str, inputs: StudyInputs, talk: &Talk) -> Result<Exit, Failure> {
    let inventory = Inventory::open_study(name, inputs)?;
    for note in inventory.notes() {
        talk.warn(note);
    }
    put!("{}", summary(&inventory))?;
    put!("origin: {}", inventory.provenance().origin)?;
    if let Some(licence) = &inventory.provenance().licence {
        put!("licence: {licence}")?;
    }
    for file in &inventory.provenance().files {
        put!("{}: sha256 {}", file.name, file.sha256)?;
    }
    for table in [groups(&inventory), pairs(&inventory), languages(&inventory)] {
        put!("\n{table}")?;
    }
    Ok(Exit::Done)
}

/// Runs `set check`.
pub fn check(name: &str, inputs: StudyInputs, talk: &Talk) -> Result<Exit, Failure> {
    let InventoryReport { inventory, problems, notes } = check_inventory(name, inputs)?;
    for note in &notes {
        talk.warn_in_check(note);
    }
    if let Some(inventory) = &inventory {
        put!("{}", summary(inventory))?;
    }
    verdict(&problems, 0)
}

fn summary(inventory: &Inventory) -> String {
    let counts = inventory.counts();
    let items: usize = counts.iter().map(|language| language.items).sum();
    format!(
        "{} {}: {}, {}, {}, {}",
        inventory.name(),
        inventory.version(),
        plural(inventory.groups().len(), "group"),
        plural(inventory.pairs().len(), "trait pair"),
        plural(counts.len(), "language"),
        plural(items, "item"),
    )
}

fn groups(inventory: &Inventory) -> String {
    let of = |category: GroupCategory| {
        let names = inventory.groups().iter().filter(|group| group.category == category).map(|group| {
            let home = group.home.as_ref().map(|home| format!(" ({home})")).unwrap_or_default();
            format!("{}{home}", group.name)
        });
        names.collect::<Vec<_>>().join(", ")
    };
    let rows: Vec<Vec<String>> =
        GroupCategory::ALL.iter().map(|category| vec![category.phrase().to_owned(), of(*category)]).collect();
    render(&[Column::Left("category"), Column::Left("groups")], &rows)
}

fn pairs(inventory: &Inventory) -> String {
    let columns = [
        Column::Left("dimension"),
        Column::Left("low end"),
        Column::Left(""),
        Column::Left("high end"),
        Column::Left(""),
    ];
    let rows: Vec<Vec<String>> = inventory
        .pairs()
        .iter()
        .map(|pair| {
            let [left, right] = [&pair.left, &pair.right];
            [pair.dimension.name(), &left.name, left.valence.name(), &right.name, right.valence.name()]
                .map(str::to_owned)
                .to_vec()
        })
        .collect();
    render(&columns, &rows)
}

fn languages(inventory: &Inventory) -> String {
    let columns = [
        Column::Left("language"),
        Column::Left(""),
        Column::Right("templates"),
        Column::Right("kinds"),
        Column::Right("items"),
        Column::Left("forms"),
    ];
    let rows: Vec<Vec<String>> = inventory
        .counts()
        .into_iter()
        .map(|counts| {
            let name = inventory.language(&counts.language).map(|one| one.name().to_owned());
            vec![
                counts.language.to_string(),
                name.unwrap_or_default(),
                counts.templates.to_string(),
                counts.kinds.to_string(),
                counts.items.to_string(),
                counts.forms.join(", "),
            ]
        })
        .collect();
    render(&columns, &rows)
}
