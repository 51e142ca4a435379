//! `humans check`: everything that is wrong, everything that is doubtful, and whether the scores are the expected ones.

use std::collections::BTreeMap;

use stereometer_core::{FEW_ANNOTATORS, HumanScores, Language, Slug};
use stereometer_data::humans::{Humans, HumansFile, inspect_humans, read_humans};
use stereometer_data::{Inventory, excerpt};
use stereometer_leakage::humans::{Agreement, Difference, aggregate, agreement, differences, doubtful};

use crate::failure::{Exit, Failure};
use crate::out::put;
use crate::table::{Column, render};
use crate::talk::Talk;
use crate::words::plural;

/// Runs the check.
pub fn run(
    files: &[HumansFile],
    against: &[HumansFile],
    tolerance: f64,
    inventory: &Inventory,
    talk: &Talk,
) -> Result<Exit, Failure> {
    let (humans, problems, more) = inspect_humans(files, inventory);
    for problem in &problems {
        put!("problem: {problem}")?;
        if let Some(hint) = problem.fault.hint() {
            put!("  hint: {hint}")?;
        }
    }
    if !problems.is_empty() {
        let count = plural(problems.len() + more, "problem");
        return Err(Failure::new(
            Exit::Input,
            format!("{count} in the files: no scores until they are mended"),
        ));
    }
    let scores = aggregate(&humans, inventory);
    put!("{}", summary(&humans, &scores))?;
    for doubt in doubtful(&humans) {
        let of = doubt.group.map_or_else(String::new, |group| format!(" of {group}"));
        let words = format!("{}, {}{of}: {}", doubt.language, excerpt(&doubt.annotator), doubt.what);
        talk.doubt(&words, Some("look at these ratings; they count until their rows are taken out"));
    }
    for warning in &scores.warnings {
        talk.warn_in_check(warning);
    }
    if against.is_empty() {
        return Ok(Exit::Done);
    }
    let there = aggregate(&read_humans(against, inventory)?, inventory);
    compare(&scores, &there, tolerance)
}

fn summary(humans: &Humans, scores: &HumanScores) -> String {
    let files: Vec<String> =
        humans.files.iter().map(|file| format!("{}: {}", file.name, file.format.phrase())).collect();
    let mut renamed: Vec<String> =
        humans.renamed.iter().map(|(name, id)| format!("{} → {id}", excerpt(name))).collect();
    renamed.sort();
    let agreement = agreement(humans);
    let rows: Vec<Vec<String>> = scores
        .languages
        .iter()
        .map(|one| row(&one.language, scores, agreement.iter().find(|found| found.language == one.language)))
        .collect();
    let columns = [
        Column::Left("language"),
        Column::Right("annotators"),
        Column::Right("blocks"),
        Column::Right("ratings"),
        Column::Right("cells"),
        Column::Right("missing"),
        Column::Right("few (< 5)"),
        Column::Right("agreement r"),
        Column::Right("ICC(1)"),
        Column::Right("ICC(1, k)"),
        Column::Right("k"),
    ];
    let mut parts = vec![files.join("\n"), render(&columns, &rows)];
    if !renamed.is_empty() {
        parts.push(format!("names that were read as others: {}", renamed.join(", ")));
    }
    parts.join("\n\n")
}

fn row(language: &Language, scores: &HumanScores, agreement: Option<&Agreement>) -> Vec<String> {
    let own: Vec<_> = scores.cells.iter().filter(|cell| cell.language == *language).collect();
    let missing = own.iter().filter(|cell| cell.score.is_none()).count();
    let few =
        own.iter().filter(|cell| cell.annotators.is_some_and(|n| (1..FEW_ANNOTATORS).contains(&n))).count();
    let knows = own.iter().any(|cell| cell.annotators.is_some());
    let dash = || "–".to_owned();
    let count = |of: fn(&Agreement) -> usize| agreement.map_or_else(dash, |found| of(found).to_string());
    let signed =
        |value: Option<f64>| value.map_or_else(dash, |value| format!("{value:+.3}").replace('-', "−"));
    vec![
        language.to_string(),
        count(|found| found.annotators),
        count(|found| found.blocks),
        count(|found| found.ratings),
        own.len().to_string(),
        missing.to_string(),
        if knows { few.to_string() } else { dash() },
        signed(agreement.and_then(|found| found.r)),
        signed(agreement.and_then(|found| found.icc_one)),
        signed(agreement.and_then(|found| found.icc_mean)),
        agreement.and_then(|found| found.k).map_or_else(dash, |k| format!("{k:.1}")),
    ]
}

fn compare(here: &HumanScores, there: &HumanScores, tolerance: f64) -> Result<Exit, Failure> {
    let (found, compared, largest) = differences(here, there, tolerance);
    if compared == 0 {
        let message = "the files and those of --against have no language in common";
        return Err(Failure::new(Exit::NothingSelected, message));
    }
    let same = compared - found.len();
    put!("\n{same} of {} the same (largest difference {largest:.1e})", plural(compared, "cell"))?;
    let mut groups: BTreeMap<(&Language, &Slug, &str), Vec<&Difference>> = BTreeMap::new();
    for one in &found {
        let kind = match (one.here, one.there) {
            (Some(_), None) => "has scores here, missing there",
            (None, _) => "is missing here, has scores there",
            (Some(_), Some(_)) => "has other scores there",
        };
        groups.entry((&one.language, &one.group, kind)).or_default().push(one);
    }
    for ((language, group, kind), cells) in &groups {
        let people = cells.iter().filter_map(|cell| cell.annotators).max();
        let people = people.map_or_else(String::new, |n| format!("; rated by {}", plural(n, "annotator")));
        put!("{language}, {group}: {kind}: {}{people}{}", plural(cells.len(), "cell"), example(cells))?;
    }
    if found.is_empty() {
        return Ok(Exit::Done);
    }
    let missing = found.iter().filter(|one| one.here.is_none() || one.there.is_none()).count();
    let message = format!(
        "{} by more than {tolerance}; in one of the two tables only: {}",
        plural_differ(found.len() - missing),
        plural(missing, "cell")
    );
    let failure = Failure::new(Exit::CheckFailed, message);
    let is_left_out = found.iter().all(|one| one.there.is_none());
    Err(if is_left_out {
        failure.hint(
            "every score that is there agrees; the cells listed were rated, and left out of the other table",
        )
    } else {
        failure
    })
}

fn plural_differ(n: usize) -> String {
    if n == 1 { "1 score differs".to_owned() } else { format!("{n} scores differ") }
}

/// The first cells whose two scores differ.
fn example(cells: &[&Difference]) -> String {
    let both: Vec<String> = cells
        .iter()
        .filter_map(|cell| Some(format!("{} {} and {}", cell.pole, cell.here?, cell.there?)))
        .take(3)
        .collect();
    if both.is_empty() { String::new() } else { format!(" ({})", both.join(", ")) }
}
