//! Whose stereotypes does a multilingual language model have in which language?
//!
//! Associations of social groups with traits are asked of a model, people's judgements are gathered from a survey, and a
//! regression says which people's stereotypes go with the model's (the Leakage study, Cao et al.; methods, sections 4–9).

mod associate;
pub mod humans;

pub use associate::{
    AssociationAsker, AssociationError, AssociationPlan, AssociationSettings, Prior, associate,
    association_method_for,
};
