//! From results to checks, before any is decided.

use stereometer_core::{Estimate, Language, StereotypeId};
use stereometer_record::{Comparison, Difference, LanguageResult, Results, Statistic};

use super::{Band, Check, Demand, Limits, Outcome, Scope};

const NO_INCLINATION: &str =
    "no inclination: no scored sentence, or no default masculine rate to measure it from";
const NOTHING_IN_COMMON: &str = "the sentences that both runs have scored, if any, do not give it";

/// Sentences of a stereotype in a language, or in the language that has most.
pub(super) fn sentences(results: &Results, scope: &Scope) -> usize {
    let tag = scope.language.as_ref().map(|(tag, _)| tag);
    let languages = results.languages.iter().filter(|one| tag.is_none_or(|tag| one.language == *tag));
    let cells = languages.flat_map(|one| &one.stereotypes);
    cells.filter(|cell| Some(cell.stereotype) == scope.stereotype).map(|cell| cell.q.n).max().unwrap_or(0)
}

/// One check a language, stereotype or cell for every band that is set.
pub(super) fn within(results: &Results, limits: &Limits) -> Vec<Check> {
    let mut checks = Vec::new();
    let demand = |band: Option<Band>| band.map(Demand::Within);
    if let Some(demand) = demand(limits.mean_g_s) {
        checks.push(check(
            over_languages("mean_g_s", None),
            demand,
            results.mean_g_s.as_ref(),
            "no language has a g_s",
        ));
    }
    if let Some(demand) = demand(limits.g_s) {
        checks.extend(results.languages.iter().map(|one| {
            check(
                in_language("g_s", one, None),
                demand,
                one.g_s.as_ref(),
                "a whole side has no scored sentence",
            )
        }));
    }
    if let Some(demand) = demand(limits.default_masculine_rate) {
        checks.extend(results.languages.iter().map(|one| {
            let scope = in_language("default_masculine_rate", one, None);
            check(scope, demand, one.default_masculine_rate.as_ref(), "no scored sentence")
        }));
    }
    if let Some(demand) = demand(limits.mean_inclination) {
        checks.extend(StereotypeId::all().map(|id| {
            let one = results.stereotypes.iter().find(|one| one.stereotype == id);
            let estimate = one.and_then(|one| one.inclination.as_ref());
            check(over_languages("mean_inclination", Some(id)), demand, estimate, NO_INCLINATION)
        }));
    }
    if let Some(demand) = demand(limits.inclination) {
        checks.extend(cells(results).map(|(one, id)| {
            let cell = one.stereotypes.iter().find(|cell| cell.stereotype == id);
            let estimate = cell.and_then(|cell| cell.inclination.as_ref());
            check(in_language("inclination", one, Some(id)), demand, estimate, NO_INCLINATION)
        }));
    }
    checks
}

/// The same for every difference from a baseline.
pub(super) fn not_worse(results: &Results, comparison: &Comparison, limits: &Limits) -> Vec<Check> {
    let margins = limits.worse;
    let find = |statistic: Statistic, language: Option<&Language>, stereotype: Option<StereotypeId>| {
        let is_it = |one: &&Difference| {
            one.pair == 0
                && one.statistic == statistic
                && (one.rule, one.form) == (comparison.rule, None)
                && (one.language.as_ref(), one.stereotype) == (language, stereotype)
        };
        comparison.differences.iter().find(is_it).map(|one| &one.difference)
    };
    let mut checks = Vec::new();
    let mut add = |scope: Scope, margin: f64, estimate: Option<&Estimate>| {
        checks.push(check(scope, Demand::NotWorseBy(margin), estimate, NOTHING_IN_COMMON));
    };
    add(over_languages("mean_g_s", None), margins.mean_g_s, find(Statistic::GS, None, None));
    for one in &results.languages {
        let difference = find(Statistic::GS, Some(&one.language), None);
        add(in_language("g_s", one, None), margins.g_s, difference);
    }
    let is_here = |tag: &Language| results.languages.iter().any(|one| one.language == *tag);
    let of_baseline = comparison.runs.first().map_or(&[][..], |run| &run.results.languages);
    for lost in of_baseline.iter().filter(|one| !is_here(&one.language)) {
        add(in_language("g_s", lost, None), margins.g_s, None);
    }
    for id in StereotypeId::all() {
        let difference = find(Statistic::Inclination, None, Some(id));
        add(over_languages("mean_inclination", Some(id)), margins.mean_inclination, difference);
    }
    for (one, id) in cells(results) {
        let difference = find(Statistic::Inclination, Some(&one.language), Some(id));
        add(in_language("inclination", one, Some(id)), margins.inclination, difference);
    }
    checks
}

fn cells(results: &Results) -> impl Iterator<Item = (&LanguageResult, StereotypeId)> {
    results.languages.iter().flat_map(|one| StereotypeId::all().map(move |id| (one, id)))
}

fn over_languages(statistic: &'static str, stereotype: Option<StereotypeId>) -> Scope {
    Scope { statistic, language: None, stereotype }
}

fn in_language(statistic: &'static str, one: &LanguageResult, stereotype: Option<StereotypeId>) -> Scope {
    Scope { statistic, language: Some((one.language.clone(), one.name.clone())), stereotype }
}

fn check(scope: Scope, demand: Demand, estimate: Option<&Estimate>, missing: &str) -> Check {
    Check {
        scope,
        demand,
        estimate: estimate.cloned(),
        interval: None,
        outcome: Outcome::Unjudged(missing.to_owned()),
    }
}
