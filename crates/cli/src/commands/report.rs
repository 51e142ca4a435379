//! `report`: rebuild tables and figures from a run; needs no model.

use stereometer_audit::Settings;
use stereometer_data::Packs;
use stereometer_record::RunDirectory;

use crate::args::ReportArgs;
use crate::commands::audit::{settings, write_results};
use crate::failure::{Exit, Failure};
use crate::talk::Talk;

/// Runs the command.
pub fn run(args: &ReportArgs, talk: &mut Talk) -> Result<Exit, Failure> {
    let packs = Packs::builtin()?;
    let run = RunDirectory::open(&args.run)?;
    let spec = run.spec();
    let asked_then = Settings {
        rule: spec.rule,
        average: spec.average,
        seed: spec.seed,
        resamples: spec.resamples,
        min_items: spec.min_items,
    };
    let settings = settings(&args.analysis, &asked_then);
    let out = args.out.clone().unwrap_or_else(|| args.run.join("report"));
    let results = write_results(&run, &packs, &settings, &out, &args.figures, talk)?;
    talk.say(&stereometer_report::headline(&results));
    println!("report: {}", out.join("index.html").display());
    Ok(Exit::Done)
}
