//! Parquet files that claim more than they hold: refused before memory is set aside, or the stack runs out.

mod common;

use common::packs;
use stereometer_data::open;

const SNAPPY: &[u8] = include_bytes!("fixtures/Finnish-snappy.parquet");
const PLAIN: &[u8] = include_bytes!("fixtures/Finnish-none.parquet");

/// The message without the file's name.
fn refused(bytes: &[u8]) -> String {
    let directory = tempfile::tempdir().expect("a directory for the test");
    let path = directory.path().join("Finnish.parquet");
    std::fs::write(&path, bytes).expect("a file for the test");
    let error = open(&path.to_string_lossy(), None, packs()).expect_err("the file should be refused");
    let message = error.to_string();
    let detail = message.split_once("the Parquet file cannot be read: ").expect("an error of Parquet").1;
    detail.to_owned()
}

/// A number as Thrift packs it.
fn packed(number: u64) -> Vec<u8> {
    let mut rest = number << 1;
    let mut bytes = Vec::new();
    while rest >= 0x80 {
        bytes.push((rest & 0x7f) as u8 | 0x80);
        rest >>= 7;
    }
    bytes.push(rest as u8);
    bytes
}

/// The file with another number in the first page's header, which is a dictionary's: after `before`, in the place of the
/// number that stands there.
fn changed(file: &[u8], before: &[u8], number: u64) -> Vec<u8> {
    let at = file.windows(before.len()).position(|window| window == before).expect("the key") + before.len();
    let end = at + file[at..].iter().position(|byte| *byte < 0x80).expect("the end of a number") + 1;
    [&file[..at], &packed(number), &file[end..]].concat()
}

#[test]
fn a_page_that_claims_gigabytes() {
    let message = "it claims to be larger than any set of sentences";
    // Field 1 is the kind of page, 2 the size without compression; 7 describes a dictionary, and its field 1 counts.
    let dictionary = [&b"PAR1\x15"[..], &packed(2), b"\x15"].concat();
    for file in [SNAPPY, PLAIN] {
        assert_eq!(refused(&changed(file, &dictionary, i32::MAX as u64)), message);
        assert_eq!(refused(&changed(file, b"\x4c\x15", i32::MAX as u64)), message);
    }
}

#[test]
fn a_page_that_is_longer_than_its_column_or_has_no_header() {
    let size = [&b"PAR1\x15"[..], &packed(2), b"\x15", &SNAPPY[7..8], b"\x15"].concat();
    assert_eq!(refused(&changed(SNAPPY, &size, 1 << 20)), "a page is longer than its column");
    let mut damaged = SNAPPY.to_vec();
    damaged[4] = 0x1f;
    assert_eq!(refused(&damaged), "the header of a page is damaged");
}

#[test]
fn groups_that_lie_deeper_than_the_stack() {
    let name = |name: &str| [&b"\x48"[..], &[name.len() as u8], name.as_bytes()].concat();
    let group = [name("g"), b"\x15".to_vec(), packed(1), b"\0".to_vec()].concat();
    let n_groups = 200_000_u64;
    // The size of a list is not doubled as numbers are.
    let mut footer = [&b"\x15\x02\x19\xfc"[..], &packed(n_groups / 2)].concat();
    (0..n_groups).for_each(|_| footer.extend(&group));
    footer.extend(b"\x16\x00\x19\x0c\x00");
    let length = (footer.len() as u32).to_le_bytes();
    let file = [b"PAR1", footer.as_slice(), &length, b"PAR1"].concat();
    assert_eq!(refused(&file), "its columns lie more than 16 groups deep");
}

#[test]
fn every_damaged_byte_is_survived() {
    let directory = tempfile::tempdir().expect("a directory for the test");
    let path = directory.path().join("Finnish.parquet");
    for file in [SNAPPY, PLAIN] {
        for position in 4..file.len() {
            let mut bytes = file.to_vec();
            bytes[position] ^= 0xff;
            std::fs::write(&path, bytes).expect("a file for the test");
            // Some damage cannot be seen (a letter of a text); what matters is that the program goes on.
            let _ = open(&path.to_string_lossy(), None, packs());
        }
    }
}
