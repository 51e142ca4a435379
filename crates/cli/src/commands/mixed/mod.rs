//! `mixed`: a linear mixed model of any table.

mod output;

use std::path::Path;

use stereometer_core::Seed;
use stereometer_stats::mixed::{Criterion, Formula, MixedError, Resamples, Table, bootstrap, fit};

use crate::args::{IntervalsChoice, MixedArgs};
use crate::failure::{Exit, Failure};
use crate::out::put;
use crate::talk::Talk;

/// Runs the command.
pub fn run(args: &MixedArgs, talk: &mut Talk) -> Result<Exit, Failure> {
    let formula = Formula::parse(&args.formula).map_err(|error| failure(&args.data, &error))?;
    let table = read(&args.data)?;
    let criterion = if args.ml { Criterion::Ml } else { Criterion::Reml };
    let fit = fit(&formula, &table, criterion).map_err(|error| failure(&args.data, &error))?;
    for (evaluation, value) in &fit.trace {
        talk.detail(&format!("evaluation {evaluation}: {} {value:.6}", output::name(criterion)));
    }
    for doubt in &fit.doubts {
        talk.doubt(&doubt.to_string(), Some(doubt.advice()));
    }
    let drawn = match args.intervals {
        IntervalsChoice::Wald => None,
        IntervalsChoice::Bootstrap => {
            let resamples = Resamples { n: args.resamples as usize, seed: Seed(args.seed) };
            let drawn = bootstrap(&formula, &table, criterion, resamples);
            Some(drawn.map_err(|error| failure(&args.data, &error))?)
        }
    };
    if let Some(drawn) = drawn.as_ref().filter(|drawn| drawn.failed > 0) {
        talk.doubt(
            &format!("{} of {} drawn tables could not be fitted and are left out", drawn.failed, drawn.drawn),
            Some("if they are many, take random slopes out of the formula"),
        );
    }
    if args.json {
        put!("{}", output::json(&fit, drawn.as_ref()))?;
    } else {
        put!("{}", output::tables(&fit, criterion, drawn.as_ref()))?;
    }
    Ok(if fit.converged && !fit.singular { Exit::Done } else { Exit::DoubtfulFit })
}

fn read(path: &Path) -> Result<Table, Failure> {
    let bytes = std::fs::read(path).map_err(Failure::io(path, "cannot read"))?;
    let wrong = |error: csv::Error| Failure::new(Exit::Input, format!("{}: {error}", path.display()));
    let mut reader = csv::Reader::from_reader(bytes.as_slice());
    let names: Vec<String> = reader
        .headers()
        .map_err(wrong)?
        .iter()
        .map(|name| name.trim_start_matches('\u{feff}').trim().to_owned())
        .collect();
    let mut columns: Vec<(String, Vec<Option<String>>)> =
        names.into_iter().map(|name| (name, Vec::new())).collect();
    for record in reader.records() {
        let record = record.map_err(wrong)?;
        for ((_, cells), cell) in columns.iter_mut().zip(&record) {
            cells.push(Some(cell.to_owned()));
        }
    }
    Table::new(columns).map_err(|error| failure(path, &error))
}

fn failure(path: &Path, error: &MixedError) -> Failure {
    let (exit, message) = if error.is_formula() {
        (Exit::CommandLine, error.to_string())
    } else {
        (Exit::Input, format!("{}: {error}", path.display()))
    };
    Failure::new(exit, message).hint(error.hint())
}
