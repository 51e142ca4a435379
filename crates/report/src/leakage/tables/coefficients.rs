//! Coefficients as rows: which fit, whose scores, how much, how sure.

use stereometer_record::{Evidence, FitChoice};

use crate::leakage::study::{Line, Role, Study};
use crate::words::Kind;
use crate::{Cell, Column, Holds};

/// What a coefficient says, in a word.
pub fn evidence_word(evidence: Evidence) -> &'static str {
    match evidence {
        Evidence::Positive => "positive",
        Evidence::Negative => "negative",
        Evidence::Open => "no effect found",
    }
}

/// A sign that needs no colour.
pub fn sign(evidence: Evidence) -> &'static str {
    match evidence {
        Evidence::Positive => "▲",
        Evidence::Negative => "▼",
        Evidence::Open => "○",
    }
}

/// The role in a word.
pub fn role_word(role: Role) -> &'static str {
    match role {
        Role::Own => "own",
        Role::Leak => "leak",
        Role::Monolingual => "monolingual",
    }
}

/// Columns that say which coefficient it is.
pub fn which() -> Vec<Column> {
    vec![
        Column::new("run", "run", "name of the run"),
        Column::new("target", "target", "BCP 47 tag of the language whose associations are explained"),
        Column::new("target_name", "model in", "English name of the target language"),
        Column::new("source", "source", "BCP 47 tag of the people's language; empty for a monolingual model"),
        Column::new("predictor", "scores of", "whose scores the coefficient belongs to"),
        Column::new(
            "role",
            "role",
            "own: people of the target language; leak: people of another one; monolingual: the target's monolingual model",
        ),
    ]
}

/// The cells under [`which`].
pub fn which_cells(study: &Study<'_>, line: &Line<'_>) -> Vec<Cell> {
    let target = &line.fit.target;
    vec![
        Cell::text(study.run(line.fit.run)),
        Cell::text(target.as_str()),
        Cell::text(study.language_name(target)),
        line.source().map_or(Cell::Missing(""), |source| Cell::text(source.as_str())),
        Cell::text(study.predictor(&line.coefficient.predictor)),
        Cell::text(role_word(line.role())),
    ]
}

/// Columns that say under which choice.
pub fn choice() -> [Column; 4] {
    [
        Column::new(
            "missing",
            "missing cells",
            "drop: cells that nobody rated take no part; zero: they count as 0",
        ),
        Column::new("random", "random intercepts", "random intercepts by trait, or by trait and by group"),
        Column::new(
            "scale",
            "scale",
            "units: raw as in the paper, or every variable in its own standard deviations",
        ),
        Column::new(
            "chosen",
            "asked for",
            "yes: the choice that was asked for; no: it shows how much the choice matters",
        ),
    ]
}

/// The cells under [`choice`].
pub fn choice_cells(study: &Study<'_>, choice: FitChoice) -> [Cell; 4] {
    let is_chosen = choice == study.results.settings.choice;
    [
        Cell::text(choice.missing.name()),
        Cell::text(choice.random.name()),
        Cell::text(choice.scale.name()),
        Cell::text(if is_chosen { "yes" } else { "no" }),
    ]
}

/// Columns of the numbers.
pub fn numbers() -> Vec<Column> {
    let mut columns = Column::estimate(
        "estimate",
        "coefficient",
        "change of the language model's association for one unit more of these scores, the others held; neutral 0",
    )
    .to_vec();
    columns.extend([
        Column::new("std_error", "SE", "standard error of the coefficient").holding(Holds::Numbers),
        Column::new("z", "z = t", "coefficient over standard error").holding(Holds::Numbers),
        Column::new("df", "df", "degrees of freedom after Satterthwaite; empty: not known").holding(Holds::Numbers),
        Column::new("p_t", "p (t)", "two-sided p by Student's distribution with df; empty: df not known")
            .holding(Holds::Numbers),
        Column::new("p_z", "p (z)", "two-sided p by the normal distribution").holding(Holds::Numbers),
        Column::new(
            "holm",
            "Holm",
            "p (t), or p (z) without df, adjusted after Holm over its family: all leaks, or all own effects, of the choice",
        )
        .holding(Holds::Numbers),
        Column::new("bh", "BH", "likewise after Benjamini and Hochberg: share of false findings among the findings")
            .holding(Holds::Numbers),
        Column::new(
            "evidence",
            "evidence",
            "positive or negative: p (t), or p (z) without df, below the level before adjustment; else no effect found",
        ),
        Column::new("n", "n", "cells (group × trait) that took part in the fit").holding(Holds::Counts),
    ]);
    columns
}

/// The cells under [`numbers`].
pub fn number_cells(line: &Line<'_>) -> Vec<Cell> {
    let one = line.coefficient;
    let p = |value: f64| Cell::number(Kind::P, value);
    let number = |value: f64| Cell::number(Kind::Difference, value);
    vec![
        number(one.estimate),
        number(one.interval.low),
        number(one.interval.high),
        Cell::Number(one.std_error, format!("{:.3}", one.std_error)),
        Cell::Number(one.z, format!("{:.2}", one.z).replace('-', "−")),
        one.df.map_or(Cell::Missing("not known"), |df| Cell::Number(df, format!("{df:.1}"))),
        one.p_t.map_or(Cell::Missing(""), p),
        p(one.p_z),
        p(one.holm),
        p(one.bh),
        Cell::text(evidence_word(one.evidence)),
        Cell::Count(line.fit.n),
    ]
}

/// One coefficient in words: “+0.360 (95 % interval +0.297 to +0.423, t, Holm p < 0.001)”.
pub fn in_words(study: &Study<'_>, line: &Line<'_>) -> String {
    let one = line.coefficient;
    let holm = Kind::P.show(one.holm);
    let holm = if holm.starts_with('<') { holm } else { format!("= {holm}") };
    format!(
        "{} ({} interval {}, Holm p {holm})",
        Kind::Difference.show(one.estimate),
        crate::words::percent(study.results.settings.level),
        Kind::Difference.interval(one.interval),
    )
}
