//! The words of the field as types.
//!
//! Every other crate speaks in these; none of them knows a model, a file or a terminal.
//! Words and formulas follow EuroGEST (Rowe et al., EMNLP 2025) and GEST (Pikuliak et al. 2024), for social groups the
//! Leakage study (Cao et al.).

mod abc;
mod association;
mod caught;
mod estimate;
mod human;
mod item;
mod language;
mod method;
mod near;
mod outcome;
mod rule;
mod seed;
mod slug;
mod stereotype;
mod tuning;
mod verdict;
mod warning;

pub use abc::{Dimension, GroupCategory, Valence};
pub use association::{AssociationItem, AssociationMethod, BLANK, Subject};
pub use caught::caught;
pub use estimate::{Estimate, Interval};
pub use human::{FEW_ANNOTATORS, HumanCell, HumanLanguage, HumanScores};
pub use item::{Form, Gender, Item, TemplateChoice};
pub use language::{Language, LanguageError};
pub use method::Method;
pub use near::near;
pub use outcome::{Outcome, Unscorable};
pub use rule::{Average, Rule, UnknownName};
pub use seed::Seed;
pub use slug::{Slug, SlugError};
pub use stereotype::{GEST, Stereotype, StereotypeError, StereotypeId};
pub use tuning::{Lineage, Tuning};
pub use verdict::Verdict;
pub use warning::Warning;
