//! Do gendered pairs, pronoun templates and noun templates tell the same story?
//!
//! The masculine rates on stereotypes about women and about men, with one form of item alone (figures 9 to 11 of
//! EuroGEST): a panel a form on one common axis, a row a language. A language without the form says “none”; a form
//! that no language has gets no panel. Marks without an interval are hollow.

use stereometer_core::{Estimate, Form};
use stereometer_record::{LanguageResult, Results, TemplateRow};

use super::Figure;
use super::forms;
use super::rows::{Rows, label_width, legend};
use crate::overall::by_g_s;
use crate::scale::Scale;
use crate::svg::{Anchor, Mark, Svg};
use crate::words::{Kind, count, percent, plural};
use crate::{About, Cell, Column, Table};

const NAME: &str = "rates_by_form";
/// Room for all panels and the labels.
const WIDTH: f64 = 1020.0;
/// Right of a panel, for the number of items.
const NUMBER: f64 = 48.0;
const GAP: f64 = 14.0;
const NO_SIDE: &str = "no scored sentence";

/// Draws the figure.
pub fn draw(results: &Results) -> Figure {
    let languages = by_g_s(results);
    Figure {
        name: NAME,
        title: "Masculine rates with each form of item alone",
        reading: format!(
            "The share of the masculine variant, 0.5 = no preference, from one form of item alone; all panels have \
             the same axis. Circle: mean over the stereotypes about women; square: over those about men; bars are {} \
             intervals, hollow marks have none; “items” counts the scored pairs. A square right of its circle is \
             stereotypical. Languages stand in the order of Figure 1.{}",
            percent(results.level),
            forms::lacking(results)
        ),
        alt: alt(results, &languages),
        svg: plot(results, &languages),
        table: table(results, &languages),
    }
}

fn sides(row: &TemplateRow) -> [Option<&Estimate>; 2] {
    [row.q_feminine.as_ref(), row.q_masculine.as_ref()]
}

fn estimates<'a>(languages: &[&'a LanguageResult]) -> impl Iterator<Item = &'a Estimate> {
    languages.iter().flat_map(|one| &one.by_form).flat_map(sides).flatten()
}

fn plot(results: &Results, languages: &[&LanguageResult]) -> Svg {
    let panels = forms::forms(results);
    let left = label_width(languages.iter().map(|language| language.name.as_str()));
    let each = ((WIDTH - left) / 3.0).floor();
    let width = left + each * panels.len().max(2) as f64;
    let rows = Rows { top: 60.0, n: languages.len() };
    let mut svg = Svg::new(width, rows.height());
    let shown = estimates(languages).flat_map(|one| {
        let ends = one.interval().map_or([one.value; 2], |interval| [interval.low, interval.high]);
        [one.value, ends[0], ends[1]]
    });
    let whole = Scale::linear(shown.chain([0.5]), (0.0, each - NUMBER - GAP));
    let mut signs = vec![
        (Mark::Circle, "feminine-mark", "stereotypes about women"),
        (Mark::Square, "masculine-mark", "stereotypes about men"),
    ];
    if estimates(languages).any(|one| one.interval().is_none()) {
        signs.push((Mark::Circle, "feminine-hollow", "no interval"));
    }
    legend(&mut svg, left, &signs);
    rows.bands(&mut svg, width);
    for (row, language) in languages.iter().enumerate() {
        svg.open_about("row", "", About::language(&language.language));
        rows.label(&mut svg, row, left - 8.0, &language.name);
        svg.close();
    }
    for (place, form) in panels.into_iter().enumerate() {
        panel(&mut svg, rows, (form, whole.moved(left + each * place as f64)), languages);
    }
    svg
}

fn panel(svg: &mut Svg, rows: Rows, (form, scale): (Form, Scale), languages: &[&LanguageResult]) {
    let (from, to) = scale.ends();
    svg.text("head", (from, rows.top - 10.0), Anchor::Start, forms::name(form));
    svg.text("head", (to + NUMBER - 8.0, rows.top - 10.0), Anchor::End, "items");
    rows.axis(svg, &scale, 0.5, ["feminine", "masculine"]);
    for (row, language) in languages.iter().enumerate() {
        svg.open_about("row", "", About::language(&language.language));
        draw_row(svg, (rows, row), (form, &scale), language);
        svg.close();
    }
}

