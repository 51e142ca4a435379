//! Is a normalisation table one that can be searched? `Precompiled` of the `tokenizers` crate trusts it: it sets memory aside
//! for the length that the table states, and follows its links without looking where they lead.
//!
//! A table is a length in bytes, a trie as so many bytes of 32-bit units (darts-clone's double array), and replacements that
//! end in a zero byte. A unit links to a block of 256 units; a unit with a leaf finds there where its replacement begins.

use tokenizers::normalizers::{NormalizerWrapper, Precompiled};

use super::{Model, Result};

const VALUE: u32 = 1 << 31;

/// What normalises text by the model's table, if it has one.
pub(super) fn normalizer(model: &Model) -> Result<Option<NormalizerWrapper>> {
    let table = &model.normalizer.table;
    if table.is_empty() {
        return Ok(None);
    }
    check(table)?;
    Precompiled::from(table).map(|table| Some(table.into())).map_err(|error| error.to_string())
}

/// Whether no search in this table leaves it.
fn check(table: &[u8]) -> Result<()> {
    let wrong = || "its normalisation table is damaged".to_owned();
    let (length, rest) = table.split_first_chunk::<4>().ok_or_else(wrong)?;
    let (trie, replacements) =
        rest.split_at_checked(u32::from_le_bytes(*length) as usize).ok_or_else(wrong)?;
    let replacements = std::str::from_utf8(replacements).map_err(|_| wrong())?;
    let (units, odd) = trie.as_chunks::<4>();
    let units: Vec<u32> = units.iter().map(|unit| u32::from_le_bytes(*unit)).collect();
    if units.is_empty() || !odd.is_empty() {
        return Err(wrong());
    }
    for (at, &unit) in units.iter().enumerate().filter(|(_, unit)| *unit & VALUE == 0) {
        let offset = ((unit >> 10) as usize) << ((unit & (1 << 9)) >> 6);
        let linked = at ^ offset;
        if linked | 0xff >= units.len() {
            return Err(wrong());
        }
        let has_leaf = (unit >> 8) & 1 == 1;
        let replacement = (units[linked] & !VALUE) as usize;
        if has_leaf && !replacements.is_char_boundary(replacement) {
            return Err(wrong());
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn table(length: u32, units: &[u32], replacements: &str) -> Vec<u8> {
        let units = units.iter().flat_map(|unit| unit.to_le_bytes());
        length.to_le_bytes().into_iter().chain(units).chain(replacements.bytes()).collect()
    }

    #[test]
    fn links_and_replacements_stay_inside() {
        let mut units = vec![0; 256];
        assert_eq!(check(&table(1024, &units, "é\0")), Ok(()));
        for bad in [
            table(0, &[], "x"),
            table(u32::MAX, &units, "é\0"),
            table(1023, &units, "é\0"),
            table(4, &[0], "é\0"),
            vec![1, 0],
        ] {
            assert!(check(&bad).is_err(), "{} bytes", bad.len());
        }
        units[3] = 1 << 18; // a link to a block that is not there
        assert!(check(&table(1024, &units, "é\0")).is_err());
        units[3] = 1 << 8; // a leaf whose replacement begins inside a letter
        units[3] |= 7 << 10;
        units[3 ^ 7] = VALUE | 1;
        assert!(check(&table(1024, &units, "é\0")).is_err());
        units[3 ^ 7] = VALUE;
        assert_eq!(check(&table(1024, &units, "é\0")), Ok(()));
    }
}
