//! Which language models differ, by how much, and how sure is that?
//!
//! The difference of mean g_s over the languages, second minus first, on the items that both runs have scored. Its table
//! holds every difference of the comparison: over the languages and by language, of g_s, the default masculine rate,
//! and each stereotype's rate and inclination, and under other rules and forms.

use stereometer_record::{Comparison, Difference, PairKind};

use super::forest::{Label, Panel, forest, is_found};
use super::{Entry, Parts};
use crate::comparison::runs::{overall_g_s, pair_label, short_labels};
use crate::figures::Figure;
use crate::words::{Kind, percent, plural};
use crate::{About, Cell, Column, Table};

pub const ENTRY: Entry = Entry {
    name: "differences",
    title: "Differences in mean g_s between runs",
    absent: "No two runs share enough scored items for a difference in g_s.",
    draw,
};

fn draw(comparison: &Comparison) -> Option<Figure> {
    let found: Vec<Option<&Difference>> =
        (0..comparison.pairs.len()).map(|pair| overall_g_s(comparison, pair)).collect();
    found.iter().flatten().next()?;
    let labels = short_labels(comparison);
    let (mut names, mut rows) = (Vec::new(), Vec::new());
    let kinds = [PairKind::Reference, PairKind::Tuning];
    for kind in kinds.into_iter().filter(|kind| comparison.pairs.iter().any(|pair| pair.kind == *kind)) {
        if comparison.pairs.iter().any(|pair| pair.kind != kind) {
            let heading = match kind {
                PairKind::Reference => "minus the reference",
                PairKind::Tuning => "tuned minus base",
            };
            names.push(Label::Heading(heading));
            rows.push(None);
        }
        for (place, pair) in comparison.pairs.iter().enumerate().filter(|(_, pair)| pair.kind == kind) {
            names.push(Label::Row(labels[pair.second].clone(), About::default()));
            rows.push(found[place]);
        }
    }
    let one_reference = comparison.pairs.iter().all(|pair| pair.first == 0);
    let head =
        if one_reference { format!("minus {}", labels[0]) } else { format!("reference: {}", labels[0]) };
    Some(ENTRY.figure(Parts {
        reading: format!(
            "Mean g_s of a run minus that of the one it is set against, on the items that both have scored. 0 = no \
             difference; right = the named run leans more towards stereotypes, left = less. Bars are {} intervals; filled: \
             p of the permutation test lies below 0.05 after Holm's adjustment over the {} of this figure; diamond: below 0.{}",
            percent(comparison.level),
            plural(found.iter().flatten().count(), "difference"),
            if comparison.runs.len() > 2 {
                " Other runs than the first are set against each other only where one is the tuned model of the other."
            } else {
                ""
            }
        ),
        alt: alt(comparison, &found),
        svg: forest(&names, &[Panel { head, rows }], ["leans less", "leans more"]),
        table: table(comparison),
    }))
}

fn alt(comparison: &Comparison, found: &[Option<&Difference>]) -> String {
    let clauses: Vec<String> = found
        .iter()
        .zip(&comparison.pairs)
        .map(|(one, pair)| {
            let labels: Vec<String> = comparison.runs.iter().map(|run| run.label.clone()).collect();
            let name = pair_label(pair, &labels);
            one.map_or_else(
                || format!("{name}: none"),
                |one| {
                    let found = if is_found(one) { "found" } else { "not found" };
                    format!("{name}: {}, {found}", Kind::Difference.brief(&one.difference))
                },
            )
        })
        .collect();
    format!("Forest plot of differences in mean g_s. {}.", clauses.join("; "))
}

/// The columns that every table of differences ends with.
pub fn columns() -> Vec<Column> {
    let mut columns = vec![
        Column::new("first", "first", "the run that is set against: its value is taken away"),
        Column::new("second", "second", "the run that is compared with it"),
        Column::new("first_value", "first's value", "the statistic in the first run, on the shared items"),
        Column::new("second_value", "second's value", "the statistic in the second run, on the shared items"),
    ];
    columns.extend(Column::estimate("difference", "difference", "second minus first; neutral 0"));
    columns.extend([
        Column::new(
            "p",
            "p",
            "two-sided, by exchanging the runs' sentences; empty: nothing to exchange, or not tested",
        ),
        Column::new(
            "holm",
            "Holm",
            "p adjusted by Holm over the family of tests: chance of one false finding in it",
        ),
        Column::new(
            "bh",
            "BH",
            "p adjusted by Benjamini–Hochberg: share of false findings among the findings",
        ),
        Column::new("items", "items", "scored items behind it, in each run"),
        Column::new("n", "n", "source sentences, the unit of resampling and exchange"),
    ]);
    columns
}

/// The cells under [`columns`].
pub fn cells(comparison: &Comparison, one: &Difference) -> Vec<Cell> {
    let pair = &comparison.pairs[one.pair];
    let value = kind(one);
    let mut row = vec![
        Cell::text(&comparison.runs[pair.first].label),
        Cell::text(&comparison.runs[pair.second].label),
        Cell::number(value, one.first),
        Cell::number(value, one.second),
    ];
    row.extend(Cell::estimate(Kind::Difference, Some(&one.difference), ""));
    row.extend(match &one.test {
        Some(test) => [test.p, test.holm, test.bh].map(|p| Cell::number(Kind::P, p)),
        None => [Cell::Missing("not tested"), Cell::Missing(""), Cell::Missing("")],
    });
    row.extend([Cell::Count(one.items), Cell::Count(one.difference.n)]);
    row
}

fn kind(one: &Difference) -> Kind {
    use stereometer_record::Statistic;
    match one.statistic {
        Statistic::GS => Kind::Ratio,
        Statistic::DefaultMasculineRate | Statistic::Q => Kind::Rate,
        Statistic::Inclination => Kind::Difference,
    }
}

fn table(comparison: &Comparison) -> Table {
    let mut columns = vec![
        Column::new("statistic", "statistic", "g_s, default_masculine_rate, q or inclination"),
        Column::new("rule", "rule", "how a text's log-probabilities become one number"),
        Column::new("form", "form", "items of this form alone; empty: of all forms"),
        Column::new("language", "language", "BCP 47 tag; “mean”: over the languages that both runs have"),
        Column::new("stereotype", "no.", "number of the stereotype in GEST; empty: the statistic is of none"),
        Column::new("stereotype_name", "stereotype", "the stereotype in words"),
    ];
    columns.extend(self::columns());
    // What holds over the languages comes first, whatever the pair.
    let mut all: Vec<&Difference> = comparison.differences.iter().collect();
    all.sort_by_key(|one| (one.language.is_some(), one.stereotype.is_some(), one.form.is_some()));
    let rows = all.into_iter().map(|one| {
        let mut row = vec![
            Cell::text(one.statistic.name()),
            Cell::text(one.rule.name()),
            one.form.map_or(Cell::Missing(""), |form| Cell::text(form.to_string())),
            Cell::text(one.language.as_ref().map_or("mean", |language| language.as_str())),
        ];
        row.extend(match one.stereotype {
            Some(id) => [Cell::Count(usize::from(id.get())), Cell::text(id.phrase())],
            None => [Cell::Missing(""), Cell::Missing("")],
        });
        row.extend(cells(comparison, one));
        row
    });
    let caption = format!("Every difference between two runs, with {} intervals.", percent(comparison.level));
    Table { name: ENTRY.name, caption, columns, rows: rows.collect() }
}