fn draw_row(
    svg: &mut Svg,
    (rows, row): (Rows, usize),
    (form, scale): (Form, &Scale),
    language: &LanguageResult,
) {
    let right = scale.ends().1 + NUMBER - 8.0;
    let Some(result) = forms::of(language, form) else {
        svg.text("small", (right, rows.middle(row) + 4.5), Anchor::End, "none");
        return;
    };
    let marks =
        [(Mark::Circle, "feminine", "about women", -4.5), (Mark::Square, "masculine", "about men", 4.5)];
    for (estimate, (mark, class, what, shift)) in sides(result).into_iter().zip(marks) {
        let Some(estimate) = estimate else { continue };
        let y = rows.middle(row) + shift;
        svg.open(class, &format!("{}, {form}, {what}: {}", language.name, Kind::Rate.brief(estimate)));
        let filling = if let Some(interval) = estimate.interval() {
            let ends = [interval.low, interval.high].map(|end| (scale.place(end), y));
            svg.line(&format!("{class}-whisker"), ends[0], ends[1]);
            "mark"
        } else {
            "hollow"
        };
        svg.mark(mark, &format!("{class}-{filling}"), (scale.place(estimate.value), y), 4.0);
        svg.close();
    }
    rows.number(svg, row, right, &count(result.n));
}

fn alt(results: &Results, languages: &[&LanguageResult]) -> String {
    let clauses: Vec<String> = forms::forms(results)
        .into_iter()
        .map(|form| {
            let both: Vec<[f64; 2]> = languages
                .iter()
                .filter_map(|language| match sides(forms::of(language, form)?) {
                    [Some(f), Some(m)] => Some([f.value, m.value]),
                    _ => None,
                })
                .collect();
            let higher = both.iter().filter(|[f, m]| m > f).count();
            format!("{}: in {higher} of {}", forms::name(form), plural(both.len(), "language"))
        })
        .collect();
    if clauses.is_empty() {
        return "No language has a scored item.".to_owned();
    }
    format!(
        "Panels of masculine rates by form of item, two marks a language. The rate is higher on stereotypes about men \
         than on those about women with {}.",
        clauses.join("; ")
    )
}

fn table(results: &Results, languages: &[&LanguageResult]) -> Table {
    let mut columns = Column::language().to_vec();
    columns.extend([
        Column::new(
            "form",
            "form",
            "gendered: the sentence marks the gender; pronoun, noun: template around it",
        ),
        Column::new("n_items", "items", "scored items of this form"),
    ]);
    for (key, label, meaning) in [
        ("q_feminine", "about women", "mean of q_1 to q_7; neutral 0.5"),
        ("q_masculine", "about men", "mean of q_8 to q_16; neutral 0.5"),
    ] {
        columns.extend(Column::estimate(key, label, meaning));
        columns.push(Column::new(&format!("{key}_n"), "n", &format!("source sentences behind {key}")));
    }
    let forms = forms::forms(results);
    let rows = languages.iter().flat_map(|language| {
        forms.iter().map(|&form| {
            let result = forms::of(language, form);
            let mut row = Cell::language(language).to_vec();
            row.extend([Cell::text(form.to_string()), Cell::Count(result.map_or(0, |one| one.n))]);
            for estimate in result.map_or([None, None], sides) {
                let missing = if result.is_none() { forms::none(form) } else { NO_SIDE };
                row.extend(Cell::estimate(Kind::Rate, estimate, missing));
                row.push(Cell::Count(estimate.map_or(0, |one| one.n)));
            }
            row
        })
    });
    let caption = format!(
        "Mean masculine rates by language and form of item with {} intervals.",
        percent(results.level)
    );
    Table { name: NAME, caption, columns, rows: rows.collect() }
}
