//! Data on stdout. A reader that has gone is no error, as with other Unix tools: what it would have read is passed over, and
//! the command comes to its end and its exit code. A full disk is an error.

use std::fmt;
use std::io::{self, Write};
use std::path::Path;

use crate::failure::{Exit, Failure};

/// Writes one line; used through [`put`].
pub fn line(text: fmt::Arguments<'_>) -> Result<(), Failure> {
    let mut stdout = io::stdout().lock();
    match writeln!(stdout, "{text}").and_then(|()| stdout.flush()) {
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => Err(failed(Path::new("stdout"), error)),
        _ => Ok(()),
    }
}

/// Refuses a folder in which something else lies: one that is neither new nor empty, and has no file of this name, which
/// marks what the program wrote there before.
pub fn check_folder(folder: &Path, mark: &str) -> Result<(), Failure> {
    let Ok(mut entries) = std::fs::read_dir(folder) else { return Ok(()) };
    let is_free =
        entries.next().is_none() || (folder.join(mark).is_file() && !folder.join("spec.json").exists());
    if is_free {
        return Ok(());
    }
    let message = format!("{}: something else lies in this folder", folder.display());
    Err(Failure::new(Exit::CommandLine, message).hint("choose a new folder with --out"))
}

/// What a failed write means for the program.
pub fn failed(path: &Path, error: io::Error) -> Failure {
    if error.kind() == io::ErrorKind::BrokenPipe {
        return Failure::reader_gone();
    }
    let failure = Failure::io(path, "cannot write")(error);
    Failure { exit: Exit::Machine, ..failure }
}

/// One formatted line on stdout: `println!` whose failure is a value.
macro_rules! put {
    ($($part:tt)*) => { $crate::out::line(format_args!($($part)*)) };
}
pub(crate) use put;
