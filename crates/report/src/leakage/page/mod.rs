//! The page of a leakage analysis: one HTML file, its parts in reading order.

mod doubts;
mod limits;
mod methods;
mod provenance;
mod qualitative;

use self::doubts::doubts;
use self::limits::limits;
use self::methods::methods;
use self::provenance::provenance;
use self::qualitative::qualitative;
use super::figures::Entry;
use super::headline::sentences;
use super::study::Study;
use crate::Table;
use crate::comparison::page::beginning;
use crate::figures::Figure;
use crate::html::escape;
use crate::links::Links;
use crate::page::shell::{Shell, absent_figures, contents, folded, section};
use crate::words::{count, list, percent, plural};

/// The whole page; the tables are those of [`super::TABLES`].
pub fn page(study: &Study<'_>, figures: &[Figure], absent: &[&Entry], tables: &[Table]) -> String {
    let lead: String =
        sentences(study).iter().map(|sentence| format!("<p>{}</p>\n", escape(sentence))).collect();
    let drawn: String = figures
        .iter()
        .enumerate()
        .map(|(place, figure)| {
            let shown = Figure { table: beginning(&figure.table), ..figure.clone() };
            section(place + 1, &shown, &Links::default())
        })
        .collect();
    let parts = figures.iter().map(|figure| (figure.name, figure.title)).chain([
        ("one_by_one", "Stereotypes that leak, one by one"),
        ("numbers", "All numbers"),
        ("doubts", "Doubts"),
        ("limits", "What the numbers do not show"),
        ("meaning", "How leakage is measured"),
        ("run", "Where everything comes from"),
    ]);
    let sections = [
        facts(study),
        contents(parts),
        drawn,
        absent_figures("analysis", absent.iter().map(|entry| (entry.title, entry.absent))),
        qualitative(study),
        numbers(tables),
        doubts(study),
        limits(study),
        methods(study),
        provenance(study),
    ];
    Shell {
        title: &title(study),
        kicker: "Stereometer leakage",
        lead: &lead,
        filter: "",
        sections: &sections.concat(),
    }
    .html()
}

fn title(study: &Study<'_>) -> String {
    let runs = study.explained();
    let names: Vec<&str> = runs.iter().map(|&run| study.run(run)).collect();
    let whom = if names.is_empty() {
        String::new()
    } else if names.len() > 3 || names.concat().chars().count() > 60 {
        format!(" in {}", plural(names.len(), "run"))
    } else {
        format!(" in {}", list(&names))
    };
    format!("Stereotype leakage across languages{whom}")
}

fn facts(study: &Study<'_>) -> String {
    let results = study.results;
    let (inventory, settings) = (&results.inventory, &results.settings);
    let languages: Vec<&str> =
        study.languages().into_iter().map(|language| study.language_name(language)).collect();
    let asked: Vec<String> = results
        .humans
        .languages
        .iter()
        .map(|one| {
            let n = one.annotators.map_or_else(|| "not stated".to_owned(), count);
            format!("{} {n}", study.language_name(&one.language))
        })
        .collect();
    let rated = results.humans.cells.iter().filter(|cell| cell.score.is_some()).count();
    let facts = [
        ("Runs", count(results.runs.len())),
        ("Languages", list(&languages)),
        (
            "Inventory",
            format!(
                "{}, version {}: {}, {}",
                inventory.name,
                inventory.version,
                plural(inventory.groups.len(), "group"),
                plural(inventory.pairs.len(), "trait pair")
            ),
        ),
        ("People asked", asked.join(", ")),
        ("Human scores", format!("{} of {} cells rated", count(rated), count(results.humans.cells.len()))),
        ("Choice", settings.choice.to_string()),
        (
            "Uncertainty",
            format!("{} intervals; p < {} counts as found", percent(settings.level), settings.alpha),
        ),
    ];
    let facts: String = facts
        .iter()
        .map(|(name, value)| format!("<div><dt>{name}</dt><dd>{}</dd></div>\n", escape(value)))
        .collect();
    format!("<dl class=\"facts\">\n{facts}</dl>\n")
}

fn numbers(tables: &[Table]) -> String {
    let tables: String = tables
        .iter()
        .map(|table| {
            let summary =
                format!("{} ({})", table.caption.trim_end_matches('.'), plural(table.rows.len(), "row"));
            if table.rows.is_empty() {
                format!("<p>{} None; the file has its heading only.</p>\n", escape(&table.caption))
            } else {
                folded(&summary, &beginning(table), &Links::default())
            }
        })
        .collect();
    format!(
        "<section id=\"numbers\">\n<h2>All numbers</h2>\n<p>Those of the figures stand below each figure. Every table is a CSV file \
         too; what its columns mean is in <a href=\"tables/README.md\">tables/README.md</a>.</p>\n{tables}</section>\n"
    )
}
