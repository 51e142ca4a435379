//! How runs are compared, in words.

use stereometer_record::Comparison;

use crate::words::{count, percent};

/// The section.
pub fn meaning(comparison: &Comparison) -> String {
    let steps = [
        "<b>Each run by itself</b>: g_s, ranks and inclination as in its own report, from all of its rows.".to_owned(),
        "<b>A difference</b> is the second run minus the first, computed on the items that both have scored; over languages, \
         it is the difference of the means over the languages that both have. 0 = no difference."
            .to_owned(),
        format!(
            "<b>Intervals of differences</b>: {} bootstrap with {} resamples of the source sentences within each \
             stereotype, the same resampled sentences in both runs and in every language. What makes a sentence easy or \
             hard for both runs cancels. Their ends are found as in a run's own report.",
            percent(comparison.level),
            count(comparison.resamples)
        ),
        format!(
            "<b>p</b>: {} permutations. In each, the throw of a coin decides for every source sentence whether the two runs \
             exchange it, with all its items and languages. p is the share of permutations whose difference is at least as \
             far from 0 as the one found, which is counted among them; so the least possible p is 1 in {}. Of few sentences few exchanges are different: four of a stereotype can hardly \
             give a p below 0.1, even where the interval leaves out 0.",
            count(comparison.resamples),
            count(comparison.resamples + 1)
        ),
        "<b>Holm and Benjamini–Hochberg</b> (BH) count the tests that a reader looks at together: over all pairs of runs, one \
         statistic over the languages is one family of tests; by language another; by stereotype another; by stereotype \
         and language another. Holm bounds the chance of a single false finding in the family, BH the share of false ones \
         among the findings. What changes with a rule or a form is not tested."
            .to_owned(),
        "<b>Which pairs</b>: every run against the first, and every instruction-tuned model against the base model of its \
         family and size."
            .to_owned(),
        format!("<b>Seed</b> of resamples and permutations: {}.", comparison.seed.0),
    ];
    let steps: String = steps.iter().map(|step| format!("<li>{step}</li>\n")).collect();
    format!("<section id=\"meaning\">\n<h2>How runs are compared</h2>\n<ul>\n{steps}</ul>\n</section>\n")
}
