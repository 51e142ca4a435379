//! One regression of a run's associations in one language.
//!
//! ```text
//! association[g, t] = Σ_L c_L · people[L][g, t] (+ c · monolingual[g, t]) + b + u_t (+ v_g) + ε
//! ```
//!
//! by REML, with random intercepts of the trait's pole and, if asked for, of the group. Every coefficient is the change of
//! the model's association for one unit more of people's score; neutral point 0. Not adjusted here: that takes the family.

use stereometer_core::{Interval, Language};
use stereometer_record::{
    Evidence, FitChoice, FitDoubt, LeakageCoefficient, LeakageFit, RandomEffects, SkippedFit,
};
use stereometer_stats::mixed::{Coefficient, Criterion, Fit, Formula, MixedError, fit};

use super::cells::{Cells, Column, RESPONSE, Variables, table};
use super::why;
use crate::grid::Grid;

/// Reach of an interval by the normal distribution, where no degrees of freedom are known.
const NORMAL: f64 = 1.959_963_984_540_054;

/// Which fit.
#[derive(Debug, Clone, Copy)]
pub struct Job<'a> {
    /// Index of the run.
    pub run: usize,
    /// The language.
    pub target: &'a Language,
    /// The choice.
    pub choice: FitChoice,
}

/// Fits it, or says why not.
pub fn fit_one(job: Job, variables: &Variables, grid: &Grid, alpha: f64) -> Result<LeakageFit, SkippedFit> {
    let fitted = Formula::parse(&formula(variables, job.choice)).and_then(|parsed| {
        let cells = table(variables, grid, job.choice)?;
        Ok((fit(&parsed, &cells.table, Criterion::Reml)?, cells))
    });
    match fitted {
        Ok((fit, cells)) => Ok(summarised(job, variables, &fit, &cells, alpha)),
        Err(error) => Err(skipped(job, variables, &error)),
    }
}

/// A fit that cannot be made.
pub fn skipped_because(job: Job, reason: impl Into<String>, advice: impl Into<String>) -> SkippedFit {
    let (run, target) = (job.run, job.target.clone());
    SkippedFit { run, target, choice: job.choice, reason: reason.into(), advice: advice.into() }
}

fn skipped(job: Job, variables: &Variables, error: &MixedError) -> SkippedFit {
    match error {
        MixedError::NoRecords { records: 0 } => {
            let (reason, advice) = why::no_cells(variables);
            skipped_because(job, reason, advice)
        }
        MixedError::Collinear { column, others } => {
            let (reason, advice) = why::repeated(column, others);
            skipped_because(job, reason, advice)
        }
        other => skipped_because(job, other.to_string(), other.hint()),
    }
}

/// The model in R's notation.
pub fn formula(variables: &Variables, choice: FitChoice) -> String {
    let quoted = |column: &Column| {
        let name = column.name();
        if name.bytes().all(|b| b.is_ascii_alphanumeric()) { name.to_owned() } else { format!("`{name}`") }
    };
    let predictors: Vec<String> = variables.predictors.iter().map(quoted).collect();
    let random = match choice.random {
        RandomEffects::Trait => "(1 | trait)",
        RandomEffects::TraitGroup => "(1 | trait) + (1 | group)",
    };
    format!("{RESPONSE} ~ {} + {random}", predictors.join(" + "))
}

fn summarised(job: Job, variables: &Variables, fit: &Fit, cells: &Cells, alpha: f64) -> LeakageFit {
    // The intercept comes first, then the predictors as the formula names them.
    let named = |column: &Column| fit.fixed.iter().find(|effect| effect.term == column.name());
    let coefficients = variables
        .predictors
        .iter()
        .filter_map(|column| named(column).map(|effect| coefficient(column, effect, alpha)));
    let random = fit
        .random
        .iter()
        .flat_map(|term| term.terms.iter().map(|(_, deviation)| (term.group.clone(), *deviation)));
    let doubts = fit
        .doubts
        .iter()
        .map(|doubt| FitDoubt { what: doubt.to_string(), advice: doubt.advice().to_owned() });
    LeakageFit {
        run: job.run,
        target: job.target.clone(),
        choice: job.choice,
        formula: formula(variables, job.choice),
        n: cells.n,
        left_out: cells.left_out,
        coefficients: coefficients.collect(),
        intercept: fit.fixed.first().map_or(0.0, |effect| effect.estimate),
        random: random.collect(),
        sigma: fit.sigma,
        r2_marginal: fit.r2_marginal,
        r2_conditional: fit.r2_conditional,
        converged: fit.converged,
        singular: fit.singular,
        doubts: doubts.collect(),
    }
}

fn coefficient(column: &Column, effect: &Coefficient, alpha: f64) -> LeakageCoefficient {
    let half = NORMAL * effect.std_error;
    let normal = Interval { low: effect.estimate - half, high: effect.estimate + half };
    let interval = effect.student.map_or(normal, |student| Interval { low: student.low, high: student.high });
    let p = effect.student.map_or(effect.p_z, |student| student.p);
    let evidence = match p < alpha {
        true if effect.estimate > 0.0 => Evidence::Positive,
        true => Evidence::Negative,
        false => Evidence::Open,
    };
    LeakageCoefficient {
        predictor: column.predictor.clone(),
        estimate: effect.estimate,
        std_error: effect.std_error,
        z: effect.z,
        p_z: effect.p_z,
        df: effect.student.map(|student| student.df),
        p_t: effect.student.map(|student| student.p),
        interval,
        holm: p,
        bh: p,
        evidence,
    }
}
