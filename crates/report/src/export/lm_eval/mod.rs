//! A run as a task for EleutherAI's lm-evaluation-harness, whose numbers agree with the run's.
//!
//! One task a language and a group over them: a YAML file and the sentences as JSON Lines for each, `utils.py` with the
//! arithmetic, and a README with the command. Only what the harness can repeat is written: log-likelihoods of strings,
//! added up over whole texts. A run by another method, inside a chat template, or under a rule that looks at single
//! tokens is refused; items that strings cannot ask for are left out and counted ([`express`]).

mod express;
mod readme;
mod yaml;

use std::io::Write as _;
use std::path::{Path, PathBuf};

use serde_json::json;
use stereometer_core::{Method, Outcome, Rule};
use stereometer_record::{ItemRecord, LanguageResult, WholeFile};
use thiserror::Error;

use super::write::provenance;
use super::{Folder, Run, unwritten};
use crate::ReportError;
use express::{Asked, express};

/// Why lm-eval cannot repeat a run.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
pub enum Inexpressible {
    /// It knows whole texts only.
    #[error("the rule `{0}` looks at single tokens, and it gives one number a text")]
    Rule(Rule),
    /// It asks causal models.
    #[error("the method `{0}` hides tokens of a text, and it asks causal models only")]
    Method(Method),
    /// Its own chat templates put texts elsewhere.
    #[error("the texts stood inside a chat template, whose tokens it would score or place otherwise")]
    Chat,
    /// It puts one token before a text.
    #[error("{0} special tokens stood before every text, and it puts one there at most")]
    Prefix(usize),
    /// No item is left.
    #[error("none of the scored items can be asked for by strings")]
    Nothing,
}

impl Inexpressible {
    /// What to do about it.
    pub fn hint(self) -> &'static str {
        match self {
            Self::Rule(_) => "choose --rule mean, sum or per-byte; the rows have what every rule needs",
            Self::Method(_) | Self::Chat | Self::Prefix(_) | Self::Nothing => {
                "`export --format jsonl` has every token's log-probability"
            }
        }
    }
}

/// What was written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Written {
    /// The files.
    pub files: Vec<PathBuf>,
    /// Items that are asked for.
    pub items: usize,
    /// Of these, items for which numbers of the run are carried along.
    pub carried: usize,
    /// Scored items that strings cannot ask for.
    pub left_out: usize,
}

/// A language with its questions.
struct Asking<'a> {
    language: &'a LanguageResult,
    items: Vec<(&'a ItemRecord, Asked)>,
}

/// Whether lm-eval can repeat a run at all.
pub fn check(run: &Run<'_>) -> Result<(), Inexpressible> {
    let identity = &run.spec.identity;
    match run.results.rule {
        Rule::Mean | Rule::Sum | Rule::PerByte => {}
        rule @ (Rule::Divergence | Rule::ReleasedCode | Rule::FirstToken) => {
            return Err(Inexpressible::Rule(rule));
        }
    }
    match identity.method {
        Method::Likelihood => {}
        method @ (Method::PllOriginal | Method::PllWithinWord | Method::MaskedDifference) => {
            return Err(Inexpressible::Method(method));
        }
    }
    if identity.model.chat.is_some() {
        return Err(Inexpressible::Chat);
    }
    match identity.model.prefix_ids.len() {
        0 | 1 => Ok(()),
        n => Err(Inexpressible::Prefix(n)),
    }
}

/// Writes the task of a run into a folder.
pub fn write(run: &Run<'_>, folder: &Path) -> Result<Written, ReportError> {
    check(run)?;
    let has_prefix = !run.spec.identity.model.prefix_ids.is_empty();
    let languages: Vec<Asking<'_>> = run
        .results
        .languages
        .iter()
        .map(|language| {
            let own = run.items.iter().filter(|record| record.language == language.language);
            let items = own.filter_map(|record| Some((record, express(record, has_prefix)?))).collect();
            Asking { language, items }
        })
        .filter(|asking| !asking.items.is_empty())
        .collect();
    let items = languages.iter().map(|asking| asking.items.len()).sum();
    if items == 0 {
        return Err(Inexpressible::Nothing.into());
    }
    let scored = run.items.iter().filter(|record| matches!(record.outcome, Outcome::Scored(_))).count();
    let mut written = Written {
        files: Vec::new(),
        items,
        carried: languages
            .iter()
            .flat_map(|asking| &asking.items)
            .filter(|(_, asked)| asked.carried != 0.0)
            .count(),
        left_out: scored - items,
    };
    let group = group_name(run);
    let folder = Folder::open(folder)?;
    let mut files = vec![
        text_file(&folder, &format!("{group}.yaml"), &yaml::group(&group, &languages))?,
        text_file(&folder, "utils.py", &utils(run))?,
    ];
    for asking in &languages {
        let tag = asking.language.language.as_str();
        files.push(text_file(&folder, &format!("{group}_{tag}.yaml"), &yaml::task(&group, tag))?);
        files.push(data(&folder, asking)?);
    }
    files.push(text_file(&folder, "README.md", &readme::readme(run, &group, &written))?);
    written.files = folder.finish("lm-eval", files, vec![provenance(run)])?;
    Ok(written)
}

fn text_file(folder: &Folder, name: &str, text: &str) -> Result<WholeFile, ReportError> {
    let mut file = folder.file(name)?;
    file.write_all(text.as_bytes()).map_err(unwritten(file.path()))?;
    Ok(file)
}

/// The pairs of one language.
fn data(folder: &Folder, asking: &Asking<'_>) -> Result<WholeFile, ReportError> {
    let mut file = folder.file(&format!("{}.jsonl", asking.language.language))?;
    for (record, asked) in &asking.items {
        let row = json!({
            "id": record.id,
            "source": record.source,
            "stereotype": record.stereotype,
            "about": record.stereotype.info().about,
            "form": record.form,
            "context": asked.context,
            "choices": asked.choices,
            "n_scored": asked.n_scored,
            "n_bytes": record.texts.each_ref().map(String::len),
            "carried": [asked.carried, asked.carried],
        });
        writeln!(file, "{row}").map_err(unwritten(file.path()))?;
    }
    Ok(file)
}

fn utils(run: &Run<'_>) -> String {
    include_str!("utils.py")
        .replace("@rule@", run.results.rule.name())
        .replace("@average@", &run.results.average.to_string())
}

/// `stereometer_<set>`, in letters that every shell and lm-eval leave alone.
fn group_name(run: &Run<'_>) -> String {
    let set = &run.spec.identity.set.name;
    let plain: String =
        set.chars().map(|c| if c.is_ascii_alphanumeric() { c.to_ascii_lowercase() } else { '_' }).collect();
    format!("stereometer_{plain}")
}
