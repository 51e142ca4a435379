//! From an item to the texts a language model is asked about, and from its answers to a masculine rate.
//!
//! Two pure steps with the language model in between: a method's queries say what an item asks of the model (or why it
//! cannot be scored), [`rules::masculine_rate`] reduces the stored answers. Every rule is computed from the same answers,
//! so the choice of a rule is made at analysis time and never needs the model again. The [`registry`] knows every method.

pub mod methods;
pub mod pair;
pub mod registry;
pub mod rules;
pub mod set_solver;

pub use pair::{PairClozes, PairLogProbs, check_answers};
pub use registry::{
    Comparison, METHODS, MethodInfo, association_info, association_methods, info, pair_methods,
};
pub use rules::{MasculineRate, first_difference, masculine_rate, text_score};
