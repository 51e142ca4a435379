//! Do the language model's associations in one language go with what people of each language say? A point is a group and a pole.
//!
//! Pearson's r and the line of least squares describe each cloud by itself. Points of one group or pole belong together, so no interval
//! stands beside r: the regression, which knows that and holds the other languages' people fixed, has the intervals.

use std::fmt::Write as _;

use stereometer_core::Language;

use super::{Entry, Parts};
use crate::figures::Figure;
use crate::leakage::study::Study;
use crate::letters::cut;
use crate::scale::Scale;
use crate::svg::{Anchor, Svg, num};
use crate::words::{Kind, count, plural};
use crate::{Cell, Column, Holds, Table};

pub const ENTRY: Entry = Entry {
    name: "human_model_scatter",
    title: "What people say against what the language model associates",
    absent: "No group and pole has both a human score and an association.",
    draw,
};

/// Runs that are drawn; the table has all.
const DRAWN: usize = 2;
const PANEL: (f64, f64) = (170.0, 108.0);
const STEP: (f64, f64) = (186.0, 124.0);
const LEFT: f64 = 128.0;
/// Fewer points have no line.
const FEWEST: usize = 3;

/// A cloud of points: human score, association.
struct Cloud<'a> {
    run: usize,
    target: &'a Language,
    source: &'a Language,
    points: Vec<(f64, f64)>,
    fit: Option<Fit>,
}

/// Least squares.
struct Fit {
    r: f64,
    slope: f64,
    intercept: f64,
}

fn draw(study: &Study<'_>) -> Option<Figure> {
    let clouds = clouds(study);
    if clouds.iter().all(|cloud| cloud.points.is_empty()) {
        return None;
    }
    let runs = study.results.runs.len();
    Some(ENTRY.figure(Parts {
        reading: format!(
            "A row is the language in which the language model answers, a column whose people were asked; framed: the same \
             language. A point is a group and a pole: right = people say so more (0 to 50), up = the language model associates it more \
             strongly (its own unit; 0 = as for the neutral noun). r: Pearson's correlation; the line is that of least squares, \
             dashed where it falls. r has no interval, because points of one group or trait belong together: the \
             coefficients above have.{}",
            if runs > DRAWN { format!(" Of {} runs the first {DRAWN} are drawn; the table has all.", count(runs)) } else { String::new() },
        ),
        alt: alt(study, &clouds),
        svg: svg(study, &clouds),
        table: table(study, &clouds),
    }))
}

fn clouds<'a>(study: &Study<'a>) -> Vec<Cloud<'a>> {
    let mut all = Vec::new();
    let inventory = &study.results.inventory;
    let poles = || inventory.pairs.iter().flat_map(|pair| [&pair.left.id, &pair.right.id]);
    for (run, of_run) in study.results.runs.iter().enumerate() {
        for target in study.languages().into_iter().filter(|one| of_run.languages.contains(one)) {
            for source in study.sources() {
                let points: Vec<(f64, f64)> = inventory
                    .groups
                    .iter()
                    .flat_map(|group| poles().map(move |pole| (&group.id, pole)))
                    .filter_map(|(group, pole)| {
                        Some((
                            study.human(source, group, pole)?,
                            study.association(run, target, group, pole)?,
                        ))
                    })
                    .collect();
                let fit = fit(&points);
                all.push(Cloud { run, target, source, points, fit });
            }
        }
    }
    all
}

/// None of fewer than three points, or where either side does not vary.
fn fit(points: &[(f64, f64)]) -> Option<Fit> {
    if points.len() < FEWEST {
        return None;
    }
    let n = points.len() as f64;
    let (x, y) = points.iter().fold((0.0, 0.0), |sum, one| (sum.0 + one.0, sum.1 + one.1));
    let (x, y) = (x / n, y / n);
    let sums = points.iter().fold([0.0; 3], |[xx, yy, xy], one| {
        let (a, b) = (one.0 - x, one.1 - y);
        [xx + a * a, yy + b * b, xy + a * b]
    });
    let [xx, yy, xy] = sums;
    // What is left of equal values after their mean is taken away is rounding.
    let is_flat = |sum: f64, mean: f64| sum <= n * (mean.abs() * 1e-12).powi(2);
    if is_flat(xx, x) || is_flat(yy, y) {
        return None;
    }
    let slope = xy / xx;
    Some(Fit { r: (xy / (xx * yy).sqrt()).clamp(-1.0, 1.0), slope, intercept: y - slope * x })
}

