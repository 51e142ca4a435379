//! Where the answers go: a file gets its name only when it is whole.

use std::io::{BufWriter, ErrorKind, Stdout, Write, stdout};
use std::path::Path;

use serde::Serialize;
use stereometer_core::Unscorable;
use stereometer_lm::TokenLogProbs;
use stereometer_record::{RecordError, WholeFile};

use super::ask::Encoded;
use crate::failure::{Exit, Failure};
use crate::out;

#[derive(Serialize)]
struct Answer<'a> {
    id: &'a serde_json::Value,
    token_ids: &'a [u32],
    tokens: &'a [String],
    logprobs: &'a [Option<f32>],
    sum: f64,
    mean: Option<f64>,
    n_scored: usize,
}

#[derive(Serialize)]
struct Refusal<'a> {
    id: &'a serde_json::Value,
    error: String,
}

/// Where the lines go.
pub enum Output {
    Stdout(BufWriter<Stdout>),
    /// A file that gets its name only when it is whole; devices and pipes at once.
    File(WholeFile),
}

impl Output {
    /// Opens it; `None` or `-` is stdout.
    pub fn open(path: Option<&Path>) -> Result<Self, Failure> {
        match path.filter(|path| path.as_os_str() != "-") {
            None => Ok(Self::Stdout(BufWriter::new(stdout()))),
            Some(path) => WholeFile::create(path).map(Self::File).map_err(unwritten),
        }
    }

    /// Writes one line; `false` when it says why there is no answer.
    pub fn line(
        &mut self,
        one: &Encoded,
        answer: Result<TokenLogProbs, Unscorable>,
    ) -> Result<bool, Failure> {
        let id = &one.id;
        let refusal = |error: String| serde_json::to_string(&Refusal { id, error });
        let (json, answered) = match answer {
            Ok(answer) if answer.is_finite() => {
                let answer = Answer {
                    id,
                    token_ids: &one.ids,
                    tokens: &one.tokens,
                    logprobs: &answer.logprobs,
                    sum: answer.sum() + 0.0, // the sum of nothing is −0 in Rust
                    mean: answer.mean(),
                    n_scored: answer.n_scored(),
                };
                (serde_json::to_string(&answer), true)
            }
            Ok(_) => (refusal(Unscorable::NotFinite.to_string()), false),
            Err(reason) => (refusal(reason.to_string()), false),
        };
        let json = json.map_err(|error| Failure::new(Exit::Machine, error.to_string()))?;
        let written = match self {
            Self::Stdout(out) => writeln!(out, "{json}"),
            Self::File(file) => writeln!(file, "{json}"),
        };
        written.map_err(|error| out::failed(self.path(), error))?;
        Ok(answered)
    }

    /// Gives the file its name.
    pub fn finish(self) -> Result<(), Failure> {
        match self {
            Self::Stdout(mut out) => out.flush().map_err(|error| out::failed(Path::new("stdout"), error)),
            Self::File(file) => file.finish().map_err(unwritten),
        }
    }

    fn path(&self) -> &Path {
        match self {
            Self::Stdout(_) => Path::new("stdout"),
            Self::File(file) => file.path(),
        }
    }
}

/// A reader that has gone is no failure; a folder that is missing can be made.
fn unwritten(error: RecordError) -> Failure {
    match error {
        RecordError::Io { path, source, .. } => {
            let is_missing = source.kind() == ErrorKind::NotFound;
            let failure = out::failed(&path, source);
            if is_missing { failure.hint("create the folder first") } else { failure }
        }
        other => other.into(),
    }
}
