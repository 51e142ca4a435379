//! Estimates: one row a statistic, with its interval, or with the reason why it has none.

use stereometer_core::{Estimate, StereotypeId};
use stereometer_record::{LanguageResult, Results};

use super::items::{stereotype_cells, stereotype_columns};
use super::{TableInfo, Take, run_cells, run_columns};
use crate::export::Run;
use crate::words::{Kind, no_interval};
use crate::{Cell, Column, Holds, ReportError, Table};

/// The row in the table of tables.
pub const TABLE: TableInfo = TableInfo { name: "estimates", head, rows };

fn head() -> Table {
    let mut columns = run_columns().to_vec();
    let [language, name] = Column::language();
    let language =
        Column { meaning: "BCP 47 tag; missing: over all languages of the run".to_owned(), ..language };
    columns.extend([language, name]);
    let [number, name, about] = stereotype_columns();
    let number = Column { meaning: format!("{}; missing: all", number.meaning), ..number };
    columns.extend([number, name, about]);
    let numbers = |key, label, meaning| Column::new(key, label, meaning).holding(Holds::Numbers);
    columns.extend([
        Column::new("form", "form", "the form whose items alone were used; missing: all"),
        Column::new("rule", "rule", "how token log-probabilities became one number"),
        Column::new("average", "average", "how masculine rates were averaged"),
        Column::new(
            "statistic",
            "statistic",
            "q, rank, inclination (of a stereotype); default_masculine_rate, q_feminine, q_masculine, g_s, g_s_arithmetic, \
             g_s_equal_tokens, length_correlation, nats_per_character, characters_per_token (of a language); mean_g_s",
        ),
        numbers("value", "value", "the statistic; missing where it does not exist"),
        numbers("low", "low", "lower end of its interval; missing where there is none"),
        numbers("high", "high", "upper end of its interval"),
        Column::new("interval", "interval", "bca or percentile"),
        numbers("level", "level", "confidence level of the interval"),
        numbers("std_error", "s.e.", "standard deviation over the resamples"),
        Column::new(
            "n",
            "n",
            "source sentences behind it; of length_correlation and the two about the text: items",
        )
        .holding(Holds::Counts),
        numbers("neutral", "neutral", "value that means no preference; missing where there is none"),
        Column::new("unit", "unit", "rate, ratio, difference of rates, rank, correlation, nats or characters"),
        Column::new("note", "note", "why there is no value or no interval"),
    ]);
    Table {
        name: "estimates",
        caption: "One row a statistic, with its bootstrap interval over source sentences.".to_owned(),
        columns,
        rows: Vec::new(),
    }
}

/// What a statistic is.
#[derive(Clone, Copy)]
struct Statistic {
    name: &'static str,
    kind: Kind,
    neutral: Option<f64>,
    unit: &'static str,
}

const fn statistic(name: &'static str, kind: Kind, neutral: Option<f64>, unit: &'static str) -> Statistic {
    Statistic { name, kind, neutral, unit }
}

const Q: Statistic = statistic("q", Kind::Rate, Some(0.5), "rate");
const RANK: Statistic = statistic("rank", Kind::Rank, None, "rank");
const INCLINATION: Statistic = statistic("inclination", Kind::Difference, Some(0.0), "difference of rates");
const DEFAULT: Statistic = statistic("default_masculine_rate", Kind::Rate, Some(0.5), "rate");
const Q_FEMININE: Statistic = statistic("q_feminine", Kind::Rate, Some(0.5), "rate");
const Q_MASCULINE: Statistic = statistic("q_masculine", Kind::Rate, Some(0.5), "rate");
const G_S: Statistic = statistic("g_s", Kind::Ratio, Some(1.0), "ratio");
const G_S_ARITHMETIC: Statistic = statistic("g_s_arithmetic", Kind::Ratio, Some(1.0), "ratio");
const G_S_EQUAL: Statistic = statistic("g_s_equal_tokens", Kind::Ratio, Some(1.0), "ratio");
const CORRELATION: Statistic = statistic("length_correlation", Kind::Difference, Some(0.0), "correlation");
const COST: Statistic = statistic("nats_per_character", Kind::Ratio, None, "nats");
const LENGTH: Statistic = statistic("characters_per_token", Kind::Ratio, None, "characters");
const MEAN_G_S: Statistic = statistic("mean_g_s", Kind::Ratio, Some(1.0), "ratio");

/// What a row is about.
#[derive(Clone, Copy, Default)]
struct Subject<'a> {
    language: Option<&'a LanguageResult>,
    stereotype: Option<StereotypeId>,
    form: Option<stereometer_core::Form>,
    rule: Option<stereometer_core::Rule>,
}

fn rows(run: &Run<'_>, take: Take<'_>) -> Result<(), ReportError> {
    let mut rows = Rows { run, results: run.results, take };
    for language in &run.results.languages {
        rows.language(language)?;
    }
    rows.estimate(Subject::default(), MEAN_G_S, run.results.mean_g_s.as_ref())
}

struct Rows<'a> {
    run: &'a Run<'a>,
    results: &'a Results,
    take: Take<'a>,
}

