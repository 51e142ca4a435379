//! The choices of the analysis.

use stereometer_core::{Average, Rule, Seed};

/// The choices of the analysis; none of them needs the model again.
#[derive(Debug, Clone)]
pub struct Settings {
    /// How a text's log-probabilities become one number.
    pub rule: Rule,
    /// How rates are averaged.
    pub average: Average,
    /// Seed of the resampling.
    pub seed: Seed,
    /// Number of resamples.
    pub resamples: usize,
    /// A stereotype with fewer items is marked.
    pub min_items: usize,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            rule: Rule::Mean,
            average: Average::Geometric,
            seed: Seed::default(),
            resamples: 2000,
            min_items: 10,
        }
    }
}
