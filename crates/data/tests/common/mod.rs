//! What several tests need.
#![allow(dead_code, reason = "each test uses a part of it")]

use std::env;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::sync::LazyLock;

use stereometer_data::Packs;

/// The languages that the program measures.
pub const LANGUAGES: [&str; 30] = [
    "bg", "ca", "cs", "da", "de", "el", "en", "es", "et", "fi", "fr", "ga", "gl", "hr", "hu", "it", "lt",
    "lv", "mt", "nl", "no", "pl", "pt", "ro", "ru", "sk", "sl", "sv", "tr", "uk",
];

pub fn packs() -> &'static Packs {
    static PACKS: LazyLock<Packs> =
        LazyLock::new(|| Packs::builtin().expect("the built-in packs are in order"));
    &PACKS
}

/// A file of EuroGEST's first release, or its directory; `None`, with a word on stderr, where it is not there.
pub fn study(file: &str) -> Option<PathBuf> {
    shared("eurogest", file)
}

/// A file of the leakage study, or its directory; likewise.
pub fn leakage(file: &str) -> Option<PathBuf> {
    shared("leakage", file)
}

fn shared(study: &str, file: &str) -> Option<PathBuf> {
    let beside = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared");
    let shared = env::var_os("STEREOMETER_SHARED").map_or(beside, PathBuf::from);
    let path = shared.join("data").join(study).join(file);
    if path.exists() {
        return Some(path);
    }
    // Not `eprintln!`, which the test harness would hide.
    let _ = writeln!(std::io::stderr(), "skipped: {} is not there", path.display());
    None
}

/// The script of a letter, among those of the 30 languages.
pub fn script(c: char) -> &'static str {
    match c {
        '\u{370}'..='\u{3ff}' | '\u{1f00}'..='\u{1fff}' => "Grek",
        '\u{400}'..='\u{4ff}' => "Cyrl",
        _ => "Latn",
    }
}
