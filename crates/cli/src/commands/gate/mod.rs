//! `gate`: may this language model be released?

mod junit;
mod markdown;
mod sentence;

use std::path::Path;

use stereometer_audit::{
    Check, Gate, Limits, Outcome, RunInput, Settings, analyse, compare, idle_exceptions, judge,
};
use stereometer_record::{Comparison, Results, write_atomically};

use crate::analysis::common_settings;
use crate::args::GateArgs;
use crate::failure::{Exit, Failure};
use crate::named::Naming;
use crate::open_run::open_runs;
use crate::out::put;
use crate::talk::Talk;
use crate::words::plural;
use sentence::sentence;

/// No file of limits is larger, in bytes; a device may have no end.
const LARGEST_LIMITS: u64 = 1 << 20;

/// Runs the command.
pub fn run(args: &GateArgs, talk: &mut Talk) -> Result<Exit, Failure> {
    let limits = args.limits.as_deref().map(read_limits).transpose()?.unwrap_or_default();
    if args.baseline.is_none() && !limits.has_band() {
        return Err(Failure::new(Exit::CommandLine, "there is nothing to judge the run by")
            .hint("give a run with --baseline, or allowed bands with --limits (docs/gate.md)"));
    }
    check_outputs(args)?;
    let packs = args.packs.open()?;
    let folders: Vec<&Path> = args.baseline.iter().chain([&args.run]).map(AsRef::as_ref).collect();
    let runs = open_runs(&folders, &packs, &Naming::default())?;
    for (run, folder) in runs.iter().zip(&folders) {
        check_finished(run, folder)?;
    }
    let settings = common_settings(&args.analysis, &runs)?;
    let (results, comparison) = conclude(runs, &settings, talk)?;
    let gate = judge(&results, comparison.as_ref(), &limits);
    for idle in idle_exceptions(&gate, &limits) {
        let text = format!("an [[exception]] is about no check: {}", idle.reason);
        talk.doubt(&text, Some("see that its language, stereotype and statistic are spelt as in the run"));
    }
    if let Some(path) = &args.junit {
        write_atomically(path, junit::junit(&gate).as_bytes())?;
    }
    if let Some(path) = &args.markdown {
        write_atomically(path, markdown::markdown(&gate).as_bytes())?;
    }
    match say(&gate) {
        // Whoever read the lines has gone, but the verdict is the exit code.
        Err(gone) if gone.exit == Exit::Done => {}
        other => other?,
    }
    Ok(exit(&gate))
}

/// What is written may take the place of neither the run nor what it is judged by, nor of each other.
fn check_outputs(args: &GateArgs) -> Result<(), Failure> {
    let full = |path: &Path| path.canonicalize().unwrap_or_else(|_| path.to_owned());
    let outputs: Vec<&Path> =
        [&args.junit, &args.markdown].into_iter().flatten().map(AsRef::as_ref).collect();
    if let [junit, markdown] = outputs[..]
        && full(junit) == full(markdown)
    {
        return Err(Failure::new(Exit::CommandLine, "--junit and --markdown name the same file"));
    }
    let folders: Vec<_> = args.baseline.iter().chain([&args.run]).map(|folder| full(folder)).collect();
    for output in outputs {
        let parent = output.parent().filter(|parent| !parent.as_os_str().is_empty());
        let parent = full(parent.unwrap_or(Path::new(".")));
        let is_limits = args.limits.as_ref().is_some_and(|limits| full(limits) == full(output));
        if is_limits || folders.iter().any(|folder| parent.starts_with(folder)) {
            let message = format!("{}: would be written over what is judged", output.display());
            return Err(
                Failure::new(Exit::CommandLine, message).hint("name a file outside of the run's folder")
            );
        }
    }
    Ok(())
}

fn read_limits(path: &Path) -> Result<Limits, Failure> {
    let wrong = |detail: String| {
        Failure::new(Exit::Input, format!("{}: {}", path.display(), detail.trim_end()))
            .hint("docs/gate.md shows a file with everything in it")
    };
    if std::fs::metadata(path).is_ok_and(|found| !found.is_file() || found.len() > LARGEST_LIMITS) {
        return Err(wrong("not a file of limits, or larger than 1 MiB".to_owned()));
    }
    let text = std::fs::read_to_string(path).map_err(Failure::io(path, "cannot read"))?;
    let limits: Limits = toml::from_str(&text).map_err(|error| wrong(error.to_string()))?;
    limits.fault().map_or(Ok(limits), |fault| Err(wrong(fault)))
}

/// A part of a run may pass where the whole would fail.
fn check_finished(run: &RunInput, folder: &Path) -> Result<(), Failure> {
    let (there, all) = (run.items.len(), run.spec.n_items);
    if there < all {
        let all = plural(all, "item");
        let message = format!("{} is not finished: {there} of its {all} are there", folder.display());
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
        if !matches!(check.outcome, Outcome::Passed | Outcome::TooFew) {
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
    let few = gate.count(|outcome| *outcome == Outcome::TooFew);
    let rest = [
        (undecided, "undecided"),
        (unjudged, "without an interval to judge by"),
        (excepted, "excepted"),
        (few, "left out for too few sentences (--min-items)"),
    ];
    parts.extend(rest.iter().filter(|(n, _)| *n > 0).map(|(n, what)| format!("{n} {what}")));
    format!("gate: {verdict}: {}", parts.join(", "))
}

fn exit(gate: &Gate) -> Exit {
    if gate.count(|outcome| *outcome == Outcome::Failed) > 0 {
        Exit::CheckFailed
    } else if gate.count(|outcome| matches!(outcome, Outcome::Unjudged(_))) > 0
        || gate.checks.iter().all(Check::is_left_out)
    {
        // Nothing judged is nothing passed.
        Exit::CouldNotRun
    } else {
        Exit::Done
    }
}
