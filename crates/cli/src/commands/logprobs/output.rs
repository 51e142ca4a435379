//! Where the answers go: a file gets its name only when it is whole.

use std::fs::File;
use std::io::{BufWriter, ErrorKind, Stdout, Write, stdout};
use std::path::{Path, PathBuf};

use serde::Serialize;
use stereometer_core::Unscorable;
use stereometer_lm::TokenLogProbs;

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
    /// A device or a pipe: there is nothing to rename.
    Stream {
        file: BufWriter<File>,
        path: PathBuf,
    },
    /// A file that gets its name only when it is whole.
    File {
        file: BufWriter<File>,
        temporary: Temporary,
        path: PathBuf,
    },
}

impl Output {
    /// Opens it; `None` or `-` is stdout.
    pub fn open(path: Option<&Path>) -> Result<Self, Failure> {
        let Some(path) = path.filter(|path| path.as_os_str() != "-") else {
            return Ok(Self::Stdout(BufWriter::new(stdout())));
        };
        let is_stream = std::fs::metadata(path).is_ok_and(|there| !there.is_file());
        let opened = if is_stream {
            let file = File::options().write(true).open(path);
            file.map(|file| Self::Stream { file: BufWriter::new(file), path: path.to_owned() })
        } else {
            let target = behind_links(path);
            Temporary::beside(&target).map(|(file, temporary)| Self::File {
                file: BufWriter::new(file),
                temporary,
                path: target,
            })
        };
        opened.map_err(|error| {
            let is_missing = error.kind() == ErrorKind::NotFound;
            let failure = out::failed(path, error);
            if is_missing { failure.hint("create the folder first") } else { failure }
        })
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
        let (out, path) = self.parts();
        writeln!(out, "{json}").map_err(|error| out::failed(path, error))?;
        Ok(answered)
    }

    /// Gives the file its name.
    pub fn finish(mut self) -> Result<(), Failure> {
        let (out, path) = self.parts();
        out.flush().map_err(|error| out::failed(path, error))?;
        match self {
            Self::File { temporary, path, .. } => {
                std::fs::rename(&temporary.0, &path).map_err(|error| out::failed(&path, error))
            }
            Self::Stdout(_) | Self::Stream { .. } => Ok(()),
        }
    }

    fn parts(&mut self) -> (&mut dyn Write, &Path) {
        match self {
            Self::Stdout(out) => (out, Path::new("stdout")),
            Self::Stream { file, path } | Self::File { file, path, .. } => (file, path),
        }
    }
}

/// A file under a name that nobody else uses, gone when the program is done with it.
pub struct Temporary(PathBuf);

impl Temporary {
    fn beside(path: &Path) -> std::io::Result<(File, Self)> {
        let mut number = 0;
        loop {
            let mut name = path.file_name().unwrap_or_default().to_owned();
            name.push(format!(".{}-{number}.tmp", std::process::id()));
            let temporary = path.with_file_name(name);
            match File::create_new(&temporary) {
                Ok(file) => return Ok((file, Self(temporary))),
                Err(error) if error.kind() == ErrorKind::AlreadyExists && number < 100 => number += 1,
                Err(error) => return Err(error),
            }
        }
    }
}

impl Drop for Temporary {
    fn drop(&mut self) {
        let _ = std::fs::remove_file(&self.0); // renamed already when all went well
    }
}

/// The file that a path means, so that a link stays a link.
fn behind_links(path: &Path) -> PathBuf {
    let mut path = path.to_owned();
    for _ in 0..16 {
        let Ok(link) = std::fs::read_link(&path) else { break };
        path = path.parent().map_or_else(|| link.clone(), |folder| folder.join(&link));
    }
    path
}
