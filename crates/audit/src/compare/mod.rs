//! Several runs side by side: what each says, how they differ, and what holds over all of them.
//!
//! Every run keeps the results of its own rows. Differences are taken between two runs at a time, on the items that both
//! have scored, with the same source sentences resampled (or exchanged) in both.

mod adjust;
mod difference;
mod pair;
mod policy;
mod questions;

use stereometer_core::{Language, Lineage, Method, Tuning};
use stereometer_record::{ComparedRun, Comparison, FORMAT_VERSION, ItemRecord, PairKind, RunPair, RunSpec};
use stereometer_score::info;
use stereometer_stats::{Exchange, LEVEL, Resampling, SourceIndex};

use self::pair::RunRates;
pub use policy::CompareError;

use crate::{Settings, analyse};

/// A run that is compared.
#[derive(Debug, Clone)]
pub struct RunInput {
    /// A name that no other run of the comparison has.
    pub label: String,
    /// Family of its language model.
    pub family: Option<String>,
    /// Base or instruction-tuned.
    pub tuning: Option<Tuning>,
    /// What was run.
    pub spec: RunSpec,
    /// Its rows.
    pub items: Vec<ItemRecord>,
    /// Its languages in order, with their English names.
    pub languages: Vec<(Language, String)>,
}

/// What all pairs of runs share.
struct Context<'a> {
    index: &'a SourceIndex,
    resampling: &'a Resampling,
    exchange: &'a Exchange,
    settings: &'a Settings,
    method: Method,
}

/// Compares at least two runs; the first is the reference. Refuses runs that cannot be compared.
pub fn compare(runs: Vec<RunInput>, settings: &Settings) -> Result<Comparison, CompareError> {
    let doubts = policy::check(&runs)?;
    let method = runs[0].spec.identity.method;
    let sources = runs.iter().flat_map(|run| &run.items);
    let index = SourceIndex::new(sources.map(|record| (record.stereotype, record.source.as_str())));
    let context = Context {
        index: &index,
        resampling: &Resampling::new(&index, settings.resamples, settings.seed),
        exchange: &Exchange::new(&index, settings.resamples, settings.seed),
        settings,
        method,
    };
    let rates: Vec<RunRates<'_>> = runs.iter().map(|run| RunRates::new(run, info(method).rules)).collect();
    let mut pairs = Vec::new();
    let mut differences = Vec::new();
    for (first, second, kind) in set_against(&runs) {
        let place = pairs.len();
        let (overlap, found) = difference::differences([&rates[first], &rates[second]], place, &context);
        let ([only_first, only_second], shared) = (overlap.only, overlap.shared);
        pairs.push(RunPair { first, second, kind, shared, only_first, only_second });
        differences.extend(found);
    }
    adjust::adjust(&mut differences);
    let runs: Vec<ComparedRun> = runs.into_iter().map(|run| one(run, settings)).collect();
    Ok(Comparison {
        format_version: FORMAT_VERSION,
        method,
        rule: settings.rule,
        average: settings.average,
        seed: settings.seed,
        resamples: settings.resamples,
        level: LEVEL,
        min_items: settings.min_items,
        pairs,
        differences,
        trends: questions::trends(&runs, settings.seed),
        concordance: runs.iter().map(|run| questions::concordance(&run.results)).collect(),
        rank_agreement: questions::rank_agreement(&runs),
        doubts,
        runs,
    })
}

fn one(run: RunInput, settings: &Settings) -> ComparedRun {
    let results = analyse(&run.items, &run.languages, run.spec.identity.method, settings);
    ComparedRun { label: run.label, family: run.family, tuning: run.tuning, spec: run.spec, results }
}

/// Every other run against the first; and every instruction-tuned model against the base model it belongs to.
fn set_against(runs: &[RunInput]) -> Vec<(usize, usize, PairKind)> {
    let mut pairs: Vec<(usize, usize, PairKind)> =
        (1..runs.len()).map(|second| (0, second, PairKind::Reference)).collect();
    for (second, tuned) in runs.iter().enumerate().filter(|(_, run)| run.tuning == Some(Tuning::Instruct)) {
        let base = runs.iter().position(|base| lineage(base).is_base_of(lineage(tuned)));
        let known = |first: usize| pairs.iter().any(|pair| (pair.0, pair.1) == (first, second));
        if let Some(first) = base.filter(|&first| !known(first)) {
            pairs.push((first, second, PairKind::Tuning));
        }
    }
    pairs
}

fn lineage(run: &RunInput) -> Lineage<'_> {
    let parameters = run.spec.identity.model.parameters;
    Lineage { family: run.family.as_deref(), tuning: run.tuning, parameters }
}
