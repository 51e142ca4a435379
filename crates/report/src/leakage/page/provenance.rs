//! Where everything comes from.

use stereometer_record::AssociationRun;

use crate::html::escape;
use crate::leakage::study::Study;
use crate::page::facts::parameters;
use crate::page::provenance::hash;

/// The section.
pub fn provenance(study: &Study<'_>) -> String {
    let results = study.results;
    let (inventory, settings) = (&results.inventory, &results.settings);
    let rows = [
        ("Inventory", escape(&format!("{}, version {}", inventory.name, inventory.version))),
        ("Survey", escape(&results.humans.origin)),
        ("Choice", escape(&settings.choice.to_string())),
        ("ILPS", format!("<code>{}</code>", escape(&settings.ilps))),
        ("Prior", format!("<code>{}</code>", escape(&settings.prior))),
        ("Seed", settings.seed.0.to_string()),
        ("Program", format!("stereometer {}", escape(&results.tool_version))),
    ];
    let runs: String = results.runs.iter().map(run).collect();
    format!(
        "<section id=\"run\">\n<h2>Where everything comes from</h2>\n<p>The page is made from the runs' rows and the survey, without the \
         language models, by <code>stereometer leakage</code>.</p>\n{}{runs}</section>\n",
        list(&rows)
    )
}

fn run(run: &AssociationRun) -> String {
    let model = &run.model;
    let rows = [
        ("Language model", escape(&model.name)),
        ("its licence", escape(model.licence.as_deref().unwrap_or("not stated"))),
        ("its origin", escape(&model.origin)),
        ("size", escape(&format!("{}, {} parameters", model.architecture, parameters(model.parameters)))),
        ("weights", hash(&model.weights_sha256)),
        ("tokenizer", hash(&model.tokenizer_sha256)),
        (
            "precision",
            escape(&format!(
                "stored {}, computed in {}, by {}",
                model.stored_dtype, model.compute_dtype, model.backend
            )),
        ),
        ("method", format!("<code>{}</code>", run.method)),
    ];
    format!("<details><summary>{}</summary>\n{}</details>\n", escape(&run.label), list(&rows))
}

fn list(rows: &[(&str, String)]) -> String {
    let rows: String =
        rows.iter().map(|(name, value)| format!("<dt>{name}</dt><dd>{value}</dd>\n")).collect();
    format!("<dl class=\"run\">\n{rows}</dl>")
}
