//! Do annotators of one language agree, and who answers as if without reading?
//!
//! *Agreement*: r between two annotators over the trait pairs of a group that both rated, averaged over all such pairs of
//! annotators and groups; −1 to 1, neutral 0; unknown where no two annotators share a group, or one does not vary.
//! *Reliability*: the intraclass correlation of one-way random effects over (group, trait pair) cells, for one annotator,
//! ICC(1), and for the mean of as many as a cell has, ICC(1, k) (Shrout and Fleiss 1979; k is the harmonic-like n₀ of unequal
//! cells); 1 is perfect, 0 or less is none; unknown where no cell has two annotators.

use std::collections::{BTreeMap, BTreeSet};

use stereometer_core::{Language, Slug};
use stereometer_data::humans::{Humans, Rating, SCALE};
use stereometer_stats::{mean, pearson};

/// How well the annotators of a language agree.
#[derive(Debug, Clone, PartialEq)]
pub struct Agreement {
    /// The language.
    pub language: Language,
    /// Its annotators.
    pub annotators: usize,
    /// Blocks: a group as one annotator rated it.
    pub blocks: usize,
    /// Ratings.
    pub ratings: usize,
    /// Mean r of two annotators over one group.
    pub r: Option<f64>,
    /// Pairs of blocks behind it.
    pub pairs: usize,
    /// ICC(1).
    pub icc_one: Option<f64>,
    /// ICC(1, k).
    pub icc_mean: Option<f64>,
    /// k.
    pub k: Option<f64>,
}

/// Ratings that look as if nobody had thought about them, or that say the contrary of everybody else's.
#[derive(Debug, Clone, PartialEq)]
pub struct Doubtful {
    /// The language.
    pub language: Language,
    /// Who.
    pub annotator: String,
    /// Of one group; `None` for all groups together.
    pub group: Option<Slug>,
    /// What was seen.
    pub what: String,
}

/// One annotator's ratings of one group, by trait pair.
type Block = BTreeMap<usize, f64>;

/// Blocks of a language by group, then annotator.
fn blocks<'a>(humans: &'a Humans, language: &Language) -> BTreeMap<&'a Slug, BTreeMap<&'a str, Block>> {
    let mut blocks: BTreeMap<&Slug, BTreeMap<&str, Block>> = BTreeMap::new();
    for rating in humans.ratings.iter().filter(|rating| rating.language == *language) {
        let of_group = blocks.entry(&rating.group).or_default();
        of_group.entry(&rating.annotator).or_default().insert(rating.pair, rating.value);
    }
    blocks
}

fn r_between(first: &Block, second: &Block) -> Option<f64> {
    let points: Vec<(f64, f64)> =
        first.iter().filter_map(|(pair, x)| second.get(pair).map(|y| (*x, *y))).collect();
    pearson(&points)
}

/// Agreement in every language that has ratings.
pub fn agreement(humans: &Humans) -> Vec<Agreement> {
    let of_language = |language: &Language| {
        let ratings: Vec<&Rating> =
            humans.ratings.iter().filter(|rating| rating.language == *language).collect();
        let people: BTreeSet<&str> = ratings.iter().map(|rating| rating.annotator.as_ref()).collect();
        let blocks = blocks(humans, language);
        let mut between = Vec::new();
        let mut cells: BTreeMap<(&Slug, usize), Vec<f64>> = BTreeMap::new();
        for (group, of_group) in &blocks {
            let of_group: Vec<&Block> = of_group.values().collect();
            for (place, first) in of_group.iter().enumerate() {
                between.extend(of_group[place + 1..].iter().filter_map(|second| r_between(first, second)));
                for (pair, value) in *first {
                    cells.entry((group, *pair)).or_default().push(*value);
                }
            }
        }
        let cells: Vec<Vec<f64>> = cells.into_values().collect();
        let icc = icc(&cells);
        (!ratings.is_empty()).then(|| Agreement {
            language: language.clone(),
            annotators: people.len(),
            blocks: blocks.values().map(BTreeMap::len).sum(),
            ratings: ratings.len(),
            r: mean(&between).map(|mean| mean.value),
            pairs: between.len(),
            icc_one: icc.map(|icc| icc.0),
            icc_mean: icc.and_then(|icc| icc.1),
            k: icc.map(|icc| icc.2),
        })
    };
    humans.languages.iter().filter_map(of_language).collect()
}

/// ICC(1), ICC(1, k) and k of unequal cells; the second is unknown where cells do not differ at all.
fn icc(cells: &[Vec<f64>]) -> Option<(f64, Option<f64>, f64)> {
    let n: usize = cells.iter().map(Vec::len).sum();
    let (m, total) = (cells.len(), n as f64);
    if m < 2 || n <= m {
        return None;
    }
    let grand = cells.iter().flatten().sum::<f64>() / total;
    let (mut between, mut within, mut squares) = (0.0, 0.0, 0.0);
    for cell in cells {
        let size = cell.len() as f64;
        let own = cell.iter().sum::<f64>() / size;
        between += size * (own - grand).powi(2);
        within += cell.iter().map(|value| (value - own).powi(2)).sum::<f64>();
        squares += size * size;
    }
    let (between, within) = (between / (m - 1) as f64, within / (n - m) as f64);
    let k = (total - squares / total) / (m - 1) as f64;
    let all = between + (k - 1.0) * within;
    let mean = (between > 0.0).then(|| (between - within) / between);
    (all > 0.0).then(|| ((between - within) / all, mean, k))
}

