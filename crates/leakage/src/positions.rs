//! Where does a group lie in the ABC space, for people and for each model?
//!
//! On each dimension the mean over its trait pairs of the contrast right − left (see `contrasts.rs`), in standard deviations
//! over all groups and pairs of the judge in that language. 0 = between the poles; above 0 powerful, modern, warm. The
//! interval is that of a mean over the pairs; of one pair there is none, and where no pair has both poles no position.

use stereometer_core::{Dimension, Estimate, Language};
use stereometer_record::{AbcPosition, InventorySummary, Judge};
use stereometer_stats::{Mean, mean};

use crate::contrasts::Contrasts;
use crate::grid::Grid;

/// The positions of all groups for one judge in one language.
pub fn positions(
    judge: &Judge,
    language: &Language,
    contrasts: &Contrasts,
    grid: &Grid,
    inventory: &InventorySummary,
) -> Vec<AbcPosition> {
    let on = |group: usize, dimension: Dimension| {
        let pairs = inventory.pairs.iter().enumerate().filter(|(_, pair)| pair.dimension == dimension);
        let values: Vec<f64> = pairs.filter_map(|(pair, _)| contrasts.standardised(group, pair)).collect();
        estimate(&values)
    };
    let groups = grid.groups().iter().enumerate();
    groups
        .map(|(place, group)| AbcPosition {
            judge: judge.clone(),
            language: language.clone(),
            group: group.clone(),
            at: Dimension::ALL.map(|dimension| on(place, dimension)),
        })
        .collect()
}

fn estimate(values: &[f64]) -> Option<Estimate> {
    let Mean { value, std_error, interval } = mean(values)?;
    let freedom = interval.map(|_| (values.len() - 1) as f64);
    Some(Estimate { value, n: values.len(), std_error, percentile: interval, bca: None, freedom })
}
