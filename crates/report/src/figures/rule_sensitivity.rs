//! Does the conclusion about a language depend on how a sentence's likelihood is computed?
//!
//! A grid of g_s: a row a language, a column a rule. Numbers under different rules are not on one scale (a sum grows
//! with the length, a mean does not), so the sign is what to compare; a row whose sign changes is marked.

use stereometer_core::Rule;
use stereometer_record::{LanguageResult, Results};
use stereometer_score::info;

use super::Figure;
use super::grid::{self, Grid};
use crate::overall::by_g_s;
use crate::words::{list, percent, plural};
use crate::{Cell, Column, Table};

const NAME: &str = "rule_sensitivity";

/// Draws the figure.
pub fn draw(results: &Results) -> Figure {
    let languages = by_g_s(results);
    let grid = grid(results, &languages);
    Figure {
        name: NAME,
        title: "What changes with the scoring rule",
        reading: reading(results),
        alt: alt(results, &grid),
        svg: grid.plot(),
        table: table(results, &languages),
    }
}

fn rules(results: &Results) -> &'static [Rule] {
    info(results.method).rules
}

fn grid<'a>(results: &Results, languages: &[&'a LanguageResult]) -> Grid<'a> {
    let rules = rules(results);
    let g_s = |language: &'a LanguageResult, rule: &Rule| {
        language.by_rule.iter().find(|row| row.rule == *rule)?.g_s.as_ref()
    };
    Grid {
        columns: rules.iter().map(|rule| rule.name()).collect(),
        framed: rules.iter().position(|rule| *rule == results.rule).unwrap_or(rules.len()),
        rows: languages
            .iter()
            .map(|language| (*language, rules.iter().map(|rule| g_s(language, rule)).collect()))
            .collect(),
    }
}

fn reading(results: &Results) -> String {
    let comparison = match rules(results) {
        [_] => format!("The method {} has this rule alone, so there is nothing to compare.", results.method),
        _ => format!(
            "Compare the signs, not the sizes: rules have different scales. The rule of this report, {}, is framed; \
             “changes” marks languages whose sign differs under another rule.",
            results.rule
        ),
    };
    format!(
        "g_s under each rule of the method {}: {}. {comparison}",
        results.method,
        grid::signs(&percent(results.level))
    )
}

fn alt(results: &Results, grid: &Grid<'_>) -> String {
    let (changing, languages) = (grid.changing(), plural(grid.rows.len(), "language"));
    if let [only] = rules(results) {
        return format!(
            "Grid of g_s for {languages} under {only}, the only rule of the method {}.",
            results.method
        );
    }
    let clause = if changing.is_empty() {
        "No conclusion changes with the rule.".to_owned()
    } else {
        format!(
            "The conclusion changes under at least one other rule in {}: {}.",
            changing.len(),
            list(&changing)
        )
    };
    format!(
        "Grid of g_s for {languages} under {} rules; the report uses {}. {clause}",
        rules(results).len(),
        results.rule
    )
}

fn table(results: &Results, languages: &[&LanguageResult]) -> Table {
    let mut columns = Column::language().to_vec();
    columns.extend([
        Column::new("rule", "rule", "how a text's log-probabilities become one number"),
        Column::new("n_items", "items", "items that have a score under the rule"),
    ]);
    columns.extend(grid::columns());
    let rows = languages.iter().flat_map(|language| {
        language.by_rule.iter().map(|one| {
            let mut row = Cell::language(language).to_vec();
            row.extend([Cell::text(one.rule.name()), Cell::Count(one.n)]);
            row.extend(grid::cells(one.g_s.as_ref(), one.default_masculine_rate.as_ref(), "no g_s"));
            row
        })
    });
    let caption =
        format!("g_s and default masculine rate under every rule with {} intervals.", percent(results.level));
    Table { name: NAME, caption, columns, rows: rows.collect() }
}
