//! A file over HTTP: resumed, verified, and under its final name only when it is whole.
//!
//! `hf-hub` 0.5 can download too, but it compares nothing with a checksum, appends a whole answer to a half file when a
//! server ignores `Range`, and cannot finish a part that is already complete (the server answers 416). So bytes come
//! through here, and `hf-hub` gives the addresses and the layout of the cache.

use std::io::Read;
use std::path::Path;
use std::thread::sleep;

use ureq::Body;
use ureq::http::Response;

use crate::http::{Http, header, reason_of, refused};
use crate::part::{Expected, Part};
use crate::{Event, FetchError, Watch};

/// One file to download.
#[derive(Debug, Clone)]
pub struct Download<'a> {
    /// From where.
    pub url: &'a str,
    /// Its final name on the disk.
    pub target: &'a Path,
    /// What events and errors call it.
    pub label: &'a str,
    /// What is known of it.
    pub expected: Expected,
    /// A bearer token for the first host (never sent on to another one).
    pub token: Option<&'a str>,
}

/// Downloads a file, or returns at once when it is there already.
pub fn download(http: &Http, wanted: &Download<'_>, watch: &mut Watch<'_>) -> Result<(), FetchError> {
    let Some(mut part) = Part::open(wanted.target, wanted.label, watch)? else { return Ok(()) };
    part.take_up()?;
    if wanted.expected.size.is_some_and(|size| part.len() > size) {
        part.restart()?;
    }
    let mut resumed = part.len() > 0;
    loop {
        if let Err(error) = transfer(http, wanted, &mut part, watch) {
            if part.len() == 0 || matches!(error, FetchError::WrongSize { .. }) {
                part.discard();
            }
            return Err(error);
        }
        match part.verify(&wanted.expected) {
            Ok(()) => return part.finish(watch),
            // The part of an earlier call may have been of another version of the file: once more, from the start.
            Err(_) if resumed => {
                resumed = false;
                part.restart()?;
            }
            Err(error) => {
                part.discard();
                return Err(error);
            }
        }
    }
}

/// Asks until the part is as long as the file, as long as that gets any further.
fn transfer(
    http: &Http,
    wanted: &Download<'_>,
    part: &mut Part,
    watch: &mut Watch<'_>,
) -> Result<(), FetchError> {
    let patience = http.patience();
    let (mut failures, mut connected) = (0, false);
    loop {
        let before = part.len();
        let error = match attempt(http, wanted, part, watch) {
            Ok(()) => return Ok(()),
            Err(error) => error,
        };
        connected |= matches!(error, FetchError::CutOff { .. });
        if part.len() > before {
            failures = 0;
        }
        if failures == patience.retries || !is_passing(&error, connected) {
            return Err(error);
        }
        let retry_in = patience.pause * 2_u32.saturating_pow(failures);
        failures += 1;
        watch(Event::Interrupted { file: wanted.label, reason: &error, retry_in });
        sleep(retry_in);
    }
}

/// Whether the same request may well succeed in a moment. A host that never answered is given up at once: then the
/// next source has its turn.
fn is_passing(error: &FetchError, connected: bool) -> bool {
    match error {
        FetchError::CutOff { .. } => true,
        FetchError::Unreachable { .. } => connected,
        FetchError::Refused { status, .. } => matches!(status, 408 | 429 | 500 | 502 | 503 | 504),
        _ => false,
    }
}

/// One request, read to its end.
fn attempt(
    http: &Http,
    wanted: &Download<'_>,
    part: &mut Part,
    watch: &mut Watch<'_>,
) -> Result<(), FetchError> {
    if part.len() > 0 && wanted.expected.size == Some(part.len()) {
        return Ok(());
    }
    let mut response = http.get(wanted.url, wanted.token, part.len())?;
    if part.len() > 0 && !continues(&response, part.len()) {
        part.restart()?;
        // A whole answer is as good; anything else (416, another range) is asked for anew.
        if response.status() != 200 {
            response = http.get(wanted.url, wanted.token, 0)?;
        }
    }
    if !matches!(response.status().as_u16(), 200 | 206) {
        return Err(refused(wanted.url, &response));
    }
    let total = response.body().content_length().map(|rest| part.len() + rest);
    if let (Some(expected), Some(actual)) = (wanted.expected.size, total)
        && expected != actual
    {
        return Err(FetchError::WrongSize { file: wanted.label.to_owned(), expected, actual });
    }
    let total = total.or(wanted.expected.size);
    read(response, total, wanted, part, watch)
}

fn read(
    response: Response<Body>,
    total: Option<u64>,
    wanted: &Download<'_>,
    part: &mut Part,
    watch: &mut Watch<'_>,
) -> Result<(), FetchError> {
    watch(Event::Started { file: wanted.label, done: part.len(), total });
    let mut body = response.into_body().into_reader();
    let mut buffer = vec![0; 1 << 18];
    let cut_off = |done, reason| FetchError::CutOff { file: wanted.label.to_owned(), done, total, reason };
    loop {
        match body.read(&mut buffer) {
            Ok(0) => break,
            Ok(n) => {
                part.append(&buffer[..n])?;
                watch(Event::Advanced { done: part.len(), total });
            }
            Err(error) => return Err(cut_off(part.len(), reason_of(&error))),
        }
    }
    match total {
        Some(total) if part.len() < total => {
            Err(cut_off(part.len(), "the server stopped sending".to_owned()))
        }
        _ => Ok(()),
    }
}

/// Whether an answer is the rest of the file from `start` on.
fn continues(response: &Response<Body>, start: u64) -> bool {
    let range = header(response.headers(), "content-range");
    response.status() == 206
        && range
            .and_then(|range| range.strip_prefix("bytes "))
            .and_then(|range| range.split_once('-'))
            .is_some_and(|(from, _)| from.trim().parse() == Ok(start))
}
