//! The page of a comparison: one HTML file, its parts in reading order.

use std::collections::BTreeSet;

use stereometer_core::{Language, Method};
use stereometer_record::{ComparedRun, Comparison};

use super::figures::Entry;
use super::headline::sentences;
use crate::figures::Figure;
use crate::html::escape;
use crate::links::Links;
use crate::page::caveats::{doubts, point};
use crate::page::filter::filter;
use crate::page::limits::of_any_page;
use crate::page::provenance::{command, hash};
use crate::page::shell::{Shell, contents, folded, section};
use crate::words::{count, list, percent, plural};
use crate::{ReportInput, Table};

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
pub fn page(comparison: &Comparison, figures: &[Figure], absent: &[&Entry], tables: &[Table; 4]) -> String {
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
        ("doubts", "Doubts"),
        ("limits", "What the numbers do not show"),
        ("meaning", "How runs are compared"),
        ("run", "The runs"),
    ]);
    let sections = [
        facts(comparison, runs, pairs),
        contents(parts),
        drawn.concat(),
        missing(absent),
        concerns(comparison),
        of_any_page(set(comparison), comparison.method, own_limits(comparison.method)),
        meaning(comparison),
        provenance(comparison),
    ];
    Shell {
        title: &title(comparison),
        kicker: "Stereometer comparison",
        lead: &lead,
        filter: &filter(languages(comparison)),
        sections: &sections.concat(),
    }
    .html()
}

