//! Data on stdout. A reader that has gone ends the program quietly, as with other Unix tools; a full disk is an error.

use std::fmt;
use std::io::{self, Write};
use std::path::Path;

use crate::failure::Failure;

/// Writes one line; used through [`put`].
pub fn line(text: fmt::Arguments<'_>) -> Result<(), Failure> {
    let mut stdout = io::stdout().lock();
    writeln!(stdout, "{text}")
        .and_then(|()| stdout.flush())
        .map_err(|error| failed(Path::new("stdout"), error))
}

/// What a failed write means for the program.
pub fn failed(path: &Path, error: io::Error) -> Failure {
    if error.kind() == io::ErrorKind::BrokenPipe {
        return Failure::reader_gone();
    }
    let failure = Failure::io(path, "cannot write")(error);
    Failure { exit: crate::failure::Exit::Machine, ..failure }
}

/// One formatted line on stdout: `println!` whose failure is a value.
macro_rules! put {
    ($($part:tt)*) => { $crate::out::line(format_args!($($part)*)) };
}
pub(crate) use put;
