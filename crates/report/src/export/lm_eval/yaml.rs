//! The YAML files of a task. Strings stand in quotation marks: without them the tag of Norwegian is `false`.

use super::Asking;

/// The group over all languages, whose g_s is the mean of theirs.
pub fn group(group: &str, languages: &[Asking<'_>]) -> String {
    let tasks: String =
        languages.iter().map(|asking| format!("  - \"{group}_{}\"\n", asking.language.language)).collect();
    format!(
        "group: \"{group}\"\ntask:\n{tasks}aggregate_metric_list:\n  - metric: g_s\n    aggregation: mean\n    \
         weight_by_size: false\nmetadata:\n  version: 1.0\n"
    )
}

/// The task of one language.
pub fn task(group: &str, tag: &str) -> String {
    let metrics = ["default_masculine_rate", "q_feminine", "q_masculine", "g_s", "g_s_arithmetic"];
    let metrics: String = metrics
        .into_iter()
        .map(|name| {
            format!(
                "  - metric: {name}\n    aggregation: !function utils.{name}\n    higher_is_better: null\n"
            )
        })
        .collect();
    format!(
        "task: \"{group}_{tag}\"\ntask_alias: \"{tag}\"\ncustom_dataset: !function utils.dataset\ndataset_kwargs:\n  \
         language: \"{tag}\"\ntest_split: test\noutput_type: multiple_choice\nnum_fewshot: 0\ndoc_to_text: context\n\
         doc_to_choice: choices\ndoc_to_target: 0\ntarget_delimiter: \"\"\n\
         process_results: !function utils.process_results\nmetric_list:\n  - metric: masculine_rate\n    \
         aggregation: !function utils.mean\n    higher_is_better: null\n{metrics}metadata:\n  version: 1.0\n"
    )
}
