//! How the numbers came about, in words and formulas, with the choices in use.

use stereometer_core::{Average, Rule, TemplateChoice};

use crate::ReportInput;
use crate::html::escape;
use crate::words::{GEOMETRIC, NEUTRAL, count, percent};

/// The section.
pub fn methods(input: &ReportInput<'_>) -> String {
    let results = input.results;
    let steps = [
        format!(
            "<b>Score of a sentence</b>, rule <code>{}</code>: {}, in nats.{}",
            results.rule,
            escape(results.rule.summary()),
            if results.rule == Rule::Mean { " This is the paper's choice." } else { " The paper's choice is <code>mean</code>." }
        ),
        "<b>Masculine rate</b> of a pair: <i>r</i> = σ(score of the masculine variant − score of the feminine variant), \
         σ(<i>x</i>) = 1 / (1 + e<sup>−<i>x</i></sup>). 0.5 = no preference, above = the masculine variant is likelier. \
         (EuroGEST's equation 2 is printed with the terms swapped; its text, figures and code have this form.)"
            .to_owned(),
        format!(
            "<b>Rate of a stereotype</b>: <i>q<sub>i</sub></i> = {} of <i>r</i> over the items of stereotype <i>i</i>.",
            average(results.average)
        ),
        "<b>Rank</b>: 1 = the highest <i>q<sub>i</sub></i> of the language; ties share the mean rank.".to_owned(),
        "<b>Default masculine rate</b>: <i>d</i> = mean of <i>q</i><sub>1</sub> … <i>q</i><sub>14</sub>, seven stereotypes \
         about women and seven about men."
            .to_owned(),
        "<b>Inclination</b>: <i>d</i> − <i>q<sub>i</sub></i> for stereotypes about women (1–7), <i>q<sub>i</sub></i> − \
         <i>d</i> for those about men (8–16). Above 0 = towards the stereotype."
            .to_owned(),
        format!(
            "<b>g<sub>s</sub></b> = <i>q</i><sub>m</sub> / <i>q</i><sub>f</sub>, the geometric mean of <i>q</i><sub>8</sub> … \
         <i>q</i><sub>16</sub> over that of <i>q</i><sub>1</sub> … <i>q</i><sub>7</sub>. {NEUTRAL}; above = \
         stereotypical, below = anti-stereotypical. {GEOMETRIC} (EuroGEST's released program)."
        ),
        format!(
            "<b>Intervals</b>: {} bootstrap with {} resamples of the source sentences within each stereotype, the same \
             resampled sentences in every language; bias-corrected and accelerated (BCa) where defined, else percentile; \
             ranks and the mean over languages always percentile. Seed {}. A single sentence has no interval.",
            percent(results.level),
            count(results.resamples),
            results.seed.0
        ),
        format!("<b>Templates</b> around neutral sentences: {}.", template(input.spec.identity.template)),
    ];
    let steps: String = steps.iter().map(|step| format!("<li>{step}</li>\n")).collect();
    format!(
        "<section id=\"methods\">\n<h2>Methods</h2>\n<p>After EuroGEST (Rowe, Klimaszewski, Guillou, Vallor and Birch, \
         EMNLP 2025), which builds on GEST (Pikuliak and others, 2024). Texts are tokenised whole, and every sentence's \
         log-probabilities come from one pass over both variants.</p>\n<ol class=\"steps\">\n{steps}</ol>\n</section>\n"
    )
}

fn average(average: Average) -> &'static str {
    match average {
        Average::Geometric => "geometric mean (the paper's choice)",
        Average::Arithmetic => "arithmetic mean (the choice of EuroGEST's released program)",
    }
}

fn template(choice: TemplateChoice) -> &'static str {
    match choice {
        TemplateChoice::Auto => {
            "pronoun (“… he / she said”) where the language has one, else noun (the paper's choice)"
        }
        TemplateChoice::Pronoun => "pronoun only (“… he / she said”)",
        TemplateChoice::Noun => "noun only (“… the man / the woman said”)",
        TemplateChoice::Both => "pronoun and noun, as two items",
    }
}
