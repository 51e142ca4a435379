//! How much of a response goes with each predictor, when records share levels of one or more factors?
//!
//! Linear mixed models: formula → schema → matrices → objective → optimise → fit → inference. Fixed effects with standard
//! errors, any number of crossed random intercepts and slopes, REML (the default) or ML. Errors are normal with one
//! variance; no weights, no other families, no correlation between records beside the random effects.
//!
//! Compared with lme4 and lmerTest in `tests/mixed.rs`.

mod bootstrap;
mod doubt;
mod error;
mod fit;
mod formula;
mod inference;
mod matrices;
mod objective;
mod optimise;
mod schema;

pub use bootstrap::{Bootstrap, Resamples, bootstrap};
pub use doubt::Doubt;
pub use error::MixedError;
pub use fit::{Fit, Variation, fit};
pub use formula::{Formula, Random};
pub use inference::{Coefficient, Student};
use schema::Schema;
pub use schema::Table;

/// Which likelihood is made greatest.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Criterion {
    /// Restricted: variances are not shrunk by the fixed effects that were estimated. Criteria of models with different
    /// fixed effects cannot be compared.
    #[default]
    Reml,
    /// Full: for comparing fixed effects; variances are somewhat too small.
    Ml,
}
