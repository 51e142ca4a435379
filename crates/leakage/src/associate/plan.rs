//! What will be asked: the sentences, in order, and the identity that their rows belong to.

use stereometer_core::{AssociationItem, AssociationMethod, Language, Subject, Warning};
use stereometer_data::{Inventory, TemplateFilter};
use stereometer_record::{AssociationIdentity, InventoryIdentity, ModelIdentity, SetFile, sha256_hex};

use super::ask::AssociationError;

/// What groups are compared with.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Prior {
    /// The inventory's neutral noun of the same grammatical form.
    #[default]
    Neutral,
    /// Nothing: the score itself.
    None,
}

impl Prior {
    /// The name on the command line and in files.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Neutral => "neutral",
            Self::None => "none",
        }
    }
}

/// The choices that decide which rows a run has.
#[derive(Debug, Clone)]
pub struct AssociationSettings {
    /// Languages, as checked against the inventory.
    pub languages: Vec<Language>,
    /// How associations are measured; one that the language model can do.
    pub method: AssociationMethod,
    /// Without the neutral noun its sentences are left out.
    pub prior: Prior,
    /// At most so many templates of each kind and language.
    pub templates_per_kind: Option<usize>,
}

/// Sentences in order, and what they depend on.
#[derive(Debug, Clone)]
pub struct AssociationPlan {
    /// What will be asked.
    pub items: Vec<AssociationItem>,
    /// What the rows depend on.
    pub identity: AssociationIdentity,
    /// What the readers and the choices remarked.
    pub warnings: Vec<Warning>,
}

impl AssociationPlan {
    /// Builds the sentences of an inventory for a language model.
    pub fn new(
        inventory: &Inventory,
        settings: &AssociationSettings,
        model: ModelIdentity,
    ) -> Result<Self, AssociationError> {
        let mut warnings = inventory.notes().to_vec();
        let mut described = Vec::new();
        let (mut items, remarks) = match settings.method {
            AssociationMethod::Choice => inventory.choice_items(&settings.languages),
            AssociationMethod::Ilps
            | AssociationMethod::Set
            | AssociationMethod::Pll
            | AssociationMethod::Continuation => {
                let filter =
                    TemplateFilter { per_kind: settings.templates_per_kind, ..TemplateFilter::default() };
                let most = settings
                    .templates_per_kind
                    .map(|most| format!("the first {most} templates of each kind"));
                described.extend(most);
                inventory.items_of(&settings.languages, &filter)
            }
        };
        warnings.extend(remarks);
        if settings.prior == Prior::None {
            items.retain(|item| item.subject != Subject::Prior);
            described.push("without the neutral noun".to_owned());
        }
        let subset = (!described.is_empty()).then(|| described.join("; "));
        warnings.extend(subset.iter().map(|detail| Warning::Subset { detail: detail.clone() }));
        if items.is_empty() {
            let tags: Vec<&str> = settings.languages.iter().map(Language::as_str).collect();
            return Err(AssociationError::NothingSelected(format!(
                "the inventory `{}` has no sentence for {}",
                inventory.name(),
                tags.join(", ")
            )));
        }
        let identity = AssociationIdentity {
            model,
            inventory: inventory_identity(inventory),
            languages: settings.languages.clone(),
            method: settings.method,
            subset,
            items_sha256: sha256_hex(serde_json::to_string(&items).unwrap_or_default()),
        };
        Ok(Self { items, identity, warnings })
    }
}

/// Which inventory, by its files.
pub fn inventory_identity(inventory: &Inventory) -> InventoryIdentity {
    let provenance = inventory.provenance();
    InventoryIdentity {
        name: inventory.name().to_owned(),
        version: inventory.version().to_owned(),
        origin: provenance.origin.clone(),
        licence: provenance.licence.clone(),
        files: provenance
            .files
            .iter()
            .map(|file| SetFile { name: file.name.to_string(), sha256: file.sha256.clone() })
            .collect(),
    }
}
