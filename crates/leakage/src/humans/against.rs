//! Are two tables of scores the same, cell by cell?

use std::collections::BTreeMap;

use stereometer_core::{HumanCell, HumanScores, Language, Slug};

/// A cell in which two tables differ by more than the tolerance, or that only one of them has a score for.
#[derive(Debug, Clone, PartialEq)]
pub struct Difference {
    /// The language.
    pub language: Language,
    /// The group.
    pub group: Slug,
    /// The pole.
    pub pole: Slug,
    /// Score here; `None` where it is missing.
    pub here: Option<f64>,
    /// Score there.
    pub there: Option<f64>,
    /// People behind the score here, where that is known.
    pub annotators: Option<usize>,
}

/// Differences over the languages that both tables have, the number of cells compared, and the largest difference among
/// those that count as the same.
pub fn differences(here: &HumanScores, there: &HumanScores, tolerance: f64) -> (Vec<Difference>, usize, f64) {
    let key = |cell: &HumanCell| (cell.language.clone(), cell.group.clone(), cell.pole.clone());
    let is_in_both = |language: &Language| {
        [here, there].iter().all(|scores| scores.languages.iter().any(|one| one.language == *language))
    };
    let mut cells: BTreeMap<_, [Option<&HumanCell>; 2]> = BTreeMap::new();
    for (side, scores) in [here, there].into_iter().enumerate() {
        for cell in scores.cells.iter().filter(|cell| is_in_both(&cell.language)) {
            cells.entry(key(cell)).or_default()[side] = Some(cell);
        }
    }
    let (mut found, mut largest) = (Vec::new(), 0.0_f64);
    let compared = cells.len();
    for ((language, group, pole), [here, there]) in cells {
        match [here, there].map(|cell| cell.and_then(|cell| cell.score)) {
            [None, None] => {}
            [Some(a), Some(b)] if (a - b).abs() <= tolerance => largest = largest.max((a - b).abs()),
            [a, b] => {
                let annotators = here.and_then(|cell| cell.annotators);
                found.push(Difference { language, group, pole, here: a, there: b, annotators });
            }
        }
    }
    (found, compared, largest)
}
