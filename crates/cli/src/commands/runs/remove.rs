//! Runs are taken off the disk, after a question.

use std::collections::BTreeSet;
use std::io::{BufRead, IsTerminal, Write};
use std::path::{Path, PathBuf};

use indicatif::HumanBytes;
use stereometer_record::{RecordError, Removal};

use crate::failure::{Exit, Failure};
use crate::out::put;
use crate::talk::Talk;
use crate::words::plural;

pub(super) fn remove(runs: &[PathBuf], yes: bool, talk: &Talk) -> Result<Exit, Failure> {
    let mut seen = BTreeSet::new();
    let plans: Vec<Removal> = runs
        .iter()
        // Links and paths that do not exist are refused below, in their own words.
        .filter(|path| path.is_symlink() || path.canonicalize().map_or(true, |full| seen.insert(full)))
        .map(|path| {
            Removal::plan(path).map_err(|error| match error {
                RecordError::Locked(_) => {
                    Failure::from(error).hint("wait for it, or end it first; nothing was removed")
                }
                RecordError::NotARun(_) => {
                    Failure::from(error).hint("only runs are removed; nothing was removed")
                }
                other => other.into(),
            })
        })
        .collect::<Result<_, Failure>>()?;
    if !yes {
        confirm(&plans)?;
    }
    for plan in plans {
        let path = plan.path().to_owned();
        let left = plan.remove()?;
        put!("removed {}", path.display())?;
        if !left.is_empty() {
            let text = format!("{}: what is not of the run was left: {}", path.display(), left.join(", "));
            talk.say(&text);
        }
    }
    Ok(Exit::Done)
}

fn confirm(plans: &[Removal]) -> Result<(), Failure> {
    let stdin = std::io::stdin();
    if !stdin.is_terminal() {
        return Err(Failure::new(
            Exit::CommandLine,
            "without a terminal nobody can be asked; nothing was removed",
        )
        .hint("say --yes"));
    }
    let mut stderr = std::io::stderr();
    for plan in plans {
        let _ = writeln!(stderr, "{} ({})", plan.path().display(), HumanBytes(plan.bytes()));
    }
    let _ = write!(stderr, "remove {}? [y/N] ", plural(plans.len(), "run"));
    let _ = stderr.flush();
    let mut answer = String::new();
    stdin.lock().read_line(&mut answer).map_err(Failure::io(Path::new("stdin"), "cannot read"))?;
    if ["y", "yes"].contains(&answer.trim().to_lowercase().as_str()) {
        Ok(())
    } else {
        Err(Failure::new(Exit::NothingSelected, "nothing was removed"))
    }
}
