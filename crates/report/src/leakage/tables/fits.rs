//! Every fit, and those that could not be made.

use super::coefficients::{choice, choice_cells};
use crate::leakage::study::Study;
use crate::{Cell, Column, Holds, Table};

/// Every fit.
pub fn fits(study: &Study<'_>) -> Table {
    let mut columns = vec![
        Column::new("run", "run", "name of the run"),
        Column::new("target", "target", "BCP 47 tag of the language whose associations are explained"),
    ];
    columns.extend(choice());
    columns.extend([
        Column::new("formula", "formula", "the regression as a formula"),
        Column::new("n", "n", "cells (group × trait) that took part").holding(Holds::Counts),
        Column::new(
            "left_out",
            "left out",
            "cells without a human score in some language or without an association",
        )
        .holding(Holds::Counts),
        Column::new("intercept", "intercept", "association where every predictor is 0")
            .holding(Holds::Numbers),
        Column::new("random_sd", "random SDs", "standard deviation of each grouping factor's intercepts"),
        Column::new("sigma", "error SD", "standard deviation of the errors").holding(Holds::Numbers),
        Column::new("r2_marginal", "R² fixed", "share of the variance that fixed effects explain")
            .holding(Holds::Numbers),
        Column::new("r2_conditional", "R² all", "share that fixed and random effects explain")
            .holding(Holds::Numbers),
        Column::new("converged", "converged", "yes: the search found its end"),
        Column::new("singular", "singular", "yes: a random intercept has no variance"),
    ]);
    let number = |value: f64| Cell::Number(value, format!("{value:.3}").replace('-', "−"));
    let word = |is: bool| Cell::text(if is { "yes" } else { "no" });
    let rows = study.results.fits.iter().map(|fit| {
        let mut row = vec![Cell::text(study.run(fit.run)), Cell::text(fit.target.as_str())];
        row.extend(choice_cells(study, fit.choice));
        let random: Vec<String> = fit.random.iter().map(|(name, sd)| format!("{name} {sd:.3}")).collect();
        row.extend([
            Cell::text(&fit.formula),
            Cell::Count(fit.n),
            Cell::Count(fit.left_out),
            number(fit.intercept),
            Cell::text(random.join("; ")),
            number(fit.sigma),
            number(fit.r2_marginal),
            number(fit.r2_conditional),
            word(fit.converged),
            word(fit.singular),
        ]);
        row
    });
    let caption = "Every regression, under every choice.".to_owned();
    Table { name: "fits", caption, columns, rows: rows.collect() }
}

/// Fits that could not be made.
pub fn skipped(study: &Study<'_>) -> Table {
    let mut columns = vec![
        Column::new("run", "run", "name of the run"),
        Column::new("target", "target", "BCP 47 tag of the language whose associations would be explained"),
    ];
    columns.extend(choice());
    columns.extend([
        Column::new("reason", "why", "why there is no fit"),
        Column::new("advice", "what to do", "what to do about it"),
    ]);
    let rows = study.results.skipped.iter().map(|one| {
        let mut row = vec![Cell::text(study.run(one.run)), Cell::text(one.target.as_str())];
        row.extend(choice_cells(study, one.choice));
        row.extend([Cell::text(&one.reason), Cell::text(&one.advice)]);
        row
    });
    let caption = "Regressions that could not be made.".to_owned();
    Table { name: "skipped_fits", caption, columns, rows: rows.collect() }
}
