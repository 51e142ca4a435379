//! The table of a comparison on stdout.

use stereometer_core::{Estimate, StereotypeId};
use stereometer_record::{Comparison, Difference, Statistic};

use crate::args::CompareBy;
use crate::table::{Column, render};
use crate::words::{number, p_value};

/// The rows that were asked for.
pub fn table(comparison: &Comparison, by: CompareBy) -> String {
    match by {
        CompareBy::Model => by_model(comparison),
        CompareBy::Language => differences(comparison, "language", |one| {
            (one.statistic == Statistic::GS).then(|| one.language.as_ref().map(ToString::to_string)).flatten()
        }),
        CompareBy::Stereotype => differences(comparison, "stereotype", |one| {
            let is_overall = one.statistic == Statistic::Inclination && one.language.is_none();
            is_overall.then_some(one.stereotype).flatten().map(name)
        }),
        CompareBy::Rule => differences(comparison, "rule, form", |one| {
            let is_overall = one.statistic == Statistic::GS && one.language.is_none();
            let form = one.form.map_or_else(|| "all forms".to_owned(), |form| format!("{form} only"));
            is_overall.then(|| format!("{}, {form}", one.rule))
        }),
    }
}

fn name(id: StereotypeId) -> String {
    format!("{id} {}", id.info().name)
}

fn by_model(comparison: &Comparison) -> String {
    let columns = [
        Column::Left("run"),
        Column::Right("parameters"),
        Column::Right("languages"),
        Column::Right("mean g_s"),
        Column::Left("95 % interval"),
        Column::Right("difference"),
        Column::Left("95 % interval"),
        Column::Right("p"),
        Column::Right("Holm p"),
    ];
    let rows: Vec<Vec<String>> = comparison
        .runs
        .iter()
        .enumerate()
        .map(|(place, run)| {
            let [g_s, interval] = estimate(run.results.mean_g_s.as_ref());
            let mut row = vec![
                run.label.clone(),
                run.spec.identity.model.parameters.to_string(),
                run.results.languages.iter().filter(|one| one.g_s.is_some()).count().to_string(),
                g_s,
                interval,
            ];
            row.extend(match against_reference(comparison, place) {
                _ if place == 0 => ["reference", "", "", ""].map(str::to_owned),
                Some(one) => shown(one),
                None => [why_not(comparison, place), "", "", ""].map(str::to_owned),
            });
            row
        })
        .collect();
    render(&columns, &rows)
}

/// Why a run has no difference from the first.
fn why_not(comparison: &Comparison, place: usize) -> &'static str {
    let shared = comparison.pairs.iter().find(|pair| (pair.first, pair.second) == (0, place));
    if shared.is_some_and(|pair| pair.shared > 0) { "no g_s" } else { "nothing shared" }
}

/// How mean g_s of a run differs from that of the first.
fn against_reference(comparison: &Comparison, place: usize) -> Option<&Difference> {
    let pair = comparison.pairs.iter().position(|pair| (pair.first, pair.second) == (0, place))?;
    comparison.differences.iter().find(|one| {
        one.pair == pair
            && one.statistic == Statistic::GS
            && (one.language.as_ref(), one.form, one.rule) == (None, None, comparison.rule)
    })
}

fn differences(
    comparison: &Comparison,
    heading: &'static str,
    label: impl Fn(&Difference) -> Option<String>,
) -> String {
    let columns = [
        Column::Left(heading),
        Column::Left("first"),
        Column::Left("second"),
        Column::Right("items"),
        Column::Right("first"),
        Column::Right("second"),
        Column::Right("difference"),
        Column::Left("95 % interval"),
        Column::Right("p"),
        Column::Right("Holm p"),
    ];
    let run = |place: usize| comparison.runs[place].label.clone();
    let rows: Vec<Vec<String>> = comparison
        .differences
        .iter()
        .filter_map(|one| {
            let pair = &comparison.pairs[one.pair];
            let mut row = vec![label(one)?, run(pair.first), run(pair.second), one.items.to_string()];
            row.extend([number(one.first, 3), number(one.second, 3)]);
            row.extend(shown(one));
            Some(row)
        })
        .collect();
    render(&columns, &rows)
}

fn shown(one: &Difference) -> [String; 4] {
    let [value, interval] = estimate(Some(&one.difference));
    let p = |p: fn(&stereometer_record::Test) -> f64| {
        one.test.as_ref().map_or_else(|| "–".to_owned(), |test| p_value(p(test)))
    };
    [value, interval, p(|test| test.p), p(|test| test.holm)]
}

fn estimate(estimate: Option<&Estimate>) -> [String; 2] {
    let Some(estimate) = estimate else { return ["–".to_owned(), "no estimate".to_owned()] };
    let interval = estimate.interval().map_or_else(
        || "no interval".to_owned(),
        |one| format!("{} to {}", number(one.low, 3), number(one.high, 3)),
    );
    [number(estimate.value, 3), interval]
}