fn svg(study: &Study<'_>, clouds: &[Cloud<'_>]) -> Svg {
    let runs: Vec<usize> = (0..study.results.runs.len().min(DRAWN)).collect();
    let sources = study.sources();
    let heads = 46.0;
    let targets = |run: usize| {
        let mut found: Vec<&Language> = Vec::new();
        for cloud in clouds.iter().filter(|cloud| cloud.run == run) {
            if !found.contains(&cloud.target) {
                found.push(cloud.target);
            }
        }
        found
    };
    let height = |run: &usize| heads + STEP.1 * targets(*run).len() as f64 + 44.0;
    let width = (LEFT + STEP.0 * sources.len() as f64 + 8.0).max(560.0);
    let mut svg = Svg::new(width, runs.iter().map(height).sum());
    let mut y = 0.0;
    for run in &runs {
        let of: Vec<&Cloud<'_>> = clouds.iter().filter(|cloud| cloud.run == *run).collect();
        let points = || of.iter().flat_map(|cloud| &cloud.points);
        let up = Scale::linear(points().map(|one| one.1).chain([0.0]), (PANEL.1, 0.0));
        let right = Scale::linear(points().map(|one| one.0).chain([0.0]), (0.0, PANEL.0));
        svg.text("head", (8.0, y + 16.0), Anchor::Start, study.label(*run));
        for (column, source) in sources.iter().enumerate() {
            let at = (LEFT + STEP.0 * column as f64, y + heads - 8.0);
            svg.text(
                "head",
                at,
                Anchor::Start,
                &format!("people in {}", cut(study.language_name(source), 14.0)),
            );
        }
        for (row, target) in targets(*run).into_iter().enumerate() {
            let top = y + heads + STEP.1 * row as f64;
            let name = cut(study.language_name(target), 11.0);
            svg.text("head", (8.0, top + 16.0), Anchor::Start, &format!("model in {name}"));
            for (value, label) in up.ticks() {
                svg.text("few", (LEFT - 5.0, top + up.place(value) + 3.5), Anchor::End, &label);
            }
            for (column, source) in sources.iter().enumerate() {
                let corner = (LEFT + STEP.0 * column as f64, top);
                let found = of.iter().find(|cloud| cloud.target == target && cloud.source == *source);
                if let Some(cloud) = found {
                    draw_cloud(&mut svg, cloud, corner, (&right, &up));
                }
            }
        }
        let bottom = y + heads + STEP.1 * targets(*run).len() as f64 - STEP.1 + PANEL.1;
        for column in 0..sources.len() {
            for (value, label) in right.ticks() {
                let x = LEFT + STEP.0 * column as f64 + right.place(value);
                svg.text("few", (x, bottom + 14.0), Anchor::Middle, &label);
            }
        }
        svg.text("small", (LEFT, bottom + 32.0), Anchor::Start, "human score →   (upwards: association)");
        y += height(run);
    }
    svg
}

fn draw_cloud(svg: &mut Svg, cloud: &Cloud<'_>, (x, y): (f64, f64), (right, up): (&Scale, &Scale)) {
    svg.rect("band", (x, y), PANEL);
    if cloud.source == cloud.target {
        svg.rect("frame", (x, y), PANEL);
    }
    let zero = y + up.place(0.0);
    svg.line("grid", (x, zero), (x + PANEL.0, zero));
    if cloud.points.is_empty() {
        svg.hatch("hatch", (x, y), PANEL, 14.0);
        svg.text("flow-number", (x + PANEL.0 / 2.0, y + PANEL.1 / 2.0), Anchor::Middle, "no cell has both");
        return;
    }
    let mut d = String::new();
    for (human, model) in &cloud.points {
        let _ = write!(d, "M{} {}h0", num(x + right.place(*human)), num(y + up.place(*model)));
    }
    svg.path("cloud", &d);
    let n = count(cloud.points.len());
    let Some(fit) = &cloud.fit else {
        svg.text("flow-number", (x + 5.0, y + 14.0), Anchor::Start, &format!("no r, n {n}"));
        return;
    };
    let most = cloud.points.iter().map(|one| one.0).fold(f64::NEG_INFINITY, f64::max);
    let least = cloud.points.iter().map(|one| one.0).fold(f64::INFINITY, f64::min);
    let at = |human: f64| (x + right.place(human), y + up.place(fit.intercept + fit.slope * human));
    let class = if fit.slope < 0.0 { "falls" } else { "all-whisker" };
    svg.line(class, at(least), at(most));
    let said = format!("r {}, n {n}", Kind::Difference.show(fit.r));
    svg.text("flow-number", (x + 5.0, y + 14.0), Anchor::Start, &said);
}

