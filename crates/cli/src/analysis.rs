//! From rows that are there to conclusions: the settings of an analysis, and what it writes.

use std::path::Path;

use stereometer_audit::{RunInput, Settings, analyse, check_rule};
use stereometer_core::{Seed, Warning};
use stereometer_data::Packs;
use stereometer_record::{ItemRecord, Results, RunDirectory, RunSpec, write_results};
use stereometer_report::ReportInput;

use crate::args::{AnalysisChoice, FigureFormat};
use crate::failure::{Exit, Failure};
use crate::open_run::languages;
use crate::talk::Talk;
use crate::words::plural;

/// Where conclusions go.
pub struct Output<'a> {
    /// The folder of `results.json`.
    pub results: &'a Path,
    /// The folder of the page.
    pub report: &'a Path,
    /// Formats of figures beside the page.
    pub figures: &'a [FigureFormat],
}

/// Analyses a run and writes `results.json` and the report; shared with `report`.
pub fn conclude(
    run: &RunDirectory,
    packs: &Packs,
    settings: &Settings,
    output: &Output<'_>,
    talk: &Talk,
) -> Result<Results, Failure> {
    let items = run.items()?;
    let results = results(run, &items, packs, settings);
    for warning in &results.warnings {
        match warning {
            // The table marks these; a line a language would drown the rest.
            Warning::FewItems { .. } => talk.detail(&warning.to_string()),
            Warning::Unscored { language, count, reason } => {
                let text = format!("{language}: {} unscored: {reason}", plural(*count, "item"));
                talk.doubt(&text, Some("the report has the list"));
            }
            Warning::Subset { detail } if detail.starts_with("the run is not finished") => {
                talk.doubt(detail, Some("`audit --resume` with its folder as --out finishes it"));
            }
            _ => talk.warn(warning),
        }
    }
    write_results(output.results, &results)?;
    let options = FigureFormat::options(output.figures);
    let input = ReportInput { spec: run.spec(), results: &results, items: &items };
    stereometer_report::write(&input, output.report, &options)?;
    Ok(results)
}

/// What the rows of a run say; that some are still missing is the first of its warnings.
pub fn results(run: &RunDirectory, items: &[ItemRecord], packs: &Packs, settings: &Settings) -> Results {
    let mut results = analyse(items, &languages(run.spec(), packs), run.spec().identity.method, settings);
    let missing = run.spec().n_items.saturating_sub(items.len());
    if missing > 0 {
        let detail = format!(
            "the run is not finished: it lacks {missing} of its {}",
            plural(run.spec().n_items, "item")
        );
        results.warnings.insert(0, Warning::Subset { detail });
    }
    results
}

/// Settings of the analysis: what was asked for, over `base`.
pub fn settings(choice: &AnalysisChoice, base: &Settings) -> Settings {
    Settings {
        rule: choice.rule.unwrap_or(base.rule),
        average: choice.average.unwrap_or(base.average),
        seed: choice.seed.map_or(base.seed, Seed),
        resamples: choice.resamples.map_or(base.resamples, |resamples| resamples as usize),
        min_items: choice.min_items.unwrap_or(base.min_items),
    }
}

/// The settings that a run was begun with.
pub fn asked_then(spec: &RunSpec) -> Settings {
    Settings {
        rule: spec.rule,
        average: spec.average,
        seed: spec.seed,
        resamples: spec.resamples,
        min_items: spec.min_items,
    }
}

/// What was asked for; where nothing was, what all runs were analysed with.
pub fn common_settings(choice: &AnalysisChoice, runs: &[RunInput]) -> Result<Settings, Failure> {
    let asked: Vec<Settings> = runs.iter().map(|run| asked_then(&run.spec)).collect();
    let Some(first) = asked.first() else { return Ok(Settings::default()) };
    let rule = common("rule", choice.rule, asked.iter().map(|one| one.rule))?;
    let average = common("average", choice.average, asked.iter().map(|one| one.average))?;
    for run in runs {
        check_rule(run.spec.identity.method, rule)?;
    }
    Ok(Settings {
        rule,
        average,
        seed: choice.seed.map_or(first.seed, Seed),
        resamples: choice
            .resamples
            .map_or_else(|| asked.iter().map(|one| one.resamples).max().unwrap_or(0), |n| n as usize),
        min_items: choice.min_items.unwrap_or(first.min_items),
    })
}

fn common<T: PartialEq + Copy + std::fmt::Display>(
    what: &str,
    asked: Option<T>,
    mut then: impl Iterator<Item = T>,
) -> Result<T, Failure> {
    if let Some(asked) = asked {
        return Ok(asked);
    }
    let first = then.next();
    match (first, first.and_then(|first| then.find(|other| *other != first))) {
        (Some(first), None) => Ok(first),
        (first, other) => {
            let names = first.into_iter().chain(other).map(|one| one.to_string()).collect::<Vec<_>>();
            Err(Failure::new(
                Exit::CommandLine,
                format!("the runs have other {what}s: {}", names.join(" and ")),
            )
            .hint(format!("say which one is to be used for all: --{what} {}", names[0])))
        }
    }
}
