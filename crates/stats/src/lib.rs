//! Estimates with honest uncertainty. No model, no file, no network.

mod concordance;
mod correlation;
mod estimator;
mod exchange;
mod interval;
mod kendall;
mod mean;
pub mod mixed;
mod multiplicity;
mod profile;
mod rank;
mod rank_interval;
mod rates;
mod resampling;
mod series;
mod spearman;

pub use concordance::{Concordance, kendall_w};
pub use correlation::pearson;
pub use estimator::Estimator;
pub use exchange::{Exchange, permutation_p};
pub use interval::{LEVEL, bca, percentile, standard_deviation, widening};
pub use kendall::{kendall_tau_b, tau_permutation_p};
pub use mean::{Mean, mean};
pub use multiplicity::{benjamini_hochberg, holm};
pub use profile::{Means, Profile};
pub use rank::mean_ranks;
pub use rank_interval::rank_intervals;
pub use rates::{Cluster, Rates};
pub use resampling::{Resampling, SourceIndex};
pub use series::{Series, SourceKey, p_value};
pub use spearman::spearman;
