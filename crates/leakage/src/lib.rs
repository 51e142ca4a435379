//! Whose stereotypes does a multilingual language model have in which language?
//!
//! Associations of social groups with traits are asked of a model, people's judgements are gathered from a survey, and a
//! regression says which people's stereotypes go with the model's (the Leakage study, Cao et al.; methods, sections 4–9).

mod analyse;
mod associate;
mod associations;
mod contrasts;
mod grid;
pub mod humans;
mod inputs;
mod inventory;
mod positions;
mod qualitative;
mod regression;
mod trait_score;

pub use analyse::analyse;
pub use associate::{
    AssociationAsker, AssociationError, AssociationPlan, AssociationSettings, Prior, associate,
    association_method_for, inventory_identity,
};
pub use associations::{RunAssociations, run_associations};
pub use inputs::{Inputs, LeakageError, RunInput, Settings};
pub use inventory::summary;
pub use qualitative::{HOLD, MODEL};
pub use regression::CHOICES;
pub use trait_score::trait_score;
