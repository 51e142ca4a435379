//! What happens while something is fetched, told as it happens.
//!
//! The caller turns events into a progress bar, a log line or nothing. Byte counts are of one file; the rate and the
//! time left are the caller's to work out, since only the caller has a clock.

use std::time::Duration;

use crate::{FetchError, Licence};

/// One thing that happened while a model or a set was fetched.
#[derive(Debug)]
pub enum Event<'a> {
    /// A model that comes under a licence with a notice is about to be fetched: show the notice.
    Licence {
        /// The model's name.
        model: &'a str,
        /// Its licence.
        licence: &'a Licence,
    },
    /// A source is tried.
    Trying {
        /// What is wanted.
        name: &'a str,
        /// The source, in words.
        source: &'a str,
    },
    /// A source did not give it, and another one follows.
    Failed {
        /// What is wanted.
        name: &'a str,
        /// The source, in words.
        source: &'a str,
        /// Why not.
        reason: &'a FetchError,
    },
    /// Another process is writing this file; this one waits until it is done.
    Waiting {
        /// The file's name.
        file: &'a str,
    },
    /// A file begins, or goes on from an earlier part.
    Started {
        /// The file's name.
        file: &'a str,
        /// Bytes that are here already.
        done: u64,
        /// Bytes of the whole, where known.
        total: Option<u64>,
    },
    /// More of the file of the last [`Event::Started`] arrived.
    Advanced {
        /// Bytes that are here now.
        done: u64,
        /// Bytes of the whole, where known.
        total: Option<u64>,
    },
    /// The connection broke; the rest is asked for again.
    Interrupted {
        /// The file's name.
        file: &'a str,
        /// What broke.
        reason: &'a FetchError,
        /// When it is tried again.
        retry_in: Duration,
    },
    /// A file is whole, verified and under its final name.
    Finished {
        /// The file's name.
        file: &'a str,
        /// Its size in bytes.
        bytes: u64,
    },
}

/// Who is told of the events: `&mut |event| …`.
pub type Watch<'a> = dyn FnMut(Event<'_>) + 'a;
