//! How alike do people of two languages judge the groups of a category? Pearson's r, its interval, and the mean.

use stereometer_core::GroupCategory;
use stereometer_record::CategoryCorrelation;

use super::{Entry, Parts};
use crate::figures::Figure;
use crate::figures::rows::{Rows, label_width, legend};
use crate::leakage::study::Study;
use crate::letters::cut;
use crate::scale::Scale;
use crate::svg::{Anchor, Mark, Svg};
use crate::words::{Kind, count, percent};
use crate::{Cell, Column, Holds, Table};

pub const ENTRY: Entry = Entry {
    name: "category_correlations",
    title: "How alike people of two languages judge the groups",
    absent: "The survey has fewer than two languages, so nothing can be correlated.",
    draw,
};

const WIDE: f64 = 300.0;
const STEP: f64 = WIDE + 110.0;

fn draw(study: &Study<'_>) -> Option<Figure> {
    let all = &study.results.category_correlations;
    if all.is_empty() {
        return None;
    }
    let recipes = recipes(all);
    let said: Vec<String> =
        recipes.iter().enumerate().map(|(at, recipe)| format!("{}: {recipe}", letter(at))).collect();
    let what = if recipes.len() == 1 {
        format!("What is correlated: {}.", recipes[0])
    } else {
        format!("What is correlated ({}).", said.join("; "))
    };
    Some(ENTRY.figure(Parts {
        reading: format!(
            "Pearson's r between the scores of people of two languages, over the groups of a category: 1 = they agree but for scale, \
             0 = knowing one says nothing of the other. Bars are {} intervals, groups resampled; the diamond is the mean over all pairs of languages. \
             {what} Where people already agree, a regression can hardly tell whose stereotypes leak.",
            percent(study.results.settings.level)
        ),
        alt: alt(all, &recipes),
        svg: svg(study, &recipes),
        table: table(study),
    }))
}

fn letter(at: usize) -> char {
    char::from(b'A' + at.min(25) as u8)
}

fn recipes(all: &[CategoryCorrelation]) -> Vec<&str> {
    let mut found: Vec<&str> = Vec::new();
    for one in all {
        if !found.contains(&one.recipe.as_str()) {
            found.push(&one.recipe);
        }
    }
    found
}

/// A heading, or a pair of languages under it.
#[derive(PartialEq)]
struct Row<'a> {
    category: GroupCategory,
    between: Option<&'a [stereometer_core::Language; 2]>,
}

fn svg(study: &Study<'_>, recipes: &[&str]) -> Svg {
    let all = &study.results.category_correlations;
    let mut rows: Vec<Row<'_>> = Vec::new();
    for one in all {
        let row = Row { category: one.category, between: one.between.as_ref() };
        if !rows.contains(&row) {
            rows.push(row);
        }
    }
    rows.sort_by_key(|row| (row.category, row.between.is_some()));
    let labels: Vec<String> = rows
        .iter()
        .map(|row| match row.between {
            Some([first, second]) => {
                format!(
                    "{} – {}",
                    cut(study.language_name(first), 12.0),
                    cut(study.language_name(second), 12.0)
                )
            }
            None => row.category.phrase().to_owned(),
        })
        .collect();
    let left = label_width(labels.iter().map(String::as_str)).max(230.0) + 22.0;
    let shape = Rows { top: 58.0, n: rows.len() };
    let width = left + STEP * recipes.len() as f64;
    let mut svg = Svg::new(width, shape.height());
    legend(
        &mut svg,
        left,
        &[
            (Mark::Diamond, "all-mark", "mean over pairs of languages"),
            (Mark::Circle, "above-mark", "one pair"),
        ],
    );
    shape.bands(&mut svg, width);
    for (at, (row, label)) in rows.iter().zip(&labels).enumerate() {
        let class = if row.between.is_none() { "head" } else { "label" };
        svg.text(class, (left - 10.0, shape.middle(at) + 4.5), Anchor::End, label);
    }
    let ends = all.iter().flat_map(|one| {
        [one.r, one.interval.map(|one| one.low), one.interval.map(|one| one.high)].into_iter().flatten()
    });
    let scale = Scale::linear(ends.chain([0.0, 1.0]), (0.0, WIDE));
    for (place, recipe) in recipes.iter().enumerate() {
        let x = left + STEP * place as f64;
        let scale = scale.moved(x);
        let head = if recipes.len() == 1 {
            String::new()
        } else {
            format!("{}: {}", letter(place), cut(recipe, 40.0))
        };
        svg.text("head", (x, shape.top - 10.0), Anchor::Start, &head);
        svg.text("head", (x + WIDE + 92.0, shape.top - 10.0), Anchor::End, "n");
        shape.axis(&mut svg, &scale, 0.0, ["opposite", "alike"]);
        for (at, row) in rows.iter().enumerate() {
            let found = all.iter().find(|one| {
                one.recipe == **recipe && one.category == row.category && one.between.as_ref() == row.between
            });
            match found {
                Some(one) => draw_one(&mut svg, (shape, at), one, &scale),
                None => shape.number(&mut svg, at, x + WIDE + 50.0, "–"),
            }
        }
    }
    svg
}

