//! Every run below a folder.

use std::fs;
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};

use stereometer_core::Language;
use stereometer_record::{AssociationSpec, RecordError, RunSpec};

use super::AnyRun;
use crate::failure::{Exit, Failure};
use crate::out::put;
use crate::table::{Column, render};
use crate::talk::Talk;
use crate::words::plural;

/// How far below the folder runs are looked for.
const DEPTH: usize = 4;

/// More languages than these are counted, not named.
const NAMED: usize = 6;

/// What lies below a folder.
#[derive(Default)]
struct Found {
    runs: Vec<Listed>,
    /// What is no run, and why.
    others: Vec<String>,
}

/// A run as the list shows it.
struct Listed {
    path: PathBuf,
    model: String,
    set: String,
    method: String,
    languages: Vec<Language>,
    done: usize,
    n_items: usize,
    started: String,
}

impl Listed {
    fn open(path: &Path) -> Result<Self, RecordError> {
        let (path, done) = (path.to_owned(), rows(path)?);
        Ok(match AnyRun::open(&path)? {
            AnyRun::Audit(run) => {
                let RunSpec { identity, n_items, started, .. } = run.spec().clone();
                Self {
                    path,
                    model: identity.model.name,
                    set: identity.set.name,
                    method: identity.method.to_string(),
                    languages: identity.languages,
                    done,
                    n_items,
                    started,
                }
            }
            AnyRun::Association(run) => {
                let AssociationSpec { association, n_items, started, .. } = run.spec().clone();
                Self {
                    path,
                    model: association.model.name,
                    set: association.inventory.name,
                    method: association.method.to_string(),
                    languages: association.languages,
                    done,
                    n_items,
                    started,
                }
            }
        })
    }
}

pub(super) fn list(folder: &Path, talk: &Talk) -> Result<Exit, Failure> {
    let mut found = Found::default();
    if folder.is_dir() {
        find(folder, DEPTH, &mut found)?;
    }
    for other in &found.others {
        talk.doubt(other, None);
    }
    if found.runs.is_empty() {
        return Err(Failure::new(Exit::NothingSelected, format!("{}: no run there", folder.display()))
            .hint("`audit` and `associate` make one in `runs`; another folder can be named"));
    }
    found.runs.sort_by(|a, b| b.started.cmp(&a.started).then_with(|| a.path.cmp(&b.path)));
    let columns = [
        Column::Left("run"),
        Column::Left("model"),
        Column::Left("set or inventory"),
        Column::Left("method"),
        Column::Left("languages"),
        Column::Right("items"),
        Column::Right("of"),
        Column::Left("started"),
    ];
    let rows: Vec<Vec<String>> = found
        .runs
        .iter()
        .map(|run| {
            vec![
                run.path.display().to_string(),
                run.model.clone(),
                run.set.clone(),
                run.method.clone(),
                languages(&run.languages),
                run.done.to_string(),
                run.n_items.to_string(),
                minute(&run.started),
            ]
        })
        .collect();
    put!("{}", render(&columns, &rows))?;
    Ok(Exit::Done)
}

/// Runs at or below a folder; whether there is any, or anything worse. Links are not followed.
fn find(folder: &Path, depth: usize, found: &mut Found) -> Result<bool, Failure> {
    if folder.join("spec.json").exists() {
        match Listed::open(folder) {
            Ok(run) if run.done > run.n_items => found.others.push(format!(
                "{}: a damaged run: {} rows where {} were to be scored",
                folder.display(),
                run.done,
                run.n_items
            )),
            Ok(run) => found.runs.push(run),
            Err(error) => found.others.push(error.to_string()),
        }
        return Ok(true);
    }
    let mut any = false;
    let entries = fs::read_dir(folder).map_err(Failure::io(folder, "cannot read"))?;
    let mut below: Vec<PathBuf> = entries
        .flatten()
        .filter(|entry| entry.file_type().is_ok_and(|kind| kind.is_dir()))
        .filter(|entry| !entry.file_name().as_encoded_bytes().starts_with(b"."))
        .map(|entry| entry.path())
        .collect();
    below.sort();
    for path in below {
        match if depth > 1 { find(&path, depth - 1, found) } else { Ok(path.join("spec.json").exists()) } {
            Ok(true) => any = true,
            Ok(false) => {}
            Err(failure) => {
                found.others.push(failure.message);
                any = true;
            }
        }
    }
    // Any other folder never was a run.
    if !any && depth < DEPTH && folder.join("items.jsonl").exists() {
        found.others.push(RecordError::NotARun(folder.to_owned()).to_string());
        any = true;
    }
    Ok(any)
}

/// Whole lines of a run's `items.jsonl`.
fn rows(run: &Path) -> Result<usize, RecordError> {
    let path = run.join("items.jsonl");
    let failed = |source| RecordError::Io { path: path.clone(), action: "cannot read", source };
    let file = match fs::File::open(&path) {
        Ok(file) => file,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(0),
        Err(error) => return Err(failed(error)),
    };
    let mut reader = BufReader::with_capacity(1 << 18, file);
    let mut rows = 0;
    loop {
        let bytes = reader.fill_buf().map_err(failed)?;
        if bytes.is_empty() {
            return Ok(rows);
        }
        rows += bytes.split(|&byte| byte == b'\n').count() - 1;
        let n = bytes.len();
        reader.consume(n);
    }
}

fn languages(languages: &[Language]) -> String {
    if languages.len() > NAMED {
        return plural(languages.len(), "language");
    }
    languages.iter().map(Language::as_str).collect::<Vec<_>>().join(",")
}

/// “2026-11-30 09:15” of “2026-11-30T09:15:00Z”.
fn minute(time: &str) -> String {
    time.get(..16).map_or_else(|| time.to_owned(), |minute| minute.replace('T', " "))
}
