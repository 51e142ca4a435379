//! `export`: the tables of runs for other programs; needs no model.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use stereometer_audit::{Settings, check_rule};
use stereometer_data::Packs;
use stereometer_record::{ItemRecord, RunDirectory};
use stereometer_report::export::{Export, FORMATS, Format, Run, TABLES, TableInfo};

use crate::args::ExportArgs;
use crate::commands::audit::{asked_then, results, settings};
use crate::failure::{Exit, Failure};
use crate::out::put;
use crate::talk::Talk;
use crate::words::plural;

/// What is made of the runs.
#[derive(Debug, Clone, Copy)]
pub enum Target {
    /// Tables in a file format.
    Tables(&'static Format),
}

impl Target {
    /// By its name on the command line.
    pub fn parse(name: &str) -> Result<Self, String> {
        let format = FORMATS.into_iter().find(|format| format.name == name);
        format.map(Self::Tables).ok_or_else(|| {
            let known: Vec<&str> = FORMATS.iter().map(|format| format.name).collect();
            format!("known: {}", known.join(", "))
        })
    }
}

/// A table by its name on the command line.
pub fn table(name: &str) -> Result<&'static TableInfo, String> {
    TABLES.into_iter().find(|table| table.name == name).ok_or_else(|| {
        let known: Vec<&str> = TABLES.iter().map(|table| table.name).collect();
        format!("known: {}", known.join(", "))
    })
}

/// Runs the command.
pub fn run(args: &ExportArgs, talk: &mut Talk) -> Result<Exit, Failure> {
    let packs = args.packs.open()?;
    let runs = open_all(args)?;
    match args.format {
        Target::Tables(format) => tables(args, format, &runs, &packs, talk),
    }
}

/// A run that will be exported.
struct Chosen {
    name: String,
    directory: RunDirectory,
    settings: Settings,
}

/// Every run, checked before the first file is written.
fn open_all(args: &ExportArgs) -> Result<Vec<Chosen>, Failure> {
    let mut names = BTreeSet::new();
    let mut paths = BTreeSet::new();
    args.runs
        .iter()
        .map(|path| {
            let directory = RunDirectory::open(path)?;
            let full = path.canonicalize().map_err(Failure::io(path, "cannot read"))?;
            if !paths.insert(full.clone()) {
                let message = format!("{}: the run is named twice", path.display());
                return Err(Failure::new(Exit::CommandLine, message));
            }
            let settings = settings(&args.analysis, &asked_then(directory.spec()));
            check_rule(directory.spec().identity.method, settings.rule)?;
            Ok(Chosen { name: unique(&full, &mut names), directory, settings })
        })
        .collect()
}

/// The folder's name, with a number where another run has it already.
fn unique(path: &Path, taken: &mut BTreeSet<String>) -> String {
    let base = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
    let mut name = base.clone();
    let mut number = 2;
    while !taken.insert(name.clone()) {
        name = format!("{base}-{number}");
        number += 1;
    }
    name
}

fn rows(run: &Chosen, talk: &Talk) -> Result<Vec<ItemRecord>, Failure> {
    let items = run.directory.items()?;
    if items.is_empty() {
        let message = format!("{}: the run has no item yet", run.directory.path().display());
        return Err(Failure::new(Exit::NothingSelected, message)
            .hint("`audit --resume` with its folder as --out goes on with it"));
    }
    let all = run.directory.spec().n_items;
    let missing = all.saturating_sub(items.len());
    if missing > 0 {
        let text = format!(
            "{}: the run is not finished: it lacks {missing} of its {}",
            run.name,
            plural(all, "item")
        );
        talk.doubt(&text, None);
    }
    Ok(items)
}

fn tables(
    args: &ExportArgs,
    format: &'static Format,
    runs: &[Chosen],
    packs: &Packs,
    talk: &Talk,
) -> Result<Exit, Failure> {
    let wanted: Vec<&'static TableInfo> = TABLES
        .into_iter()
        .filter(|table| {
            if args.tables.is_empty() {
                format.has_items || table.name != "items"
            } else {
                args.tables.iter().any(|chosen| chosen.name == table.name)
            }
        })
        .collect();
    if args.tables.is_empty() && !format.has_items {
        talk.say("the table of items is left out; --tables items,scores,estimates has it");
    }
    let mut export = Export::begin(format, &wanted, &args.out)?;
    let mut unscored = 0;
    for run in runs {
        let items = rows(run, talk)?;
        let results = results(&run.directory, &items, packs, &run.settings);
        let count = results.unscored.iter().map(|row| row.count).sum::<usize>();
        if count > 0 {
            let text = format!("{}: {} unscored", run.name, plural(count, "item"));
            talk.doubt(&text, Some("the column `reason` says why"));
        }
        unscored += count;
        export.add(&Run { name: &run.name, spec: run.directory.spec(), items: &items, results: &results })?;
    }
    say(&export.finish()?)?;
    Ok(if unscored > 0 { Exit::SomeUnscored } else { Exit::Done })
}

fn say(paths: &[PathBuf]) -> Result<(), Failure> {
    paths.iter().try_for_each(|path| put!("{}", path.display()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_two_runs_have_one_name() {
        let mut taken = BTreeSet::new();
        let names = ["a/run", "b/run", "c/run-2", "d/run"].map(|path| unique(Path::new(path), &mut taken));
        assert_eq!(names, ["run", "run-2", "run-2-2", "run-3"]);
    }
}
