//! In which languages do two language models differ?
//!
//! The difference of g_s in every language that both runs have, for the first pairs; the table has all pairs.

use stereometer_record::{Comparison, Difference, Statistic};

use super::differences::{cells, columns};
use super::forest::{Label, Panel, forest, is_found, pair_by_pair};
use super::{Entry, Parts};
use crate::comparison::runs::{languages, pair_label, short_labels};
use crate::figures::Figure;
use crate::words::{percent, plural};
use crate::{About, Cell, Column, Table};

pub const ENTRY: Entry = Entry {
    name: "differences_by_language",
    title: "Differences in g_s between runs, by language",
    absent: "No two runs have a g_s on shared items in any language.",
    draw,
};

/// Pairs that stand side by side; of more, the first alone is drawn.
pub const PANELS: usize = 3;

/// The pairs that are drawn, and what is said about the others.
pub fn drawn(comparison: &Comparison) -> (usize, String) {
    let pairs = comparison.pairs.len();
    if pairs <= PANELS {
        return (pairs, String::new());
    }
    (1, format!(" Only the first of {} is drawn; all are in the table.", plural(pairs, "pair")))
}

fn draw(comparison: &Comparison) -> Option<Figure> {
    let is_of = |one: &&Difference| one.statistic == Statistic::GS && one.language.is_some();
    let all: Vec<&Difference> = comparison.differences.iter().filter(is_of).collect();
    all.first()?;
    let names = short_labels(comparison);
    let languages = languages(comparison);
    let (n, others) = drawn(comparison);
    let panels: Vec<Panel<'_>> = comparison.pairs[..n]
        .iter()
        .enumerate()
        .map(|(place, pair)| Panel {
            head: pair_label(pair, &names),
            rows: languages
                .iter()
                .map(|(language, _)| {
                    all.iter()
                        .find(|one| one.pair == place && one.language.as_ref() == Some(language))
                        .copied()
                })
                .collect(),
        })
        .collect();
    let labels: Vec<Label> = languages
        .iter()
        .map(|(language, name)| Label::Row((*name).to_owned(), About::language(language)))
        .collect();
    Some(ENTRY.figure(Parts {
        reading: format!(
            "g_s of the second run minus that of the first, by language, on shared items. 0 = no difference; right = the \
             second leans more towards stereotypes there. Bars are {} intervals; filled: p of the permutation test lies \
             below 0.05 after Holm's adjustment over all pairs and languages ({}); – : the pair shares nothing there.{others}",
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
        let found = |above: bool| {
            of.iter().filter(|one| is_found(one) && (one.difference.value > 0.0) == above).count()
        };
        let languages = plural(of.len(), "language");
        format!("above 0 in {}, below 0 in {} of {languages}", found(true), found(false))
    });
    format!("Forest plot of differences in g_s by language. Found after Holm: {clauses}.")
}

fn table(comparison: &Comparison, all: &[&Difference]) -> Table {
    let mut head = Column::language().to_vec();
    head.extend(columns());
    let names = languages(comparison);
    let rows = all.iter().map(|one| {
        let tag = one.language.as_ref();
        let name = names.iter().find(|(language, _)| Some(*language) == tag).map_or("", |known| known.1);
        let mut row = vec![Cell::text(tag.map_or("", |tag| tag.as_str())), Cell::text(name)];
        row.extend(cells(comparison, one));
        row
    });
    let caption =
        format!("Differences in g_s by pair and language, with {} intervals.", percent(comparison.level));
    Table { name: ENTRY.name, caption, columns: head, rows: rows.collect() }
}
