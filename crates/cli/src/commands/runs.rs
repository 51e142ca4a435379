//! `runs list | show | rm`: what is on this disk.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::io::{BufRead, BufReader, IsTerminal, Write};
use std::path::{Path, PathBuf};

use indicatif::HumanBytes;
use stereometer_core::{Language, Outcome};
use stereometer_record::{ChatIdentity, RecordError, Removal, RunDirectory, RunSpec, size};

use crate::args::{RunsArgs, RunsCommand};
use crate::failure::{Exit, Failure};
use crate::out::put;
use crate::table::{Column, render};
use crate::talk::Talk;
use crate::words::plural;

/// How far below the folder runs are looked for.
const DEPTH: usize = 4;

/// More languages than these are counted, not named.
const NAMED: usize = 6;

/// Runs the command.
pub fn run(args: &RunsArgs, talk: &mut Talk) -> Result<Exit, Failure> {
    match &args.command {
        RunsCommand::List { folder } => list(folder, talk),
        RunsCommand::Show { run } => show(run, talk),
        RunsCommand::Rm { runs, yes } => remove(runs, *yes, talk),
    }
}

/// What lies below a folder.
#[derive(Default)]
struct Found {
    runs: Vec<(PathBuf, RunSpec, usize)>,
    /// What is no run, and why.
    others: Vec<String>,
}

fn list(folder: &Path, talk: &Talk) -> Result<Exit, Failure> {
    let mut found = Found::default();
    if folder.is_dir() {
        find(folder, DEPTH, &mut found)?;
    }
    for other in &found.others {
        talk.doubt(other, None);
    }
    if found.runs.is_empty() {
        return Err(Failure::new(Exit::NothingSelected, format!("{}: no run there", folder.display()))
            .hint("`audit` makes one in `runs`; another folder can be named"));
    }
    found.runs.sort_by(|a, b| b.1.started.cmp(&a.1.started).then_with(|| a.0.cmp(&b.0)));
    let columns = [
        Column::Left("run"),
        Column::Left("model"),
        Column::Left("set"),
        Column::Left("method"),
        Column::Left("languages"),
        Column::Right("items"),
        Column::Right("of"),
        Column::Left("started"),
    ];
    let rows: Vec<Vec<String>> = found
        .runs
        .iter()
        .map(|(path, spec, done)| {
            vec![
                path.display().to_string(),
                spec.identity.model.name.clone(),
                spec.identity.set.name.clone(),
                spec.identity.method.to_string(),
                languages(&spec.identity.languages),
                done.to_string(),
                spec.n_items.to_string(),
                minute(&spec.started),
            ]
        })
        .collect();
    put!("{}", render(&columns, &rows))?;
    Ok(Exit::Done)
}

