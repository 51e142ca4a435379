//! p values with their number counted.
//!
//! A family of tests is what a reader looks at together, over all pairs of runs: one statistic over the languages, one
//! by language, one by stereotype, one by stereotype and language. Rows that show what changes with a rule or a form are
//! not tested.

use stereometer_record::{Difference, Statistic, Test};

use crate::adjust::fill;

type Family = (Statistic, bool, bool);

/// Fills in Holm and Benjamini–Hochberg, family by family.
pub(super) fn adjust(differences: &mut [Difference]) {
    let family =
        |one: &Difference| -> Family { (one.statistic, one.language.is_some(), one.stereotype.is_some()) };
    let mut families: Vec<Family> = Vec::new();
    for one in differences.iter().filter(|one| one.test.is_some()) {
        if !families.contains(&family(one)) {
            families.push(family(one));
        }
    }
    for wanted in families {
        let mut tests: Vec<&mut Test> = differences
            .iter_mut()
            .filter(|one| family(one) == wanted)
            .filter_map(|one| one.test.as_mut())
            .collect();
        fill(&mut tests);
    }
}
