//! How leakage is measured, in words.

use stereometer_record::{FitScale, MissingCells, RandomEffects};

use crate::html::escape;
use crate::leakage::study::Study;
use crate::words::percent;

/// The section.
pub fn methods(study: &Study<'_>) -> String {
    let settings = &study.results.settings;
    let choice = settings.choice;
    let formula = study
        .results
        .fits
        .iter()
        .find(|fit| fit.choice == choice)
        .map(|fit| format!(" As a formula: <code>{}</code>.", escape(&fit.formula)))
        .unwrap_or_default();
    let prior = match settings.prior.as_str() {
        "neutral" => "minus the same for a neutral noun (“person”, “people”) of the same form".to_owned(),
        "none" => "not compared with a neutral noun".to_owned(),
        other => format!("compared with {other}"),
    };
    let missing = match choice.missing {
        MissingCells::Drop => "A cell that nobody rated in some language takes no part",
        MissingCells::Zero => {
            "A cell that nobody rated counts as 0, “no stereotype”, as in the released analysis"
        }
    };
    let random = match choice.random {
        RandomEffects::Trait => "Random intercepts by trait",
        RandomEffects::TraitGroup => "Random intercepts by trait and by group, crossed",
    };
    let scale = match choice.scale {
        FitScale::Raw => "Units are raw: human scores 0 to 50, SeT times 100, log-probabilities times 10",
        FitScale::Standardised => {
            "Every variable is in its own standard deviations, so coefficients may be compared between runs"
        }
    };
    let steps = [
        format!(
            "<b>Association</b>: how strongly the language model ties a trait to a group in a language: its score for the trait in a \
             sentence about the group, {}, mean over templates. ILPS as <code>{}</code>.",
            escape(&prior),
            escape(&settings.ilps)
        ),
        "<b>Human score</b>: each trait pair was rated from −50 (left pole) to 50 (right pole). A pole's score is the mean over \
         people of the part of their ratings on its side, 0 to 50."
            .to_owned(),
        format!(
            "<b>Regression</b>: for every run and target language, the associations of all groups and traits are explained by the human scores of \
             all languages at once, by restricted maximum likelihood. {missing}. {random}. {scale}.{formula}"
        ),
        "<b>In signs</b>: model[target]<sub>g,t</sub> = Σ<sub>L</sub> c<sub>L</sub> · people[L]<sub>g,t</sub> + b + u<sub>t</sub> \
         (+ v<sub>g</sub>) + ε, for group g and trait t, with the random intercepts u by trait and v by group where there are any; a \
         monolingual model of the target, where given, is one more predictor."
            .to_owned(),
        "<b>A leak</b> is a positive coefficient of another language's people; a coefficient of the target's own people is the \
         own effect. A negative one says that the language model goes against these people."
            .to_owned(),
        format!(
            "<b>p and intervals</b>: Student's distribution with degrees of freedom after Satterthwaite where these are known, else \
             the normal distribution; the table has both p values. Intervals are {}. “Found” means p below {} before adjustment.",
            percent(settings.level),
            settings.alpha
        ),
        "<b>Holm and Benjamini–Hochberg</b> (BH) count the tests that belong together: within one choice, all leaks over all runs and \
         targets are one family, all own effects another. Holm bounds the chance of a single false finding in a family, BH the \
         share of false ones among the findings."
            .to_owned(),
        "<b>The other choices</b> show how much the conclusion hangs on them. They are no further evidence: the data are the same."
            .to_owned(),
        format!("<b>Seed</b> of every resampling: {}.", settings.seed.0),
    ];
    let steps: String = steps.iter().map(|step| format!("<li>{step}</li>\n")).collect();
    format!("<section id=\"meaning\">\n<h2>How leakage is measured</h2>\n<ul>\n{steps}</ul>\n</section>\n")
}
