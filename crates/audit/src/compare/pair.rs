//! Two runs on what they share: the rates of the items that both have scored under a rule.

use std::collections::HashMap;

use rayon::prelude::*;
use stereometer_core::{Form, Language, Rule};
use stereometer_record::ItemRecord;
use stereometer_score::MasculineRate;
use stereometer_stats::{Rates, SourceIndex};

use super::RunInput;
use crate::outcomes::rates_of;

/// The shared items of one language, as the rates of both runs.
pub(super) struct Shared {
    pub language: Language,
    pub items: usize,
    pub rates: [Rates; 2],
}

/// How many items both runs have scored, and each alone.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Overlap {
    pub shared: usize,
    pub only: [usize; 2],
}

/// A run's rates under every rule, computed once for all pairs that it is in.
pub(super) struct RunRates<'a> {
    run: &'a RunInput,
    /// Place of an item among the rows.
    places: HashMap<&'a str, usize>,
    /// In the order of the rows.
    by_rule: Vec<(Rule, Vec<Option<MasculineRate>>)>,
}

impl<'a> RunRates<'a> {
    /// Reads every row's answers once.
    pub fn new(run: &'a RunInput, rules: &[Rule]) -> Self {
        let rates: Vec<Vec<Option<MasculineRate>>> =
            run.items.par_iter().map(|record| rates_of(record, rules)).collect();
        let of = |place: usize| rates.iter().map(|rates| rates[place]).collect();
        let by_rule = rules.iter().enumerate().map(|(place, &rule)| (rule, of(place))).collect();
        let places = run.items.iter().enumerate().map(|(place, record)| (record.id.as_str(), place));
        Self { run, places: places.collect(), by_rule }
    }

    /// Rates of the rows that have the form; of all rows without one.
    fn under(&self, rule: Rule, form: Option<Form>) -> impl Iterator<Item = Option<MasculineRate>> {
        let rates = self.by_rule.iter().find(|known| known.0 == rule).map(|known| known.1.iter().copied());
        let wanted = move |record: &ItemRecord| form.is_none_or(|form| record.form == form);
        let rows = self.run.items.iter().zip(rates.into_iter().flatten());
        rows.map(move |(record, rate)| rate.filter(|_| wanted(record)))
    }
}

/// The scored items of two runs under a rule, of one form or of all.
pub(super) fn shared(
    [first, second]: [&RunRates<'_>; 2],
    index: &SourceIndex,
    rule: Rule,
    form: Option<Form>,
) -> (Vec<Shared>, Overlap) {
    let others: Vec<Option<MasculineRate>> = second.under(rule, form).collect();
    let mut overlap = Overlap { shared: 0, only: [0, others.iter().flatten().count()] };
    let mut languages: Vec<Shared> = first
        .run
        .languages
        .iter()
        .map(|(language, _)| Shared { language: language.clone(), items: 0, rates: Default::default() })
        .collect();
    // In the order of the rows, so that sums are the same every time.
    for (record, a) in first.run.items.iter().zip(first.under(rule, form)) {
        let Some(a) = a else { continue };
        overlap.only[0] += 1;
        let there = second.places.get(record.id.as_str()).and_then(|&place| others[place]);
        let (Some(b), Some(place)) = (there, index.place(record.stereotype, &record.source)) else {
            continue;
        };
        let Some(one) = languages.iter_mut().find(|one| one.language == record.language) else { continue };
        for (rates, rate) in one.rates.iter_mut().zip([a, b]) {
            rates.add(record.stereotype, place, rate.value, rate.ln);
        }
        one.items += 1;
        overlap.shared += 1;
    }
    overlap.only = overlap.only.map(|scored| scored - overlap.shared);
    languages.retain(|one| one.items > 0);
    (languages, overlap)
}
