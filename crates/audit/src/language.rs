//! The results of one language.

use std::collections::BTreeSet;

use stereometer_core::{Estimate, Form, Language, Method, Outcome, Rule, StereotypeId, Warning};
use stereometer_record::{
    ItemRecord, LanguageFit, LanguageResult, RuleRow, SourceCounts, StereotypeResult, TemplateRow, Test,
    TokenCountCheck, UnscoredRow,
};
use stereometer_score::{PairLogProbs, info};
use stereometer_stats::{
    Estimator, Rates, Resampling, Series, SourceIndex, p_value, pearson, rank_intervals,
};

use crate::Settings;
use crate::outcomes::{count_unscored, pair, rate, rates_of};

/// What every language's analysis shares.
pub(crate) struct Context<'a> {
    pub resampling: &'a Resampling,
    pub index: &'a SourceIndex,
    pub method: Method,
    pub settings: &'a Settings,
}

/// One language's results, and what the aggregates over languages need.
pub(crate) struct Analysed {
    pub result: LanguageResult,
    pub g_s: Option<Series>,
    /// By place of the stereotype.
    pub inclinations: Vec<Option<Series>>,
    pub unscored: Vec<UnscoredRow>,
    pub warnings: Vec<Warning>,
}

/// A record with its answers in the form that the rules read.
struct Answered<'a> {
    record: &'a ItemRecord,
    pair: PairLogProbs,
}

pub(crate) fn analyse_language(
    records: &[&ItemRecord],
    language: &Language,
    name: &str,
    context: &Context<'_>,
) -> Analysed {
    let settings = context.settings;
    let mut unscored = Vec::new();
    let mut answered = Vec::new();
    for record in records {
        match &record.outcome {
            Outcome::Scored(variants) => {
                let pair = pair(variants);
                match rate(settings.rule, record, &pair) {
                    Ok(_) => answered.push(Answered { record, pair }),
                    Err(reason) => count_unscored(&mut unscored, record, &reason),
                }
            }
            Outcome::Unscored(reason) => count_unscored(&mut unscored, record, reason),
        }
    }
    let rates = gather(&answered, settings.rule, context.index, |_| true);
    let estimator = Estimator::new(&rates, context.resampling, settings.average);
    let count = |form: Form| answered.iter().filter(|one| one.record.form == form).count();
    let g_s = estimator.series(rates.sources_of(0..16), |p| p.g_s);
    let inclinations: Vec<Option<Series>> =
        StereotypeId::all().map(|id| estimator.series(rates.sources(id), |p| p.inclination(id))).collect();
    let g_s_estimate = g_s.as_ref().map(Series::estimate);
    let result = LanguageResult {
        language: language.clone(),
        name: name.to_owned(),
        n_items: answered.len(),
        n_gendered: count(Form::Gendered),
        n_pronoun: count(Form::Pronoun),
        n_noun: count(Form::Noun),
        n_sources: rates.sources_of(0..16),
        default_masculine_rate: estimator.estimate(rates.sources_of(0..14), |p| p.default_masculine_rate),
        q_feminine: estimator.estimate(rates.sources_of(0..7), |p| p.q_feminine),
        q_masculine: estimator.estimate(rates.sources_of(7..16), |p| p.q_masculine),
        g_s_test: test(g_s_estimate.as_ref(), 1.0),
        g_s: g_s_estimate,
        g_s_arithmetic: estimator.estimate(rates.sources_of(0..16), |p| p.g_s_arithmetic),
        sources: source_counts(records, &answered, context.index.len()),
        stereotypes: stereotypes(&rates, &estimator, &inclinations, settings.min_items),
        by_rule: by_rule(records, context),
        by_form: by_form(&answered, context),
        token_counts: token_counts(&answered, context),
        fit: fit(&answered, context.method),
    };
    let mut warnings: Vec<Warning> = unscored
        .iter()
        .map(|row| Warning::Unscored {
            language: language.clone(),
            count: row.count,
            reason: row.words.clone(),
        })
        .collect();
    warnings.extend(gaps(&rates, language, settings.min_items));
    Analysed { result, g_s, inclinations, unscored, warnings }
}

