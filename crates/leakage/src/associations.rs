//! How strongly does a model associate a group with a trait, over all templates?
//!
//! ```text
//! association(template, form) = score(group) − score(prior noun, same template and form)
//! association                 = mean over templates of the mean over forms
//! ```
//!
//! 0 = the group changes nothing (with `--prior none`: no neutral point); higher = nearer. Units: nats a token, of SeT
//! ln(1 − norm). The spread is the standard deviation over templates; of fewer than two it is unknown. A trait without a
//! score, or whose prior has none, takes no part and is counted by its reason.

use std::collections::BTreeMap;

use stereometer_core::{Language, Outcome, Slug, Subject};
use stereometer_record::{Association, AssociationRecord, InventorySummary};
use stereometer_score::methods::ilps::IlpsKind;
use stereometer_stats::standard_deviation;

use crate::associate::Prior;
use crate::grid::Grid;
use crate::inputs::{LeakageError, RunInput};
use crate::trait_score::trait_score;

/// A run's associations.
#[derive(Debug)]
pub struct RunAssociations {
    /// Language by language, in the order of the run, cell by cell.
    pub cells: Vec<Association>,
    /// Pole scores asked for, of groups.
    pub asked: usize,
    /// Those without a score, by reason; the most frequent first.
    pub unscored: Vec<(String, usize)>,
}

/// The associations of one run, as its folder keeps them.
pub fn run_associations(
    run: &RunInput,
    inventory: &InventorySummary,
    ilps: IlpsKind,
    prior: Prior,
) -> Result<RunAssociations, LeakageError> {
    associations(0, run, &Grid::new(inventory), (ilps, prior), &inventory.name)
}

type Place<'a> = (&'a Language, &'a Slug, &'a Slug);

/// The associations of the run at place `index`.
pub fn associations(
    index: usize,
    run: &RunInput,
    grid: &Grid,
    (ilps, prior): (IlpsKind, Prior),
    inventory: &str,
) -> Result<RunAssociations, LeakageError> {
    let unknown = |what, id: &Slug| LeakageError::Unknown {
        table: format!("run `{}`", run.label),
        what,
        id: id.clone(),
        inventory: inventory.to_owned(),
    };
    let method = run.spec.association.method;
    let scores = |row: &AssociationRecord| -> Result<Vec<Option<Result<f64, String>>>, LeakageError> {
        let mut scores = vec![None; grid.poles().len()];
        for one in &row.traits {
            let pole = grid.pole(&one.pole).ok_or_else(|| unknown("trait", &one.pole))?;
            scores[pole] = Some(match &one.outcome {
                Outcome::Scored(answer) => {
                    trait_score(method, ilps, answer).map_err(|reason| reason.general())
                }
                Outcome::Unscored(reason) => Err(reason.general()),
            });
        }
        Ok(scores)
    };
    let mut priors: BTreeMap<Place, Vec<Option<Result<f64, String>>>> = BTreeMap::new();
    if prior == Prior::Neutral {
        for row in run.rows.iter().filter(|row| row.subject == Subject::Prior) {
            priors.insert((&row.language, &row.template, &row.form), scores(row)?);
        }
    }
    let languages = &run.spec.association.languages;
    let mut forms: BTreeMap<(&Language, usize), BTreeMap<&Slug, Vec<f64>>> = BTreeMap::new();
    let (mut asked, mut reasons) = (0, BTreeMap::<String, usize>::new());
    for row in &run.rows {
        let Subject::Group(group) = &row.subject else { continue };
        let group = grid.group(group).ok_or_else(|| unknown("group", group))?;
        let own_prior = priors.get(&(&row.language, &row.template, &row.form));
        for (pole, score) in scores(row)?.into_iter().enumerate() {
            let Some(score) = score else { continue };
            asked += 1;
            let compared = match prior {
                Prior::None => Ok(0.0),
                Prior::Neutral => prior_of(own_prior.and_then(|scores| scores[pole].as_ref())),
            };
            match score.and_then(|score| Ok(score - compared?)) {
                Ok(value) => {
                    let by_template = forms.entry((&row.language, grid.cell(group, pole))).or_default();
                    by_template.entry(&row.template).or_default().push(value);
                }
                Err(reason) => *reasons.entry(reason).or_default() += 1,
            }
        }
    }
    let nothing = BTreeMap::new();
    let cells = languages.iter().flat_map(|language| (0..grid.len()).map(move |cell| (language, cell)));
    let cells = cells.map(|(language, cell)| {
        let by_template = forms.get(&(language, cell)).unwrap_or(&nothing);
        let means: Vec<f64> = by_template.values().filter_map(|values| average(values)).collect();
        let (group, pole) = grid.at(cell);
        Association {
            run: index,
            language: language.clone(),
            group: group.clone(),
            pole: pole.clone(),
            score: average(&means),
            spread: standard_deviation(&means),
            templates: means.len(),
        }
    });
    let mut unscored: Vec<(String, usize)> = reasons.into_iter().collect();
    unscored.sort_by_key(|(_, count)| std::cmp::Reverse(*count));
    Ok(RunAssociations { cells: cells.collect(), asked, unscored })
}

fn prior_of(score: Option<&Result<f64, String>>) -> Result<f64, String> {
    match score {
        Some(Ok(score)) => Ok(*score),
        Some(Err(reason)) => Err(format!("of the neutral noun: {reason}")),
        None => Err("the run has no row about the neutral noun in this template and form".to_owned()),
    }
}

fn average(values: &[f64]) -> Option<f64> {
    (!values.is_empty()).then(|| values.iter().sum::<f64>() / values.len() as f64)
}
