//! From an item to the texts a language model is asked about, and from its answers to a masculine rate.
//!
//! Two pure steps with the language model in between: [`pair::queries`] says which token sequences an item needs (or
//! why it cannot be scored), [`rules::masculine_rate`] reduces the stored answers. Every rule is computed from the
//! same answers, so the choice of a rule is made at analysis time and never needs the model again. Masked models and
//! encoder–decoders have [`methods`] of their own.

pub mod methods;
pub mod pair;
pub mod rules;
pub mod set_solver;

pub use pair::{PairLogProbs, check_answers, queries};
pub use rules::{MasculineRate, first_difference, masculine_rate, text_score};
