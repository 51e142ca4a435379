//! As much of Thrift's compact protocol as it takes to look at what a Parquet file claims.
//!
//! Source: the Thrift compact protocol specification. Every method gives `None` where the bytes end or make no sense.

/// How deep a value may lie in others; Parquet's own lie five deep.
const DEEPEST: usize = 32;

pub(super) const STRUCT: u8 = 12;
pub(super) const LIST: u8 = 9;
const SET: u8 = 10;

/// A field of a struct.
#[derive(Clone, Copy)]
pub(super) struct Field {
    pub id: i16,
    pub kind: u8,
}

/// The bytes that are still to be read.
#[derive(Clone, Copy)]
pub(super) struct Thrift<'a>(pub &'a [u8]);

impl<'a> Thrift<'a> {
    /// The next field after the one with the number `last`; the inner `None` at the end of the struct.
    #[expect(clippy::option_option, reason = "the end of a struct is not the end of the bytes")]
    pub(super) fn field(&mut self, last: i16) -> Option<Option<Field>> {
        let byte = self.byte()?;
        if byte == 0 {
            return Some(None);
        }
        let id = match i16::from(byte >> 4) {
            0 => i16::try_from(self.integer()?).ok()?,
            step => last.checked_add(step)?,
        };
        Some(Some(Field { id, kind: byte & 15 }))
    }

    /// A number of any width but a byte's.
    fn integer(&mut self) -> Option<i64> {
        let number = self.varint()?;
        Some((number >> 1).cast_signed() ^ -(number & 1).cast_signed())
    }

    /// A number that is not negative and fits 32 bits, as all of Parquet's counts and sizes in a header do.
    pub(super) fn size(&mut self) -> Option<i64> {
        self.integer().filter(|number| (0..=i64::from(i32::MAX)).contains(number))
    }

    /// The type and the number of a list's elements.
    pub(super) fn list(&mut self) -> Option<(u8, usize)> {
        let byte = self.byte()?;
        let size = match byte >> 4 {
            15 => usize::try_from(self.varint()?).ok()?,
            size => usize::from(size),
        };
        (size <= self.0.len()).then_some((byte & 15, size))
    }

    /// Passes over a value of this type.
    pub(super) fn skip(&mut self, kind: u8) -> Option<()> {
        self.skip_within(kind, DEEPEST)
    }

    fn skip_within(&mut self, kind: u8, depth: usize) -> Option<()> {
        let depth = depth.checked_sub(1)?;
        match kind {
            1 | 2 => Some(()),
            3 => self.byte().map(drop),
            4..=6 => self.varint().map(drop),
            7 => self.take(8).map(drop),
            8 => {
                let length = usize::try_from(self.varint()?).ok()?;
                self.take(length).map(drop)
            }
            LIST | SET => {
                let (element, size) = self.list()?;
                // A truth value takes a byte in a list, and none as a field.
                let element = if element <= 2 { 3 } else { element };
                (0..size).try_for_each(|_| self.skip_within(element, depth))
            }
            STRUCT => {
                let mut last = 0;
                while let Some(field) = self.field(last)? {
                    self.skip_within(field.kind, depth)?;
                    last = field.id;
                }
                Some(())
            }
            _ => None,
        }
    }

    pub(super) fn take(&mut self, n: usize) -> Option<&'a [u8]> {
        let (taken, rest) = self.0.split_at_checked(n)?;
        self.0 = rest;
        Some(taken)
    }

    fn byte(&mut self) -> Option<u8> {
        self.take(1).map(|byte| byte[0])
    }

    fn varint(&mut self) -> Option<u64> {
        let mut number = 0;
        for shift in (0..64).step_by(7) {
            let byte = self.byte()?;
            number |= u64::from(byte & 0x7f) << shift;
            if byte < 0x80 {
                return Some(number);
            }
        }
        None
    }
}
