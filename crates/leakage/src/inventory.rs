//! The part of an inventory that a result keeps: names, categories and valences.

use stereometer_data::{Inventory, InventoryLanguage, Pole};
use stereometer_record::{GroupSummary, InventorySummary, LanguageSummary, PairSummary, PoleSummary};

/// What of an inventory stands in the results, in its order.
pub fn summary(inventory: &Inventory) -> InventorySummary {
    let pole =
        |pole: &Pole| PoleSummary { id: pole.id.clone(), name: pole.name.clone(), valence: pole.valence };
    let groups = inventory.groups().iter().map(|group| GroupSummary {
        id: group.id.clone(),
        name: group.name.clone(),
        category: group.category,
        home: group.home.clone(),
    });
    let pairs = inventory.pairs().iter().map(|pair| PairSummary {
        dimension: pair.dimension,
        left: pole(&pair.left),
        right: pole(&pair.right),
    });
    let language = |language: &InventoryLanguage| LanguageSummary {
        language: language.language().clone(),
        name: language.name().to_owned(),
        groups: inventory.groups().iter().map(|group| owned(language.name_of(&group.id))).collect(),
        poles: inventory.poles().map(|pole| owned(language.name_of(&pole.id))).collect(),
    };
    let languages = inventory.languages().filter_map(|one| inventory.language(one)).map(language);
    InventorySummary {
        name: inventory.name().to_owned(),
        version: inventory.version().to_owned(),
        groups: groups.collect(),
        pairs: pairs.collect(),
        languages: languages.collect(),
    }
}

fn owned(name: Option<&str>) -> Option<String> {
    name.map(str::to_owned)
}
