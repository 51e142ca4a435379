//! Whose stereotypes flow into which language? One panel a run: people on the left, the language model's answers on the right.
//!
//! Only other languages' people are ribbons; the target's own stand at its right edge as a striped block of the same scale.
//! A ribbon's thickness is the coefficient, never its share of anything: the ribbons of a node add up to nothing in particular.

mod panel;

use stereometer_core::Language;
use stereometer_record::Evidence;

use self::panel::{Look, Panel, THICKEST, column, look, tops};
use super::{Entry, Parts};
use crate::figures::Figure;
use crate::leakage::study::{Line, Role, Study};
use crate::leakage::tables::coefficients::{in_words, number_cells, numbers, which, which_cells};
use crate::letters::cut;
use crate::scale::round_step;
use crate::svg::{Anchor, Svg, num};
use crate::words::{Kind, count, list, plural};
use crate::{About, Table};

pub const ENTRY: Entry = Entry {
    name: "leakage_flow",
    title: "Whose stereotypes leak into which language",
    absent: "No regression could be made under the choice asked for, so no flow is known.",
    draw,
};

/// Width of a panel, and where people and answers stand in it.
const PANEL: f64 = 520.0;
const FROM: f64 = 108.0;
const TO: f64 = 352.0;

fn draw(study: &Study<'_>) -> Option<Figure> {
    let lines = study.chosen();
    if lines.is_empty() {
        return None;
    }
    let alpha = study.results.settings.alpha;
    Some(ENTRY.figure(Parts {
        reading: format!(
            "Left: whose stereotypes, people of each language. Right: the language in which the language model answers. A \
             ribbon is a coefficient of the regression ({}); the thicker, the larger: the scale is beside each name. Dark \
             with an outline: positive, and p < {alpha} after Holm's adjustment; pale: p < {alpha} before it only; dashed and empty: \
             negative; a hairline: no effect found. Striped blocks at the right: people of the language itself, which \
             is no leak; empty where none was found. The colour is that of the source. Numbers are coefficients; ribbons of \
             one language do not add up to a whole.",
            study.results.settings.choice
        ),
        alt: alt(study, &lines),
        svg: svg(study, &lines),
        table: table(study, &lines),
    }))
}

fn svg(study: &Study<'_>, lines: &[Line<'_>]) -> Svg {
    let panels: Vec<Panel<'_>> =
        study.explained().into_iter().map(|run| Panel::new(study, run, lines)).collect();
    let within: Vec<f64> = panels
        .iter()
        .map(|panel| panel.nodes(study).iter().map(|one| column(one)).fold(0.0, f64::max))
        .collect();
    let per_row = panels.len().min(2);
    let heads = 58.0;
    let rows: Vec<f64> =
        within.chunks(per_row).map(|row| row.iter().copied().fold(0.0, f64::max) + heads + 26.0).collect();
    let legend = 66.0;
    let width = PANEL * per_row.max(2) as f64;
    let mut svg = Svg::new(width, rows.iter().sum::<f64>() + legend);
    legend_of(&mut svg, study.results.settings.alpha);
    let mut y = legend;
    for (row, chunk) in panels.chunks(per_row).enumerate() {
        for (place, panel) in chunk.iter().enumerate() {
            draw_panel(&mut svg, study, panel, (PANEL * place as f64, y + heads), rows[row] - heads - 26.0);
        }
        y += rows[row];
    }
    svg
}

fn legend_of(svg: &mut Svg, alpha: f64) {
    let entries = [
        ("flow-sure flow1", format!("leaks: positive, Holm p < {alpha}")),
        ("flow-pale flow1", format!("positive, p < {alpha} before adjustment only")),
        ("flow-negative flow1", "negative".to_owned()),
        ("", "no effect found".to_owned()),
        ("own", "own language: no leak".to_owned()),
        ("missing", "no fit".to_owned()),
    ];
    let (mut x, mut y) = (8.0, 8.0);
    for (class, text) in entries {
        let wide = 58.0 + text.chars().count() as f64 * 6.6;
        if x + wide > PANEL * 2.0 {
            (x, y) = (8.0, y + 24.0);
        }
        match class {
            "" => svg.line("flow-hair", (x, y + 6.0), (x + 30.0, y + 6.0)),
            "own" => own_block(svg, "flow-own", (x, y), (30.0, 12.0)),
            "missing" => {
                svg.rect("missing", (x, y), (30.0, 12.0));
                svg.hatch("hatch", (x, y), (30.0, 12.0), 6.0);
            }
            class => svg.rect(class, (x, y), (30.0, 12.0)),
        }
        svg.text("small", (x + 36.0, y + 10.5), Anchor::Start, &text);
        x += wide;
    }
}