/// Sources by the best that became of them here; `all` is their number in the whole run.
fn source_counts(records: &[&ItemRecord], answered: &[Answered<'_>], all: usize) -> SourceCounts {
    let key = |record: &ItemRecord| (record.stereotype, record.source.clone());
    let scored = |forms: &[Form]| -> BTreeSet<_> {
        let of_form = answered.iter().filter(|one| forms.contains(&one.record.form));
        of_form.map(|one| key(one.record)).collect()
    };
    let here: BTreeSet<_> = records.iter().map(|record| key(record)).collect();
    let gendered = scored(&[Form::Gendered]);
    let neutral = scored(&[Form::Pronoun, Form::Noun]).difference(&gendered).count();
    SourceCounts {
        gendered: gendered.len(),
        neutral,
        unscored: here.len() - gendered.len() - neutral,
        absent: all - here.len(),
    }
}

fn gather(
    answered: &[Answered<'_>],
    rule: Rule,
    index: &SourceIndex,
    keep: impl Fn(&Answered<'_>) -> bool,
) -> Rates {
    let mut rates = Rates::default();
    for one in answered.iter().filter(|one| keep(one)) {
        let (record, pair) = (one.record, &one.pair);
        if let (Ok(rate), Some(place)) =
            (rate(rule, record, pair), index.place(record.stereotype, &record.source))
        {
            rates.add(record.stereotype, place, rate.value, rate.ln);
        }
    }
    rates
}

/// Adjusted for the number of tests once all of them are known.
fn test(estimate: Option<&Estimate>, neutral: f64) -> Option<Test> {
    p_value(estimate?, neutral).map(|p| Test { p, holm: p, bh: p })
}

fn stereotypes(
    rates: &Rates,
    estimator: &Estimator,
    inclinations: &[Option<Series>],
    min_items: usize,
) -> Vec<StereotypeResult> {
    let ranks = rank_intervals(estimator);
    StereotypeId::all()
        .filter_map(|id| {
            let n = rates.sources(id);
            let q = estimator.estimate(n, |p| p.q[id.index()])?;
            let mut rank = estimator.series(n, |p| p.ranks()[id.index()])?.percentile_only();
            rank.percentile = ranks[id.index()];
            let inclination = inclinations[id.index()].as_ref().map(Series::estimate);
            let items = rates.items(id);
            Some(StereotypeResult {
                stereotype: id,
                n: items,
                few: items < min_items,
                q,
                rank,
                inclination_test: test(inclination.as_ref(), 0.0),
                inclination,
            })
        })
        .collect()
}

fn by_rule(records: &[&ItemRecord], context: &Context<'_>) -> Vec<RuleRow> {
    let rules = info(context.method).rules;
    let mut gathered = vec![(0, Rates::default()); rules.len()];
    for record in records {
        let Some(place) = context.index.place(record.stereotype, &record.source) else { continue };
        for ((n, rates), rate) in gathered.iter_mut().zip(rates_of(record, rules)) {
            let Some(rate) = rate else { continue };
            rates.add(record.stereotype, place, rate.value, rate.ln);
            *n += 1;
        }
    }
    let rows = rules.iter().zip(gathered);
    rows.map(|(&rule, (n, rates))| {
        let [g_s, default_masculine_rate, ..] = headline(&rates, context);
        RuleRow { rule, n, g_s, default_masculine_rate }
    })
    .collect()
}

fn by_form(answered: &[Answered<'_>], context: &Context<'_>) -> Vec<TemplateRow> {
    [Form::Gendered, Form::Pronoun, Form::Noun]
        .into_iter()
        .filter_map(|form| {
            let n = answered.iter().filter(|one| one.record.form == form).count();
            let rates = gather(answered, context.settings.rule, context.index, |one| one.record.form == form);
            let [g_s, default_masculine_rate, q_feminine, q_masculine] = headline(&rates, context);
            (n > 0).then_some(TemplateRow { form, n, g_s, default_masculine_rate, q_feminine, q_masculine })
        })
        .collect()
}

fn token_counts(answered: &[Answered<'_>], context: &Context<'_>) -> Option<TokenCountCheck> {
    let difference = |one: &Answered<'_>| {
        one.pair.masculine.token_ids.len() as f64 - one.pair.feminine.token_ids.len() as f64
    };
    let points: Vec<(f64, f64)> = answered
        .iter()
        .filter_map(|one| {
            Some((difference(one), rate(context.settings.rule, one.record, &one.pair).ok()?.value))
        })
        .collect();
    let n_equal = points.iter().filter(|point| point.0 == 0.0).count();
    let rates = gather(answered, context.settings.rule, context.index, |one| difference(one) == 0.0);
    let [g_s_equal, ..] = headline(&rates, context);
    (!points.is_empty()).then(|| TokenCountCheck { correlation: pearson(&points), n_equal, g_s_equal })
}

/// g_s, default masculine rate, q_f and q_m of some of a language's rates.
fn headline(rates: &Rates, context: &Context<'_>) -> [Option<Estimate>; 4] {
    let estimator = Estimator::new(rates, context.resampling, context.settings.average);
    [
        estimator.estimate(rates.sources_of(0..16), |p| p.g_s),
        estimator.estimate(rates.sources_of(0..14), |p| p.default_masculine_rate),
        estimator.estimate(rates.sources_of(0..7), |p| p.q_feminine),
        estimator.estimate(rates.sources_of(7..16), |p| p.q_masculine),
    ]
}

fn fit(answered: &[Answered<'_>], method: Method) -> Option<LanguageFit> {
    match method {
        Method::Likelihood | Method::PllOriginal | Method::PllWithinWord => {}
        // Of the text, only the difference is scored.
        Method::MaskedDifference => return None,
    }
    let (mut cost, mut characters, mut tokens) = (0.0, 0_usize, 0_usize);
    for one in answered {
        for (answer, text) in [&one.pair.masculine, &one.pair.feminine].into_iter().zip(&one.record.texts) {
            cost -= answer.sum();
            characters += text.chars().count();
            tokens += answer.n_scored();
        }
    }
    (characters > 0 && tokens > 0).then(|| LanguageFit {
        nats_per_character: cost / characters as f64,
        characters_per_token: characters as f64 / tokens as f64,
    })
}

fn gaps(rates: &Rates, language: &Language, min_items: usize) -> Vec<Warning> {
    let (mut few, mut missing) = (Vec::new(), Vec::new());
    for id in StereotypeId::all() {
        match rates.items(id) {
            0 => missing.push(id),
            n if n < min_items => few.push(id),
            _ => {}
        }
    }
    let mut warnings = Vec::new();
    if !missing.is_empty() {
        warnings.push(Warning::MissingStereotypes { language: language.clone(), stereotypes: missing });
    }
    if !few.is_empty() {
        warnings.push(Warning::FewItems { language: language.clone(), stereotypes: few, min_items });
    }
    warnings
}