/// The languages of all runs, each once.
fn languages(comparison: &Comparison) -> impl Iterator<Item = (&Language, &str)> {
    let all = comparison.runs.iter().flat_map(|run| &run.results.languages);
    let mut found: Vec<(&Language, &str)> = Vec::new();
    for one in all {
        if found.iter().all(|other| *other.0 != one.language) {
            found.push((&one.language, &one.name));
        }
    }
    found.into_iter()
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
fn beginning(table: &Table) -> Table {
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

fn missing(absent: &[&Entry]) -> String {
    let lines: String = absent
        .iter()
        .map(|entry| format!("<li>“{}”: {}</li>\n", escape(entry.title), escape(entry.absent)))
        .collect();
    if lines.is_empty() {
        return String::new();
    }
    format!(
        "<section id=\"absent\">\n<h2>Figures that this comparison has not</h2>\n<ul>\n{lines}</ul>\n</section>\n"
    )
}

/// Doubts about the comparison, then those of the runs, each said once for all runs that share it.
fn concerns(comparison: &Comparison) -> String {
    let own: String = comparison
        .doubts
        .iter()
        .map(|doubt| point(&sentence(&doubt.what), doubt.advice.trim_end_matches('.')))
        .collect();
    let own = if own.is_empty() {
        "<p>Nothing stands against comparing these runs.</p>\n".to_owned()
    } else {
        format!("<ul>\n{own}</ul>\n")
    };
    let mut shared: Vec<(String, &'static str, Vec<&str>)> = Vec::new();
    for run in &comparison.runs {
        for (what, advice) in doubts(&input(run)) {
            match shared.iter_mut().find(|known| known.0 == what && known.1 == advice) {
                Some(known) => known.2.push(&run.label),
                None => shared.push((what, advice, vec![&run.label])),
            }
        }
    }
    let of_runs: String = shared
        .iter()
        .map(|(what, advice, runs)| {
            let whose = if runs.len() == comparison.runs.len() && runs.len() > 1 {
                "All runs".to_owned()
            } else {
                list(runs)
            };
            point(&format!("{whose}: {what}"), advice)
        })
        .collect();
    let of_runs = if of_runs.is_empty() {
        "<p>The runs themselves gave no warning.</p>\n".to_owned()
    } else {
        format!(
            "<details><summary>Warnings of the runs ({})</summary>\n<ul>\n{of_runs}</ul></details>\n",
            count(shared.len())
        )
    };
    format!("<section id=\"doubts\">\n<h2>Doubts</h2>\n{own}{of_runs}</section>\n")
}

fn input(run: &ComparedRun) -> ReportInput<'_> {
    ReportInput { spec: &run.spec, results: &run.results, items: &[] }
}

/// A sentence; a run's name at its beginning stays as it is.
fn sentence(what: &str) -> String {
    format!("{}.", what.trim_end_matches('.'))
}

fn meaning(comparison: &Comparison) -> String {
    let steps = [
        "<b>Each run by itself</b>: g_s, ranks and inclination as in its own report, from all of its rows.".to_owned(),
        "<b>A difference</b> is the second run minus the first, computed on the items that both have scored; over languages, \
         it is the difference of the means over the languages that both have. 0 = no difference."
            .to_owned(),
        format!(
            "<b>Intervals of differences</b>: {} bootstrap with {} resamples of the source sentences within each \
             stereotype, the same resampled sentences in both runs and in every language. What makes a sentence easy or \
             hard for both runs cancels. Their ends are found as in a run's own report.",
            percent(comparison.level),
            count(comparison.resamples)
        ),
        format!(
            "<b>p</b>: {} permutations. In each, the throw of a coin decides for every source sentence whether the two runs \
             exchange it, with all its items and languages. p is the share of permutations whose difference is at least as \
             far from 0 as the one found, which is counted among them; so the least possible p is 1 in {}. Of few sentences few exchanges are different: four of a stereotype can hardly \
             give a p below 0.1, even where the interval leaves out 0.",
            count(comparison.resamples),
            count(comparison.resamples + 1)
        ),
        "<b>Holm and Benjamini–Hochberg</b> (BH) count the tests that a reader looks at together: over all pairs of runs, one \
         statistic over the languages is one family of tests; by language another; by stereotype another; by stereotype \
         and language another. Holm bounds the chance of a single false finding in the family, BH the share of false ones \
         among the findings. What changes with a rule or a form is not tested."
            .to_owned(),
        "<b>Which pairs</b>: every run against the first, and every instruction-tuned model against the base model of its \
         family and size."
            .to_owned(),
        format!("<b>Seed</b> of resamples and permutations: {}.", comparison.seed.0),
    ];
    let steps: String = steps.iter().map(|step| format!("<li>{step}</li>\n")).collect();
    format!("<section id=\"meaning\">\n<h2>How runs are compared</h2>\n<ul>\n{steps}</ul>\n</section>\n")
}

fn provenance(comparison: &Comparison) -> String {
    let runs: String = comparison.runs.iter().map(one_run).collect();
    format!(
        "<section id=\"run\">\n<h2>The runs</h2>\n<p>The page is made from the runs' rows, without the language models, by \
         <code>stereometer compare</code> and the runs' folders. What every column of the CSV files means is in \
         <a href=\"tables/README.md\">tables/README.md</a>.</p>\n{runs}</section>\n"
    )
}

fn one_run(run: &ComparedRun) -> String {
    let (spec, model, set) = (&run.spec, &run.spec.identity.model, &run.spec.identity.set);
    let version = set.version.as_ref().map(|version| format!(", version {version}")).unwrap_or_default();
    let unknown = || "not stated".to_owned();
    let rows = [
        ("Language model", escape(&model.name)),
        ("its licence", escape(&model.licence.clone().unwrap_or_else(unknown))),
        ("weights", hash(&model.weights_sha256)),
        ("tokenizer", hash(&model.tokenizer_sha256)),
        (
            "precision",
            escape(&format!(
                "stored {}, computed in {}, by {}",
                model.stored_dtype, model.compute_dtype, model.backend
            )),
        ),
        ("Stereotype set", escape(&format!("{}{version}", set.name))),
        ("its licence", escape(&set.licence.clone().unwrap_or_else(unknown))),
        ("subset", escape(&spec.identity.subset.clone().unwrap_or_else(|| "the whole set".to_owned()))),
        ("items", hash(&spec.identity.items_sha256)),
        ("Began", escape(&spec.started)),
        ("Program", format!("stereometer {}", escape(&spec.tool_version))),
    ];
    let rows: String =
        rows.iter().map(|(name, value)| format!("<dt>{name}</dt><dd>{value}</dd>\n")).collect();
    format!(
        "<details><summary>{}</summary>\n<pre><code>{}</code></pre>\n<dl class=\"run\">\n{rows}</dl></details>\n",
        escape(&run.label),
        escape(&command(&spec.command))
    )
}
