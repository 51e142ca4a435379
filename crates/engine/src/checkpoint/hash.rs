//! SHA-256 of the weights and their configuration, for the record: a resumed run must not mix checkpoints.
//!
//! One file: its own hash, as `sha256sum` prints it. Several: the hash of the lines that `sha256sum` prints for the
//! shards in the order of their names, so `sha256sum *.safetensors | sha256sum` gives the same. The files are read, not
//! mapped: pages of a map would count as the program's memory.

use std::fmt::Write as _;
use std::fs::File;
use std::io::Read;
use std::path::Path;

use rayon::prelude::*;
use sha2::{Digest, Sha256};

use crate::EngineError;

/// Hash over the content of the files, in lower-case hex.
pub(super) fn weights_sha256(paths: &[&Path]) -> Result<String, EngineError> {
    let mut hashes = paths
        .par_iter()
        .map(|path| {
            Ok((path.file_name().unwrap_or_default().to_string_lossy().into_owned(), file_sha256(path)?))
        })
        .collect::<Result<Vec<_>, EngineError>>()?;
    hashes.sort();
    if let [(_, hash)] = &hashes[..] {
        return Ok(hash.clone());
    }
    let mut lines = String::new();
    for (name, hash) in &hashes {
        let _ = writeln!(lines, "{hash}  {name}");
    }
    Ok(hex(&Sha256::digest(lines.as_bytes())))
}

/// Hash over the weights' hash and a configuration that lies beside them.
pub(super) fn with_configuration(weights: &str, configuration: &str) -> String {
    hex(&Sha256::digest(format!("weights {weights}\nconfiguration {configuration}\n").as_bytes()))
}

fn file_sha256(path: &Path) -> Result<String, EngineError> {
    const PIECE: usize = 1 << 20;
    let mut file = File::open(path).map_err(|error| EngineError::io(path, error))?;
    let mut hasher = Sha256::new();
    let mut piece = vec![0; PIECE];
    loop {
        match file.read(&mut piece) {
            Ok(0) => return Ok(hex(&hasher.finalize())),
            Ok(n) => hasher.update(&piece[..n]),
            Err(error) if error.kind() == std::io::ErrorKind::Interrupted => {}
            Err(error) => return Err(EngineError::io(path, error)),
        }
    }
}

fn hex(bytes: &[u8]) -> String {
    let mut text = String::with_capacity(2 * bytes.len());
    for byte in bytes {
        let _ = write!(text, "{byte:02x}");
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_file_hashes_as_sha256sum_and_order_does_not_matter() {
        let directory = tempfile::tempdir().unwrap();
        let (a, b) = (directory.path().join("a"), directory.path().join("b"));
        std::fs::write(&a, "abc").unwrap();
        std::fs::write(&b, "").unwrap();
        let one = weights_sha256(&[&a]).unwrap();
        assert_eq!(one, "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
        assert_eq!(weights_sha256(&[&a, &b]).unwrap(), weights_sha256(&[&b, &a]).unwrap());
    }
}
