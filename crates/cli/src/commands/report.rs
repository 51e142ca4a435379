//! `report`: rebuild tables and figures from a run; needs no model.

use stereometer_audit::check_rule;
use stereometer_record::RunDirectory;

use crate::analysis::{Output, asked_then, conclude, settings};
use crate::args::ReportArgs;
use crate::failure::{Exit, Failure};
use crate::out::{check_folder, put};
use crate::talk::Talk;

/// Runs the command.
pub fn run(args: &ReportArgs, talk: &mut Talk) -> Result<Exit, Failure> {
    let packs = args.packs.open()?;
    let run = RunDirectory::open(&args.run)?;
    let settings = settings(&args.analysis, &asked_then(run.spec()));
    check_rule(run.spec().identity.method, settings.rule)?;
    // What is written elsewhere leaves the run as it is.
    let own = args.run.join("report");
    if let Some(out) = &args.out {
        check_folder(out, "results.json")?;
    }
    let output = match &args.out {
        Some(out) => Output { results: out, report: out, figures: &args.figures },
        None => Output { results: &args.run, report: &own, figures: &args.figures },
    };
    if run.items()?.is_empty() {
        return Err(Failure::new(Exit::NothingSelected, "the run has no item yet")
            .hint("`audit --resume` with its folder as --out goes on with it"));
    }
    let results = conclude(&run, &packs, &settings, &output, talk)?;
    talk.say(&stereometer_report::headline(&results));
    put!("report: {}", output.report.join("index.html").display())?;
    Ok(if results.unscored.is_empty() { Exit::Done } else { Exit::SomeUnscored })
}
