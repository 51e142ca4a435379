//! What will be scored: the items, in order, and the identity that their rows belong to.

use std::collections::HashMap;

use stereometer_core::{Item, Language, Method, Seed, TemplateChoice, Warning};
use stereometer_data::{Packs, StereotypeSet};
use stereometer_record::{Identity, ModelIdentity, SetFile, SetIdentity, sha256_hex};

use crate::AuditError;

/// The choices that decide which rows a run has.
#[derive(Debug, Clone)]
pub struct PlanSettings {
    /// Languages, as checked against the set.
    pub languages: Vec<Language>,
    /// Templates for neutral sentences.
    pub template: TemplateChoice,
    /// At most so many source sentences a stereotype.
    pub sources_per_stereotype: Option<usize>,
    /// At most so many items a language, after everything else.
    pub limit: Option<usize>,
    /// Seed of the subset.
    pub seed: Seed,
    /// How pairs are scored; one that the language model can do.
    pub method: Method,
}

/// Items in order, and what they depend on.
#[derive(Debug, Clone)]
pub struct Plan {
    /// What will be scored.
    pub items: Vec<Item>,
    /// What the rows depend on.
    pub identity: Identity,
    /// What the readers and the choices remarked.
    pub warnings: Vec<Warning>,
}

impl Plan {
    /// Builds the items of a set for a language model.
    pub fn new(
        set: &StereotypeSet,
        packs: &Packs,
        settings: &PlanSettings,
        model: ModelIdentity,
    ) -> Result<Self, AuditError> {
        let mut warnings = set.notes().to_vec();
        let languages = &settings.languages;
        let mut described = Vec::new();
        let sampled = settings.sources_per_stereotype.map(|n| set.subset(languages, n, settings.seed));
        let (set_in_use, remark) =
            sampled.as_ref().map_or((set, None), |(subset, remark)| (subset, remark.as_ref()));
        if let Some(Warning::Subset { detail }) = remark {
            described.push(detail.clone());
        }
        let (mut items, remarks) = set_in_use.items(packs, settings.template, languages);
        warnings.extend(remarks);
        if let Some(limit) = settings.limit {
            let whole = items.len();
            items = limited(items, limit);
            if items.len() < whole {
                described
                    .push(format!("at most {limit} items a language, taken in turn from its stereotypes"));
            }
        }
        let subset = (!described.is_empty()).then(|| described.join("; "));
        warnings.extend(subset.iter().map(|detail| Warning::Subset { detail: detail.clone() }));
        if items.is_empty() {
            let tags: Vec<&str> = languages.iter().map(Language::as_str).collect();
            return Err(AuditError::NothingSelected(format!(
                "the set `{}` has no item for {} with this template",
                set.name(),
                tags.join(", ")
            )));
        }
        let identity = Identity {
            model,
            set: set_identity(set),
            languages: settings.languages.clone(),
            template: settings.template,
            subset,
            items_sha256: sha256_hex(serde_json::to_string(&items).unwrap_or_default()),
            method: settings.method,
        };
        Ok(Self { items, identity, warnings })
    }
}

/// At most `limit` items of each language, taken in turn from its stereotypes so that none is starved.
fn limited(items: Vec<Item>, limit: usize) -> Vec<Item> {
    let mut seen: HashMap<(Language, u16), usize> = HashMap::new();
    let round: Vec<usize> = items
        .iter()
        .map(|item| {
            let count = seen.entry((item.language.clone(), item.stereotype.get())).or_default();
            *count += 1;
            *count
        })
        .collect();
    let mut order: Vec<usize> = (0..items.len()).collect();
    order.sort_by_key(|&index| (round[index], items[index].stereotype));
    let mut taken: HashMap<&Language, usize> = HashMap::new();
    let mut keep = vec![false; items.len()];
    for index in order {
        let count = taken.entry(&items[index].language).or_default();
        if *count < limit {
            *count += 1;
            keep[index] = true;
        }
    }
    items.into_iter().zip(keep).filter_map(|(item, keep)| keep.then_some(item)).collect()
}

fn set_identity(set: &StereotypeSet) -> SetIdentity {
    let provenance = set.provenance();
    SetIdentity {
        name: set.name().to_owned(),
        version: set.version().map(str::to_owned),
        origin: provenance.origin.clone(),
        licence: provenance.licence.clone(),
        files: provenance
            .files
            .iter()
            .map(|file| SetFile { name: file.name.to_string(), sha256: file.sha256.clone() })
            .collect(),
    }
}
