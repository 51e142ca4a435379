//! The questions: JSON lines with `id` and `text`, or for encoder–decoders `id`, `source` and `target`.

use std::fs::File;
use std::io::{BufRead, BufReader, stdin};
use std::path::{Path, PathBuf};

use serde::Deserialize;

use crate::failure::{Exit, Failure};

/// One line.
pub struct Query {
    /// Whatever the user calls it.
    pub id: serde_json::Value,
    /// What is asked.
    pub question: Question,
}

/// What is asked.
pub enum Question {
    /// How likely a text is.
    Text(String),
    /// How likely a target is after a source.
    Pair(String, String),
}

/// What each line has to be.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Shape {
    /// `id` and `text`.
    Text,
    /// `id`, `source` and `target`.
    Pair,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct TextLine {
    id: serde_json::Value,
    text: String,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct PairLine {
    id: serde_json::Value,
    source: String,
    target: String,
}

/// Reads all lines.
pub fn read(path: Option<&Path>, shape: Shape) -> Result<Vec<Query>, Failure> {
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
        queries.push(parse(line, shape).map_err(|error| {
            let words = in_line(&error);
            Failure::new(Exit::Input, format!("{}: line {}: {words}", name.display(), index + 1)).hint(
                match shape {
                    Shape::Text => "each line is one JSON object with `id` and `text`",
                    Shape::Pair => {
                        "an encoder–decoder wants one JSON object a line with `id`, `source` and `target`"
                    }
                },
            )
        })?);
    }
    Ok(queries)
}

fn parse(line: &str, shape: Shape) -> Result<Query, serde_json::Error> {
    // A list of the values in the right order would be taken for the object.
    if !line.trim_start().starts_with('{') {
        return Err(serde::de::Error::custom("not a JSON object"));
    }
    Ok(match shape {
        Shape::Text => {
            let TextLine { id, text } = serde_json::from_str(line)?;
            Query { id, question: Question::Text(text) }
        }
        Shape::Pair => {
            let PairLine { id, source, target } = serde_json::from_str(line)?;
            Query { id, question: Question::Pair(source, target) }
        }
    })
}

/// What is wrong with a line: to the parser, every line is the first.
fn in_line(error: &serde_json::Error) -> String {
    let words = error.to_string();
    match words.strip_suffix(&format!(" at line {} column {}", error.line(), error.column())) {
        Some(plain) => format!("{plain} at column {}", error.column()),
        None => words,
    }
}
