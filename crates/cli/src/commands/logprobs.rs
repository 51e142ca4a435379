//! `logprobs`: JSON lines in, log-probabilities out.

use std::fs::File;
use std::io::{BufRead, BufReader, BufWriter, Write, stdin, stdout};
use std::path::{Path, PathBuf};
use std::time::Instant;

use serde::{Deserialize, Serialize};
use stereometer_lm::{TokenLogProbs, TokenTrie};

use crate::args::LogprobsArgs;
use crate::failure::{Exit, Failure};
use crate::model::OpenModel;
use crate::talk::Talk;

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
    let model = OpenModel::open(&args.model.model, &args.model.loading, talk)?;
    let mut output = Output::open(args.output.as_deref())?;
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
        talk.doubt(&format!("{refused} of {n} texts have no answer"), Some("their lines say why"));
    }
    if args.timing {
        let timing = serde_json::json!({
            "texts": n, "seconds": began.elapsed().as_secs_f64(), "tree_tokens": tree_tokens, "tokens": tokens,
            "threads": args.model.loading.thread_count(),
        });
        eprintln!("{timing}");
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
            Failure::new(Exit::Input, format!("{}: line {}: {error}", name.display(), index + 1))
                .hint("each line is one JSON object with `id` and `text`")
        })?);
    }
    Ok(queries)
}

/// stdout, or a file that gets its name only when it is whole.
enum Output {
    Stdout(BufWriter<std::io::Stdout>),
    File { file: BufWriter<File>, temporary: PathBuf, path: PathBuf },
}

impl Output {
    fn open(path: Option<&Path>) -> Result<Self, Failure> {
        let Some(path) = path.filter(|path| path.as_os_str() != "-") else {
            return Ok(Self::Stdout(BufWriter::new(stdout())));
        };
        let mut name = path.file_name().unwrap_or_default().to_owned();
        name.push(".tmp");
        let temporary = path.with_file_name(name);
        let file = File::create(&temporary).map_err(Failure::io(path, "cannot write"))?;
        Ok(Self::File { file: BufWriter::new(file), temporary, path: path.to_owned() })
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
                    sum: answer.sum(),
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
        let (written, path) = match self {
            Self::Stdout(out) => (writeln!(out, "{json}"), Path::new("stdout")),
            Self::File { file, path, .. } => (writeln!(file, "{json}"), path.as_path()),
        };
        let written = written.map_err(Failure::io(path, "cannot write"));
        if let (Err(_), Self::File { temporary, .. }) = (&written, &*self) {
            let _ = std::fs::remove_file(temporary);
        }
        written.map(|()| answered)
    }

    fn finish(self) -> Result<(), Failure> {
        match self {
            Self::Stdout(mut out) => out.flush().map_err(Failure::io(Path::new("stdout"), "cannot write")),
            Self::File { mut file, temporary, path } => {
                let done = file.flush().and_then(|()| std::fs::rename(&temporary, &path));
                if done.is_err() {
                    let _ = std::fs::remove_file(&temporary);
                }
                done.map_err(Failure::io(&path, "cannot write"))
            }
        }
    }
}
