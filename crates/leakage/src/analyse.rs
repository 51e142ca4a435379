//! Association runs and a survey → whose stereotypes leak into which language.
//!
//! A pure function: the same inputs and settings give the same results, to the bit, on any number of threads.

use std::collections::HashMap;

use stereometer_core::{HumanScores, Language, Slug, Warning};
use stereometer_record::{
    AssociationIdentity, AssociationRun, FORMAT_VERSION, Judge, LeakageResults, LeakageSettings,
};
use stereometer_score::methods::ilps::IlpsKind;
use stereometer_stats::LEVEL;

use crate::associations::{RunAssociations, associations};
use crate::contrasts::Contrasts;
use crate::grid::Grid;
use crate::inputs::{Inputs, LeakageError, RunInput, Settings};
use crate::positions::positions;
use crate::qualitative::{Annotators, Judged, qualitative};
use crate::regression::{Material, regress};

/// Analyses everything.
pub fn analyse(inputs: &Inputs, settings: &Settings) -> Result<LeakageResults, LeakageError> {
    let (runs, inventory) = (&inputs.runs, &inputs.inventory);
    check_runs(runs)?;
    let grid = Grid::new(inventory);
    let people = people(&inputs.humans, &grid, &inventory.name)?;
    let choice = (settings.ilps, settings.prior);
    let measured = runs.iter().enumerate();
    let measured: Vec<RunAssociations> = measured
        .map(|(index, run)| associations(index, run, &grid, choice, &inventory.name))
        .collect::<Result<_, _>>()?;
    let by_language: Vec<Vec<Vec<Option<f64>>>> = measured
        .iter()
        .map(|run| {
            let languages = run.cells.chunks(grid.len());
            languages.map(|cells| cells.iter().map(|cell| cell.score).collect()).collect()
        })
        .collect();
    let regressions = regress(&Material {
        grid: &grid,
        runs,
        associations: &by_language,
        people: &people,
        humans: &inputs.humans,
        alpha: settings.alpha,
        prior: settings.prior,
        unscored: measured.iter().map(|run| run.unscored.as_slice()).collect(),
    });
    let contrasts = |scores: &Vec<Vec<Option<f64>>>| -> Vec<Contrasts> {
        scores.iter().map(|scores| Contrasts::new(scores, &grid)).collect()
    };
    let asked: Vec<&Language> = inputs.humans.languages.iter().map(|one| &one.language).collect();
    let people_contrasts = contrasts(&people);
    let judged_people = judged(asked.iter().copied(), &people, &people_contrasts);
    let mut found_positions = Vec::new();
    let mut leaks = Vec::new();
    let annotators = Annotators::new(&inputs.humans);
    for one in &judged_people {
        found_positions.extend(positions(&Judge::People, one.language, one.contrasts, &grid, inventory));
    }
    for (index, (run, scores)) in runs.iter().zip(&by_language).enumerate() {
        let own_contrasts = contrasts(scores);
        for one in judged(run.spec.association.languages.iter(), scores, &own_contrasts) {
            found_positions.extend(positions(
                &Judge::Run(index),
                one.language,
                one.contrasts,
                &grid,
                inventory,
            ));
            if !run.is_monolingual {
                leaks.extend(qualitative(index, one, (&judged_people, &annotators), &grid, inventory));
            }
        }
    }
    let mut warnings: Vec<Warning> = runs.iter().filter_map(unfinished).collect();
    warnings.extend(regressions.warnings);
    let summaries = runs.iter().zip(&measured).map(|(run, measured)| summary(run, measured)).collect();
    Ok(LeakageResults {
        format_version: FORMAT_VERSION,
        tool_version: env!("CARGO_PKG_VERSION").to_owned(),
        settings: recorded(settings),
        inventory: inventory.clone(),
        runs: summaries,
        humans: inputs.humans.clone(),
        associations: measured.into_iter().flat_map(|run| run.cells).collect(),
        fits: regressions.fits,
        skipped: regressions.skipped,
        qualitative: leaks,
        positions: found_positions,
        category_correlations: inputs.category_correlations.clone(),
        warnings,
    })
}

