//! `mixed`: a linear mixed model of any table.

mod output;
mod read;

use std::path::Path;

use stereometer_core::Seed;
use stereometer_stats::mixed::{Criterion, Formula, MixedError, Resamples, bootstrap, fit};

use crate::args::{IntervalsChoice, MixedArgs, RESAMPLES};
use crate::failure::{Exit, Failure};
use crate::out::put;
use crate::talk::Talk;

/// Runs the command.
pub fn run(args: &MixedArgs, talk: &mut Talk) -> Result<Exit, Failure> {
    if args.resamples.is_some() && args.intervals == IntervalsChoice::Wald {
        let said = "`--resamples` has no effect without `--intervals bootstrap`";
        return Err(
            Failure::new(Exit::CommandLine, said).hint("add `--intervals bootstrap`, or leave it out")
        );
    }
    let formula = Formula::parse(&args.formula).map_err(|error| failure(&args.data, &error))?;
    let table = read::table(&args.data)?;
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
            let resamples =
                Resamples { n: args.resamples.unwrap_or(RESAMPLES) as usize, seed: Seed(args.seed) };
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

fn failure(path: &Path, error: &MixedError) -> Failure {
    let (exit, message) = if error.is_formula() {
        (Exit::CommandLine, error.to_string())
    } else {
        (Exit::Input, format!("{}: {error}", path.display()))
    };
    Failure::new(exit, message).hint(error.hint())
}
