//! Estimates with honest uncertainty. No model, no file, no network.

mod correlation;
mod estimator;
mod exchange;
mod interval;
mod profile;
mod rank;
mod rates;
mod resampling;
mod series;

pub use correlation::pearson;
pub use estimator::Estimator;
pub use exchange::{Exchange, permutation_p};
pub use interval::{LEVEL, bca, percentile, standard_deviation};
pub use profile::{Means, Profile};
pub use rank::mean_ranks;
pub use rates::{Cluster, Rates};
pub use resampling::{Resampling, SourceIndex};
pub use series::{Series, SourceKey};
