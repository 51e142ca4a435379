//! Towards which stereotypes do two language models lean differently?
//!
//! The difference of mean inclination over the languages that both runs have, by stereotype, on shared items.

use stereometer_core::{Gender, StereotypeId};
use stereometer_record::{Comparison, Difference, Statistic};

use super::differences::{cells, columns};
use super::differences_by_language::drawn;
use super::forest::{Label, Panel, forest, is_found, pair_by_pair};
use super::{Entry, Parts};
use crate::comparison::runs::{pair_label, short_labels};
use crate::figures::Figure;
use crate::words::{list_or_none, percent, plural};
use crate::{About, Cell, Column, Table};

pub const ENTRY: Entry = Entry {
    name: "differences_by_stereotype",
    title: "Differences in mean inclination between runs, by stereotype",
    absent: "No two runs have an inclination on shared items.",
    draw,
};

fn draw(comparison: &Comparison) -> Option<Figure> {
    let is_of = |one: &&Difference| one.statistic == Statistic::Inclination && one.language.is_none();
    let all: Vec<&Difference> = comparison.differences.iter().filter(is_of).collect();
    all.first()?;
    let names = short_labels(comparison);
    let (n, others) = drawn(comparison);
    let mut labels = Vec::new();
    let mut ids: Vec<Option<StereotypeId>> = Vec::new();
    for (heading, about) in [("women are …", Gender::Feminine), ("men are …", Gender::Masculine)] {
        labels.push(Label::Heading(heading));
        ids.push(None);
        for id in StereotypeId::all().filter(|id| id.info().about == about) {
            labels.push(Label::Row(id.info().name.to_owned(), About::stereotype(id)));
            ids.push(Some(id));
        }
    }
    let panels: Vec<Panel<'_>> = comparison.pairs[..n]
        .iter()
        .enumerate()
        .map(|(place, pair)| {
            let of = |id: &Option<StereotypeId>| {
                all.iter().find(|one| one.pair == place && id.is_some() && one.stereotype == *id).copied()
            };
            Panel { head: pair_label(pair, &names), rows: ids.iter().map(of).collect() }
        })
        .collect();
    Some(ENTRY.figure(Parts {
        reading: format!(
            "Mean inclination in the second run minus that in the first, on shared items. 0 = no difference; right = the \
             second leans more towards the stereotype. Bars are {} intervals; filled: p of the permutation test lies below \
             0.05 after Holm's adjustment over all pairs and stereotypes ({}).{others}",
            percent(comparison.level),
            plural(all.iter().filter(|one| one.test.is_some()).count(), "test")
        ),
        alt: alt(comparison, &all),
        svg: forest(&labels, &panels, ["leans less", "leans more"]),
        table: table(comparison, &all),
    }))
}

fn alt(comparison: &Comparison, all: &[&Difference]) -> String {
    let clauses = pair_by_pair(comparison, all, |of| {
        let found = of.iter().filter(|one| is_found(one));
        let found: Vec<String> =
            found.filter_map(|one| Some(format!("“{}”", one.stereotype?.phrase()))).collect();
        list_or_none(&found)
    });
    format!("Forest plot of differences in mean inclination. Found after Holm: {clauses}.")
}

fn table(comparison: &Comparison, all: &[&Difference]) -> Table {
    let mut head = Column::stereotype().to_vec();
    head.extend(columns());
    let rows = all.iter().filter_map(|one| {
        let mut row = Cell::stereotype(one.stereotype?).to_vec();
        row.extend(cells(comparison, one));
        Some(row)
    });
    let caption = format!(
        "Differences in mean inclination by pair and stereotype, with {} intervals.",
        percent(comparison.level)
    );
    Table { name: ENTRY.name, caption, columns: head, rows: rows.collect() }
}
