//! A fit as tables for the eye or as JSON for programs.

use serde_json::{Value, json};
use stereometer_stats::mixed::{Criterion, Fit, Variation};

use crate::table::{Column, render};
use crate::words::{number, p_value, plural};

/// What the number is called that the fit makes least.
pub fn name(criterion: Criterion) -> &'static str {
    match criterion {
        Criterion::Reml => "−2 restricted log-likelihood",
        Criterion::Ml => "−2 log-likelihood",
    }
}

/// The fit as one object; what is unknown is `null`.
pub fn json(fit: &Fit) -> Value {
    let fixed: Vec<Value> = fit
        .fixed
        .iter()
        .map(|effect| {
            let student = effect.student;
            json!({
                "term": effect.term,
                "estimate": effect.estimate,
                "std_error": effect.std_error,
                "z": effect.z,
                "p_z": effect.p_z,
                "df": student.map(|student| student.df),
                "t": effect.z,
                "p_t": student.map(|student| student.p),
                "ci_low": student.map(|student| student.low),
                "ci_high": student.map(|student| student.high),
            })
        })
        .collect();
    let random = fit.random.iter().flat_map(|variation| {
        variation.terms.iter().map(|(term, sd)| json!({"group": variation.group, "term": term, "sd": sd}))
    });
    let warnings: Vec<String> =
        fit.doubts.iter().map(|doubt| format!("{doubt} ({})", doubt.advice())).collect();
    json!({
        "fixed": fixed,
        "random": random.collect::<Vec<Value>>(),
        "sigma": fit.sigma,
        "criterion": fit.criterion,
        "n": fit.n,
        "converged": fit.converged,
        "singular": fit.singular,
        "warnings": warnings,
    })
}

/// Fixed effects, random effects, and what holds for all.
pub fn tables(fit: &Fit, criterion: Criterion) -> String {
    let fixed: Vec<Vec<String>> = fit
        .fixed
        .iter()
        .map(|effect| {
            let student = effect.student;
            let of = |shown: Option<String>| shown.unwrap_or_else(|| "–".to_owned());
            vec![
                effect.term.clone(),
                number(effect.estimate, 4),
                number(effect.std_error, 4),
                number(effect.z, 3),
                p_value(effect.p_z),
                of(student.map(|student| format!("{:.1}", student.df))),
                of(student.map(|student| p_value(student.p))),
                of(student
                    .map(|student| format!("{} to {}", number(student.low, 4), number(student.high, 4)))),
            ]
        })
        .collect();
    let columns = [
        Column::Left("fixed effect"),
        Column::Right("estimate"),
        Column::Right("std. error"),
        Column::Right("z = t"),
        Column::Right("p by z"),
        Column::Right("df (Satterthwaite)"),
        Column::Right("p by t"),
        Column::Right("95 % interval by t"),
    ];
    let mut random: Vec<Vec<String>> = fit.random.iter().flat_map(variation_rows).collect();
    random.push(vec!["error".to_owned(), String::new(), number(fit.sigma, 4), String::new()]);
    let random_columns = [
        Column::Left("random effect"),
        Column::Left("term"),
        Column::Right("std. deviation"),
        Column::Left("correlation"),
    ];
    let levels = fit
        .random
        .iter()
        .map(|variation| format!("{} of {}", plural(variation.levels, "level"), variation.group));
    let mut levels: Vec<String> = levels.collect();
    levels.dedup();
    format!(
        "{}\n\n{}\n\n{} {:.4} · n = {}, {}\nR² of the fixed effects {:.3}, with the random effects {:.3}",
        render(&columns, &fixed).trim_end(),
        render(&random_columns, &random).trim_end(),
        name(criterion),
        fit.criterion,
        fit.n,
        levels.join(", "),
        fit.r2_marginal,
        fit.r2_conditional,
    )
}

fn variation_rows(variation: &Variation) -> impl Iterator<Item = Vec<String>> {
    variation.terms.iter().enumerate().map(|(place, (term, sd))| {
        let own = variation.correlations.iter().filter(|(_, second, _)| *second == place);
        let correlations = own.map(|(first, _, value)| {
            let with = &variation.terms[*first].0;
            value.map_or_else(|| format!("– with {with}"), |value| format!("{} with {with}", signed(value)))
        });
        let correlations = correlations.collect::<Vec<_>>().join(", ");
        vec![variation.group.clone(), term.clone(), number(*sd, 4), correlations]
    })
}

fn signed(value: f64) -> String {
    format!("{value:+.3}").replace('-', "−")
}
