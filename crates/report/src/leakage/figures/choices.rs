//! Does what is concluded hang on a choice? Signs of every coefficient under every choice, side by side.

use stereometer_core::Language;
use stereometer_record::{Evidence, FitChoice, FitScale, MissingCells, Predictor, RandomEffects};

use super::{Entry, Parts};
use crate::figures::Figure;
use crate::leakage::study::{Line, Role, Study};
use crate::leakage::tables::coefficients::{evidence_word, sign, which, which_cells};
use crate::letters::cut;
use crate::svg::{Anchor, Svg};
use crate::words::{Kind, count, plural};
use crate::{Cell, Column, Table};

pub const ENTRY: Entry = Entry {
    name: "choices",
    title: "Does the conclusion hang on a choice?",
    absent: "Fits were made under one choice only, so nothing can be set beside it.",
    draw,
};

const CELL: (f64, f64) = (34.0, 19.0);
const HEADS: f64 = 78.0;
const LEFT: f64 = 128.0;
/// Room for what a row comes to.
const RIGHT: f64 = 74.0;
const HEADING: f64 = 22.0;

/// One coefficient under every choice.
struct Across<'a> {
    run: usize,
    target: &'a Language,
    predictor: &'a Predictor,
    role: Role,
    /// One a choice, none where there is no fit.
    lines: Vec<Option<Line<'a>>>,
}

impl Across<'_> {
    /// Whether what is found differs among the choices that have a fit.
    fn changes(&self) -> bool {
        let mut found = self.lines.iter().flatten().map(|line| line.coefficient.evidence);
        let first = found.next();
        found.any(|other| Some(other) != first)
    }
}

/// How many coefficients say something else under some choice, of how many.
fn changing(study: &Study<'_>) -> (usize, usize) {
    let all = across(study);
    (all.iter().filter(|one| one.changes()).count(), all.len())
}

/// The same in words.
pub fn changing_in_words(study: &Study<'_>) -> String {
    match changing(study) {
        (0, 1) => "The only coefficient says nothing else".to_owned(),
        (_, 1) => "The only coefficient says something else".to_owned(),
        (0, of) => format!("None of {} says something else", plural(of, "coefficient")),
        (1, of) => format!("1 of {} says something else", plural(of, "coefficient")),
        (n, of) => format!("{} of {} say something else", count(n), plural(of, "coefficient")),
    }
}

fn across<'a>(study: &Study<'a>) -> Vec<Across<'a>> {
    let choices = study.choices();
    let every: Vec<Vec<Line<'a>>> = choices.iter().map(|choice| study.lines(*choice)).collect();
    let mut all: Vec<Across<'a>> = Vec::new();
    for line in every.iter().flatten() {
        let (run, target, predictor) = (line.fit.run, &line.fit.target, &line.coefficient.predictor);
        if all.iter().any(|one| (one.run, one.target, one.predictor) == (run, target, predictor)) {
            continue;
        }
        let lines = every.iter().map(|lines| {
            lines
                .iter()
                .find(|other| {
                    (other.fit.run, &other.fit.target, &other.coefficient.predictor)
                        == (run, target, predictor)
                })
                .copied()
        });
        all.push(Across { run, target, predictor, role: line.role(), lines: lines.collect() });
    }
    let languages = study.languages();
    let place = |target: &Language| languages.iter().position(|one| *one == target);
    all.sort_by_key(|one| (one.run, place(one.target), one.role));
    all
}

fn draw(study: &Study<'_>) -> Option<Figure> {
    let all = across(study);
    if study.choices().len() < 2 || all.is_empty() {
        return None;
    }
    let (changing, of) = changing(study);
    Some(ENTRY.figure(Parts {
        reading: format!(
            "A row is a coefficient, a column a choice: what becomes of cells that nobody rated, which random intercepts \
             there are, raw or standardised units (which can change a coefficient's size, never its sign). ▲ positive and \
             ▼ negative with p < {} before adjustment, ○ no effect found; hatched: no fit. The framed column is the choice \
             asked for. {} under some choice.",
            study.results.settings.alpha,
            changing_in_words(study),
        ),
        alt: format!(
            "Grid of signs: {} under {}; {changing} of {of} change with the choice.",
            plural(of, "coefficient"),
            plural(study.choices().len(), "choice")
        ),
        svg: svg(study, &all),
        table: table(study, &all),
    }))
}

fn svg(study: &Study<'_>, all: &[Across<'_>]) -> Svg {
    let choices = ordered(study);
    let runs = study.explained();
    let block = LEFT + CELL.0 * choices.len() as f64 + RIGHT;
    let per_row = runs.len().min(2);
    let height = |run: &usize| {
        let of = all.iter().filter(|one| one.run == *run);
        let targets = study
            .targets()
            .into_iter()
            .filter(|target| all.iter().any(|one| one.run == *run && one.target == *target));
        HEADS + of.count() as f64 * CELL.1 + targets.count() as f64 * HEADING + 30.0
    };
    let rows: Vec<f64> = runs.chunks(per_row).map(|row| row.iter().map(height).fold(0.0, f64::max)).collect();
    let mut svg = Svg::new((block * per_row as f64).max(560.0), rows.iter().sum::<f64>() + 26.0);
    svg.text(
        "small",
        (8.0, 14.0),
        Anchor::Start,
        "▲ positive · ▼ negative · ○ no effect found · hatched: no fit",
    );
    let mut y = 26.0;
    for (chunk, high) in runs.chunks(per_row).zip(rows) {
        for (place, &run) in chunk.iter().enumerate() {
            draw_run(&mut svg, study, (&choices, run, all), (block * place as f64, y));
        }
        y += high;
    }
    svg
}

