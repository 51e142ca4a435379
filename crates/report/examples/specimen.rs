//! Writes a report of a made-up run, to look at the page without a language model:
//! `cargo run -p stereometer-report --example specimen -- FOLDER [LANGUAGES]`

use std::path::PathBuf;

use stereometer_report::{Options, ReportInput, write};

#[path = "../tests/specimen/mod.rs"]
mod specimen;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut arguments = std::env::args().skip(1);
    let out = PathBuf::from(arguments.next().unwrap_or_else(|| "specimen".to_owned()));
    let n: usize = arguments.next().map_or(Ok(30), |n| n.parse())?;
    let results = specimen::results(n.min(specimen::NAMES.len()));
    let (spec, items) = (specimen::spec(&results), specimen::items(&results));
    let input = ReportInput { spec: &spec, results: &results, items: &items };
    let written = write(&input, &out, &Options { png: true, pdf: true })?;
    println!("{}", written.page.display());
    Ok(())
}
