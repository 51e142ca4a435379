//! How the numbers came about, in words and formulas, with the choices in use.

use stereometer_core::{Average, Method, Rule, TemplateChoice};
use stereometer_score::info;

use crate::ReportInput;
use crate::html::escape;
use crate::words::{GEOMETRIC, NEUTRAL, count, percent};

/// The section.
pub fn methods(input: &ReportInput<'_>) -> String {
    let results = input.results;
    let steps = [
        format!(
            "<b>What is asked</b>, method <code>{}</code>: {}, after {}. {}",
            results.method,
            escape(info(results.method).summary),
            escape(info(results.method).reference),
            asked(results.method)
        ),
        format!(
            "<b>Score of a {}</b>, rule <code>{}</code>: {}, in nats.{}",
            scored(results.method),
            results.rule,
            escape(results.rule.summary()),
            papers_rule(results.method, results.rule)
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
             resampled sentences in every language; bias-corrected and accelerated (BCa) where defined, else percentile, \
             with Student's tails. A mean over languages is resampled as a whole, so that a sentence that they share \
             counts once. A rank's interval holds every rank that the differences between stereotypes leave open. \
             Seed {}. A single sentence has no interval.",
            percent(results.level),
            count(results.resamples),
            results.seed.0
        ),
        "<b>p values</b>, two-sided, of <i>g</i><sub>s</sub> = 1 and of inclination = 0: the resampled standard error and the \
         normal distribution. Adjusted after Holm, which keeps any false finding unlikely, and after Benjamini and Hochberg \
         (BH), which limits the share of false findings: <i>g</i><sub>s</sub> over the languages, inclination over all cells \
         (stereotype × language). None where nothing varies."
            .to_owned(),
        format!("<b>Templates</b> around neutral sentences: {}.", template(input.spec.identity.template)),
    ];
    let steps: String = steps.iter().map(|step| format!("<li>{step}</li>\n")).collect();
    format!(
        "<section id=\"methods\">\n<h2>Methods</h2>\n<p>After EuroGEST (Rowe, Klimaszewski, Guillou, Vallor and Birch, \
         EMNLP 2025), which builds on GEST (Pikuliak and others, 2024). Texts are tokenised whole.</p>\n\
         <ol class=\"steps\">\n{steps}</ol>\n</section>\n"
    )
}

fn asked(method: Method) -> &'static str {
    match method {
        Method::Likelihood => "All come from one pass over both variants.",
        Method::PllOriginal | Method::PllWithinWord => {
            "Each text is read once for each of its tokens; what the tokenizer puts around it ([CLS], &lt;/s&gt;) is \
             neither hidden nor scored."
        }
        Method::MaskedDifference => {
            "Both variants are asked of one and the same text; pairs whose variants have unequal numbers of tokens have \
             no score."
        }
    }
}

/// Of what a score is.
fn scored(method: Method) -> &'static str {
    match method {
        Method::Likelihood | Method::PllOriginal | Method::PllWithinWord => "sentence",
        Method::MaskedDifference => "variant",
    }
}

/// EuroGEST says how causal models are scored, and no others.
fn papers_rule(method: Method, rule: Rule) -> &'static str {
    match method {
        Method::Likelihood if rule == Rule::Mean => " This is the paper's choice.",
        Method::Likelihood => " The paper's choice is <code>mean</code>.",
        Method::PllOriginal | Method::PllWithinWord => {
            " EuroGEST scores causal models only; everything below is as it is there."
        }
        Method::MaskedDifference => {
            " Only hidden tokens are scored. EuroGEST scores causal models only; everything below is as it is there."
        }
    }
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
