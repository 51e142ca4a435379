//! Content hashes.

use sha2::{Digest, Sha256};

/// SHA-256 in lower-case hex.
pub fn sha256_hex(bytes: impl AsRef<[u8]>) -> String {
    use std::fmt::Write as _;
    Sha256::digest(bytes.as_ref()).iter().fold(String::with_capacity(64), |mut hex, byte| {
        let _ = write!(hex, "{byte:02x}");
        hex
    })
}

#[cfg(test)]
mod tests {
    #[test]
    fn the_empty_string_has_its_known_hash() {
        assert_eq!(super::sha256_hex(""), "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
    }
}
