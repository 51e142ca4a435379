//! Writes a report of a made-up comparison, to look at the page without a language model:
//! `cargo run -p stereometer-report --example comparison -- FOLDER [RUNS [LANGUAGES]]`

use std::path::PathBuf;

use stereometer_report::{Options, comparison_headline, write_comparison};

#[path = "../tests/specimen/mod.rs"]
mod specimen;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut arguments = std::env::args().skip(1);
    let out = PathBuf::from(arguments.next().unwrap_or_else(|| "specimen".to_owned()));
    let n_runs: usize = arguments.next().map_or(Ok(3), |n| n.parse())?;
    let n_languages: usize = arguments.next().map_or(Ok(30), |n| n.parse())?;
    let comparison = specimen::comparison::comparison(n_runs, n_languages.min(specimen::NAMES.len()));
    let written = write_comparison(&comparison, &out, &Options { png: true, pdf: false })?;
    println!("{}\n{}", comparison_headline(&comparison), written.page.display());
    Ok(())
}
