//! What stands against the comparison, and against its runs.

use stereometer_record::{ComparedRun, Comparison};

use crate::ReportInput;
use crate::page::caveats::{doubts, point};
use crate::words::{count, list};

/// Doubts about the comparison, then those of the runs, each said once for all runs that share it.
pub fn concerns(comparison: &Comparison) -> String {
    let own: String = comparison
        .doubts
        .iter()
        .map(|doubt| point(&sentence(&doubt.what), doubt.advice.trim_end_matches('.')))
        .collect();
    let own = if own.is_empty() {
        "<p>Nothing stands against comparing these runs.</p>\n".to_owned()
    } else {
        format!("<ul>\n{own}</ul>\n")
    };
    let mut shared: Vec<(String, &'static str, Vec<&str>)> = Vec::new();
    for run in &comparison.runs {
        for (what, advice) in doubts(&input(run)) {
            match shared.iter_mut().find(|known| known.0 == what && known.1 == advice) {
                Some(known) => known.2.push(&run.label),
                None => shared.push((what, advice, vec![&run.label])),
            }
        }
    }
    let of_runs: String = shared
        .iter()
        .map(|(what, advice, runs)| {
            let whose = if runs.len() == comparison.runs.len() && runs.len() > 1 {
                "All runs".to_owned()
            } else {
                list(runs)
            };
            point(&format!("{whose}: {what}"), advice)
        })
        .collect();
    let of_runs = if of_runs.is_empty() {
        "<p>The runs themselves gave no warning.</p>\n".to_owned()
    } else {
        format!(
            "<details><summary>Warnings of the runs ({})</summary>\n<ul>\n{of_runs}</ul></details>\n",
            count(shared.len())
        )
    };
    format!("<section id=\"doubts\">\n<h2>Doubts</h2>\n{own}{of_runs}</section>\n")
}

fn input(run: &ComparedRun) -> ReportInput<'_> {
    ReportInput { spec: &run.spec, results: &run.results, items: &[] }
}

/// A sentence; a run's name at its beginning stays as it is.
fn sentence(what: &str) -> String {
    format!("{}.", what.trim_end_matches('.'))
}
