//! The study's ratings: `{"Annotator1": {"women": {"powerless - powerful": -25.0, …}, …}, …}`.

use std::sync::Arc;

use stereometer_core::Language;

use super::Rating;
use super::fault::{SurveyFault, elsewhere};
use super::intake::Intake;
use super::people::name_of;
use super::tree::Tree;
use crate::Place;
use crate::fault::excerpt;
use crate::read::InputFile;

/// What stands between the two poles of a pair.
const BETWEEN: &str = " - ";

pub(super) fn read(file: &InputFile, language: Option<Language>, intake: &mut Intake<'_>) {
    let place = file.place();
    let Some(language) = language else { return intake.refuse(place, SurveyFault::NoLanguage) };
    let tree = match serde_json::from_slice::<Tree>(file.text(intake)) {
        Ok(tree) => tree,
        Err(error) => return intake.refuse(place, SurveyFault::Json { detail: error.to_string() }),
    };
    let before = intake.n_problems();
    let Some(annotators) = entries(tree, "an object of annotators", &place, intake) else { return };
    let mut any = false;
    for (name, groups) in annotators {
        let place = place.column(&excerpt(&name));
        let Some(name) = name_of(&name, &place, intake) else { continue };
        let shown = excerpt(&name);
        let is_new = intake.annotator(&language, &name, &place);
        let Some(groups) = entries(groups, "an object of groups", &place, intake) else { continue };
        let annotator: Arc<str> = Arc::from(name.as_str());
        let mut seen: Vec<(stereometer_core::Slug, Place)> = Vec::new();
        for (group, pairs) in groups {
            let path = format!("{shown} / {}", excerpt(&group));
            let place = place.column(&path);
            let Some(id) = intake.group(&group, &place) else { continue };
            if let Some((_, first)) = seen.iter().find(|(known, _)| *known == id) {
                let (annotator, first) = (shown.clone(), elsewhere(first, &place));
                intake.refuse(place, SurveyFault::BlockTwice { annotator, group: id.to_string(), first });
                continue;
            }
            seen.push((id.clone(), place.clone()));
            let Some(pairs) = entries(pairs, "an object of trait pairs", &place, intake) else { continue };
            for (pair, value) in pairs {
                let place = place.column(&format!("{path} / {}", excerpt(&pair)));
                let value = match value {
                    Tree::Number(value) => value,
                    Tree::Null => {
                        intake.remark("`null`: not rated".to_owned(), &place);
                        continue;
                    }
                    Tree::Text(text) => {
                        intake.refuse(place, SurveyFault::NotANumber { text: excerpt(&text) });
                        continue;
                    }
                    other => {
                        let (found, expected) = (other.kind(), "a number");
                        intake.refuse(place, SurveyFault::Shape { found, expected });
                        continue;
                    }
                };
                let Some((left, right)) = pair.split_once(BETWEEN) else {
                    intake.refuse(place, SurveyFault::NotAPair { text: excerpt(&pair) });
                    continue;
                };
                let pair = intake.pair(left, right, &place);
                let value = intake.number(value, -super::SCALE, "−50 to 50", &place);
                let (Some((pair, sign)), Some(value)) = (pair, value) else { continue };
                any = true;
                if is_new {
                    let rating = Rating {
                        language: language.clone(),
                        annotator: Arc::clone(&annotator),
                        group: id.clone(),
                        pair,
                        value: sign * value,
                        order: None,
                        attention_passed: None,
                    };
                    intake.rating(rating, &place);
                }
            }
        }
    }
    if !any && intake.n_problems() == before {
        intake.refuse(place, SurveyFault::NoData { what: "rating" });
    }
}

fn entries(
    tree: Tree,
    expected: &'static str,
    place: &Place,
    intake: &mut Intake<'_>,
) -> Option<Vec<(String, Tree)>> {
    if let Tree::Object(entries) = tree {
        return Some(entries);
    }
    intake.refuse(place.clone(), SurveyFault::Shape { found: tree.kind(), expected });
    None
}
