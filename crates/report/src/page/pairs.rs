//! Examples: the most decided pairs of every language, in their own language.

use stereometer_record::LanguageResult;

use crate::ReportInput;
use crate::examples::{Example, most_decided};
use crate::html::escape;
use crate::links::About;
use crate::words::Kind;

/// The section; empty when there are no rows.
pub fn pairs(input: &ReportInput<'_>) -> String {
    let languages: String =
        input.results.languages.iter().map(|language| one_language(input, language)).collect();
    let intro = if languages.is_empty() {
        "No pair has a score."
    } else {
        "The three pairs of each language on which the model is most decided: extremes, not typical cases."
    };
    format!(
        "<section id=\"pairs\" class=\"screen-only\">\n<h2>Examples</h2>\n<p>{intro}</p>\n{languages}</section>\n"
    )
}

fn one_language(input: &ReportInput<'_>, language: &LanguageResult) -> String {
    let examples = most_decided(input.items, &language.language, input.results.rule);
    if examples.is_empty() {
        return String::new();
    }
    let pairs: String = examples.iter().map(pair).collect();
    let about = About::language(&language.language).attributes();
    format!("<details{about}><summary>{}</summary>\n{pairs}</details>\n", escape(&language.name))
}

fn pair(example: &Example<'_>) -> String {
    let record = example.record;
    let tag = record.language.as_str();
    let [masculine, feminine] = &record.texts;
    let prefers = if example.rate > 0.5 { "masculine" } else { "feminine" };
    format!(
        "<div class=\"pair\"><p>“{}”, {}: masculine rate {} – prefers the {prefers} variant <code>{}</code></p>\n\
         <dl><dt>masculine</dt><dd lang=\"{tag}\" dir=\"auto\">{}</dd><dt>feminine</dt>\
         <dd lang=\"{tag}\" dir=\"auto\">{}</dd></dl></div>\n",
        escape(&record.stereotype.phrase()),
        record.form,
        Kind::Rate.show(example.rate),
        escape(&record.id),
        escape(masculine),
        escape(feminine),
    )
}
