//! `leakage`: whose stereotypes a language model has in which language.

mod table;

use std::path::{Path, PathBuf};

use stereometer_core::{AssociationMethod, Seed};
use stereometer_data::{DataError, Inventory};
use stereometer_leakage::humans::{Reading, category_correlations, read_human_scores};
use stereometer_leakage::{Inputs, LeakageError, RunInput, Settings, analyse, inventory_identity, summary};
use stereometer_record::{AssociationDirectory, FitDoubt, LeakageResults, write_leakage};
use stereometer_score::methods::ilps::IlpsKind;

use crate::args::{FigureFormat, LeakageArgs, human_files};
use crate::failure::{Exit, Failure};
use crate::named::Naming;
use crate::out::put;
use crate::talk::Talk;

/// Runs the command.
pub fn run(args: &LeakageArgs, talk: &mut Talk) -> Result<Exit, Failure> {
    let runs = open(args)?;
    let inventory = inventory(args, &runs, talk)?;
    let humans = read_human_scores(&human_files(&args.humans, None, &inventory)?, &inventory)?;
    let seed = Seed(args.seed);
    let resamples = args.resamples as usize;
    let correlations = category_correlations(&humans, &inventory, Reading::default(), resamples, seed);
    let inputs = Inputs { inventory: summary(&inventory), runs, humans, category_correlations: correlations };
    let settings = Settings {
        choice: args.choice(),
        ilps: args.ilps.into(),
        prior: args.prior.into(),
        alpha: args.alpha,
        seed,
    };
    let results = analyse(&inputs, &settings)?;
    for warning in results.humans.warnings.iter().chain(&results.warnings) {
        talk.warn(warning);
    }
    let is_by_ilps = results.runs.iter().any(|run| run.method == AssociationMethod::Ilps);
    if settings.ilps != IlpsKind::default() && !is_by_ilps {
        talk.doubt("`--ilps` has no effect: no run was measured by ilps", Some("leave it out"));
    }
    doubts(&results, talk);
    let chosen = || results.fits.iter().filter(|fit| fit.choice == results.settings.choice);
    if chosen().next().is_none() {
        return Err(Failure::new(Exit::NothingSelected, "no regression could be made")
            .hint("the warnings say why, and what to do about each cause"));
    }
    let page = args.out.as_ref().map(|out| write(out, &results, args, talk)).transpose()?;
    put!("{}", table::tables(&results))?;
    for sentence in stereometer_report::leakage_headline(&results) {
        put!("{sentence}")?;
    }
    if let Some(page) = page {
        put!("\nreport: {}", page.display())?;
    }
    let is_doubtful = chosen().any(|fit| fit.singular || !fit.converged);
    Ok(if is_doubtful { Exit::DoubtfulFit } else { Exit::Done })
}

/// All runs, monolingual ones last.
fn open(args: &LeakageArgs) -> Result<Vec<RunInput>, Failure> {
    let folders: Vec<(&PathBuf, bool)> = args
        .runs
        .iter()
        .map(|folder| (folder, false))
        .chain(args.monolingual.iter().map(|folder| (folder, true)))
        .collect();
    let opened: Vec<(&Path, AssociationDirectory, bool)> = folders
        .into_iter()
        .map(|(folder, is_monolingual)| {
            Ok((folder.as_path(), AssociationDirectory::open(folder)?, is_monolingual))
        })
        .collect::<Result<_, Failure>>()?;
    let keys: Vec<(&Path, &str)> =
        opened.iter().map(|(path, run, _)| (*path, run.spec().association.model.name.as_str())).collect();
    let names = Naming::default().of(&keys)?;
    let input = |(directory, is_monolingual, label): (&AssociationDirectory, bool, String)| {
        let (spec, rows) = (directory.spec().clone(), directory.items()?);
        Ok(RunInput { label, spec, rows, is_monolingual })
    };
    let runs = opened.iter().zip(names);
    runs.map(|((_, directory, is_monolingual), named)| input((directory, *is_monolingual, named.label)))
        .collect()
}

