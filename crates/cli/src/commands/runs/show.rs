//! Everything that is known of a run.

use std::collections::BTreeMap;
use std::path::Path;

use indicatif::HumanBytes;
use stereometer_core::{Language, Outcome, Unscorable};
use stereometer_record::{AssociationSpec, ChatIdentity, ModelIdentity, RunSpec, size};

use super::AnyRun;
use crate::failure::{Exit, Failure};
use crate::out::put;
use crate::talk::Talk;
use crate::words::plural;

pub(super) fn show(path: &Path, talk: &Talk) -> Result<Exit, Failure> {
    match AnyRun::open(path)? {
        AnyRun::Audit(run) => {
            let items = if has_rows(path) { run.items()? } else { Vec::new() };
            put_facts(facts(run.spec()))?;
            on_disk(path, &["results.json", "report/index.html"])?;
            put!("{:<16}{} of {}", "rows", items.len(), plural(run.spec().n_items, "item"))?;
            outcomes(items.iter().map(|item| unscored(&item.outcome)))?;
            run.spec().warnings.iter().for_each(|warning| talk.warn(warning));
        }
        AnyRun::Association(run) => {
            let rows = if has_rows(path) { run.items()? } else { Vec::new() };
            put_facts(association_facts(run.spec()))?;
            on_disk(path, &[])?;
            put!("{:<16}{} of {}", "rows", rows.len(), plural(run.spec().n_items, "sentence"))?;
            outcomes(rows.iter().flat_map(|row| &row.traits).map(|one| unscored(&one.outcome)))?;
            run.spec().warnings.iter().for_each(|warning| talk.warn(warning));
        }
    }
    Ok(Exit::Done)
}

fn has_rows(path: &Path) -> bool {
    path.join("items.jsonl").exists()
}

fn put_facts(facts: Vec<(&'static str, String)>) -> Result<(), Failure> {
    for (name, value) in facts {
        put!("{name:<16}{value}")?;
    }
    Ok(())
}

fn on_disk(path: &Path, derived: &[&str]) -> Result<(), Failure> {
    put!("{:<16}{}", "on disk", HumanBytes(size(path)?))?;
    for name in derived {
        let there = if path.join(name).exists() { "yes" } else { "no" };
        put!("{:<16}{there}", name.trim_end_matches("/index.html"))?;
    }
    Ok(())
}

fn unscored<T>(outcome: &Outcome<T>) -> Option<&Unscorable> {
    match outcome {
        Outcome::Scored(_) => None,
        Outcome::Unscored(reason) => Some(reason),
    }
}

/// How many have a score, and why the others have none.
fn outcomes<'a>(all: impl Iterator<Item = Option<&'a Unscorable>>) -> Result<(), Failure> {
    let (mut n, mut reasons): (usize, BTreeMap<String, usize>) = (0, BTreeMap::new());
    for reason in all {
        n += 1;
        if let Some(reason) = reason {
            *reasons.entry(format!("{}: {}", reason.name(), reason.general())).or_default() += 1;
        }
    }
    let unscored: usize = reasons.values().sum();
    put!("{:<16}{}", "scored", n - unscored)?;
    put!("{:<16}{unscored}", "unscored")?;
    for (reason, count) in reasons {
        put!("{:<16}{count} {reason}", "")?;
    }
    Ok(())
}

/// Everything of `spec.json` that is of interest, in words.
fn facts(spec: &RunSpec) -> Vec<(&'static str, String)> {
    let (identity, set) = (&spec.identity, &spec.identity.set);
    let version = set.version.as_ref().map(|version| format!(" {version}")).unwrap_or_default();
    let mut facts = model_facts(&identity.model);
    facts.extend([
        ("set", format!("{}{version}: {}", set.name, set.origin)),
        ("set's licence", or(set.licence.as_ref(), "not known")),
        ("languages", tags(&identity.languages)),
        ("template", format!("{:?}", identity.template).to_lowercase()),
        ("subset", or(identity.subset.as_ref(), "none: the whole set")),
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
    ]);
    facts
}

/// The same of an association run.
fn association_facts(spec: &AssociationSpec) -> Vec<(&'static str, String)> {
    let (identity, inventory) = (&spec.association, &spec.association.inventory);
    let mut facts = model_facts(&identity.model);
    facts.extend([
        ("inventory", format!("{} {}: {}", inventory.name, inventory.version, inventory.origin)),
        ("its licence", or(inventory.licence.as_ref(), "not known")),
        ("languages", tags(&identity.languages)),
        ("subset", or(identity.subset.as_ref(), "none: the whole inventory")),
        ("items", format!("sha256 {}", identity.items_sha256)),
        ("method", identity.method.to_string()),
        ("threads", spec.threads.to_string()),
        ("program", spec.tool_version.clone()),
        ("started", spec.started.clone()),
        ("command", spec.command.join(" ")),
    ]);
    facts
}

fn model_facts(model: &ModelIdentity) -> Vec<(&'static str, String)> {
    let prefix = if model.prefix_ids.is_empty() {
        "none before a text: its first token is not scored".to_owned()
    } else {
        format!("{:?} before every text", model.prefix_ids)
    };
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
        ("licence", or(model.licence.as_ref(), "not known")),
    ]
}

fn or(value: Option<&String>, otherwise: &str) -> String {
    value.map_or_else(|| otherwise.to_owned(), Clone::clone)
}

fn tags(languages: &[Language]) -> String {
    languages.iter().map(Language::as_str).collect::<Vec<_>>().join(", ")
}