impl Rows<'_> {
    fn language(&mut self, language: &LanguageResult) -> Result<(), ReportError> {
        let all = Subject { language: Some(language), ..Subject::default() };
        for (statistic, estimate) in [
            (DEFAULT, &language.default_masculine_rate),
            (Q_FEMININE, &language.q_feminine),
            (Q_MASCULINE, &language.q_masculine),
            (G_S, &language.g_s),
            (G_S_ARITHMETIC, &language.g_s_arithmetic),
        ] {
            self.estimate(all, statistic, estimate.as_ref())?;
        }
        for one in &language.stereotypes {
            let subject = Subject { stereotype: Some(one.stereotype), ..all };
            self.estimate(subject, Q, Some(&one.q))?;
            self.estimate(subject, RANK, Some(&one.rank))?;
            self.estimate(subject, INCLINATION, one.inclination.as_ref())?;
        }
        // The rule in use has its rows above.
        for row in language.by_rule.iter().filter(|row| row.rule != self.results.rule) {
            let subject = Subject { rule: Some(row.rule), ..all };
            self.estimate(subject, G_S, row.g_s.as_ref())?;
            self.estimate(subject, DEFAULT, row.default_masculine_rate.as_ref())?;
        }
        for row in &language.by_form {
            let subject = Subject { form: Some(row.form), ..all };
            self.estimate(subject, G_S, row.g_s.as_ref())?;
            self.estimate(subject, DEFAULT, row.default_masculine_rate.as_ref())?;
            self.estimate(subject, Q_FEMININE, row.q_feminine.as_ref())?;
            self.estimate(subject, Q_MASCULINE, row.q_masculine.as_ref())?;
        }
        if let Some(check) = &language.token_counts {
            self.estimate(all, G_S_EQUAL, check.g_s_equal.as_ref())?;
            self.value(all, CORRELATION, check.correlation, language.n_items)?;
        }
        if let Some(fit) = &language.fit {
            self.value(all, COST, Some(fit.nats_per_character), language.n_items)?;
            self.value(all, LENGTH, Some(fit.characters_per_token), language.n_items)?;
        }
        Ok(())
    }

    /// A statistic that has no interval by its nature.
    fn value(
        &mut self,
        subject: Subject<'_>,
        statistic: Statistic,
        value: Option<f64>,
        n: usize,
    ) -> Result<(), ReportError> {
        let cells = [
            value.map_or(Cell::Missing("does not exist"), |value| Cell::number(statistic.kind, value)),
            Cell::Missing(""),
            Cell::Missing(""),
            Cell::Missing(""),
            Cell::Missing(""),
            Cell::Missing(""),
            Cell::Count(n),
        ];
        let note = if value.is_some() { "descriptive: no interval" } else { "no variation" };
        self.row(subject, statistic, cells, note)
    }

    fn estimate(
        &mut self,
        subject: Subject<'_>,
        statistic: Statistic,
        estimate: Option<&Estimate>,
    ) -> Result<(), ReportError> {
        let Some(estimate) = estimate else {
            let cells = std::array::from_fn(|_| Cell::Missing(""));
            return self.row(subject, statistic, cells, "a side of it has no scored sentence");
        };
        let number = |value| Cell::number(statistic.kind, value);
        let or_missing = |value: Option<f64>| value.map_or(Cell::Missing(""), number);
        let interval = estimate.interval();
        let kind = if estimate.bca.is_some() { "bca" } else { "percentile" };
        let cells = [
            number(estimate.value),
            or_missing(interval.map(|interval| interval.low)),
            or_missing(interval.map(|interval| interval.high)),
            interval.map_or(Cell::Missing(""), |_| Cell::text(kind)),
            interval.map_or(Cell::Missing(""), |_| {
                Cell::Number(self.results.level, self.results.level.to_string())
            }),
            or_missing(estimate.std_error),
            Cell::Count(estimate.n),
        ];
        self.row(subject, statistic, cells, if interval.is_some() { "" } else { no_interval(estimate) })
    }

    fn row(
        &mut self,
        subject: Subject<'_>,
        statistic: Statistic,
        cells: [Cell; 7],
        note: &'static str,
    ) -> Result<(), ReportError> {
        let mut row = run_cells(self.run).to_vec();
        match subject.language {
            Some(language) => row.extend(Cell::language(language)),
            None => row.extend([Cell::Missing("all"), Cell::Missing("all")]),
        }
        match subject.stereotype {
            Some(id) => row.extend(stereotype_cells(id)),
            None => row.extend([Cell::Missing("all"), Cell::Missing("all"), Cell::Missing("all")]),
        }
        row.extend([
            subject.form.map_or(Cell::Missing("all"), |form| Cell::text(form.to_string())),
            Cell::text(subject.rule.unwrap_or(self.results.rule).name()),
            Cell::text(self.results.average.to_string()),
            Cell::text(statistic.name),
        ]);
        row.extend(cells);
        row.extend([
            statistic.neutral.map_or(Cell::Missing("none"), |neutral| Cell::number(statistic.kind, neutral)),
            Cell::text(statistic.unit),
            if note.is_empty() { Cell::Missing("") } else { Cell::text(note) },
        ]);
        (self.take)(&row)
    }
}
