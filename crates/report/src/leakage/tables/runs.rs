//! The runs: which language model, how it was asked, what has no score.

use crate::leakage::study::Study;
use crate::words::count;
use crate::{Cell, Column, Holds, Table};

/// The table.
pub fn runs(study: &Study<'_>) -> Table {
    let columns = vec![
        Column::new("run", "run", "name of the run"),
        Column::new("model", "language model", "name or path as given"),
        Column::new("parameters", "parameters", "parameters of the language model").holding(Holds::Counts),
        Column::new("method", "method", "how associations were measured"),
        Column::new("languages", "languages", "BCP 47 tags"),
        Column::new(
            "monolingual",
            "monolingual",
            "yes: a language model of one language, which explains and is not explained",
        ),
        Column::new("asked", "asked", "pole scores asked for").holding(Holds::Counts),
        Column::new("unscored", "without a score", "of these, how many have none").holding(Holds::Counts),
        Column::new("reasons", "why", "reasons, each with its number"),
    ];
    let rows = study.results.runs.iter().map(|run| {
        let languages: Vec<&str> = run.languages.iter().map(stereometer_core::Language::as_str).collect();
        let reasons: Vec<String> =
            run.unscored.iter().map(|(reason, n)| format!("{reason} ({})", count(*n))).collect();
        vec![
            Cell::text(&run.label),
            Cell::text(&run.model.name),
            Cell::Count(run.model.parameters as usize),
            Cell::text(run.method.name()),
            Cell::text(languages.join(" ")),
            Cell::text(if run.is_monolingual { "yes" } else { "no" }),
            Cell::Count(run.asked),
            Cell::Count(run.unscored.iter().map(|one| one.1).sum()),
            if reasons.is_empty() { Cell::Missing("") } else { Cell::text(reasons.join("; ")) },
        ]
    });
    let caption = "The runs that are looked at.".to_owned();
    Table { name: "runs", caption, columns, rows: rows.collect() }
}
