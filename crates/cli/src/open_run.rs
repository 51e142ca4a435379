//! Runs on disk, with the settings of an analysis that holds for all of them.

use std::path::Path;

use stereometer_audit::{RunInput, Settings, check_rule};
use stereometer_core::{Language, Seed};
use stereometer_data::Packs;
use stereometer_record::{RunDirectory, RunSpec};

use crate::args::AnalysisChoice;
use crate::commands::audit::asked_then;
use crate::failure::{Exit, Failure};
use crate::named::Naming;

/// The run's languages with their English names.
pub fn languages(spec: &RunSpec, packs: &Packs) -> Vec<(Language, String)> {
    let name = |language: &Language| {
        packs.get(language).map_or_else(|| language.to_string(), |pack| pack.name().to_owned())
    };
    spec.identity.languages.iter().map(|language| (language.clone(), name(language))).collect()
}

/// Opens several runs and gives each a name of its own.
pub fn open_runs<P: AsRef<Path>>(
    folders: &[P],
    packs: &Packs,
    naming: &Naming,
) -> Result<Vec<RunInput>, Failure> {
    let opened: Vec<(&Path, RunDirectory)> = folders
        .iter()
        .map(|folder| Ok((folder.as_ref(), RunDirectory::open(folder.as_ref())?)))
        .collect::<Result<_, Failure>>()?;
    let names = naming.of(&opened)?;
    opened
        .into_iter()
        .zip(names)
        .map(|((_, run), named)| {
            Ok(RunInput {
                label: named.label,
                family: named.family,
                tuning: named.tuning,
                items: run.items()?,
                languages: languages(run.spec(), packs),
                spec: run.spec().clone(),
            })
        })
        .collect()
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
