//! Does the conclusion about a language depend on how a sentence's likelihood is computed?
//!
//! A grid of g_s: a row a language, a column a rule. Numbers under different rules are not on one scale (a sum grows
//! with the length, a mean does not), so the sign is what to compare; a row whose sign changes is marked.

use stereometer_core::Rule;
use stereometer_record::{LanguageResult, Results, RuleRow};

use super::Figure;
use super::rows::{ROW, Rows, label_width};
use crate::overall::by_g_s;
use crate::svg::{Anchor, Svg};
use crate::verdict::Verdict;
use crate::words::{Kind, list, percent, plural};
use crate::{About, Cell, Column, Table};
use stereometer_score::info;

const NAME: &str = "rule_sensitivity";
const COLUMN: f64 = 98.0;

/// Draws the figure.
pub fn draw(results: &Results) -> Figure {
    let languages = by_g_s(results);
    Figure {
        name: NAME,
        title: "What changes with the scoring rule",
        reading: reading(results),
        alt: alt(results, &languages),
        svg: plot(results, &languages),
        table: table(results, &languages),
    }
}

fn rules(results: &Results) -> &'static [Rule] {
    info(results.method).rules
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
        "g_s under each rule of the method {}: ▲ the {} interval lies above 1 (stereotypical), ▼ below 1 \
         (anti-stereotypical), ○ it includes 1, ? there is none. {comparison}",
        results.method,
        percent(results.level)
    )
}

fn row_of(language: &LanguageResult, rule: Rule) -> Option<&RuleRow> {
    language.by_rule.iter().find(|row| row.rule == rule)
}

fn verdict(language: &LanguageResult, rule: Rule) -> Option<Verdict> {
    Some(Verdict::of(row_of(language, rule)?.g_s.as_ref()?, 1.0))
}

/// Whether another rule says something else than the rule in use.
fn changes(results: &Results, language: &LanguageResult) -> bool {
    let own = verdict(language, results.rule);
    own.is_some()
        && rules(results).iter().filter_map(|&rule| verdict(language, rule)).any(|other| Some(other) != own)
}

fn plot(results: &Results, languages: &[&LanguageResult]) -> Svg {
    let left = label_width(languages.iter().map(|language| language.name.as_str()));
    let rows = Rows { top: 30.0, n: languages.len() };
    let right = left + COLUMN * rules(results).len() as f64;
    let mut svg = Svg::new(right + 74.0, rows.bottom() + 8.0);
    for (column, rule) in rules(results).iter().copied().enumerate() {
        let x = left + COLUMN * column as f64;
        svg.text("head", (x + COLUMN / 2.0, rows.top - 10.0), Anchor::Middle, rule.name());
        for (row, language) in languages.iter().enumerate() {
            draw_cell(&mut svg, (x, rows.top + ROW * row as f64), language, rule);
        }
        if rule == results.rule && !languages.is_empty() {
            svg.rect("frame", (x - 0.5, rows.top - 1.5), (COLUMN - 1.0, rows.bottom() - rows.top + 2.0));
        }
    }
    for (row, language) in languages.iter().enumerate() {
        svg.open_about("heading", "", About::language(&language.language));
        rows.label(&mut svg, row, left - 8.0, &language.name);
        if changes(results, language) {
            svg.text("small", (right + 8.0, rows.middle(row) + 4.5), Anchor::Start, "changes");
        }
        svg.close();
    }
    svg
}

fn draw_cell(svg: &mut Svg, (x, y): (f64, f64), language: &LanguageResult, rule: Rule) {
    let size = (COLUMN - 2.0, ROW - 1.0);
    let estimate = row_of(language, rule).and_then(|row| row.g_s.as_ref());
    let (class, title, sign, shown) = match estimate {
        Some(g_s) => {
            let verdict = Verdict::of(g_s, 1.0);
            let title = format!("{}, {rule}: g_s {}", language.name, Kind::Ratio.brief(g_s));
            (verdict.class(), title, verdict.sign(), Kind::Ratio.show(g_s.value))
        }
        None => ("unknown", format!("{}, {rule}: no g_s", language.name), "", "–".to_owned()),
    };
    svg.open_about("cell", &title, About::language(&language.language));
    svg.rect(&format!("{class}-cell"), (x, y), size);
    svg.text("sign", (x + 20.0, y + 15.5), Anchor::Middle, sign);
    svg.text("number", (x + size.0 - 12.0, y + 15.5), Anchor::End, &shown);
    svg.close();
}

fn alt(results: &Results, languages: &[&LanguageResult]) -> String {
    let changing: Vec<&str> = languages
        .iter()
        .filter(|language| changes(results, language))
        .map(|language| language.name.as_str())
        .collect();
    let languages = plural(languages.len(), "language");
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
    columns.extend(Column::estimate("g_s", "g_s", "q_masculine / q_feminine, geometric means; neutral 1"));
    columns.push(Column::new("verdict", "interval says", "on which side of 1 the whole interval lies"));
    columns.extend(Column::estimate("default_masculine_rate", "default", "mean of q_1 to q_14; neutral 0.5"));
    let rows = languages.iter().flat_map(|language| {
        language.by_rule.iter().map(|one| {
            let mut row = Cell::language(language).to_vec();
            row.extend([Cell::text(one.rule.name()), Cell::Count(one.n)]);
            row.extend(Cell::estimate(Kind::Ratio, one.g_s.as_ref(), "no g_s"));
            let verdict = one.g_s.as_ref().map_or(Verdict::Unknown, |g_s| Verdict::of(g_s, 1.0));
            row.push(Cell::text(verdict.word()));
            row.extend(Cell::estimate(Kind::Rate, one.default_masculine_rate.as_ref(), "no rate"));
            row
        })
    });
    let caption =
        format!("g_s and default masculine rate under every rule with {} intervals.", percent(results.level));
    Table { name: NAME, caption, columns, rows: rows.collect() }
}
