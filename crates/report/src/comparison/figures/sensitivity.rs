//! Does the conclusion about two language models depend on the rule, or on the form of the items?
//!
//! The difference of mean g_s of every pair under each rule of the method, and on the items of each form alone. These
//! rows are not tested: the sign says what the interval says.

use stereometer_core::{Form, Rule, Verdict};
use stereometer_record::{Comparison, Difference, Statistic};

use super::differences::{cells, columns};
use super::grid::{Grid, GridCell, Paint, Row, heads};
use super::{Entry, Parts};
use crate::comparison::runs::{pair_label, short_labels};
use crate::figures::Figure;
use crate::figures::rows::ROW;
use crate::words::{Kind, list, percent};
use crate::{About, Cell, Column, Svg, Table};

pub const ENTRY: Entry = Entry {
    name: "sensitivity",
    title: "What changes with the rule and with the form of the items",
    absent: "The method has one rule, all items have one form, or no pair shares items: nothing can change.",
    draw,
};

type Choice = (Rule, Option<Form>);

fn draw(comparison: &Comparison) -> Option<Figure> {
    let is_of = |one: &&Difference| one.statistic == Statistic::GS && one.language.is_none();
    let all: Vec<&Difference> = comparison.differences.iter().filter(is_of).collect();
    let own: Choice = (comparison.rule, None);
    let rules = Rule::ALL.map(|rule| (rule, None));
    let forms = [Form::Gendered, Form::Pronoun, Form::Noun].map(|form| (comparison.rule, Some(form)));
    let choices: Vec<Choice> = [own]
        .into_iter()
        .chain(rules.into_iter().filter(|rule| *rule != own))
        .chain(forms)
        .filter(|choice| all.iter().any(|one| (one.rule, one.form) == *choice))
        .collect();
    if choices.len() < 2 {
        return None;
    }
    let find = |pair: usize, (rule, form): Choice| {
        all.iter().find(|one| one.pair == pair && one.rule == rule && one.form == form).copied()
    };
    let labels = short_labels(comparison);
    let changing: Vec<bool> = (0..comparison.pairs.len())
        .map(|pair| {
            let verdict = |choice| find(pair, choice).map(|one| Verdict::of(&one.difference, 0.0));
            let others = choices.iter().filter_map(|&choice| verdict(choice));
            verdict(own).is_some_and(|own| others.into_iter().any(|other| other.contradicts(own)))
        })
        .collect();
    let rows = comparison.pairs.iter().enumerate().map(|(place, pair)| Row {
        heading: None,
        label: pair_label(pair, &labels),
        about: About::default(),
        cells: choices.iter().map(|&choice| find(place, choice).map(|one| cell(one, choice))).collect(),
        note: if changing[place] { "changes".to_owned() } else { String::new() },
    });
    let rows: Vec<Row> = rows.collect();
    // Two names a row: longer than the labels of other figures may be.
    let longest = rows.iter().map(|row| row.label.chars().count()).max().unwrap_or(0);
    let left = longest as f64 * 7.4 + 16.0;
    let names: Vec<String> = choices.iter().map(|&choice| name(choice)).collect();
    let grid = Grid {
        columns: heads(&names),
        rows,
        left,
        cell: (98.0, ROW),
        right: if changing.contains(&true) { 70.0 } else { 0.0 },
    };
    let mut svg = Svg::new(grid.width(), grid.height());
    grid.draw(&mut svg, 0.0);
    let names: Vec<String> = comparison.runs.iter().map(|run| run.label.clone()).collect();
    let changing: Vec<String> = comparison
        .pairs
        .iter()
        .zip(&changing)
        .filter(|(_, changes)| **changes)
        .map(|(pair, _)| pair_label(pair, &names))
        .collect();
    Some(ENTRY.figure(Parts {
        reading: format!(
            "Difference of mean g_s, second minus first. ▲ the {} interval lies above 0, ▼ below 0, ○ it includes 0, ? there \
             is none. The first column is the rule of this page, {}, on all items; the others are other rules, then the \
             items of one form alone. Compare the signs, not the sizes: rules have different scales. “changes” marks pairs \
             whose sign is not the same everywhere; fewer items of one form alone can be the reason.",
            percent(comparison.level),
            comparison.rule
        ),
        alt: alt(&choices, &changing),
        svg,
        table: table(comparison, &all, &choices),
    }))
}

fn name((rule, form): Choice) -> String {
    form.map_or_else(|| rule.name().to_owned(), |form| format!("{form} only"))
}

fn cell(one: &Difference, choice: Choice) -> GridCell {
    let verdict = Verdict::of(&one.difference, 0.0);
    GridCell {
        paint: Paint::Verdict(verdict),
        sign: verdict.sign(),
        shown: Kind::Difference.show(one.difference.value),
        title: format!("{}: {}", name(choice), Kind::Difference.brief(&one.difference)),
    }
}

fn alt(choices: &[Choice], changing: &[String]) -> String {
    let names: Vec<String> = choices.iter().map(|&choice| name(choice)).collect();
    let clause = if changing.is_empty() {
        "No pair's conclusion changes.".to_owned()
    } else {
        format!("The conclusion changes for {}.", list(changing))
    };
    format!("Grid of differences in mean g_s under {}. {clause}", list(&names))
}

fn table(comparison: &Comparison, all: &[&Difference], choices: &[Choice]) -> Table {
    let mut head = vec![
        Column::new(
            "choice",
            "choice",
            "the rule on all items, or the items of one form alone under the page's rule",
        ),
        Column::new("interval_says", "interval says", "on which side of 0 the whole interval lies"),
    ];
    head.extend(columns());
    let mut rows = Vec::new();
    for pair in 0..comparison.pairs.len() {
        for choice in choices {
            let of = |one: &&&Difference| one.pair == pair && (one.rule, one.form) == *choice;
            let Some(one) = all.iter().find(of) else { continue };
            let mut row = vec![Cell::text(name(*choice)), Cell::text(says(one))];
            row.extend(cells(comparison, one));
            rows.push(row);
        }
    }
    let caption = format!(
        "Differences in mean g_s by pair under every rule and by form, with {} intervals.",
        percent(comparison.level)
    );
    Table { name: ENTRY.name, caption, columns: head, rows }
}

fn says(one: &Difference) -> &'static str {
    match Verdict::of(&one.difference, 0.0) {
        Verdict::Above => "above 0",
        Verdict::Below => "below 0",
        Verdict::Open => "cannot tell",
        Verdict::Unknown => "no interval",
    }
}
