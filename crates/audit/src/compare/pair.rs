//! Two runs on what they share: the rates of the items that both have scored under a rule.

use std::collections::HashMap;

use stereometer_core::{Form, Language, Rule};
use stereometer_record::ItemRecord;
use stereometer_score::MasculineRate;
use stereometer_stats::{Rates, SourceIndex};

use super::RunInput;
use crate::outcomes::rate_of;

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

/// The scored items of two runs under a rule, of one form or of all.
pub(super) fn shared(
    runs: [&RunInput; 2],
    index: &SourceIndex,
    rule: Rule,
    form: Option<Form>,
) -> (Vec<Shared>, Overlap) {
    let [first, second] = runs.map(|run| scored(&run.items, rule, form));
    let mut overlap = Overlap { shared: 0, only: [first.len(), second.len()] };
    let mut languages: Vec<Shared> = runs[0]
        .languages
        .iter()
        .map(|(language, _)| Shared { language: language.clone(), items: 0, rates: Default::default() })
        .collect();
    // In the order of the rows, so that sums are the same every time.
    for record in &runs[0].items {
        let id = record.id.as_str();
        let (Some(a), Some(b)) = (first.get(id), second.get(id)) else { continue };
        let Some(place) = index.place(record.stereotype, &record.source) else { continue };
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

fn scored(items: &[ItemRecord], rule: Rule, form: Option<Form>) -> HashMap<&str, MasculineRate> {
    let wanted = items.iter().filter(|record| form.is_none_or(|form| record.form == form));
    wanted.filter_map(|record| Some((record.id.as_str(), rate_of(record, rule)?))).collect()
}