fn check_runs(runs: &[RunInput]) -> Result<(), LeakageError> {
    if runs.iter().all(|run| run.is_monolingual) {
        return Err(LeakageError::NoRuns { monolingual: runs.len() });
    }
    for (place, run) in runs.iter().enumerate() {
        let same = |other: &&RunInput| is_same(&run.spec.association, &other.spec.association);
        let label = |run: &RunInput| run.label.clone();
        match runs[..place].iter().find(same) {
            Some(other) if other.is_monolingual == run.is_monolingual => {
                return Err(LeakageError::SameRun { first: label(other), second: label(run) });
            }
            _ => {}
        }
        if run.is_monolingual {
            let weights = |run: &RunInput| run.spec.association.model.weights_sha256.clone();
            let explained = runs.iter().filter(|other| !other.is_monolingual);
            if let Some(other) = explained.into_iter().find(|other| weights(other) == weights(run)) {
                return Err(LeakageError::OwnMonolingual { run: label(other), monolingual: label(run) });
            }
            let languages = &run.spec.association.languages;
            if languages.len() != 1 {
                return Err(LeakageError::Multilingual { run: label(run), languages: languages.clone() });
            }
        }
        if runs[..place].iter().any(|other| other.label == run.label) {
            return Err(LeakageError::SameLabel { label: run.label.clone() });
        }
    }
    Ok(())
}

/// Whether two runs ask the same model the same questions: their numbers are the same.
fn is_same(one: &AssociationIdentity, other: &AssociationIdentity) -> bool {
    let key = |run: &AssociationIdentity| {
        let model = &run.model;
        let model =
            (model.weights_sha256.clone(), model.tokenizer_sha256.clone(), model.compute_dtype.clone());
        (model, run.method, run.items_sha256.clone())
    };
    key(one) == key(other)
}

/// People's scores, language by language, one a cell; what the survey does not have is missing.
fn people(humans: &HumanScores, grid: &Grid, inventory: &str) -> Result<Vec<Vec<Option<f64>>>, LeakageError> {
    let unknown = |what, id: &Slug| LeakageError::Unknown {
        table: "human scores".to_owned(),
        what,
        id: id.clone(),
        inventory: inventory.to_owned(),
    };
    let places: HashMap<&Language, usize> =
        humans.languages.iter().map(|one| &one.language).zip(0..).collect();
    let mut scores = vec![vec![None; grid.len()]; places.len()];
    let mut is_there = vec![vec![false; grid.len()]; places.len()];
    for cell in &humans.cells {
        let group = grid.group(&cell.group).ok_or_else(|| unknown("group", &cell.group))?;
        let pole = grid.pole(&cell.pole).ok_or_else(|| unknown("trait", &cell.pole))?;
        let unlisted = || LeakageError::UnlistedLanguage { language: cell.language.clone() };
        let language = *places.get(&cell.language).ok_or_else(unlisted)?;
        let place = grid.cell(group, pole);
        if std::mem::replace(&mut is_there[language][place], true) {
            let (language, group, pole) = (cell.language.clone(), cell.group.clone(), cell.pole.clone());
            return Err(LeakageError::RepeatedCell { language, group, pole });
        }
        scores[language][place] = cell.score;
    }
    Ok(scores)
}

fn judged<'a>(
    languages: impl Iterator<Item = &'a Language>,
    scores: &'a [Vec<Option<f64>>],
    contrasts: &'a [Contrasts],
) -> Vec<Judged<'a>> {
    let all = languages.zip(scores).zip(contrasts);
    all.map(|((language, scores), contrasts)| Judged { language, scores, contrasts }).collect()
}

fn summary(run: &RunInput, measured: &RunAssociations) -> AssociationRun {
    let identity = &run.spec.association;
    AssociationRun {
        label: run.label.clone(),
        model: identity.model.clone(),
        method: identity.method,
        languages: identity.languages.clone(),
        is_monolingual: run.is_monolingual,
        asked: measured.asked,
        unscored: measured.unscored.clone(),
    }
}

fn unfinished(run: &RunInput) -> Option<Warning> {
    let (rows, items) = (run.rows.len(), run.spec.n_items);
    (rows < items).then(|| Warning::Unfinished { run: run.label.clone(), rows, items })
}

fn recorded(settings: &Settings) -> LeakageSettings {
    LeakageSettings {
        choice: settings.choice,
        ilps: match settings.ilps {
            IlpsKind::ReleasedCode => "released-code",
            IlpsKind::TraitOnly => "trait-only",
        }
        .to_owned(),
        prior: settings.prior.name().to_owned(),
        level: LEVEL,
        alpha: settings.alpha,
        seed: settings.seed,
    }
}
