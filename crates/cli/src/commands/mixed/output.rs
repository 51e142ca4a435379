//! A fit as tables for the eye or as JSON for programs.

use serde_json::{Value, json};
use stereometer_core::Interval;
use stereometer_stats::mixed::{Bootstrap, Coefficient, Criterion, Fit, Variation};

use crate::table::{Column, render};
use crate::words::{number, p_value, plural};

/// What the number is called that the fit makes least.
pub fn name(criterion: Criterion) -> &'static str {
    match criterion {
        Criterion::Reml => "−2 restricted log-likelihood",
        Criterion::Ml => "−2 log-likelihood",
    }
}

/// The interval of a fixed effect: drawn, or by t.
fn interval(place: usize, effect: &Coefficient, drawn: Option<&Bootstrap>) -> Option<Interval> {
    let by_t = || effect.student.map(|student| Interval { low: student.low, high: student.high });
    drawn.map_or_else(by_t, |drawn| Some(drawn.fixed[place]))
}

/// The fit as one object; what is unknown is `null`. Standard deviations have an interval where tables were drawn.
pub fn json(fit: &Fit, drawn: Option<&Bootstrap>) -> Value {
    let fixed: Vec<Value> = fit
        .fixed
        .iter()
        .enumerate()
        .map(|(place, effect)| {
            let student = effect.student;
            let interval = interval(place, effect, drawn);
            json!({
                "term": effect.term,
                "estimate": effect.estimate,
                "std_error": effect.std_error,
                "z": effect.z,
                "p_z": effect.p_z,
                "df": student.map(|student| student.df),
                "t": effect.z,
                "p_t": student.map(|student| student.p),
                "ci_low": interval.map(|interval| interval.low),
                "ci_high": interval.map(|interval| interval.high),
            })
        })
        .collect();
    let random = fit.random.iter().enumerate().flat_map(|(place, variation)| {
        variation.terms.iter().enumerate().map(move |(term, (name, sd))| {
            let mut random = json!({"group": variation.group, "term": name, "sd": sd});
            if let Some(interval) = drawn.map(|drawn| drawn.random[place][term]) {
                random["ci_low"] = interval.low.into();
                random["ci_high"] = interval.high.into();
            }
            random
        })
    });
    let warnings: Vec<String> =
        fit.doubts.iter().map(|doubt| format!("{doubt} ({})", doubt.advice())).collect();
    let mut object = json!({
        "fixed": fixed,
        "random": random.collect::<Vec<Value>>(),
        "sigma": fit.sigma,
        "criterion": fit.criterion,
        "n": fit.n,
        "converged": fit.converged,
        "singular": fit.singular,
        "warnings": warnings,
    });
    if let Some(drawn) = drawn {
        object["sigma_ci"] = json!([drawn.sigma.low, drawn.sigma.high]);
        object["bootstrap"] = json!({"drawn": drawn.drawn, "failed": drawn.failed});
    }
    object
}

/// Fixed effects, random effects, and what holds for all.
pub fn tables(fit: &Fit, criterion: Criterion, drawn: Option<&Bootstrap>) -> String {
    let fixed: Vec<Vec<String>> = fit
        .fixed
        .iter()
        .enumerate()
        .map(|(place, effect)| {
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
                of(interval(place, effect, drawn).map(ends)),
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
        Column::Right(if drawn.is_some() { "95 % interval, drawn" } else { "95 % interval by t" }),
    ];
    let mut random: Vec<Vec<String>> = fit.random.iter().flat_map(variation_rows).collect();
    random.push(vec!["error".to_owned(), String::new(), number(fit.sigma, 4), String::new()]);
    let mut random_columns = vec![
        Column::Left("random effect"),
        Column::Left("term"),
        Column::Right("std. deviation"),
        Column::Left("correlation"),
    ];
    if let Some(drawn) = drawn {
        random_columns.insert(3, Column::Right("95 % interval, drawn"));
        let all = drawn.random.iter().flatten().chain([&drawn.sigma]);
        for (row, interval) in random.iter_mut().zip(all) {
            row.insert(3, ends(*interval));
        }
    }
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

fn ends(interval: Interval) -> String {
    format!("{} to {}", number(interval.low, 4), number(interval.high, 4))
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