fn alt(study: &Study<'_>, clouds: &[Cloud<'_>]) -> String {
    let mut with: Vec<(&Cloud<'_>, f64)> =
        clouds.iter().filter_map(|cloud| Some((cloud, cloud.fit.as_ref()?.r))).collect();
    with.sort_by(|a, b| b.1.total_cmp(&a.1));
    let name = |(cloud, r): &(&Cloud<'_>, f64)| {
        format!(
            "{} in {} with people of {} ({})",
            study.run(cloud.run),
            study.language_name(cloud.target),
            study.language_name(cloud.source),
            Kind::Difference.show(*r)
        )
    };
    let ends = match with.as_slice() {
        [] => " None has a correlation".to_owned(),
        [only] => format!(" {}", name(only)),
        [top, .., bottom] => format!(" Highest r: {}; lowest: {}", name(top), name(bottom)),
    };
    format!("Scatter plots of human scores and associations, {}.{ends}.", plural(clouds.len(), "panel"))
}

fn table(study: &Study<'_>, clouds: &[Cloud<'_>]) -> Table {
    let columns = vec![
        Column::new("run", "run", "name of the run"),
        Column::new("target", "model in", "BCP 47 tag of the language in which the language model answers"),
        Column::new("source", "people of", "BCP 47 tag of the people's language"),
        Column::new("r", "r", "Pearson's correlation of human score and association; neutral 0")
            .holding(Holds::Numbers),
        Column::new("slope", "slope", "change of the association for one point more of the human score")
            .holding(Holds::Numbers),
        Column::new("intercept", "at 0", "association where the human score is 0, by the line")
            .holding(Holds::Numbers),
        Column::new("n", "n", "group–pole cells that have both").holding(Holds::Counts),
    ];
    let rows = clouds.iter().map(|cloud| {
        let mut row = vec![
            Cell::text(study.run(cloud.run)),
            Cell::text(cloud.target.as_str()),
            Cell::text(cloud.source.as_str()),
        ];
        row.extend(match &cloud.fit {
            Some(fit) => [
                Cell::number(Kind::Difference, fit.r),
                Cell::Number(fit.slope, format!("{:.4}", fit.slope).replace('-', "−")),
                Cell::number(Kind::Difference, fit.intercept),
            ],
            None => [Cell::Missing("too few cells, or no variation"), Cell::Missing(""), Cell::Missing("")],
        });
        row.push(Cell::Count(cloud.points.len()));
        row
    });
    let caption = "Human scores and associations: correlation and line of least squares.".to_owned();
    Table { name: ENTRY.name, caption, columns, rows: rows.collect() }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// `scipy.stats.linregress([0, 10, 20, 50], [0.1, 0.4, 0.2, 0.9])`, SciPy 1.17.1.
    #[test]
    fn least_squares_is_that_of_scipy() {
        let found = fit(&[(0.0, 0.1), (10.0, 0.4), (20.0, 0.2), (50.0, 0.9)]).unwrap();
        for (value, expected) in
            [(found.slope, 0.015), (found.intercept, 0.1), (found.r, 0.910_465_468_000_325_9)]
        {
            assert!((value - expected).abs() < 1e-9, "{value} {expected}");
        }
    }

    #[test]
    fn what_does_not_vary_has_no_line() {
        assert!(fit(&[(1.0, 2.0), (3.0, 4.0)]).is_none());
        assert!(fit(&[(1.1, 2.0), (1.1, 4.0), (1.1, 5.0)]).is_none());
        assert!(fit(&[(1.0, 0.3), (2.0, 0.3), (3.0, 0.3)]).is_none());
    }
}