/// The inventory that is asked for, or that of the first run. A run of other files says so: its groups and traits may mean
/// something else.
fn inventory(args: &LeakageArgs, runs: &[RunInput], talk: &mut Talk) -> Result<Inventory, Failure> {
    let of = |run: &RunInput| run.spec.association.inventory.clone();
    let own = runs.first().map(of).map(|inventory| inventory.name).unwrap_or_default();
    let name = args.inventory.as_ref().unwrap_or(&own);
    let inventory = Inventory::open(name).map_err(|error| match error {
        DataError::UnknownInventory { .. } if args.inventory.is_none() => Failure::new(
            Exit::CommandLine,
            format!("the inventory `{name}` of the first run is not one of the program's own"),
        )
        .hint("give its folder with --inventory"),
        other => other.into(),
    })?;
    let here = inventory_identity(&inventory);
    for run in runs {
        let there = of(run);
        let doubt = if (&there.name, &there.version) != (&here.name, &here.version) {
            format!("`{}` {}", there.name, there.version)
        } else if there.files != here.files {
            format!("other files of `{}`", there.name)
        } else {
            continue;
        };
        talk.doubt(
            &format!(
                "the run `{}` was made with {doubt}, and is read with `{}` {}",
                run.label, here.name, here.version
            ),
            Some("compare only runs with the same groups, traits and templates; --inventory chooses another"),
        );
    }
    Ok(inventory)
}

/// What there is to say of the fits that are the result, once for all languages that share it.
fn doubts(results: &LeakageResults, talk: &mut Talk) {
    let choice = results.settings.choice;
    let fits = results
        .fits
        .iter()
        .filter(|fit| fit.choice == choice)
        .flat_map(|fit| fit.doubts.iter().map(move |doubt| ((fit.run, &fit.target), doubt.clone())));
    let skipped = results.skipped.iter().filter(|skipped| skipped.choice == choice).map(|skipped| {
        let what = format!("not fitted: {}", skipped.reason);
        ((skipped.run, &skipped.target), FitDoubt { what, advice: skipped.advice.clone() })
    });
    let mut said: Vec<(usize, Vec<&str>, FitDoubt)> = Vec::new();
    for ((run, target), doubt) in fits.chain(skipped) {
        match said.iter_mut().find(|(other, _, known)| *other == run && *known == doubt) {
            Some((_, targets, _)) => targets.push(target.as_str()),
            None => said.push((run, vec![target.as_str()], doubt)),
        }
    }
    for (run, targets, doubt) in said {
        let label = &results.runs[run].label;
        talk.doubt(&format!("{label}, {}: {}", targets.join(", "), doubt.what), Some(&doubt.advice));
    }
}

/// `leakage.json`, and the report; gives the page.
fn write(out: &Path, results: &LeakageResults, args: &LeakageArgs, talk: &Talk) -> Result<PathBuf, Failure> {
    crate::out::check_folder(out, "leakage.json")?;
    refuse_other_runs(out, results)?;
    write_leakage(out, results)?;
    let options = FigureFormat::options(&args.figures);
    let written = stereometer_report::write_leakage(results, &out.join("report"), options)?;
    for (flaw, advice) in written.flaws.sentences() {
        talk.doubt(&flaw, Some(advice));
    }
    Ok(written.page)
}

/// Another choice may replace a result of the same runs; a result of others is kept.
fn refuse_other_runs(out: &Path, results: &LeakageResults) -> Result<(), Failure> {
    let Ok(bytes) = std::fs::read(out.join("leakage.json")) else { return Ok(()) };
    let Ok(there) = serde_json::from_slice::<LeakageResults>(&bytes) else { return Ok(()) };
    let runs = |results: &LeakageResults| -> Vec<(String, String)> {
        results.runs.iter().map(|run| (run.label.clone(), run.model.weights_sha256.clone())).collect()
    };
    if runs(&there) == runs(results) {
        return Ok(());
    }
    let labels: Vec<&str> = there.runs.iter().map(|run| run.label.as_str()).collect();
    let message = format!("{}: holds the result of other runs: {}", out.display(), labels.join(", "));
    Err(Failure::new(Exit::CommandLine, message).hint("choose a new folder with --out"))
}

impl From<LeakageError> for Failure {
    fn from(error: LeakageError) -> Self {
        let exit = match error {
            LeakageError::NoRuns { .. }
            | LeakageError::SameLabel { .. }
            | LeakageError::SameRun { .. }
            | LeakageError::OwnMonolingual { .. }
            | LeakageError::Multilingual { .. } => Exit::CommandLine,
            LeakageError::Unknown { .. }
            | LeakageError::UnlistedLanguage { .. }
            | LeakageError::RepeatedCell { .. } => Exit::Input,
        };
        Self::new(exit, error.to_string()).hint(error.hint())
    }
}