/// Runs at or below a folder; whether there is any, or anything worse. Links are not followed.
fn find(folder: &Path, depth: usize, found: &mut Found) -> Result<bool, Failure> {
    if folder.join("spec.json").exists() {
        let run = RunDirectory::open(folder).and_then(|run| Ok((run.spec().clone(), rows(folder)?)));
        match run {
            Ok((spec, done)) if done > spec.n_items => found.others.push(format!(
                "{}: a damaged run: {done} rows where {} were to be scored",
                folder.display(),
                spec.n_items
            )),
            Ok((spec, done)) => found.runs.push((folder.to_owned(), spec, done)),
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

fn show(path: &Path, talk: &Talk) -> Result<Exit, Failure> {
    let run = RunDirectory::open(path)?;
    for (name, value) in facts(run.spec()) {
        put!("{name:<16}{value}")?;
    }
    let spec = run.spec();
    put!("{:<16}{}", "on disk", HumanBytes(size(path)?))?;
    let there = |name: &str| if path.join(name).exists() { "yes" } else { "no" };
    put!("{:<16}{}", "results.json", there("results.json"))?;
    put!("{:<16}{}", "report", there("report/index.html"))?;
    let items = if path.join("items.jsonl").exists() { run.items()? } else { Vec::new() };
    put!("{:<16}{} of {}", "rows", items.len(), plural(spec.n_items, "item"))?;
    let mut reasons: BTreeMap<String, usize> = BTreeMap::new();
    for item in &items {
        if let Outcome::Unscored(reason) = &item.outcome {
            *reasons.entry(format!("{}: {}", reason.name(), reason.general())).or_default() += 1;
        }
    }
    let unscored: usize = reasons.values().sum();
    put!("{:<16}{}", "scored", items.len() - unscored)?;
    put!("{:<16}{unscored}", "unscored")?;
    for (reason, count) in reasons {
        put!("{:<16}{count} {reason}", "")?;
    }
    for warning in &spec.warnings {
        talk.warn(warning);
    }
    Ok(Exit::Done)
}

/// Everything of `spec.json` that is of interest, in words.
fn facts(spec: &RunSpec) -> Vec<(&'static str, String)> {
    let (identity, model, set) = (&spec.identity, &spec.identity.model, &spec.identity.set);
    let or = |value: &Option<String>, otherwise: &str| value.clone().unwrap_or_else(|| otherwise.to_owned());
    let prefix = if model.prefix_ids.is_empty() {
        "none before a text: its first token is not scored".to_owned()
    } else {
        format!("{:?} before every text", model.prefix_ids)
    };
    let tags: Vec<&str> = identity.languages.iter().map(Language::as_str).collect();
    let version = set.version.as_ref().map(|version| format!(" {version}")).unwrap_or_default();
    vec![
        ("model", model.name.clone()),
        ("architecture", format!("{}, {} parameters", model.architecture, model.parameters)),
        ("weights", format!("sha256 {}", model.weights_sha256)),
        ("tokenizer", format!("sha256 {}", model.tokenizer_sha256)),
        ("dtype", format!("{} as stored, {} in products", model.stored_dtype, model.compute_dtype)),
        ("special tokens", prefix),
        (
            "chat template",
            model.chat.as_ref().map_or_else(|| "none: plain text".to_owned(), ChatIdentity::summary),
        ),
        ("context", plural(model.context_length, "token")),
        ("backend", model.backend.clone()),
        ("from", model.origin.clone()),
        ("licence", or(&model.licence, "not known")),
        ("set", format!("{}{version}: {}", set.name, set.origin)),
        ("set's licence", or(&set.licence, "not known")),
        ("languages", tags.join(", ")),
        ("template", format!("{:?}", identity.template).to_lowercase()),
        ("subset", or(&identity.subset, "none: the whole set")),
        ("items", format!("sha256 {}", identity.items_sha256)),
        ("method", identity.method.to_string()),
        ("rule", spec.rule.to_string()),
        ("average", spec.average.to_string()),
        ("seed", spec.seed.0.to_string()),
        ("resamples", spec.resamples.to_string()),
        ("min. items", spec.min_items.to_string()),
        ("threads", spec.threads.to_string()),
        ("program", spec.tool_version.clone()),
        ("started", spec.started.clone()),
        ("command", spec.command.join(" ")),
    ]
}

fn remove(runs: &[PathBuf], yes: bool, talk: &Talk) -> Result<Exit, Failure> {
    let mut seen = BTreeSet::new();
    let plans: Vec<Removal> = runs
        .iter()
        // Links and paths that do not exist are refused below, in their own words.
        .filter(|path| path.is_symlink() || path.canonicalize().map_or(true, |full| seen.insert(full)))
        .map(|path| {
            Removal::plan(path).map_err(|error| match error {
                RecordError::Locked(_) => {
                    Failure::from(error).hint("wait for it, or end it first; nothing was removed")
                }
                RecordError::NotARun(_) => {
                    Failure::from(error).hint("only runs are removed; nothing was removed")
                }
                other => other.into(),
            })
        })
        .collect::<Result<_, Failure>>()?;
    if !yes {
        confirm(&plans)?;
    }
    for plan in plans {
        let path = plan.path().to_owned();
        let left = plan.remove()?;
        put!("removed {}", path.display())?;
        if !left.is_empty() {
            let text = format!("{}: what is not of the run was left: {}", path.display(), left.join(", "));
            talk.say(&text);
        }
    }
    Ok(Exit::Done)
}

fn confirm(plans: &[Removal]) -> Result<(), Failure> {
    let stdin = std::io::stdin();
    if !stdin.is_terminal() {
        return Err(Failure::new(
            Exit::CommandLine,
            "without a terminal nobody can be asked; nothing was removed",
        )
        .hint("say --yes"));
    }
    let mut stderr = std::io::stderr();
    for plan in plans {
        let _ = writeln!(stderr, "{} ({})", plan.path().display(), HumanBytes(plan.bytes()));
    }
    let _ = write!(stderr, "remove {}? [y/N] ", plural(plans.len(), "run"));
    let _ = stderr.flush();
    let mut answer = String::new();
    stdin.lock().read_line(&mut answer).map_err(Failure::io(Path::new("stdin"), "cannot read"))?;
    if ["y", "yes"].contains(&answer.trim().to_lowercase().as_str()) {
        Ok(())
    } else {
        Err(Failure::new(Exit::NothingSelected, "nothing was removed"))
    }
}