fn own_block(svg: &mut Svg, class: &str, corner: (f64, f64), size: (f64, f64)) {
    svg.rect(class, corner, size);
    if class == "flow-own" {
        svg.hatch("own-hatch", corner, size, 5.0);
    }
}

fn draw_panel(svg: &mut Svg, study: &Study<'_>, panel: &Panel<'_>, (x, y): (f64, f64), within: f64) {
    let [out, into] = panel.nodes(study);
    let (out_tops, into_tops) = (tops(&out, within), tops(&into, within));
    svg.text("head", (x + 8.0, y - 38.0), Anchor::Start, study.label(panel.run));
    svg.text("small", (x + FROM - 12.0, y - 14.0), Anchor::End, "people asked in");
    svg.text("small", (x + TO + 12.0, y - 14.0), Anchor::Start, "model in; own people");
    scale_bar(svg, panel, (x + TO + 60.0, y - 48.0));
    let mut places = Ends::new(&out_tops, &into_tops);
    let mut ribbons = Vec::new();
    for (from, source) in panel.sources.iter().enumerate() {
        for (to, target) in panel.targets.iter().enumerate() {
            let Some(line) = panel.leak(source, target) else { continue };
            let slot = panel.slot(study, line);
            ribbons.push((from, to, *line, slot));
        }
    }
    // A node's ribbons fill the middle of it where they are few.
    for (node, height) in out.iter().enumerate() {
        let sum: f64 = ribbons.iter().filter(|one| one.0 == node).map(|one| one.3).sum();
        places.out[node] += (height - sum) / 2.0;
    }
    for (node, height) in into.iter().enumerate() {
        let sum: f64 = ribbons.iter().filter(|one| one.1 == node).map(|one| one.3).sum();
        places.into[node] += (height - sum) / 2.0;
    }
    let mut numbers = Vec::new();
    for (from, to, line, slot) in ribbons {
        let (a, b) = (y + places.out[from] + slot / 2.0, y + places.into[to] + slot / 2.0);
        places.out[from] += slot;
        places.into[to] += slot;
        let source = panel.sources[from];
        let title = format!(
            "{} → {}: {}",
            study.language_name(source),
            study.language_name(panel.targets[to]),
            in_words(study, &line)
        );
        svg.open_about("ribbon", &title, About::default());
        let look = look(study, &line);
        if look == Look::Hair {
            svg.path("flow-hair", &curve((x + FROM, a), (x + TO, b), 0.0));
        } else {
            let class = match look {
                Look::Sure => "flow-sure",
                Look::Pale => "flow-pale",
                Look::Negative | Look::Hair => "flow-negative",
            };
            let d = curve((x + FROM, a), (x + TO, b), panel.thickness(&line));
            svg.path(&format!("{class} flow{}", from % 4), &d);
            numbers.push((b, format!("{source} {}", Kind::Difference.show(line.coefficient.estimate))));
        }
        svg.close();
    }
    for (b, number) in numbers {
        svg.text("flow-number", (x + TO - 6.0, b + 4.0), Anchor::End, &number);
    }
    for ((source, top), height) in panel.sources.iter().zip(&out_tops).zip(&out) {
        svg.rect("node", (x + FROM - 8.0, y + top), (8.0, *height));
        let name = cut(study.language_name(source), 13.0);
        svg.text("label", (x + FROM - 14.0, y + top + height / 2.0 + 4.5), Anchor::End, &name);
    }
    for ((target, top), height) in panel.targets.iter().zip(&into_tops).zip(&into) {
        draw_target(svg, (study, panel), target, (x + TO, y + top), *height);
    }
}

/// Where the next ribbon leaves and arrives.
struct Ends {
    out: Vec<f64>,
    into: Vec<f64>,
}

impl Ends {
    fn new(out: &[f64], into: &[f64]) -> Self {
        Self { out: out.to_vec(), into: into.to_vec() }
    }
}

