//! `runs list | show | rm`: what is on this disk.

mod list;
mod remove;
mod show;

use std::path::Path;

use stereometer_record::{AssociationDirectory, RecordError, RunDirectory};

use crate::args::{RunsArgs, RunsCommand};
use crate::failure::{Exit, Failure};
use crate::talk::Talk;

/// Runs the command.
pub fn run(args: &RunsArgs, talk: &mut Talk) -> Result<Exit, Failure> {
    match &args.command {
        RunsCommand::List { folder } => list::list(folder, talk),
        RunsCommand::Show { run } => show::show(run, talk),
        RunsCommand::Rm { runs, yes } => remove::remove(runs, *yes, talk),
    }
}

/// A run of either kind.
enum AnyRun {
    Audit(RunDirectory),
    Association(AssociationDirectory),
}

impl AnyRun {
    fn open(path: &Path) -> Result<Self, RecordError> {
        match RunDirectory::open(path) {
            Err(RecordError::OtherKind { .. }) => AssociationDirectory::open(path).map(Self::Association),
            opened => opened.map(Self::Audit),
        }
    }
}
