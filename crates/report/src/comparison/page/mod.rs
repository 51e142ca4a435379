//! The page of a comparison: one HTML file, its parts in reading order.

mod concerns;
mod meaning;
mod provenance;

use std::collections::BTreeSet;

use stereometer_core::Method;
use stereometer_record::Comparison;

use self::concerns::concerns;
use self::meaning::meaning;
use self::provenance::provenance;
use super::each::{self, Each};
use super::figures::Entry;
use super::headline::sentences;
use super::runs::languages;
use crate::Table;
use crate::figures::Figure;
use crate::html::escape;
use crate::links::Links;
use crate::page::filter::filter;
use crate::page::limits::of_any_page;
use crate::page::shell::{Shell, absent_figures, contents, folded, section};
use crate::words::{count, list, percent, plural};

/// Rows of a table that the page shows; the CSV has all.
const ROWS: usize = 300;

const LIMITS: [(&str, &str); 3] = [
    (
        "Shared items, not shared tokens.",
        "Two tokenizers cut one sentence into other pieces, and a rule weighs pieces. A difference that turns with the \
         rule is a difference between tokenizers as much as between language models: see “What changes with the rule”.",
    ),
    (
        "One model of each kind.",
        "A difference between two runs is one between these checkpoints. Another training run of the same recipe could \
         differ as much: size, tuning or data are not shown to be the cause.",
    ),
    (
        "No difference found is not equality.",
        "Where the data cannot tell two runs apart, the interval says how far they may still differ.",
    ),
];

/// The whole page.
pub fn page(
    comparison: &Comparison,
    figures: &[Figure],
    absent: &[&Entry],
    tables: &[Table; 4],
    each: &[Each],
) -> String {
    let [runs, pairs, concordance, trends] = tables;
    let drawn: Vec<String> = figures
        .iter()
        .enumerate()
        .map(|(place, figure)| {
            let mut part = section(
                place + 1,
                &Figure { table: beginning(&figure.table), ..figure.clone() },
                &Links::default(),
            );
            // What holds over each run's languages, and over sizes, stands with what it is about.
            let more = match figure.name {
                "mean_g_s" if !trends.rows.is_empty() => trend_words(trends),
                "agreement" => concordance_words(concordance),
                _ => String::new(),
            };
            part = part.replacen("</section>\n", &format!("{more}</section>\n"), 1);
            part
        })
        .collect();
    let lead: String =
        sentences(comparison).iter().map(|sentence| format!("<p>{}</p>\n", escape(sentence))).collect();
    let parts = figures.iter().map(|figure| (figure.name, figure.title)).chain([
        ("each", "Each run by itself"),
        ("doubts", "Doubts"),
        ("limits", "What the numbers do not show"),
        ("meaning", "How runs are compared"),
        ("run", "The runs"),
    ]);
    let sections = [
        facts(comparison, runs, pairs),
        contents(parts),
        drawn.concat(),
        absent_figures("comparison", absent.iter().map(|entry| (entry.title, entry.absent))),
        each::section(each),
        concerns(comparison),
        of_any_page(set(comparison), comparison.method, own_limits(comparison.method)),
        meaning(comparison),
        provenance(comparison),
    ];
    Shell {
        title: &title(comparison),
        kicker: "Stereometer comparison",
        lead: &lead,
        filter: &filter(languages(comparison).into_iter()),
        sections: &sections.concat(),
    }
    .html()
}

fn title(comparison: &Comparison) -> String {
    let names: Vec<&str> = comparison.runs.iter().map(|run| run.label.as_str()).collect();
    if names.len() > 3 || names.concat().chars().count() > 60 {
        // One language model may have several runs.
        let models: BTreeSet<_> = comparison
            .runs
            .iter()
            .map(|run| (&run.spec.identity.model.name, run.spec.identity.model.parameters))
            .collect();
        let runs = if models.len() < names.len() {
            format!("{} runs of ", count(names.len()))
        } else {
            String::new()
        };
        format!("Gender stereotypes in {runs}{}", plural(models.len(), "language model"))
    } else {
        format!("Gender stereotypes in {}", list(&names))
    }
}

fn set(comparison: &Comparison) -> &str {
    comparison.runs.first().map_or("", |run| run.spec.identity.set.name.as_str())
}

fn own_limits(method: Method) -> &'static [(&'static str, &'static str)] {
    // Only sentences of equal length are scored, under one rule.
    if method == Method::MaskedDifference { &LIMITS[1..] } else { &LIMITS }
}

fn opened(summary: &str, table: &Table) -> String {
    folded(summary, &beginning(table), &Links::default()).replacen("<details>", "<details open>", 1)
}

/// The rows that the page has room for.
pub fn beginning(table: &Table) -> Table {
    if table.rows.len() <= ROWS {
        return table.clone();
    }
    Table {
        caption: format!(
            "{} The first {ROWS} of {} rows; the file has all.",
            table.caption,
            count(table.rows.len())
        ),
        rows: table.rows[..ROWS].to_vec(),
        ..table.clone()
    }
}

fn facts(comparison: &Comparison, runs: &Table, pairs: &Table) -> String {
    let facts = [
        ("Runs", count(comparison.runs.len())),
        ("Stereotype set", set(comparison).to_owned()),
        (
            "Method, rule and average",
            format!("{}, {}, {}", comparison.method, comparison.rule, comparison.average),
        ),
        (
            "Uncertainty",
            format!(
                "{} intervals, {} resamples, as many permutations",
                percent(comparison.level),
                count(comparison.resamples)
            ),
        ),
    ];
    let facts: String = facts
        .iter()
        .map(|(name, value)| format!("<div><dt>{name}</dt><dd>{}</dd></div>\n", escape(value)))
        .collect();
    format!(
        "<dl class=\"facts\">\n{facts}</dl>\n{}{}",
        opened("The runs", runs),
        opened("What pairs of runs share", pairs)
    )
}

fn trend_words(trends: &Table) -> String {
    format!(
        "<p>Does mean g_s grow with size within a family? Kendall's τ-b is 1 where every larger model leans more, 0 without \
         a trend, −1 where every larger one leans less. With few sizes p cannot be small: of three sizes, the least \
         possible is 0.333.</p>\n{}",
        opened("Mean g_s and size", trends)
    )
}

fn concordance_words(concordance: &Table) -> String {
    format!(
        "<p>Does each run rank the stereotypes alike in its languages? Kendall's W is 0 where the languages' ranks have \
         nothing in common and 1 where they are the same.</p>\n{}",
        opened("Agreement of the languages of a run", concordance)
    )
}
