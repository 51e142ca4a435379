//! Everything that differs between two runs: by language, by stereotype, by both, over all, under other rules, by form.

use rayon::prelude::*;
use stereometer_core::{Form, Language, Rule, StereotypeId};
use stereometer_record::{Difference, Statistic, Test};
use stereometer_score::info;
use stereometer_stats::{Estimator, Profile, Series, permutation_p};

use super::Context;
use super::pair::{Overlap, RunRates, Shared, shared};
use crate::overall::mean;

/// Both runs' statistics in one language.
struct InLanguage {
    shared: Shared,
    estimators: [Estimator; 2],
    /// Empty where no test is asked for.
    exchanged: Vec<[Profile; 2]>,
}

/// A statistic of both runs, its difference, and the difference in every permutation.
struct Found {
    values: [f64; 2],
    series: Series,
    permuted: Vec<Option<f64>>,
    items: usize,
}

/// What a row is about.
#[derive(Clone, Copy)]
struct Target {
    statistic: Statistic,
    stereotype: Option<StereotypeId>,
}

/// All differences of a pair, which is the `place`-th.
pub(super) fn differences(
    runs: [&RunRates<'_>; 2],
    place: usize,
    context: &Context<'_>,
) -> (Overlap, Vec<Difference>) {
    let own = context.settings.rule;
    let (languages, overlap) = shared(runs, context.index, own, None);
    let languages = statistics(languages, context, true);
    let row = |target: Target, rule: Rule, form: Option<Form>, language: Option<&Language>, found: &Found| {
        let p = permutation_p(found.series.value(), &found.permuted);
        Difference {
            pair: place,
            statistic: target.statistic,
            rule,
            form,
            language: language.cloned(),
            stereotype: target.stereotype,
            first: found.values[0],
            second: found.values[1],
            items: found.items,
            difference: found.series.estimate(),
            test: p.map(|p| Test { p, holm: p, bh: p }),
        }
    };
    let (mut overall, mut within) = (Vec::new(), Vec::new());
    for target in targets() {
        let found: Vec<Option<Found>> = languages.par_iter().map(|one| in_language(one, target)).collect();
        overall.extend(over_languages(&found).map(|found| row(target, own, None, None, &found)));
        within.extend(languages.iter().zip(&found).filter_map(|(one, found)| {
            Some(row(target, own, None, Some(&one.shared.language), found.as_ref()?))
        }));
    }
    // What changes with the rule, and with the form of the items.
    let g_s = Target { statistic: Statistic::GS, stereotype: None };
    let rules = info(context.method).rules.iter().filter(|&&rule| rule != own).map(|&rule| (rule, None));
    let forms = [Form::Gendered, Form::Pronoun, Form::Noun].map(|form| (own, Some(form)));
    for (rule, form) in rules.chain(forms) {
        let (languages, _) = shared(runs, context.index, rule, form);
        let languages = statistics(languages, context, false);
        let found: Vec<Option<Found>> = languages.iter().map(|one| in_language(one, g_s)).collect();
        overall.extend(over_languages(&found).map(|found| row(g_s, rule, form, None, &found)));
    }
    overall.extend(within);
    (overlap, overall)
}

fn targets() -> Vec<Target> {
    let plain = [Statistic::GS, Statistic::DefaultMasculineRate];
    let of_stereotypes = [Statistic::Inclination, Statistic::Q];
    let plain = plain.map(|statistic| Target { statistic, stereotype: None });
    let of_stereotypes = of_stereotypes
        .into_iter()
        .flat_map(|statistic| StereotypeId::all().map(move |id| Target { statistic, stereotype: Some(id) }));
    plain.into_iter().chain(of_stereotypes).collect()
}

fn statistics(languages: Vec<Shared>, context: &Context<'_>, is_tested: bool) -> Vec<InLanguage> {
    let average = context.settings.average;
    languages
        .into_par_iter()
        .map(|shared| {
            let [a, b] = &shared.rates;
            let exchanged = if is_tested { context.exchange.profiles([a, b], average) } else { Vec::new() };
            let estimators = [a, b].map(|rates| Estimator::new(rates, context.resampling, average));
            InLanguage { shared, estimators, exchanged }
        })
        .collect()
}

fn in_language(one: &InLanguage, target: Target) -> Option<Found> {
    let [a, b] = one.estimators.each_ref().map(Estimator::profile);
    let values = [value(a, target)?, value(b, target)?];
    let rates = &one.shared.rates[0];
    let (sources, items) = match (target.stereotype, target.statistic) {
        (Some(id), _) => (rates.sources(id), rates.items(id)),
        (None, Statistic::DefaultMasculineRate) => (rates.sources_of(0..14), rates.items_of(0..14)),
        (None, _) => (rates.sources_of(0..16), rates.items_of(0..16)),
    };
    let [first, second] = one
        .estimators
        .each_ref()
        .map(|estimator| estimator.series(sources, |profile| value(profile, target)));
    let series = Series::combine(sources, &[&first?, &second?], |values| values[1] - values[0])?;
    let permuted = one.exchanged.iter().map(|[a, b]| Some(value(b, target)? - value(a, target)?)).collect();
    Some(Found { values, series, permuted, items })
}

fn over_languages(found: &[Option<Found>]) -> Option<Found> {
    let found: Vec<&Found> = found.iter().flatten().collect();
    let n = found.len() as f64;
    let of_run = |run: usize| found.iter().map(|one| one.values[run]).sum::<f64>() / n;
    let series = mean(&found.iter().map(|one| &one.series).collect::<Vec<_>>())?;
    let permutations = found.iter().map(|one| one.permuted.len()).min()?;
    let permuted = (0..permutations)
        .map(|place| found.iter().map(|one| one.permuted[place]).sum::<Option<f64>>().map(|sum| sum / n))
        .collect();
    let items = found.iter().map(|one| one.items).sum();
    Some(Found { values: [of_run(0), of_run(1)], series, permuted, items })
}

fn value(profile: &Profile, target: Target) -> Option<f64> {
    match (target.statistic, target.stereotype) {
        (Statistic::GS, _) => profile.g_s,
        (Statistic::DefaultMasculineRate, _) => profile.default_masculine_rate,
        (Statistic::Q, id) => profile.q[id?.index()],
        (Statistic::Inclination, id) => profile.inclination(id?),
    }
}