fn draw_target(
    svg: &mut Svg,
    (study, panel): (&Study<'_>, &Panel<'_>),
    target: &Language,
    (x, y): (f64, f64),
    height: f64,
) {
    let name = study.language_name(target);
    let middle = y + height / 2.0;
    let Some(own) = panel.own(target) else {
        let has_fit = panel.lines.iter().any(|line| line.fit.target == *target);
        if has_fit {
            svg.rect("node", (x, y), (8.0, height));
        } else {
            svg.rect("missing", (x, y), (8.0, height));
            svg.hatch("hatch", (x, y), (8.0, height), 5.0);
        }
        svg.text("label", (x + 46.0, middle - 2.0), Anchor::Start, &cut(name, 14.0));
        let why = if has_fit { "own people: not asked" } else { "no fit: see “Doubts”" };
        svg.text("small", (x + 46.0, middle + 13.0), Anchor::Start, why);
        return;
    };
    svg.rect("node", (x, y), (8.0, height));
    let class = match own.coefficient.evidence {
        Evidence::Positive => "flow-own",
        Evidence::Negative => "flow-own-negative",
        Evidence::Open => "flow-own-open",
    };
    let thick = panel.thickness(own);
    svg.open("own", &format!("{name}, own people: {}", in_words(study, own)));
    own_block(svg, class, (x + 12.0, middle - thick / 2.0), (28.0, thick));
    svg.close();
    svg.text("label", (x + 46.0, middle - 2.0), Anchor::Start, &cut(name, 14.0));
    let number = match own.coefficient.evidence {
        Evidence::Open => "own: none found".to_owned(),
        Evidence::Positive | Evidence::Negative => {
            format!("own {}", Kind::Difference.show(own.coefficient.estimate))
        }
    };
    svg.text("small", (x + 46.0, middle + 13.0), Anchor::Start, &number);
}

/// How thick a round coefficient is.
fn scale_bar(svg: &mut Svg, panel: &Panel<'_>, (x, y): (f64, f64)) {
    if panel.unit <= 0.0 {
        return;
    }
    let value = round_step(THICKEST / panel.unit / 4.0);
    let thick = value * panel.unit;
    svg.rect("node", (x, y + (14.0 - thick) / 2.0), (18.0, thick));
    let digits = (-value.log10().floor()).max(0.0) as usize;
    svg.text("small", (x + 24.0, y + 11.0), Anchor::Start, &format!("this thick: {value:.digits$}"));
}

/// A ribbon of this thickness around a curve; without one the curve alone.
fn curve(from: (f64, f64), to: (f64, f64), thick: f64) -> String {
    let half = f64::midpoint(from.0, to.0);
    let side = |offset: f64, back: bool| {
        let (a, b) = if back { (to, from) } else { (from, to) };
        format!(
            "{} {}C{} {} {} {} {} {}",
            num(a.0),
            num(a.1 + offset),
            num(half),
            num(a.1 + offset),
            num(half),
            num(b.1 + offset),
            num(b.0),
            num(b.1 + offset)
        )
    };
    if thick <= 0.0 {
        return format!("M{}", side(0.0, false));
    }
    format!("M{}L{}Z", side(-thick / 2.0, false), side(thick / 2.0, true))
}

fn alt(study: &Study<'_>, lines: &[Line<'_>]) -> String {
    let clauses: Vec<String> = study
        .explained()
        .into_iter()
        .map(|run| {
            let of: Vec<&Line<'_>> = lines.iter().filter(|line| line.fit.run == run).collect();
            let leaks: Vec<&&Line<'_>> = of.iter().filter(|line| line.is_leak()).collect();
            let asked = of.iter().filter(|line| line.role() == Role::Leak).count();
            let named: Vec<String> = leaks
                .iter()
                .take(6)
                .map(|line| {
                    format!(
                        "{} to {} {}",
                        line.source().map_or("", |source| study.language_name(source)),
                        study.language_name(&line.fit.target),
                        Kind::Difference.show(line.coefficient.estimate)
                    )
                })
                .collect();
            let more = if leaks.len() > 6 { ", and more" } else { "" };
            let named = if named.is_empty() { String::new() } else { format!(": {}{more}", list(&named)) };
            format!(
                "{}: {} of {} found{named}",
                study.run(run),
                count(leaks.len()),
                plural(asked, "possible leak")
            )
        })
        .collect();
    format!(
        "Flow diagram from people of each language to the languages of the language model. {}.",
        clauses.join("; ")
    )
}

fn table(study: &Study<'_>, lines: &[Line<'_>]) -> Table {
    let columns = which().into_iter().chain(numbers()).collect();
    let rows = lines
        .iter()
        .filter(|line| line.source().is_some())
        .map(|line| which_cells(study, line).into_iter().chain(number_cells(line)).collect());
    Table {
        name: ENTRY.name,
        caption: format!("Coefficients of people's scores: {}.", study.results.settings.choice),
        columns,
        rows: rows.collect(),
    }
}
