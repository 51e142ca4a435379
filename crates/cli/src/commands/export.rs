//! `export`: the tables of runs for other programs; needs no model.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use stereometer_audit::{Settings, check_rule};
use stereometer_data::Packs;
use stereometer_record::{ItemRecord, Results, RunDirectory};
use stereometer_report::export::{Export, FORMATS, Format, Run, TABLES, TableInfo, lm_eval};

use crate::analysis::{asked_then, results, settings};
use crate::args::ExportArgs;
use crate::failure::{Exit, Failure};
use crate::out::put;
use crate::talk::Talk;
use crate::words::plural;

/// What is made of the runs.
#[derive(Debug, Clone, Copy)]
pub enum Target {
    /// Tables in a file format.
    Tables(&'static Format),
    /// A task for lm-evaluation-harness.
    LmEval,
}

const LM_EVAL: &str = "lm-eval";

impl Target {
    /// By its name on the command line.
    pub fn parse(name: &str) -> Result<Self, String> {
        if name == LM_EVAL {
            return Ok(Self::LmEval);
        }
        let format = FORMATS.into_iter().find(|format| format.name == name);
        format.map(Self::Tables).ok_or_else(|| {
            let known: Vec<&str> = FORMATS.iter().map(|format| format.name).chain([LM_EVAL]).collect();
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
        Target::LmEval => task(args, &runs, &packs, talk),
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
                format.tables.contains(&table.name)
            } else {
                args.tables.iter().any(|chosen| chosen.name == table.name)
            }
        })
        .collect();
    if args.tables.is_empty() && wanted.len() < TABLES.len() {
        let names: Vec<&str> = TABLES.iter().map(|table| table.name).collect();
        talk.say(&format!("{} holds the estimates alone; --tables {} has all", format.name, names.join(",")));
    }
    let mut export = Export::begin(format, &wanted, &args.out)?;
    let mut unscored = 0;
    for run in runs {
        let items = rows(run, talk)?;
        let results = results(&run.directory, &items, packs, &run.settings);
        unscored += say_unscored(&run.name, &results, talk);
        export.add(&Run { name: &run.name, spec: run.directory.spec(), items: &items, results: &results })?;
    }
    say(&export.finish()?)?;
    Ok(if unscored > 0 { Exit::SomeUnscored } else { Exit::Done })
}

/// A task for lm-evaluation-harness.
fn task(args: &ExportArgs, runs: &[Chosen], packs: &Packs, talk: &Talk) -> Result<Exit, Failure> {
    if !args.tables.is_empty() {
        return Err(Failure::new(Exit::CommandLine, "--tables: a task for lm-eval has no tables"));
    }
    let [run] = runs else {
        return Err(Failure::new(Exit::CommandLine, "a task for lm-eval is made of one run")
            .hint("export each run into a folder of its own"));
    };
    let items = rows(run, talk)?;
    let results = results(&run.directory, &items, packs, &run.settings);
    let unscored = say_unscored(&run.name, &results, talk);
    let made = Run { name: &run.name, spec: run.directory.spec(), items: &items, results: &results };
    let written = lm_eval::write(&made, &args.out)?;
    if written.carried > 0 {
        let text = format!(
            "{}: the first token is no whole letter; what the run has for the rest of the letter is carried along",
            plural(written.carried, "item")
        );
        talk.doubt(&text, None);
    }
    if written.left_out > 0 {
        let text = format!(
            "{} left out: no strings ask lm-eval what the run asked",
            plural(written.left_out, "scored item")
        );
        talk.doubt(&text, Some("the README says why"));
    }
    say(&written.files)?;
    Ok(if unscored > 0 || written.left_out > 0 { Exit::SomeUnscored } else { Exit::Done })
}

/// How many items of a run have no score, said once.
fn say_unscored(name: &str, results: &Results, talk: &Talk) -> usize {
    let count = results.unscored.iter().map(|row| row.count).sum();
    if count > 0 {
        talk.doubt(&format!("{name}: {} unscored", plural(count, "item")), Some("`report` says why"));
    }
    count
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
