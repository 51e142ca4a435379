//! The page: one HTML file, its parts in reading order.

pub mod caveats;
pub mod facts;
pub mod filter;
pub mod limits;
mod methods;
mod pairs;
pub mod provenance;
pub mod sentences;
pub mod shell;

use stereometer_core::{Estimate, Method, Verdict};
use stereometer_record::Results;

use self::sentences::Sentences;
use self::shell::{Shell, contents, section};
use crate::ReportInput;
use crate::figures::Figure;
use crate::headline::sentences as headline;
use crate::html::escape;
use crate::words::list;

/// The whole page.
pub fn page(input: &ReportInput<'_>, figures: &[Figure], sentences: &Sentences) -> String {
    let title = format!("Gender stereotypes in {}", input.spec.identity.model.name);
    let parts = figures.iter().map(|figure| (figure.name, figure.title)).chain([
        ("confounds", "Form and length of the sentences"),
        ("caveats", "Caveats"),
        ("limits", "What the numbers do not show"),
        ("methods", "Methods"),
        ("pairs", "Examples"),
        ("sentences", "Sentences"),
        ("run", "The run"),
    ]);
    let sections = [
        facts::facts(input),
        contents(parts),
        figures
            .iter()
            .enumerate()
            .map(|(place, figure)| section(place + 1, figure, &sentences.links))
            .collect(),
        confounds(input, figures),
        caveats::caveats(input),
        limits::limits(input),
        methods::methods(input),
        pairs::pairs(input),
        sentences.section.clone(),
        provenance::provenance(input),
    ];
    let languages = input.results.languages.iter().map(|one| (&one.language, one.name.as_str()));
    Shell {
        title: &title,
        kicker: "Stereometer report",
        lead: &answer(input),
        filter: &filter::filter(languages),
        sections: &sections.concat(),
    }
    .html()
}

/// The leaning in large type, what supports it below.
fn answer(input: &ReportInput<'_>) -> String {
    headline(input.results).iter().map(|sentence| format!("<p>{}</p>\n", escape(sentence))).collect()
}

fn confounds(input: &ReportInput<'_>, figures: &[Figure]) -> String {
    let shown: Vec<String> = figures
        .iter()
        .filter(|figure| ["template_sensitivity", "rates_by_form", "token_counts"].contains(&figure.name))
        .map(|figure| format!("“<a href=\"#{}\">{}</a>”", figure.name, escape(figure.title)))
        .collect();
    format!(
        "<section id=\"confounds\">\n<h2>Form and length of the sentences</h2>\n\
         <p>Two things besides meaning can move a masculine rate: how the variants were formed (a gendered sentence, or \
         a template around a neutral one), and how many tokens each variant has. See {}. {}</p>\n{}</section>\n",
        list(&shown),
        length(input.results.method),
        pooling(input.results),
    )
}

fn length(method: Method) -> &'static str {
    match method {
        Method::Likelihood | Method::PllOriginal | Method::PllWithinWord => {
            "If g_s on pairs of equal length tells another story than g_s on all pairs, the length of the words is at work."
        }
        Method::MaskedDifference => {
            "All pairs that this method scores have variants of equal length, so here it is the form alone."
        }
    }
}

/// Where g_s over all items says something that its forms do not say.
fn pooling(results: &Results) -> String {
    let (mut outside, mut differ) = (Vec::new(), Vec::new());
    for language in &results.languages {
        let forms: Vec<&Estimate> = language.by_form.iter().filter_map(|one| one.g_s.as_ref()).collect();
        let Some(all) = language.g_s.as_ref().filter(|_| forms.len() > 1) else { continue };
        let name = language.name.as_str();
        if forms.iter().all(|one| one.value < all.value) || forms.iter().all(|one| one.value > all.value) {
            outside.push(name);
        }
        let verdict = Verdict::of(all, 1.0);
        if forms.iter().any(|one| Verdict::of(one, 1.0).contradicts(verdict)) {
            differ.push(name);
        }
    }
    let mut sentences = Vec::new();
    if !outside.is_empty() {
        sentences.push(format!(
            "In {}, g_s over all items lies outside the range of its forms' values (pooling, Simpson's paradox).",
            list(&outside)
        ));
    }
    if !differ.is_empty() {
        sentences.push(format!(
            "In {}, a form's interval says something else than that of all items.",
            list(&differ)
        ));
    }
    if sentences.is_empty() {
        return String::new();
    }
    format!(
        "<p class=\"notice\"><strong>Forms disagree:</strong> {} Read g_s of each form there, not the pooled one \
         alone.</p>\n",
        escape(&sentences.join(" "))
    )
}
