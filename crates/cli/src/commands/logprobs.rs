//! `logprobs`: JSON lines in, log-probabilities out.

use std::fs::File;
use std::io::{BufRead, BufReader, BufWriter, ErrorKind, Stdout, Write, stdin, stdout};
use std::path::{Path, PathBuf};
use std::time::Instant;

use serde::{Deserialize, Serialize};
use stereometer_lm::{TokenLogProbs, TokenTrie};

use crate::args::LogprobsArgs;
use crate::failure::{Exit, Failure};
use crate::model::OpenModel;
use crate::out;
use crate::talk::Talk;
use crate::words::plural;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Query {
    id: serde_json::Value,
    text: String,
}

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

struct Encoded {
    query: Query,
    tokens: Vec<String>,
    ids: Vec<u32>,
}

/// Runs the command.
pub fn run(args: &LogprobsArgs, talk: &mut Talk) -> Result<Exit, Failure> {
    let queries = read(args.input.as_deref())?;
    let mut output = Output::open(args.output.as_deref())?;
    let model = OpenModel::open(&args.model.model, &args.model.loading, talk)?;
    let context = model.loaded.lm.info().context_length;
    let (began, n) = (Instant::now(), queries.len());
    let (mut tree_tokens, mut tokens, mut refused) = (0, 0, 0);
    let mut rest = queries.into_iter().peekable();
    while rest.peek().is_some() {
        let (mut batch, mut trie) = (Vec::new(), TokenTrie::default());
        while trie.len() < args.model.batch_tokens as usize {
            let Some(query) = rest.next() else { break };
            let encoding = model.loaded.tokenizer.encode(&query.text)?;
            if encoding.ids.len() <= context {
                trie.insert(&encoding.ids);
            }
            tokens += encoding.ids.len();
            batch.push(Encoded { query, tokens: encoding.tokens, ids: encoding.ids });
        }
        tree_tokens += trie.len();
        let texts: Vec<Vec<u32>> =
            batch.iter().filter(|one| one.ids.len() <= context).map(|one| one.ids.clone()).collect();
        let mut answers = model.loaded.lm.sequence_logprobs(&texts)?.into_iter();
        for one in &batch {
            let answer = if one.ids.len() <= context { answers.next() } else { None };
            refused += usize::from(!output.line(one, answer.as_ref(), context)?);
        }
    }
    output.finish()?;
    if refused > 0 {
        talk.doubt(&format!("no answer for {refused} of {}", plural(n, "text")), Some("the output says why"));
    }
    if args.timing {
        let timing = serde_json::json!({
            "texts": n, "seconds": began.elapsed().as_secs_f64(), "tree_tokens": tree_tokens, "tokens": tokens,
            "threads": args.model.loading.thread_count(),
        });
        let _ = writeln!(std::io::stderr(), "{timing}");
    }
    Ok(if refused > 0 { Exit::SomeUnscored } else { Exit::Done })
}

fn read(path: Option<&Path>) -> Result<Vec<Query>, Failure> {
    let name = path.map_or_else(|| PathBuf::from("stdin"), Path::to_owned);
    let reader: Box<dyn BufRead> = match path.filter(|path| path.as_os_str() != "-") {
        Some(path) => Box::new(BufReader::new(File::open(path).map_err(Failure::io(path, "cannot open"))?)),
        None => Box::new(stdin().lock()),
    };
    let mut queries = Vec::new();
    for (index, line) in reader.lines().enumerate() {
        let line = line.map_err(|error| {
            Failure::new(Exit::Input, format!("{}: line {}: {error}", name.display(), index + 1))
        })?;
        let line = line.trim_start_matches('\u{feff}');
        if line.trim().is_empty() {
            continue;
        }
        queries.push(serde_json::from_str(line).map_err(|error| {
            let words = in_line(&error);
            Failure::new(Exit::Input, format!("{}: line {}: {words}", name.display(), index + 1))
                .hint("each line is one JSON object with `id` and `text`")
        })?);
    }
    Ok(queries)
}

/// What is wrong with a line: to the parser, every line is the first.
fn in_line(error: &serde_json::Error) -> String {
    let words = error.to_string();
    match words.strip_suffix(&format!(" at line {} column {}", error.line(), error.column())) {
        Some(plain) => format!("{plain} at column {}", error.column()),
        None => words,
    }
}

/// Where the lines go.
enum Output {
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
    fn open(path: Option<&Path>) -> Result<Self, Failure> {
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
    fn line(
        &mut self,
        one: &Encoded,
        answer: Option<&TokenLogProbs>,
        context: usize,
    ) -> Result<bool, Failure> {
        let id = &one.query.id;
        let refusal = |error: String| serde_json::to_string(&Refusal { id, error });
        let (json, answered) = match answer {
            Some(answer) if answer.is_finite() => {
                let answer = Answer {
                    id,
                    token_ids: &answer.token_ids,
                    tokens: &one.tokens,
                    logprobs: &answer.logprobs,
                    sum: answer.sum() + 0.0, // the sum of nothing is −0 in Rust
                    mean: answer.mean(),
                    n_scored: answer.n_scored(),
                };
                (serde_json::to_string(&answer), true)
            }
            Some(_) => (refusal(stereometer_core::Unscorable::NotFinite.to_string()), false),
            None => {
                let reason = stereometer_core::Unscorable::TooLong { tokens: one.ids.len(), context };
                (refusal(reason.to_string()), false)
            }
        };
        let json = json.map_err(|error| Failure::new(Exit::Machine, error.to_string()))?;
        let (out, path) = self.parts();
        writeln!(out, "{json}").map_err(|error| out::failed(path, error))?;
        Ok(answered)
    }

    fn finish(mut self) -> Result<(), Failure> {
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
struct Temporary(PathBuf);

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
