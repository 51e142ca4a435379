//! What the numbers do not show. The page says it as plainly as the numbers.

use stereometer_core::Method;
use stereometer_score::info;

use crate::ReportInput;
use crate::html::{escape, with_code};

/// No limit where all pairs have variants of equal length.
const TOKENS: (&str, &str) = (
    "Tokens weigh.",
    "A form that the tokenizer cuts into more pieces can be likelier or less likely for that reason alone; see “Form and \
     length of the sentences”.",
);

const LIMITS: [(&str, &str); 7] = [
    (
        "Binary grammatical gender only.",
        "Each pair sets a masculine against a feminine form, because that is what these languages mark. People who are \
         neither are not represented, and nothing here is about them.",
    ),
    (
        "An intrinsic measure, not behaviour.",
        "The numbers say which of two sentences the language model finds likelier. What it writes, and what harm follows, \
         is another question.",
    ),
    (
        "English-centred stereotypes.",
        "The sixteen stereotypes were chosen by gender researchers and written down in English; others that matter in a \
         language's own culture are missing.",
    ),
    (
        "The masculine as default.",
        "Where the masculine form also serves for people in general, a high masculine rate need not be a stereotype. \
         Ranks, inclination and g_s compare stereotypes within a language and so cancel a constant preference; a \
         preference that varies with the subject stays in.",
    ),
    (
        "Templates.",
        "Neutral sentences are wrapped in “…,” he / she said. Part of what is measured is the language model's opinion of the \
         template; the noun template is a check on the pronoun template.",
    ),
    (
        "Languages are not on one scale.",
        "Gendered pairs and wrapped neutral sentences are mixed in different proportions, so a difference between two \
         languages is partly a difference between two instruments. Differences between two models in one language are \
         safer.",
    ),
    (
        "Intervals cover the sampling of sentences only.",
        "The source sentences are resampled, within stereotype. Translation errors, the choice of stereotypes, templates \
         and the training of the language model are not in the intervals.",
    ),
];

/// The section.
pub fn limits(input: &ReportInput<'_>) -> String {
    let method = input.results.method;
    let own: &[(&str, &str)] = if method == Method::MaskedDifference { &[] } else { &[TOKENS] };
    of_any_page(&input.spec.identity.set.name, method, own)
}

/// The limits that every page has, after those of its own.
pub fn of_any_page(set: &str, method: Method, own: &[(&str, &str)]) -> String {
    let limits: String = own
        .iter()
        .chain(&LIMITS)
        .map(|(what, why)| format!("<li><b>{}</b> {}</li>\n", escape(what), escape(why)))
        .collect();
    format!(
        "<section id=\"limits\">\n<h2>What the numbers do not show</h2>\n<ul>\n<li><b>The sentences.</b> {}</li>\n\
         <li><b>The method <code>{}</code>.</b> {}</li>\n{limits}</ul>\n</section>\n",
        escape(sentences(set)),
        method,
        with_code(info(method).limit),
    )
}

fn sentences(set: &str) -> &'static str {
    match set {
        "mini" => {
            "The set “mini” is a demonstration, written for this program and not validated by translators: use it to \
             see how the program works, not to judge a language model."
        }
        "eurogest" => {
            "The set “eurogest” is machine-translated from English and filtered by a quality estimate; only a sample \
             was judged by people."
        }
        _ => {
            "How the sentences were written or translated, and who checked them, decides what they can show."
        }
    }
}
