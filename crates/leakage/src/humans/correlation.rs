//! How alike people of two languages judge the groups of a category.
//!
//! From −1 over 0 (no relation) to 1. The study reports 0.60, 0.50 and 0.26 for shared groups with shared stereotypes, shared
//! groups with non-shared ones, and non-shared groups, and does not say what was correlated; so every reasonable reading is a
//! [`Reading`] with its recipe in words. None gives all three numbers from the released data. The default takes the numbers
//! that the regression sees, the scores of poles, leaves out what is missing, and averages over pairs of languages, so that
//! no pair counts more because it shares more groups.
//!
//! Interval: groups of the category resampled, one fewer than there are (as in `stats`), percentile with Student's tails from
//! each group's jackknife influence. `None` with fewer than three points, without variation, or from fewer than three groups.

use std::collections::HashMap;

use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;
use rayon::prelude::*;
use stereometer_core::{GroupCategory, HumanScores, Interval, Language, Seed, Slug};
use stereometer_data::Inventory;
use stereometer_record::{CategoryCorrelation, MissingCells};
use stereometer_stats::{pearson, percentile, spearman};

/// Which numbers are correlated.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Unit {
    /// The score of each pole, two a trait pair.
    Poles,
    /// Score of the right pole minus that of the left: the mean rating, one a trait pair.
    Pairs,
}

/// Over what a category's one number is taken.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Over {
    /// r of each pair of languages over all groups; their mean.
    LanguagePairs,
    /// One r over all points of all pairs of languages, each in both orders.
    Pooled,
    /// r of each group and pair of languages; their mean.
    Groups,
}

/// A way to correlate.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Reading {
    /// Which numbers.
    pub unit: Unit,
    /// What becomes of a cell without a score.
    pub missing: MissingCells,
    /// Over what.
    pub over: Over,
    /// Of ranks (Spearman) instead of numbers (Pearson).
    pub ranks: bool,
}

impl Default for Reading {
    fn default() -> Self {
        Self { unit: Unit::Poles, missing: MissingCells::Drop, over: Over::LanguagePairs, ranks: false }
    }
}

impl Reading {
    /// All of them, the default first.
    pub fn all() -> Vec<Self> {
        let mut all = Vec::new();
        for unit in [Unit::Poles, Unit::Pairs] {
            for missing in [MissingCells::Drop, MissingCells::Zero] {
                for over in [Over::LanguagePairs, Over::Pooled, Over::Groups] {
                    for ranks in [false, true] {
                        all.push(Self { unit, missing, over, ranks });
                    }
                }
            }
        }
        all
    }

    /// In words.
    pub fn recipe(self) -> String {
        let r = if self.ranks { "Spearman" } else { "Pearson" };
        let unit = match self.unit {
            Unit::Poles => "scores of poles",
            Unit::Pairs => "right minus left pole",
        };
        let missing = match self.missing {
            MissingCells::Drop => "missing left out",
            MissingCells::Zero => "missing as 0",
        };
        let over = match self.over {
            Over::LanguagePairs => "mean over pairs of languages",
            Over::Pooled => "all pairs of languages pooled",
            Over::Groups => "mean over groups and pairs of languages",
        };
        format!("{r}, {unit}, {missing}, {over}")
    }
}

/// Score of a language, group and pole.
type Scores<'a> = HashMap<(&'a Language, &'a Slug, &'a Slug), Option<f64>>;

/// Points of one pair of languages, group by group.
type Points = Vec<Vec<(f64, f64)>>;

/// Per category: r of every pair of languages (where the reading has one) and, without languages, the category's one number.
pub fn category_correlations(
    humans: &HumanScores,
    inventory: &Inventory,
    reading: Reading,
    resamples: usize,
    seed: Seed,
) -> Vec<CategoryCorrelation> {
    let languages: Vec<&Language> = humans.languages.iter().map(|one| &one.language).collect();
    let mut pairs = Vec::new();
    for (place, first) in languages.iter().enumerate() {
        pairs.extend(languages[place + 1..].iter().map(|second| [(*first).clone(), (*second).clone()]));
    }
    let scores: Scores<'_> =
        humans.cells.iter().map(|cell| ((&cell.language, &cell.group, &cell.pole), cell.score)).collect();
    let mut found = Vec::new();
    for category in GroupCategory::ALL {
        let groups: Vec<&Slug> = inventory
            .groups()
            .iter()
            .filter(|group| group.category == category)
            .map(|group| &group.id)
            .collect();
        let points: Vec<Points> =
            pairs.iter().map(|pair| points(&scores, inventory, &groups, pair, reading)).collect();
        let draws = draws(groups.len(), resamples, seed.stream(&format!("humans/{category}")));
        let row = |between, points: &[Points]| {
            let all: Vec<usize> = (0..groups.len()).collect();
            let r = correlation(points, &all, reading);
            CategoryCorrelation {
                category,
                between,
                recipe: reading.recipe(),
                r,
                interval: r.and_then(|_| interval(points, &draws, groups.len(), reading)),
                n: points.iter().flatten().map(Vec::len).sum(),
            }
        };
        if reading.over != Over::Pooled {
            for (pair, points) in pairs.iter().zip(&points) {
                found.push(row(Some(pair.clone()), std::slice::from_ref(points)));
            }
        }
        found.push(row(None, &points));
    }
    found
}

