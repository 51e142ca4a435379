//! p values with their number counted, within one run.

use stereometer_record::{LanguageResult, Test};
use stereometer_stats::{benjamini_hochberg, holm};

/// Adjusts the tests of one family.
pub(crate) fn fill(tests: &mut [&mut Test]) {
    let p: Vec<f64> = tests.iter().map(|test| test.p).collect();
    for ((test, holm), bh) in tests.iter_mut().zip(holm(&p)).zip(benjamini_hochberg(&p)) {
        (test.holm, test.bh) = (holm, bh);
    }
}

/// The tests of a run: g_s over its languages is one family, the inclinations of all its cells another.
pub(crate) fn adjust(languages: &mut [LanguageResult]) {
    let mut g_s: Vec<&mut Test> = languages.iter_mut().filter_map(|one| one.g_s_test.as_mut()).collect();
    fill(&mut g_s);
    let cells = languages.iter_mut().flat_map(|one| &mut one.stereotypes);
    let mut inclinations: Vec<&mut Test> = cells.filter_map(|cell| cell.inclination_test.as_mut()).collect();
    fill(&mut inclinations);
}
