//! `compare`: several runs side by side.

mod table;

use std::path::{Path, PathBuf};

use jiff::Zoned;
use stereometer_audit::compare;
use stereometer_record::write_comparison;

use crate::analysis::common_settings;
use crate::args::{CompareArgs, FigureFormat};
use crate::failure::{Exit, Failure};
use crate::named::Naming;
use crate::open_run::open_runs;
use crate::out::put;
use crate::talk::Talk;

/// Runs the command.
pub fn run(args: &CompareArgs, talk: &mut Talk) -> Result<Exit, Failure> {
    let packs = args.packs.open()?;
    let naming = args.models.as_deref().map(Naming::read).transpose()?.unwrap_or_default();
    let runs = open_runs(&args.runs, &packs, &naming)?;
    let settings = common_settings(&args.analysis, &runs)?;
    let comparison = compare(runs, &settings)?;
    for doubt in &comparison.doubts {
        talk.doubt(&doubt.what, Some(&doubt.advice));
    }
    if comparison.pairs.iter().all(|pair| pair.shared == 0) {
        return Err(Failure::new(Exit::NothingSelected, "the runs share no scored item")
            .hint("audit the same set, languages and templates with each of the models"));
    }
    let out = args.out.clone().unwrap_or_else(|| free_folder(&Zoned::now()));
    crate::out::check_folder(&out, "comparison.json")?;
    write_comparison(&out, &comparison)?;
    let options = FigureFormat::options(&args.figures);
    let written = stereometer_report::write_comparison(&comparison, &out, &options)?;
    put!("{}", table::table(&comparison, args.by))?;
    talk.say(&format!("\n{}", stereometer_report::comparison_headline(&comparison)));
    put!("\nreport: {}", written.page.display())?;
    Ok(Exit::Done)
}

/// `comparisons/<date>`, with a number if there is one already.
fn free_folder(now: &Zoned) -> PathBuf {
    let folder = |number: usize| {
        let date = now.date();
        Path::new("comparisons").join(if number == 1 { date.to_string() } else { format!("{date}-{number}") })
    };
    folder((1..=10_000).find(|&number| !folder(number).exists()).unwrap_or(1))
}
