//! Where a new run goes, and what it says of its beginning.

use std::path::{Path, PathBuf};

use jiff::Zoned;

/// The command as it was typed; a path that is not UTF-8 is written as nearly as text can.
pub fn command_line() -> Vec<String> {
    let typed = std::env::args_os().skip(1).map(|argument| argument.to_string_lossy().into_owned());
    std::iter::once("stereometer".to_owned()).chain(typed).collect()
}

/// `runs/<model>-<set>-<date>`; a second run of the same day gets a number, and `--resume` takes the last one.
pub fn default_folder(model: &str, set: &str, now: &Zoned, resume: bool) -> PathBuf {
    let plain = |text: &str| text.replace(|c: char| !c.is_ascii_alphanumeric() && c != '.' && c != '_', "-");
    let base = format!("{}-{}-{}", plain(model), plain(set), now.date());
    let folder = |number: usize| {
        let name = if number == 1 { base.clone() } else { format!("{base}-{number}") };
        Path::new("runs").join(name)
    };
    let free = (1..=10_000).find(|&number| !folder(number).exists()).unwrap_or(1);
    folder(if resume { free.saturating_sub(1).max(1) } else { free })
}
