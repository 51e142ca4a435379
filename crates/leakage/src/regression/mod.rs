//! Whose stereotypes does a model have in which language (methods, section 9)?
//!
//! Every run × target language under every choice of missing cells, random intercepts and units, so that a reader sees how
//! much hangs on the choice. A target whose own people were not asked is not fitted: what they share with others would be
//! credited to the others, and look like a leak.
//!
//! A monolingual run is a predictor of the runs with its method, in its language.

mod cells;
mod families;
mod one;
mod why;

pub use cells::raw_factor;
use cells::{Column, Variables, people};
use one::{Job, fit_one, skipped_because};
use rayon::prelude::*;
use stereometer_core::{AssociationMethod, HumanScores, Language, Warning};
use stereometer_record::{
    FitChoice, FitScale, LeakageFit, MissingCells, Predictor, RandomEffects, SkippedFit,
};

use crate::associate::Prior;
use crate::grid::Grid;
use crate::inputs::RunInput;

/// All choices, in the order of the results.
pub const CHOICES: [FitChoice; 8] = {
    use FitScale::{Raw, Standardised};
    use MissingCells::{Drop, Zero};
    use RandomEffects::{Trait, TraitGroup};
    const fn of(missing: MissingCells, random: RandomEffects, scale: FitScale) -> FitChoice {
        FitChoice { missing, random, scale }
    }
    [
        of(Drop, TraitGroup, Standardised),
        of(Drop, TraitGroup, Raw),
        of(Drop, Trait, Standardised),
        of(Drop, Trait, Raw),
        of(Zero, TraitGroup, Standardised),
        of(Zero, TraitGroup, Raw),
        of(Zero, Trait, Standardised),
        of(Zero, Trait, Raw),
    ]
};

/// What the regressions are made from.
#[derive(Debug)]
pub struct Material<'a> {
    /// The cells.
    pub grid: &'a Grid,
    /// The runs.
    pub runs: &'a [RunInput],
    /// Scores of every run, language by language in the order of the run, one a cell.
    pub associations: &'a [Vec<Vec<Option<f64>>>],
    /// People's scores, language by language in the order of the survey, one a cell.
    pub people: &'a [Vec<Option<f64>>],
    /// The survey.
    pub humans: &'a HumanScores,
    /// Level of evidence.
    pub alpha: f64,
    /// What associations are compared with.
    pub prior: Prior,
    /// Of every run, why traits have no score; the most frequent reason first.
    pub unscored: Vec<&'a [(String, usize)]>,
}

/// What came of them.
#[derive(Debug, Default)]
pub struct Regressions {
    /// Run by run, target by target, choice by choice.
    pub fits: Vec<LeakageFit>,
    /// In the same order.
    pub skipped: Vec<SkippedFit>,
    /// What the reader should know.
    pub warnings: Vec<Warning>,
}

/// Fits everything.
pub fn regress(material: &Material) -> Regressions {
    let mut warnings = Vec::new();
    let mut predictors = Vec::new();
    for (asked, values) in material.humans.languages.iter().zip(material.people) {
        if values.iter().any(Option::is_some) {
            predictors.push(people(&asked.language, values.clone()));
        } else {
            warnings.push(Warning::NoPeople { language: asked.language.clone() });
        }
    }
    let mut is_used = vec![false; material.runs.len()];
    let mut jobs = Vec::new();
    for (run, input) in material.runs.iter().enumerate().filter(|(_, run)| !run.is_monolingual) {
        let identity = &input.spec.association;
        for (place, target) in identity.languages.iter().enumerate() {
            let monolingual = material.monolingual(identity.method, target);
            if let Some(Column { predictor: Predictor::Monolingual(run), .. }) = &monolingual {
                is_used[*run] = true;
            }
            let variables = Variables {
                response: material.associations[run][place].clone(),
                factor: raw_factor(identity.method),
                predictors: predictors.iter().cloned().chain(monolingual).collect(),
            };
            jobs.push((run, target, variables));
        }
    }
    warnings.extend(material.unused(&is_used));
    let all: Vec<(Job, &Variables)> = jobs
        .iter()
        .flat_map(|(run, target, variables)| {
            CHOICES.map(|choice| (Job { run: *run, target, choice }, variables))
        })
        .collect();
    let done: Vec<Result<LeakageFit, SkippedFit>> = all
        .into_par_iter()
        .map(|(job, variables)| {
            if predictors.is_empty() {
                let reason = "nobody rated anything in any language".to_owned();
                return Err(skipped_because(
                    job,
                    reason,
                    "look at the files of `--humans`: `humans check` says what is in them",
                ));
            }
            if variables.response.iter().all(Option::is_none) {
                let (input, unscored) = (&material.runs[job.run], material.unscored[job.run]);
                let (reason, advice) = why::no_associations(input, job.target, material.prior, unscored);
                return Err(skipped_because(job, reason, advice));
            }
            if variables.predictors.iter().any(|column| column.is_of(job.target)) {
                return fit_one(job, variables, material.grid, material.alpha);
            }
            let reason = format!("nobody was asked in {}: what its people think is unknown", job.target);
            Err(skipped_because(job, reason, "add human scores of this language with `--humans`"))
        })
        .collect();
    let (fits, skipped): (Vec<_>, Vec<_>) = done.into_iter().partition(Result::is_ok);
    let mut fits: Vec<LeakageFit> = fits.into_iter().filter_map(Result::ok).collect();
    families::adjust(&mut fits);
    Regressions { fits, skipped: skipped.into_iter().filter_map(Result::err).collect(), warnings }
}

impl Column {
    fn is_of(&self, target: &Language) -> bool {
        matches!(&self.predictor, Predictor::People(language) if language == target)
    }
}

impl Material<'_> {
    /// The first monolingual run of this method with associations in this language.
    fn monolingual(&self, method: AssociationMethod, target: &Language) -> Option<Column> {
        self.runs.iter().enumerate().filter(|(_, run)| run.is_monolingual).find_map(|(index, run)| {
            let identity = &run.spec.association;
            let place = identity.languages.iter().position(|language| language == target)?;
            let values = &self.associations[index][place];
            (identity.method == method && values.iter().any(Option::is_some)).then(|| Column {
                predictor: Predictor::Monolingual(index),
                values: values.clone(),
                factor: raw_factor(method),
            })
        })
    }

    fn unused(&self, is_used: &[bool]) -> Vec<Warning> {
        let unused = self.runs.iter().zip(is_used).filter(|(run, is_used)| run.is_monolingual && !**is_used);
        unused
            .map(|(run, _)| {
                let identity = &run.spec.association;
                let is_alike = |other: &&RunInput| {
                    let theirs = &other.spec.association;
                    !other.is_monolingual
                        && theirs.method == identity.method
                        && identity.languages.iter().any(|language| theirs.languages.contains(language))
                };
                let detail = match self.runs.iter().find(is_alike) {
                    Some(_) => "another one of its language and method comes before it".to_owned(),
                    None => format!(
                        "no run was measured by `{}` in {}",
                        identity.method,
                        identity.languages.iter().map(Language::as_str).collect::<Vec<_>>().join(", ")
                    ),
                };
                Warning::UnusedMonolingual { run: run.label.clone(), detail }
            })
            .collect()
    }
}
