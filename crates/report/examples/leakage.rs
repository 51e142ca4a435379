//! Writes a report of a made-up leakage analysis, to look at the page without language models or people:
//! `cargo run -p stereometer-report --example leakage -- FOLDER [RUNS [LANGUAGES [GROUPS]]]`

use std::path::PathBuf;

use stereometer_report::{Options, leakage_headline, write_leakage};

#[path = "../tests/specimen/mod.rs"]
mod specimen;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut arguments = std::env::args().skip(1);
    let out = PathBuf::from(arguments.next().unwrap_or_else(|| "specimen".to_owned()));
    let mut number = |usual: usize| arguments.next().map_or(Ok(usual), |n| n.parse());
    let (n_runs, n_languages, n_groups) = (number(2)?, number(4)?, number(30)?);
    let results = specimen::leakage::leakage(n_runs, n_languages.min(4), n_groups.min(30));
    let written = write_leakage(&results, &out, Options { png: true, pdf: false })?;
    for (what, advice) in written.flaws.sentences() {
        eprintln!("{what}: {advice}");
    }
    println!("{}\n{}", leakage_headline(&results).join("\n"), written.page.display());
    Ok(())
}
