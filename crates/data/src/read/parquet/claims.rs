//! What a Parquet file claims, before the `parquet` crate believes it.
//!
//! The crate sets memory aside for the sizes that page headers state, and descends into a schema as deep as it goes: a file
//! of two kilobytes can ask for gigabytes, or for more stack than there is, and neither can be caught. Field numbers are
//! those of parquet-format's `parquet.thrift`.

use std::ops::Range;

use super::thrift::{LIST, STRUCT, Thrift};

/// Groups within groups. A table of sentences has one.
const DEEPEST_SCHEMA: usize = 16;
/// Bytes of all pages as they claim to be without compression.
const MAX_PAGES: i64 = 256 << 20;
/// Entries of all dictionaries. EuroGEST has 20,000 a language.
const MAX_ENTRIES: i64 = 4_000_000;
/// `DELTA_LENGTH_BYTE_ARRAY` and `DELTA_BYTE_ARRAY`: their counts lie within the compressed page, where none can be checked.
const DELTA_TEXTS: [i64; 2] = [6, 7];

/// Looks at the depth of the schema. A file without a footer is left to the crate.
pub(super) fn check_schema(bytes: &[u8]) -> Result<(), String> {
    let Some(footer) = footer(bytes) else { return Ok(()) };
    match deepest(Thrift(footer)) {
        Some(depth) if depth <= DEEPEST_SCHEMA => Ok(()),
        Some(_) => Err(format!("its columns lie more than {DEEPEST_SCHEMA} groups deep")),
        None => Err("its footer is damaged".to_owned()),
    }
}

fn footer(bytes: &[u8]) -> Option<&[u8]> {
    let (rest, end) = bytes.split_at_checked(bytes.len().checked_sub(8)?)?;
    let length = u32::from_le_bytes(*end.first_chunk()?) as usize;
    rest.get(rest.len().checked_sub(length)?..).filter(|_| end.ends_with(b"PAR1"))
}

/// How deep groups lie within each other; from [`DEEPEST_SCHEMA`] on it is not counted to the end.
fn deepest(mut footer: Thrift<'_>) -> Option<usize> {
    let (mut deepest, mut last) = (0, 0);
    while let Some(field) = footer.field(last)? {
        if field.id == 2 && field.kind == LIST {
            deepest = deepest.max(depth(&mut footer)?);
            if deepest > DEEPEST_SCHEMA {
                break;
            }
        } else {
            footer.skip(field.kind)?;
        }
        last = field.id;
    }
    Some(deepest)
}

/// The depth of one list of elements, each of which says how many of the following ones are its children.
fn depth(footer: &mut Thrift<'_>) -> Option<usize> {
    let (_, n_elements) = footer.list()?;
    // Children that are still to come, for each group that is open.
    let (mut open, mut deepest) = (Vec::new(), 0);
    for _ in 0..n_elements {
        if let Some(left) = open.last_mut() {
            *left -= 1;
        }
        let children = children(footer)?;
        if children > 0 {
            open.push(children);
        }
        deepest = deepest.max(open.len());
        if deepest > DEEPEST_SCHEMA {
            break;
        }
        while open.last().is_some_and(|left| *left <= 0) {
            open.pop();
        }
    }
    Some(deepest)
}

/// Passes over an element of the schema and gives the number of its children.
fn children(footer: &mut Thrift<'_>) -> Option<i64> {
    let (mut children, mut last) = (0, 0);
    while let Some(field) = footer.field(last)? {
        if field.id == 5 {
            children = footer.size()?;
        } else {
            footer.skip(field.kind)?;
        }
        last = field.id;
    }
    Some(children)
}

/// Looks at the headers of all pages, which lie one after another in these stretches of the file.
pub(super) fn check_pages(bytes: &[u8], columns: impl Iterator<Item = Range<usize>>) -> Result<(), String> {
    let mut sum = Page::default();
    for column in columns {
        let mut pages = Thrift(bytes.get(column).ok_or("a column lies beyond the end of the file")?);
        while !pages.0.is_empty() {
            let page = Page::read(&mut pages).ok_or("the header of a page is damaged")?;
            let n_bytes = usize::try_from(page.compressed).ok();
            n_bytes.and_then(|n| pages.take(n)).ok_or("a page is longer than its column")?;
            if DELTA_TEXTS.contains(&page.encoding) {
                return Err(
                    "its texts are stored as differences; plain and dictionary encoding are read".to_owned()
                );
            }
            sum.uncompressed = sum.uncompressed.saturating_add(page.uncompressed);
            sum.entries = sum.entries.saturating_add(page.entries);
            if sum.uncompressed > MAX_PAGES || sum.entries > MAX_ENTRIES {
                return Err("it claims to be larger than any set of sentences".to_owned());
            }
        }
    }
    Ok(())
}

/// What the header of a page claims; of a key that is there twice, the larger value.
#[derive(Default)]
struct Page {
    uncompressed: i64,
    compressed: i64,
    /// Of a dictionary.
    entries: i64,
    encoding: i64,
}

impl Page {
    fn read(thrift: &mut Thrift<'_>) -> Option<Self> {
        let (mut page, mut last) = (Self::default(), 0);
        while let Some(field) = thrift.field(last)? {
            match field.id {
                2 => page.uncompressed = page.uncompressed.max(thrift.size()?),
                3 => page.compressed = thrift.size()?,
                // The headers of a data page, of a dictionary and of a data page of the second version.
                5 | 7 | 8 if field.kind == STRUCT => page.read_inner(thrift, field.id)?,
                _ => thrift.skip(field.kind)?,
            }
            last = field.id;
        }
        Some(page)
    }

    fn read_inner(&mut self, thrift: &mut Thrift<'_>, which: i16) -> Option<()> {
        let mut last = 0;
        while let Some(field) = thrift.field(last)? {
            match (which, field.id) {
                (7, 1) => self.entries = self.entries.max(thrift.size()?),
                (5, 2) | (8, 4) => self.encoding = self.encoding.max(thrift.size()?),
                _ => thrift.skip(field.kind)?,
            }
            last = field.id;
        }
        Some(())
    }
}