/// Blocks of at least eight ratings of which nearly all are one value, or all are ends of the slider; and annotators whose
/// ratings run against the mean of the others'.
pub fn doubtful(humans: &Humans) -> Vec<Doubtful> {
    let mut found = Vec::new();
    for language in &humans.languages {
        let blocks = blocks(humans, language);
        let mut against: BTreeMap<&str, Vec<f64>> = BTreeMap::new();
        for (group, of_group) in &blocks {
            for (annotator, block) in of_group {
                let doubt = |group: Option<&Slug>, what: String| Doubtful {
                    language: language.clone(),
                    annotator: (*annotator).to_owned(),
                    group: group.cloned(),
                    what,
                };
                if let Some(what) = straight(block) {
                    found.push(doubt(Some(group), what));
                }
                let others = of_group.iter().filter(|(other, _)| *other != annotator).map(|(_, block)| block);
                if let Some(r) = r_between(block, &mean_block(others)) {
                    against.entry(annotator).or_default().push(r);
                }
            }
        }
        for (annotator, rs) in against {
            let Some(r) =
                mean(&rs).map(|mean| mean.value).filter(|r| *r < CONTRARY && rs.len() >= MIN_GROUPS)
            else {
                continue;
            };
            let groups = rs.len();
            let what = format!(
                "r with the mean of the others is −{:.3} over {groups} groups: the slider may have been read the wrong \
                 way round",
                r.abs()
            );
            let (language, annotator) = (language.clone(), annotator.to_owned());
            found.push(Doubtful { language, annotator, group: None, what });
        }
    }
    found
}

/// Mean r with the others below which an annotator is named: at 0 many are who merely think for themselves.
const CONTRARY: f64 = -0.2;
/// Groups below which an annotator's contrariness may be chance.
const MIN_GROUPS: usize = 2;
/// Ratings below which a block says nothing about its maker.
const MIN_RATINGS: usize = 8;

fn straight(block: &Block) -> Option<String> {
    let n = block.len();
    if n < MIN_RATINGS {
        return None;
    }
    let most = block
        .values()
        .map(|value| (block.values().filter(|other| *other == value).count(), *value))
        .max_by(|a, b| a.0.cmp(&b.0).then(b.1.total_cmp(&a.1)))?;
    let value = most.1.to_string().replace('-', "−");
    if most.0 * 5 >= n * 4 {
        return Some(format!("{} of {n} ratings are {value}", most.0));
    }
    block.values().all(|value| value.abs() == SCALE).then(|| format!("all {n} ratings are −50 or 50"))
}

fn mean_block<'a>(blocks: impl Iterator<Item = &'a Block>) -> Block {
    let mut sums: BTreeMap<usize, (f64, f64)> = BTreeMap::new();
    for (pair, value) in blocks.flatten() {
        let entry = sums.entry(*pair).or_default();
        *entry = (entry.0 + value, entry.1 + 1.0);
    }
    sums.into_iter().map(|(pair, (sum, n))| (pair, sum / n)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_intraclass_correlation_is_that_of_shrout_and_fleiss() {
        // Their table 2: six targets, four judges; ICC(1, 1) = 0.17, ICC(1, 4) = 0.44 (table 4).
        let cells: Vec<Vec<f64>> =
            [[9, 2, 5, 8], [6, 1, 3, 2], [8, 4, 6, 8], [7, 1, 2, 6], [10, 5, 6, 9], [6, 2, 4, 7]]
                .map(|row| row.map(f64::from).to_vec())
                .to_vec();
        let (one, many, k) = icc(&cells).unwrap();
        assert!((one - 0.165_742).abs() < 1e-6, "{one}");
        assert!((many.unwrap() - 0.442_797).abs() < 1e-6, "{many:?}");
        assert!((k - 4.0).abs() < 1e-12);
        assert_eq!(icc(&[vec![1.0], vec![2.0]]), None);
        assert_eq!(icc(&[vec![1.0, 1.0], vec![1.0, 1.0]]), None);
    }

    #[test]
    fn a_straight_line_is_seen_and_a_lively_block_is_not() {
        let block = |values: &[f64]| -> Block { values.iter().copied().enumerate().collect() };
        assert_eq!(straight(&block(&[1.0; 16])).unwrap(), "16 of 16 ratings are 1");
        assert_eq!(straight(&block(&[-50.0, 50.0].repeat(8))).unwrap(), "all 16 ratings are −50 or 50");
        let lively: Vec<f64> = (0..16).map(f64::from).collect();
        assert_eq!((straight(&block(&lively)), straight(&block(&[1.0; 7]))), (None, None));
    }
}