fn points(
    scores: &Scores<'_>,
    inventory: &Inventory,
    groups: &[&Slug],
    pair: &[Language; 2],
    reading: Reading,
) -> Points {
    // A cell that is not in the table was not asked about: it is never 0.
    let at = |group: &Slug, pole: &Slug| {
        let [x, y] = [&pair[0], &pair[1]].map(|language| {
            let score = *scores.get(&(language, group, pole))?;
            score.or((reading.missing == MissingCells::Zero).then_some(0.0))
        });
        x.zip(y)
    };
    let of_group = |group: &&Slug| {
        let mut points = Vec::new();
        for one in inventory.pairs() {
            let (left, right) = (at(group, &one.left.id), at(group, &one.right.id));
            match reading.unit {
                Unit::Poles => points.extend([left, right].into_iter().flatten()),
                Unit::Pairs => {
                    points.extend(left.zip(right).map(|(left, right)| (right.0 - left.0, right.1 - left.1)));
                }
            }
        }
        points
    };
    groups.iter().map(of_group).collect()
}

/// The number of a reading over some groups, which may be drawn several times.
fn correlation(points: &[Points], groups: &[usize], reading: Reading) -> Option<f64> {
    let r = if reading.ranks { spearman } else { pearson };
    let gathered = |points: &Points| -> Vec<(f64, f64)> {
        groups.iter().flat_map(|&group| points[group].iter().copied()).collect()
    };
    match reading.over {
        Over::LanguagePairs => average(points.iter().map(|points| r(&gathered(points)))),
        Over::Pooled => {
            let one_way: Vec<(f64, f64)> = points.iter().flat_map(gathered).collect();
            let both: Vec<(f64, f64)> = one_way.iter().flat_map(|&(x, y)| [(x, y), (y, x)]).collect();
            r(&both)
        }
        Over::Groups => {
            average(points.iter().flat_map(|points| groups.iter().map(|&group| r(&points[group]))))
        }
    }
}

fn average(values: impl Iterator<Item = Option<f64>>) -> Option<f64> {
    let values: Vec<f64> = values.flatten().collect();
    (!values.is_empty()).then(|| values.iter().sum::<f64>() / values.len() as f64)
}

/// One fewer than all groups, drawn with replacement, once a resample.
fn draws(groups: usize, resamples: usize, seed: u64) -> Vec<Vec<usize>> {
    let draw = |resample: usize| {
        let mut rng = ChaCha8Rng::seed_from_u64(seed);
        rng.set_stream(resample as u64);
        (1..groups).map(|_| rng.random_range(0..groups)).collect()
    };
    (0..resamples).map(draw).collect()
}

fn interval(points: &[Points], draws: &[Vec<usize>], groups: usize, reading: Reading) -> Option<Interval> {
    let rated = (0..groups).filter(|&group| points.iter().any(|points| !points[group].is_empty())).count();
    if rated < 3 {
        return None;
    }
    // Without a group there may be nothing left to correlate; such a group has no influence that could be known.
    let without: Option<Vec<f64>> = (0..groups)
        .map(|left_out| {
            let rest: Vec<usize> = (0..groups).filter(|&group| group != left_out).collect();
            correlation(points, &rest, reading)
        })
        .collect();
    let without = without?;
    let mean = without.iter().sum::<f64>() / groups as f64;
    let influence: Vec<f64> = without.iter().map(|value| mean - value).collect();
    let mut values: Vec<f64> =
        draws.par_iter().filter_map(|groups| correlation(points, groups, reading)).collect();
    if values.len() * 2 < draws.len() {
        return None;
    }
    values.sort_by(f64::total_cmp);
    let interval = percentile(&values, &[influence])?;
    Some(Interval { low: interval.low.max(-1.0), high: interval.high.min(1.0) })
}
