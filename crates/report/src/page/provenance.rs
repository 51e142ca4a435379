//! Where everything comes from, and the command that makes it again.

use crate::ReportInput;
use crate::html::escape;
use crate::words::count;

/// The section.
pub fn provenance(input: &ReportInput<'_>) -> String {
    let spec = input.spec;
    let (model, set) = (&spec.identity.model, &spec.identity.set);
    let unknown = || "not stated".to_owned();
    let prefix = if model.prefix_ids.is_empty() {
        "none".to_owned()
    } else {
        model.prefix_ids.iter().map(ToString::to_string).collect::<Vec<_>>().join(", ")
    };
    let rows = [
        ("Language model", escape(&model.name)),
        ("its licence", escape(&model.licence.clone().unwrap_or_else(unknown))),
        ("weights", hash(&model.weights_sha256)),
        ("tokenizer", hash(&model.tokenizer_sha256)),
        ("ids before every text", prefix),
        (
            "precision",
            escape(&format!(
                "stored {}, computed in {}, by {}",
                model.stored_dtype, model.compute_dtype, model.backend
            )),
        ),
        ("context", format!("{} tokens", count(model.context_length))),
        ("Stereotype set", escape(&set.name)),
        ("its origin", escape(&set.origin)),
        ("its licence", escape(&set.licence.clone().unwrap_or_else(unknown))),
        ("items", hash(&spec.identity.items_sha256)),
        ("Method", format!("<code>{}</code>", spec.identity.method)),
        ("Began", escape(&spec.started)),
        ("Program", format!("stereometer {}", escape(&spec.tool_version))),
        ("Seed", input.results.seed.0.to_string()),
    ];
    let chat = model.chat.iter().flat_map(|chat| {
        let around =
            format!("{} … {}", escape(&format!("{:?}", chat.before)), escape(&format!("{:?}", chat.after)));
        [
            ("chat template", hash(&chat.template_sha256)),
            ("around every text", format!("<code>{around}</code>")),
        ]
    });
    let rows: String = rows
        .into_iter()
        .chain(chat)
        .map(|(name, value)| format!("<dt>{name}</dt><dd>{value}</dd>\n"))
        .collect();
    format!(
        "<section id=\"run\">\n<h2>The run</h2>\n<p>The run was made by:</p>\n<pre><code>{}</code></pre>\n\
         {} The links “SVG” and “CSV” save what the page itself holds; without scripts they lead to the folders \
         <code>figures/</code> and <code>tables/</code> beside it, where <a href=\"tables/README.md\">README.md</a> says \
         what every column means.</p>\n\
         <dl class=\"run\">\n{rows}</dl>\n{}</section>\n",
        escape(&command(&spec.command)),
        rebuilt(input),
        files(input)
    )
}

/// How this page alone is made again; with the choices of its analysis where they are not those of the run.
fn rebuilt(input: &ReportInput<'_>) -> String {
    let (spec, results) = (input.spec, input.results);
    let then = (spec.rule, spec.average, spec.resamples, spec.seed, spec.min_items);
    if then == (results.rule, results.average, results.resamples, results.seed, results.min_items) {
        return "<p>Tables and figures alone are rebuilt, without the language model, by \
                <code>stereometer report</code> and the run's folder."
            .to_owned();
    }
    format!(
        "<p>This page was made from the run's rows, without the language model, under other choices than the run's. It is \
         made again by:</p>\n<pre><code>stereometer report &lt;RUN&gt; --rule {} --average {} --resamples {} --seed {} \
         --min-items {}</code></pre>\n<p>&lt;RUN&gt; is the run's folder.",
        results.rule, results.average, results.resamples, results.seed.0, results.min_items
    )
}

fn files(input: &ReportInput<'_>) -> String {
    let files = &input.spec.identity.set.files;
    if files.is_empty() {
        return String::new();
    }
    let rows: String = files
        .iter()
        .map(|file| format!("<dt>{}</dt><dd>{}</dd>\n", escape(&file.name), hash(&file.sha256)))
        .collect();
    format!("<details><summary>Files of the set</summary>\n<dl class=\"run\">\n{rows}</dl></details>\n")
}

/// Twelve digits to compare by eye; all of them on request, without scripts.
pub fn hash(sha256: &str) -> String {
    let sha256 = escape(sha256);
    let short = sha256.get(..12).unwrap_or(&sha256);
    format!("<code title=\"{sha256}\">sha256 {short}…</code>")
}

/// The command as a shell reads it.
pub fn command(parts: &[String]) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || "-_./=,:@%+".contains(c);
    let quoted = parts.iter().map(|part| {
        if !part.is_empty() && part.chars().all(plain) {
            part.clone()
        } else {
            format!("'{}'", part.replace('\'', r"'\''"))
        }
    });
    quoted.collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_command_survives_a_shell() {
        let parts = ["stereometer", "audit", "--set", "my set's"].map(str::to_owned);
        assert_eq!(command(&parts), r"stereometer audit --set 'my set'\''s'");
    }
}
