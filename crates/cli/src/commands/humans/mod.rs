//! `humans`: what people say of groups, from files of ratings or scores.

mod check;
mod correlations;

use std::io::Write;
use std::path::Path;

use stereometer_core::Seed;
use stereometer_data::Inventory;
use stereometer_data::humans::{HumansError, ratings_csv, read_humans, scores_csv};
use stereometer_leakage::humans::aggregate;
use stereometer_record::WholeFile;

use crate::args::{FilesChoice, HumansArgs, HumansCommand, human_files};
use crate::failure::{Exit, Failure};
use crate::out::{failed, put};
use crate::talk::Talk;
use crate::words::plural;

/// Runs the command.
pub fn run(args: &HumansArgs, talk: &mut Talk) -> Result<Exit, Failure> {
    match &args.command {
        HumansCommand::Import { files, out } => import(files, out.as_deref(), talk),
        HumansCommand::Check { files, against, tolerance } => {
            let inventory = Inventory::open(&files.inventory)?;
            let against = human_files(against, files.language.as_deref(), &inventory)?;
            check::run(&files.files(&inventory)?, &against, *tolerance, &inventory, talk)
        }
        HumansCommand::Aggregate { files, out, correlations, resamples, seed } => {
            let inventory = Inventory::open(&files.inventory)?;
            let humans = read_humans(&files.files(&inventory)?, &inventory)?;
            let scores = aggregate(&humans, &inventory);
            if *correlations && scores.languages.len() < 2 {
                return Err(Failure::new(
                    Exit::NothingSelected,
                    "people of two languages are needed for correlations between languages",
                )
                .hint("add the files of another language"));
            }
            for warning in &scores.warnings {
                talk.warn(warning);
            }
            let with_score = scores.cells.iter().filter(|cell| cell.score.is_some()).count();
            let missing = scores.cells.len() - with_score;
            talk.say(&format!("{} with a score, {missing} missing", plural(with_score, "cell")));
            if out.is_some() || !correlations {
                write(out.as_deref(), &scores_csv(&scores))?;
            }
            if *correlations {
                let table = correlations::table(&scores, &inventory, *resamples as usize, Seed(*seed));
                put!("{table}")?;
            }
            Ok(Exit::Done)
        }
    }
}

fn import(files: &FilesChoice, out: Option<&Path>, talk: &Talk) -> Result<Exit, Failure> {
    let inventory = Inventory::open(&files.inventory)?;
    let humans = read_humans(&files.files(&inventory)?, &inventory)?;
    for warning in &humans.notes {
        talk.warn(warning);
    }
    if let Some(cell) = humans.cells.first() {
        let message = format!(
            "{}: these are scores that were aggregated already: no ratings are in them",
            cell.language
        );
        return Err(Failure::new(Exit::Input, message).hint("`stereometer humans aggregate` reads scores"));
    }
    write(out, &ratings_csv(&humans.ratings, &inventory))?;
    talk.say(&format!("{} imported", plural(humans.ratings.len(), "rating")));
    Ok(Exit::Done)
}

/// A table on stdout, or whole in a file.
fn write(out: Option<&Path>, table: &str) -> Result<(), Failure> {
    let Some(path) = out else { return put!("{}", table.trim_end()) };
    let mut file = WholeFile::create(path)?;
    file.write_all(table.as_bytes()).map_err(|error| failed(path, error))?;
    Ok(file.finish()?)
}

impl From<HumansError> for Failure {
    fn from(error: HumansError) -> Self {
        let failure = Self::new(Exit::Input, error.to_string());
        match error.hint() {
            Some(hint) => failure.hint(hint),
            None => failure,
        }
    }
}
