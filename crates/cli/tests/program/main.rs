//! The whole program: exit code, stdout, stderr and files, on tiny checkpoints.

#![allow(clippy::unwrap_used)] // a failed helper is a failed test

mod associate;
mod audit;
mod bad_data;
mod bad_models;
mod chat;
mod compare;
mod doubtful;
mod explain;
mod export;
mod gate;
mod humans;
mod leakage;
mod logprobs;
mod masked;
mod mixed;
mod output;
mod recomputed;
mod runs;
mod words;

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use stereometer_testkit::golden;

/// What a command did.
struct Done {
    code: i32,
    stdout: String,
    stderr: String,
}

impl From<Output> for Done {
    fn from(output: Output) -> Self {
        Self {
            code: output.status.code().unwrap_or(-1),
            stdout: String::from_utf8(output.stdout).unwrap(),
            stderr: String::from_utf8(output.stderr).unwrap(),
        }
    }
}

/// The program with these arguments, in a folder, with caches of its own and no way to the Hub.
fn command(folder: &Path, arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_stereometer"));
    command
        .args(arguments)
        .current_dir(folder)
        .env_clear()
        .env("HOME", folder)
        .env("PATH", std::env::var_os("PATH").unwrap_or_default())
        .env("STEREOMETER_CACHE", folder.join("cache"))
        .env("HF_HUB_OFFLINE", "1");
    command
}

fn run(folder: &Path, arguments: &[&str]) -> Done {
    command(folder, arguments).output().unwrap().into()
}

/// A tiny checkpoint, as an argument.
fn model(name: &str) -> String {
    path(&golden("models").join(name))
}

fn path(path: &Path) -> String {
    let full: PathBuf = path.canonicalize().unwrap_or_else(|_| path.to_owned());
    full.to_str().unwrap().to_owned()
}
