//! Every kind of bad input gives one clear error with its file, record and column, and a hint where it helps.

mod anything;
#[path = "../common/mod.rs"]
mod common;
mod directories;
mod rows;
mod tables;
mod texts;

use common::packs;
use stereometer_data::{DataError, ErrorKind, StereotypeSet, read_bytes};

const HEADER: &str = "id,stereotype,neutral,masculine,feminine\n";

fn read(name: &str, bytes: impl AsRef<[u8]>) -> Result<StereotypeSet, DataError> {
    read_bytes(name, bytes.as_ref(), packs())
}

/// The message and the hint of a refused file.
fn refused(name: &str, bytes: impl AsRef<[u8]>) -> String {
    let error = read(name, bytes).expect_err("the file should be refused");
    assert_eq!(error.kind(), ErrorKind::Input);
    error.hint().map_or_else(|| error.to_string(), |hint| format!("{error}\nhint: {hint}"))
}

/// The same for rows below the usual header, in German.
fn refused_rows(rows: &str) -> String {
    refused("items.de.csv", format!("{HEADER}{rows}"))
}

/// The notes of an accepted file.
fn notes(name: &str, bytes: impl AsRef<[u8]>) -> Vec<String> {
    read(name, bytes).expect("the file should be accepted").notes().iter().map(ToString::to_string).collect()
}
