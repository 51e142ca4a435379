//! The conductor: from a plan to scored rows, and from rows to results.
//!
//! ```text
//! plan → score (resumable) → analyse
//! ```
//!
//! Scoring asks a language model and records its answers; analysis is a pure function of the records.

mod adjust;
mod analyse;
mod ask;
mod batch;
mod compare;
mod error;
mod gate;
mod language;
mod outcomes;
mod overall;
mod plan;
mod score;
mod settings;

pub use analyse::analyse;
pub use ask::{Asker, MethodError, Question, check_rule, method_for};
pub use compare::{CompareError, RunInput, compare};
pub use error::AuditError;
pub use gate::{
    Band, Check, Demand, Exception, Gate, Limits, Margins, Outcome, Scope, idle_exceptions, judge,
};
pub use plan::{Plan, PlanSettings};
pub use score::score;
pub use settings::Settings;