fn draw_one(svg: &mut Svg, (rows, row): (Rows, usize), one: &CategoryCorrelation, scale: &Scale) {
    let (right, y) = (scale.ends().1, rows.middle(row));
    rows.number(svg, row, right + 92.0, &count(one.n));
    let Some(r) = one.r else {
        svg.text("small", (right - 4.0, y + 4.5), Anchor::End, "too few cells for r");
        rows.number(svg, row, right + 50.0, "–");
        return;
    };
    let (mark, class) = if one.between.is_none() { (Mark::Diamond, "all") } else { (Mark::Circle, "above") };
    svg.open("dot", &format!("r = {}, n = {}", Kind::Difference.show(r), count(one.n)));
    if let Some(interval) = one.interval {
        let ends = [interval.low, interval.high].map(|end| (scale.place(end), y));
        svg.line(&format!("{class}-whisker"), ends[0], ends[1]);
    }
    svg.mark(mark, &format!("{class}-mark"), (scale.place(r), y), 4.5);
    svg.close();
    rows.number(svg, row, right + 50.0, &Kind::Difference.show(r));
}

fn alt(all: &[CategoryCorrelation], recipes: &[&str]) -> String {
    let means: Vec<String> = all
        .iter()
        .filter(|one| one.between.is_none() && Some(&one.recipe.as_str()) == recipes.first())
        .map(|one| match one.r {
            Some(r) => format!("{} {}", one.category.phrase(), Kind::Difference.show(r)),
            None => format!("{}: too few cells", one.category.phrase()),
        })
        .collect();
    if means.is_empty() {
        return "Dot plot of correlations between languages; no mean is known.".to_owned();
    }
    format!(
        "Dot plot of correlations between people of two languages. Means over pairs of languages: {}.",
        means.join("; ")
    )
}

fn table(study: &Study<'_>) -> Table {
    let mut columns = vec![
        Column::new("category", "category", "category of the groups"),
        Column::new("first", "first", "BCP 47 tag of one language; “mean”: over all pairs of languages"),
        Column::new("second", "second", "BCP 47 tag of the other language; empty for the mean"),
    ];
    columns.extend(Column::estimate("r", "r", "Pearson's r; 1 alike, 0 unrelated, −1 opposite"));
    columns.push(Column::new("n", "n", "cells that both languages rated").holding(Holds::Counts));
    columns.push(Column::new("recipe", "what was correlated", "what was correlated, in words"));
    let rows = study.results.category_correlations.iter().map(|one| {
        let [first, second] = match &one.between {
            Some([first, second]) => [Cell::text(first.as_str()), Cell::text(second.as_str())],
            None => [Cell::text("mean"), Cell::Missing("")],
        };
        let number = |value: Option<f64>, why| {
            value.map_or(Cell::Missing(why), |value| Cell::number(Kind::Difference, value))
        };
        vec![
            Cell::text(one.category.phrase()),
            first,
            second,
            number(one.r, "too few cells"),
            number(one.interval.map(|one| one.low), "no interval"),
            number(one.interval.map(|one| one.high), ""),
            Cell::Count(one.n),
            Cell::text(&one.recipe),
        ]
    });
    let caption = "Correlation of people's scores between languages, by category of groups.".to_owned();
    Table { name: ENTRY.name, caption, columns, rows: rows.collect() }
}
