//! Where the runs come from.

use stereometer_record::{ComparedRun, Comparison};

use crate::html::escape;
use crate::page::provenance::{command, hash};

/// The section.
pub fn provenance(comparison: &Comparison) -> String {
    let runs: String = comparison.runs.iter().map(one_run).collect();
    format!(
        "<section id=\"run\">\n<h2>The runs</h2>\n<p>The page is made from the runs' rows, without the language models, by \
         <code>stereometer compare</code> and the runs' folders. What every column of the CSV files means is in \
         <a href=\"tables/README.md\">tables/README.md</a>.</p>\n{runs}</section>\n"
    )
}

fn one_run(run: &ComparedRun) -> String {
    let (spec, model, set) = (&run.spec, &run.spec.identity.model, &run.spec.identity.set);
    let version = set.version.as_ref().map(|version| format!(", version {version}")).unwrap_or_default();
    let unknown = || "not stated".to_owned();
    let rows = [
        ("Language model", escape(&model.name)),
        ("its licence", escape(&model.licence.clone().unwrap_or_else(unknown))),
        ("weights", hash(&model.weights_sha256)),
        ("tokenizer", hash(&model.tokenizer_sha256)),
        (
            "precision",
            escape(&format!(
                "stored {}, computed in {}, by {}",
                model.stored_dtype, model.compute_dtype, model.backend
            )),
        ),
        ("Stereotype set", escape(&format!("{}{version}", set.name))),
        ("its licence", escape(&set.licence.clone().unwrap_or_else(unknown))),
        ("subset", escape(&spec.identity.subset.clone().unwrap_or_else(|| "the whole set".to_owned()))),
        ("items", hash(&spec.identity.items_sha256)),
        ("Began", escape(&spec.started)),
        ("Program", format!("stereometer {}", escape(&spec.tool_version))),
    ];
    let rows: String =
        rows.iter().map(|(name, value)| format!("<dt>{name}</dt><dd>{value}</dd>\n")).collect();
    format!(
        "<details><summary>{}</summary>\n<pre><code>{}</code></pre>\n<dl class=\"run\">\n{rows}</dl></details>\n",
        escape(&run.label),
        escape(&command(&spec.command))
    )
}
