//! Stereometer: measures stereotypes in multilingual language models.
//!
//! Arguments → settings → one command → words on the terminal and an exit code. stdout is data; talk, progress and
//! warnings go to stderr.

mod analysis;
mod args;
mod chat;
mod commands;
mod failure;
mod model;
mod named;
mod new_run;
mod open_run;
mod out;
mod set;
mod table;
mod talk;
mod words;

use std::process::ExitCode;

use clap::Parser;

use crate::args::{Arguments, Command};
use crate::failure::{Exit, Failure};
use crate::talk::Talk;

fn main() -> ExitCode {
    let arguments = Arguments::parse();
    let mut talk = Talk::new(arguments.quiet, arguments.verbose);
    match run(arguments.command, &mut talk) {
        Ok(exit) => exit.into(),
        Err(failure) => {
            if failure.exit != Exit::Done {
                talk.failure(&failure);
            }
            failure.exit.into()
        }
    }
}

fn run(command: Command, talk: &mut Talk) -> Result<Exit, Failure> {
    match command {
        Command::Audit(args) => commands::audit::run(&args, talk),
        Command::Associate(args) => commands::associate::run(&args, talk),
        Command::Report(args) => commands::report::run(&args, talk),
        Command::Compare(args) => commands::compare::run(&args, talk),
        Command::Gate(args) => commands::gate::run(&args, talk),
        Command::Export(args) => commands::export::run(&args, talk),
        Command::Runs(args) => commands::runs::run(&args, talk),
        Command::Logprobs(args) => commands::logprobs::run(&args, talk),
        Command::Explain(args) => commands::explain::run(&args, talk),
        Command::Humans(args) => commands::humans::run(&args, talk),
        Command::Leakage(args) => commands::leakage::run(&args, talk),
        Command::Mixed(args) => commands::mixed::run(&args, talk),
        Command::Model(args) => commands::model::run(&args, talk),
        Command::Set(args) => commands::set::run(&args, talk),
        Command::Verify(args) => commands::verify::run(&args, talk),
    }
}
