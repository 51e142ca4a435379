//! Groups and traits are asked of a language model: inventory → plan → batches → rows (methods, sections 4, 5 and 7).
//!
//! One row is one sentence about one group, with every trait in its blank: the traits share the sentence's beginning (a
//! causal model's tree, an encoder–decoder's source, a masked model's first cloze), and a kill loses at most the batch in
//! hand and the one before. The neutral noun that groups are compared with has rows of its own, so that the choice of
//! what is taken off is made afterwards.

mod ask;
mod batch;
mod plan;
mod work;

pub use ask::{AssociationAsker, AssociationError, association_method_for};
pub use plan::{AssociationPlan, AssociationSettings, Prior, inventory_identity};
pub use work::associate;
