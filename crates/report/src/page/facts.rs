//! Key facts, and whether this is only a part: an unfinished run, a subset.

use stereometer_core::Outcome;

use crate::ReportInput;
use crate::html::escape;
use crate::words::{are, count, percent, plural};

/// The facts that every number on the page depends on.
pub fn facts(input: &ReportInput<'_>) -> String {
    let (spec, results) = (input.spec, input.results);
    let (model, set) = (&spec.identity.model, &spec.identity.set);
    let sum = |part: fn(&stereometer_record::LanguageResult) -> usize| {
        results.languages.iter().map(part).sum::<usize>()
    };
    let scored = sum(|language| language.n_items);
    let version = set.version.as_ref().map(|version| format!(", version {version}")).unwrap_or_default();
    let demonstration =
        if set.name == "mini" { ": demonstration set, not validated by translators" } else { "" };
    let facts = [
        (
            "Language model",
            format!(
                "{} ({}, {} parameters, {} weights)",
                model.name,
                model.architecture,
                parameters(model.parameters),
                model.stored_dtype
            ),
        ),
        ("Stereotype set", format!("{}{version}{demonstration}", set.name)),
        ("Languages", count(results.languages.len())),
        (
            "Items",
            format!(
                "{} scored of {}: {} gendered, {} pronoun, {} noun",
                count(scored),
                count(spec.n_items),
                count(sum(|language| language.n_gendered)),
                count(sum(|language| language.n_pronoun)),
                count(sum(|language| language.n_noun)),
            ),
        ),
        ("Method, rule and average", format!("{}, {}, {}", results.method, results.rule, results.average)),
        (
            "Uncertainty",
            format!("{} intervals, {}", percent(results.level), plural(results.resamples, "resample")),
        ),
    ];
    let chat = model.chat.as_ref().map(|chat| ("Chat template", chat.summary()));
    let list: String = facts
        .into_iter()
        .chain(chat)
        .map(|(name, value)| format!("<div><dt>{name}</dt><dd>{}</dd></div>\n", escape(&value)))
        .collect();
    format!("{}{}<dl class=\"facts\">\n{list}</dl>\n", unfinished(input), subset(input))
}

fn unfinished(input: &ReportInput<'_>) -> String {
    if !input.is_unfinished() {
        return String::new();
    }
    let scored = input.items.iter().filter(|item| matches!(item.outcome, Outcome::Scored(_))).count();
    format!(
        "<p class=\"notice\"><strong>Unfinished:</strong> {} of {} scored. Continue with the same command and \
         <code>--resume</code>.</p>\n",
        count(scored),
        are(input.spec.n_items, "item")
    )
}

fn subset(input: &ReportInput<'_>) -> String {
    let Some(subset) = &input.spec.identity.subset else { return String::new() };
    format!(
        "<p class=\"notice\"><strong>Only a subset was scored:</strong> {}. Run without the limit for the full \
         result.</p>\n",
        escape(subset.trim_end_matches('.'))
    )
}

/// 268 million, 1.7 billion.
pub fn parameters(n: u64) -> String {
    match n {
        0..1_000_000 => count(n as usize),
        1_000_000..1_000_000_000 => format!("{:.0} million", n as f64 / 1e6),
        _ => format!("{:.1} billion", n as f64 / 1e9),
    }
}
