//! The README beside a task: how to run it, and what will agree.

use super::Written;
use crate::export::Run;
use crate::words::count;

/// The README.
pub fn readme(run: &Run<'_>, group: &str, written: &Written) -> String {
    let (model, results) = (&run.spec.identity.model, run.results);
    let prefix = model.prefix_ids.first().map(|id| format!(",prefix_token_id={id}")).unwrap_or_default();
    let before = if model.prefix_ids.is_empty() {
        "The run put no token before a text and never scored the first one, so each context is the text of the first \
         token, and the choices are what follows."
    } else {
        "The run put one token before every text, so contexts are empty, and `prefix_token_id` names that token."
    };
    let carried = match written.carried {
        0 => String::new(),
        n => format!(
            " For {} of the items the first token is a piece of a letter or white space. There the context goes on to the \
             end of the first letter, and the log-probability of the tokens between, which no string asks for, is taken \
             from the run (`carried`); both variants share it.",
            count(n)
        ),
    };
    let left_out = match written.left_out {
        0 => String::new(),
        n => format!(
            " {} scored items are left out, because no strings ask what the run asked: their variants differ within the \
             first letter, or their tokens do not spell their text. Where the rule of the run scores them, the numbers below \
             have them.",
            count(n)
        ),
    };
    let rows: String = results
        .languages
        .iter()
        .map(|language| {
            let shown = |estimate: &Option<stereometer_core::Estimate>| {
                estimate.as_ref().map_or_else(|| "–".to_owned(), |estimate| estimate.value.to_string())
            };
            format!(
                "| {} | {} | {} | {} |\n",
                language.language,
                language.n_items,
                shown(&language.default_masculine_rate),
                shown(&language.g_s)
            )
        })
        .collect();
    format!(
        "# {group}: a run of Stereometer for lm-evaluation-harness\n\n\
         {} minimal pairs of the set `{}`, rule `{}`, average `{}`. {before}{carried}{left_out}\n\n\
         ```\n\
         lm_eval --model hf --model_args pretrained=MODEL,dtype=float32{prefix} \\\n    \
         --tasks {group} --include_path DIR --batch_size 8 --output_path OUT --log_samples\n\
         ```\n\n\
         where DIR is this folder and MODEL the checkpoint of the run (`{}`, architecture {}, weights sha256 {}, computed \
         in {}). It needs a harness with `custom_dataset` (checked with 0.4.13). Every sample has its masculine rate; the \
         group's g_s is the mean over the languages. The harness has no interval over source sentences and tells no \
         standard error here.\n\n\
         What the run found:\n\n| language | items | default masculine rate | g_s |\n| --- | ---: | ---: | ---: |\n{rows}",
        count(written.items),
        run.spec.identity.set.name,
        results.rule,
        results.average,
        model.name,
        model.architecture,
        model.weights_sha256,
        model.compute_dtype,
    )
}
