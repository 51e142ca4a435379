//! The study's scores: a row a pole, a column a group, and 999 where there is no score.
//!
//! How many people stand behind a score the file does not say. 999 is more than “nobody rated it”: in the released files
//! a non-shared group that one to three people rated has 999 too (`humans check --against` shows it).

use stereometer_core::{HumanCell, Language, Slug};

use super::fault::SurveyFault;
use super::intake::Intake;
use crate::read::InputFile;
use crate::read::table::Table;

/// What stands for a score that is missing.
const MISSING: f64 = 999.0;

pub(super) fn read(file: &InputFile, language: Option<Language>, intake: &mut Intake<'_>) {
    let place = file.place();
    let before = intake.n_problems();
    let Some(language) = language else { return intake.refuse(place, SurveyFault::NoLanguage) };
    let Some(mut table) = Table::open(file, intake) else { return };
    if !table.has_distinct_columns(intake) {
        return;
    }
    let names: Vec<String> = table.header().iter().skip(1).cloned().collect();
    let groups: Vec<Option<Slug>> =
        names.iter().map(|name| intake.group(name, &place.column(name))).collect();
    let mut poles = vec![[false; 2]; intake.inventory().pairs().len()];
    let mut any = false;
    while let Some(record) = table.next(intake) {
        let place = &record.place;
        let Some((pair, is_right)) = intake.pole(record.get(Some(0)), &place.column("Traits")) else {
            continue;
        };
        poles[pair][usize::from(is_right)] = true;
        let poles = &intake.inventory().pairs()[pair];
        let pole = if is_right { poles.right.id.clone() } else { poles.left.id.clone() };
        for (column, group) in groups.iter().enumerate() {
            let Some(group) = group else { continue };
            let place = place.column(&names[column]);
            let text = record.get(Some(column + 1)).trim();
            let is_missing = text.is_empty() || text.parse() == Ok(MISSING);
            let score = if is_missing { None } else { intake.parsed(text, 0.0, "0 to 50", &place) };
            any |= score.is_some();
            let cell = HumanCell {
                language: language.clone(),
                group: group.clone(),
                pole: pole.clone(),
                annotators: None,
                score,
                std_error: None,
                interval: None,
            };
            intake.score(cell, &place);
        }
    }
    for (pair, [left, right]) in intake.inventory().pairs().iter().zip(poles) {
        if left != right {
            let (there, other) = if left { (&pair.left, &pair.right) } else { (&pair.right, &pair.left) };
            let (pole, other) = (there.name.clone(), other.name.clone());
            intake.refuse(place.clone(), SurveyFault::HalfPair { pole, other });
        }
    }
    if !any && intake.n_problems() == before {
        intake.refuse(place, SurveyFault::NoData { what: "score" });
    }
}
