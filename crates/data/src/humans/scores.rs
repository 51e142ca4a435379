//! Scores, one a row: what `humans aggregate` writes. An empty cell is missing or unknown.

use stereometer_core::{HumanCell, Interval};

use super::fault::SurveyFault;
use super::intake::Intake;
use super::people::Speakers;
use crate::fault::excerpt;
use crate::read::InputFile;
use crate::read::table::Table;

pub(super) const COLUMNS: [&str; 8] =
    ["language", "group", "pole", "annotators", "score", "std_error", "low", "high"];

pub(super) fn read(file: &InputFile, mut speakers: Speakers, intake: &mut Intake<'_>) {
    let place = file.place();
    let before = intake.n_problems();
    let Some(mut table) = Table::open(file, intake) else { return };
    let [language, _, _, annotators, _, std_error, low, high] = COLUMNS.map(|name| table.column(name));
    let [group, pole, score] = ["group", "pole", "score"].map(|name| table.require(name, intake));
    if language.is_none() && speakers.of_file().is_none() {
        intake.refuse(place.clone(), SurveyFault::NoLanguage);
    }
    if !table.has_distinct_columns(intake) || intake.n_problems() > before {
        return;
    }
    for column in table.header().iter().filter(|column| !COLUMNS.contains(&column.as_str())) {
        intake.remark(format!("the column `{}` is not read", excerpt(column)), &place);
    }
    let mut any = false;
    while let Some(record) = table.next(intake) {
        let at = |column: &str| record.place.column(column);
        let language = speakers.of_row(&record, language, intake);
        let id = intake.group(record.get(group), &at("group"));
        let pole = intake.pole(record.get(pole), &at("pole"));
        let people = record.get(annotators).trim();
        let n = people.parse().ok();
        if n.is_none() && !people.is_empty() {
            intake.refuse(at("annotators"), SurveyFault::NotACount { text: excerpt(people), least: 0 });
        }
        let mut number = |column: Option<usize>, name: &str| {
            let text = record.get(column);
            if text.trim().is_empty() { None } else { intake.parsed(text, 0.0, "0 to 50", &at(name)) }
        };
        let [score, std_error, low, high] =
            [(score, "score"), (std_error, "std_error"), (low, "low"), (high, "high")]
                .map(|(column, name)| number(column, name));
        if let (Some(low), Some(high), Some(score)) = (low, high, score)
            && !(low..=high).contains(&score)
        {
            let [low, high, score] = [low, high, score].map(|number| number.to_string());
            intake.refuse(at("low"), SurveyFault::Interval { low, high, score });
        }
        let (Some(language), Some(group), Some((pair, is_right))) = (language, id, pole) else { continue };
        let poles = &intake.inventory().pairs()[pair];
        let pole = if is_right { poles.right.id.clone() } else { poles.left.id.clone() };
        any |= score.is_some();
        let interval = low.zip(high).map(|(low, high)| Interval { low, high });
        let cell = HumanCell { language, group, pole, annotators: n, score, std_error, interval };
        intake.score(cell, &record.place);
    }
    if !any && intake.n_problems() == before {
        intake.refuse(place, SurveyFault::NoData { what: "score" });
    }
}
