//! Fetching from a small server in the test itself: complete, cut off, wrong, forbidden, offline.

// clippy.toml allows `unwrap` in test functions; these are the helpers that they share.
#![allow(clippy::unwrap_used)]

mod download;
mod hub;
mod model;
mod real;
mod resolve;
mod server;
mod wheel;

use std::fmt::Write;

use sha2::{Digest, Sha256};

/// The SHA-256 of bytes, in lowercase hexadecimal.
fn sha256(bytes: &[u8]) -> String {
    Sha256::digest(bytes).iter().fold(String::new(), |mut text, byte| {
        write!(text, "{byte:02x}").unwrap();
        text
    })
}

/// Bytes that do not repeat themselves in any block, so that a wrong offset shows.
fn bytes(len: usize) -> Vec<u8> {
    (0..len).map(|i| (i * i / 7 + i) as u8).collect()
}

/// Every file below a directory, by its path from there.
fn files(directory: &std::path::Path) -> Vec<String> {
    fn walk(root: &std::path::Path, directory: &std::path::Path, found: &mut Vec<String>) {
        for entry in std::fs::read_dir(directory).into_iter().flatten() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                walk(root, &path, found);
            } else {
                found.push(path.strip_prefix(root).unwrap().to_string_lossy().into_owned());
            }
        }
    }
    let mut found = Vec::new();
    walk(directory, directory, &mut found);
    found.sort();
    found
}
