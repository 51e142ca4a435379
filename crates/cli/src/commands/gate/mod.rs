//! `gate`: may this language model be released?

mod junit;
mod markdown;
mod sentence;

use std::path::Path;

use stereometer_audit::{Gate, Limits, Outcome, RunInput, Settings, analyse, compare, judge};
use stereometer_record::{Comparison, Results, write_atomically};

use crate::args::GateArgs;
use crate::failure::{Exit, Failure};
use crate::named::Naming;
use crate::open_run::{common_settings, open_runs};
use crate::out::put;
use crate::talk::Talk;
use crate::words::plural;
use sentence::sentence;

/// Runs the command.
pub fn run(args: &GateArgs, talk: &mut Talk) -> Result<Exit, Failure> {
    let limits = args.limits.as_deref().map(read_limits).transpose()?.unwrap_or_default();
    if args.baseline.is_none() && !limits.has_band() {
        return Err(Failure::new(Exit::CommandLine, "there is nothing to judge the run by")
            .hint("give a run with --baseline, or allowed bands with --limits (docs/gate.md)"));
    }
    let packs = args.packs.open()?;
    let folders: Vec<&Path> = args.baseline.iter().chain([&args.run]).map(AsRef::as_ref).collect();
    let runs = open_runs(&folders, &packs, &Naming::default())?;
    for run in &runs {
        check_finished(run)?;
    }
    let settings = common_settings(&args.analysis, &runs)?;
    let (results, comparison) = conclude(runs, &settings, talk)?;
    let gate = judge(&results, comparison.as_ref(), &limits);
    if let Some(path) = &args.junit {
        write_atomically(path, junit::junit(&gate).as_bytes())?;
    }
    if let Some(path) = &args.markdown {
        write_atomically(path, markdown::markdown(&gate).as_bytes())?;
    }
    say(&gate)?;
    Ok(exit(&gate))
}

fn read_limits(path: &Path) -> Result<Limits, Failure> {
    let wrong = |detail: String| {
        Failure::new(Exit::Input, format!("{}: {}", path.display(), detail.trim_end()))
            .hint("docs/gate.md shows a file with everything in it")
    };
    let text = std::fs::read_to_string(path).map_err(Failure::io(path, "cannot read"))?;
    let limits: Limits = toml::from_str(&text).map_err(|error| wrong(error.to_string()))?;
    limits.fault().map_or(Ok(limits), |fault| Err(wrong(fault)))
}

/// A part of a run may pass where the whole would fail.
fn check_finished(run: &RunInput) -> Result<(), Failure> {
    let (there, all) = (run.items.len(), run.spec.n_items);
    if there < all {
        let message =
            format!("{} is not finished: {there} of its {} are there", run.label, plural(all, "item"));
        return Err(Failure::new(Exit::CouldNotRun, message).hint("finish it with `audit --resume`"));
    }
    Ok(())
}

/// The run's own results, and its comparison with the baseline, if there is one (the first of the runs).
fn conclude(
    mut runs: Vec<RunInput>,
    settings: &Settings,
    talk: &Talk,
) -> Result<(Results, Option<Comparison>), Failure> {
    if runs.len() == 1 {
        let run = runs.remove(0);
        return Ok((analyse(&run.items, &run.languages, run.spec.identity.method, settings), None));
    }
    let mut comparison =
        compare(runs, settings).map_err(|error| Failure { exit: Exit::CouldNotRun, ..error.into() })?;
    for doubt in &comparison.doubts {
        talk.doubt(&doubt.what, Some(&doubt.advice));
    }
    let results = comparison.runs.remove(1).results;
    Ok((results, Some(comparison)))
}

/// Everything that did not pass, a line each, and the sum.
fn say(gate: &Gate) -> Result<(), Failure> {
    for check in &gate.checks {
        if check.outcome != Outcome::Passed {
            put!("{}", sentence(check))?;
        }
    }
    put!("{}", summary(gate))
}

/// “gate: failed: 1 of 511 checks failed, 3 undecided”.
pub fn summary(gate: &Gate) -> String {
    let failed = gate.count(|outcome| *outcome == Outcome::Failed);
    let unjudged = gate.count(|outcome| matches!(outcome, Outcome::Unjudged(_)));
    let undecided = gate.count(|outcome| *outcome == Outcome::Undecided);
    let excepted = gate.count(|outcome| matches!(outcome, Outcome::Excepted(_)));
    let verdict = match exit(gate) {
        Exit::CheckFailed => "failed",
        Exit::CouldNotRun => "could not be judged",
        _ => "passed",
    };
    let mut parts = vec![format!("{failed} of {} failed", plural(gate.checks.len(), "check"))];
    let rest =
        [(undecided, "undecided"), (unjudged, "without an interval to judge by"), (excepted, "excepted")];
    parts.extend(rest.iter().filter(|(n, _)| *n > 0).map(|(n, what)| format!("{n} {what}")));
    format!("gate: {verdict}: {}", parts.join(", "))
}

fn exit(gate: &Gate) -> Exit {
    if gate.count(|outcome| *outcome == Outcome::Failed) > 0 {
        Exit::CheckFailed
    } else if gate.count(|outcome| matches!(outcome, Outcome::Unjudged(_))) > 0 {
        Exit::CouldNotRun
    } else {
        Exit::Done
    }
}