/// The columns: by missing cells, then random intercepts, then scale; each with its place in [`Study::choices`].
fn ordered(study: &Study<'_>) -> Vec<(usize, FitChoice)> {
    let mut choices: Vec<(usize, FitChoice)> = study.choices().into_iter().enumerate().collect();
    choices.sort_by_key(|(_, choice)| *choice);
    choices
}

fn draw_run(
    svg: &mut Svg,
    study: &Study<'_>,
    (choices, run, all): (&[(usize, FitChoice)], usize, &[Across<'_>]),
    (x, y): (f64, f64),
) {
    svg.text("head", (x + 8.0, y + 18.0), Anchor::Start, study.label(run));
    heads(svg, choices, (x + LEFT, y + 36.0));
    let mut at = y + HEADS;
    let mut before = None;
    for one in all.iter().filter(|one| one.run == run) {
        if before != Some(one.target) {
            before = Some(one.target);
            let name = cut(study.language_name(one.target), 14.0);
            svg.text("head", (x + LEFT - 8.0, at + HEADING - 6.0), Anchor::End, &format!("model in {name}"));
            at += HEADING;
        }
        let label = match (one.role, one.predictor) {
            (Role::Own, _) => "own people".to_owned(),
            (_, Predictor::People(language)) => format!("from {}", cut(study.language_name(language), 14.0)),
            (_, Predictor::Monolingual(_)) => "monolingual".to_owned(),
        };
        svg.text("label", (x + LEFT - 8.0, at + 14.0), Anchor::End, &label);
        for (place, (choice, _)) in choices.iter().enumerate() {
            cell(svg, one.lines[*choice].as_ref(), (x + LEFT + CELL.0 * place as f64, at), choices[place].1);
        }
        let right = x + LEFT + CELL.0 * choices.len() as f64 + 8.0;
        if one.changes() {
            svg.text("small", (right, at + 14.0), Anchor::Start, "changes");
        }
        at += CELL.1;
    }
    if let Some(place) = choices.iter().position(|(_, choice)| *choice == study.results.settings.choice) {
        let corner = (x + LEFT + CELL.0 * place as f64 - 1.0, y + HEADS - 21.0);
        svg.rect("frame", corner, (CELL.0 + 1.0, at - y - HEADS + 22.0));
    }
}

fn heads(svg: &mut Svg, choices: &[(usize, FitChoice)], (x, y): (f64, f64)) {
    let part = |line: usize, choice: &FitChoice| match line {
        0 => match choice.missing {
            MissingCells::Drop => "unrated: left out",
            MissingCells::Zero => "unrated: as 0",
        },
        1 => match choice.random {
            RandomEffects::Trait => "trait",
            RandomEffects::TraitGroup => "trait+group",
        },
        _ => match choice.scale {
            FitScale::Raw => "raw",
            FitScale::Standardised => "std.",
        },
    };
    for line in 0..3 {
        let mut from = 0;
        while from < choices.len() {
            let same = |one: &&(usize, FitChoice)| {
                (0..=line).all(|up| part(up, &one.1) == part(up, &choices[from].1))
            };
            let n = choices[from..].iter().take_while(same).count();
            let middle = x + CELL.0 * (from as f64 + n as f64 / 2.0);
            let at = (middle, y + 15.0 * line as f64);
            svg.text(if n < 2 { "few" } else { "small" }, at, Anchor::Middle, part(line, &choices[from].1));
            if line == 0 && from > 0 {
                svg.line("grid", (x + CELL.0 * from as f64, y - 10.0), (x + CELL.0 * from as f64, y + 36.0));
            }
            from += n;
        }
    }
}

fn cell(svg: &mut Svg, line: Option<&Line<'_>>, corner: (f64, f64), choice: FitChoice) {
    let size = (CELL.0 - 1.0, CELL.1 - 1.0);
    let middle = (corner.0 + size.0 / 2.0, corner.1 + 14.0);
    let Some(line) = line else {
        svg.rect("missing", corner, size);
        svg.hatch("hatch", corner, size, 8.0);
        return;
    };
    let one = line.coefficient;
    let class = match one.evidence {
        Evidence::Positive => "above-cell",
        Evidence::Negative => "below-cell",
        Evidence::Open => "open-cell",
    };
    svg.open(
        "cell",
        &format!("{choice}: {} ({})", Kind::Difference.show(one.estimate), evidence_word(one.evidence)),
    );
    svg.rect(class, corner, size);
    svg.text("sign", middle, Anchor::Middle, sign(one.evidence));
    svg.close();
}

fn table(study: &Study<'_>, all: &[Across<'_>]) -> Table {
    let choices = ordered(study);
    let mut columns = which();
    columns.push(Column::new(
        "changes",
        "changes",
        "yes: what is found differs among the choices that have a fit",
    ));
    for (_, choice) in &choices {
        let (missing, random, scale) = (choice.missing.name(), choice.random.name(), choice.scale.name());
        columns.push(Column::new(
            &format!("{missing}_{random}_{scale}").replace('+', "_"),
            &format!("{missing}, {random}, {scale}"),
            &format!("what the coefficient says with {choice}; empty: no fit"),
        ));
    }
    let rows = all.iter().filter_map(|one| {
        let line = one.lines.iter().flatten().next()?;
        let mut row = which_cells(study, line);
        row.push(Cell::text(if one.changes() { "yes" } else { "no" }));
        row.extend(choices.iter().map(|(choice, _)| match &one.lines[*choice] {
            Some(line) => Cell::text(evidence_word(line.coefficient.evidence)),
            None => Cell::Missing("no fit"),
        }));
        Some(row)
    });
    let caption = "What every coefficient says under every choice.".to_owned();
    Table { name: ENTRY.name, caption, columns, rows: rows.collect() }
}
