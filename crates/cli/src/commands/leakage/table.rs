//! The coefficients of every run, a row a language of the model, a column a people.

use stereometer_core::Language;
use stereometer_record::{Evidence, LeakageCoefficient, LeakageFit, LeakageResults, Predictor};

use crate::table::{Column, render};

/// One table a run, and what the signs mean.
pub fn tables(results: &LeakageResults) -> String {
    let fits: Vec<&LeakageFit> =
        results.fits.iter().filter(|fit| fit.choice == results.settings.choice).collect();
    let runs = results.runs.iter().enumerate().filter(|(_, run)| !run.is_monolingual);
    let mut parts: Vec<String> = runs
        .filter_map(|(place, run)| {
            let own: Vec<&LeakageFit> = fits.iter().copied().filter(|fit| fit.run == place).collect();
            let table = table(results, &own)?;
            Some(format!("{} by {}\n{table}", run.label, run.method))
        })
        .collect();
    parts.push(format!(
        "rows: language of the model; columns: people; [own people]; {}\n\
         ▲ positive, ▼ negative: p < {alpha} after Holm; △ ▽ p < {alpha} before it only; without a sign: no effect found\n",
        results.settings.choice,
        alpha = results.settings.alpha
    ));
    parts.join("\n\n")
}

fn table(results: &LeakageResults, fits: &[&LeakageFit]) -> Option<String> {
    let first = fits.first()?;
    let people = first.coefficients.iter().filter_map(|one| match &one.predictor {
        Predictor::People(language) => Some(language),
        Predictor::Monolingual(_) => None,
    });
    let people: Vec<&Language> = people.collect();
    let is_beside = fits.iter().any(|fit| monolingual(fit).is_some());
    let mut columns = vec![Column::Left("model in")];
    columns.extend(people.iter().map(|language| Column::Right(language.as_str())));
    if is_beside {
        columns.push(Column::Right("monolingual model"));
    }
    columns.push(Column::Right("cells"));
    let rows: Vec<Vec<String>> = fits
        .iter()
        .map(|fit| {
            let of = |language: &&Language| {
                let wanted = Predictor::People((*language).clone());
                let found = fit.coefficients.iter().find(|one| one.predictor == wanted);
                let text = cell(found, results.settings.alpha);
                if **language == fit.target { format!("[{text}]") } else { format!("{text} ") }
            };
            let mut row = vec![fit.target.to_string()];
            row.extend(people.iter().map(of));
            if is_beside {
                row.push(cell(monolingual(fit), results.settings.alpha));
            }
            row.push(fit.n.to_string());
            row
        })
        .collect();
    Some(render(&columns, &rows))
}

fn monolingual(fit: &LeakageFit) -> Option<&LeakageCoefficient> {
    fit.coefficients.iter().find(|one| matches!(one.predictor, Predictor::Monolingual(_)))
}

fn cell(coefficient: Option<&LeakageCoefficient>, alpha: f64) -> String {
    let Some(one) = coefficient else { return "–".to_owned() };
    let sign = match (one.evidence, one.holm < alpha) {
        (Evidence::Positive, true) => '▲',
        (Evidence::Positive, false) => '△',
        (Evidence::Negative, true) => '▼',
        (Evidence::Negative, false) => '▽',
        (Evidence::Open, _) => ' ',
    };
    format!("{:+.3} {sign}", one.estimate).replace('-', "−")
}
