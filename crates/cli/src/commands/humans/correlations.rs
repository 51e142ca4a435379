//! How alike people of different languages judge: one row a reading, one column a category.

use stereometer_core::{GroupCategory, HumanScores, Seed};
use stereometer_data::Inventory;
use stereometer_leakage::humans::{Reading, category_correlations};
use stereometer_record::CategoryCorrelation;

use crate::table::{Column, render};

/// Two tables: every reading, and the default one by pair of languages.
pub fn table(scores: &HumanScores, inventory: &Inventory, resamples: usize, seed: Seed) -> String {
    let of = |reading| category_correlations(scores, inventory, reading, resamples, seed);
    let shown = |row: Option<&CategoryCorrelation>| row.map_or_else(|| "–".to_owned(), cell);
    let mut readings = Vec::new();
    for reading in Reading::all() {
        let rows = of(reading);
        let overall = |category| rows.iter().find(|row| row.category == category && row.between.is_none());
        let mut line = vec![reading.recipe()];
        line.extend(GroupCategory::ALL.map(|category| shown(overall(category))));
        readings.push(line);
    }
    let default = of(Reading::default());
    let mut pairs: Vec<Vec<String>> = Vec::new();
    for row in default.iter().filter(|row| row.category == GroupCategory::ALL[0]) {
        let Some(between) = &row.between else { continue };
        let mut line = vec![format!("{} and {}", between[0], between[1])];
        line.extend(GroupCategory::ALL.map(|category| {
            let is_it = |row: &&CategoryCorrelation| {
                row.category == category && row.between.as_ref() == Some(between)
            };
            shown(default.iter().find(is_it))
        }));
        pairs.push(line);
    }
    let columns = |first| {
        [
            Column::Left(first),
            Column::Left(GroupCategory::SharedShared.name()),
            Column::Left(GroupCategory::SharedNonShared.name()),
            Column::Left(GroupCategory::NonShared.name()),
        ]
    };
    format!(
        "Correlation of human scores between languages: r, 95 % interval with groups resampled, n points.\n\
         The first reading is the one of the leakage page.\n\n{}\n\n{}",
        render(&columns("reading"), &readings),
        render(&columns("first reading, by languages"), &pairs)
    )
}

fn cell(row: &CategoryCorrelation) -> String {
    let signed = |value: f64| format!("{value:+.3}").replace('-', "−");
    let Some(r) = row.r else { return format!("– n = {}", row.n) };
    let interval = row.interval.map_or_else(
        || "no interval: too few groups".to_owned(),
        |interval| format!("{} to {}", signed(interval.low), signed(interval.high)),
    );
    format!("{} ({interval}), n = {}", signed(r), row.n)
}
