//! Which stereotypes does which language model follow, over its languages? (EuroGEST, figure 4.)
//!
//! Mean inclination of every run by stereotype. Up to four runs are dots of different shapes; of more runs, the family
//! with the most sizes is drawn where four shapes suffice for it, else all runs as a grid. The table always has all runs.

use stereometer_core::{Estimate, Gender, StereotypeId, Verdict};
use stereometer_record::Comparison;

use super::dots::{Dots, extent};
use super::grid::{Grid, GridCell, Paint, Row, column_width, heads};
use super::{Entry, Parts};
use crate::comparison::runs::{MARKS, by_size, legend, mean_inclination, short_labels};
use crate::figures::Figure;
use crate::figures::rows::{ROW, Rows};
use crate::scale::Scale;
use crate::svg::{Anchor, Svg};
use crate::words::{Kind, percent, plural};
use crate::{About, Cell, Column, Table};

pub const ENTRY: Entry = Entry {
    name: "inclination_by_model",
    title: "Mean inclination towards each stereotype, by run",
    absent: "No run has an inclination: it needs a default masculine rate, from stereotypes about both.",
    draw,
};

const LEFT: f64 = 180.0;
/// Fewer sizes of a family do not make up for the runs that are left out.
const SIZES: usize = 3;

fn draw(comparison: &Comparison) -> Option<Figure> {
    comparison.runs.iter().flat_map(|run| &run.results.stereotypes).find(|one| one.inclination.is_some())?;
    let order = by_size(comparison);
    let family = one_family(comparison, &order);
    let shown = family.clone().map_or_else(|| order.clone(), |(_, runs)| runs);
    let is_dots = shown.len() <= MARKS.len();
    let which = family.map_or_else(String::new, |(name, runs)| {
        format!(
            " The figure is of one family, {name} ({}), because its sizes can be told apart; the table has all {}.",
            plural(runs.len(), "run"),
            plural(comparison.runs.len(), "run")
        )
    });
    let level = percent(comparison.level);
    let how = if is_dots {
        format!("A shape a run, by size; bars are {level} intervals; filled: the interval leaves out 0.")
    } else {
        format!("▲ the {level} interval lies above 0, ▼ below 0, ○ it includes 0, ? there is none.")
    };
    Some(ENTRY.figure(Parts {
        reading: format!(
            "Inclination is the distance of a stereotype's masculine rate from the default masculine rate, signed so that \
             above 0 is towards the stereotype; here its mean over the languages of each run; 0 = neutral. {how}{which}"
        ),
        alt: alt(comparison),
        svg: if is_dots { dots(comparison, &shown) } else { grid(comparison, &shown) },
        table: table(comparison, &order),
    }))
}

/// The runs of the largest family with several sizes, if all runs are too many for dots and these are not.
fn one_family(comparison: &Comparison, order: &[usize]) -> Option<(String, Vec<usize>)> {
    if comparison.runs.len() <= MARKS.len() {
        return None;
    }
    let is_drawn = |runs: usize| (SIZES..=MARKS.len()).contains(&runs);
    let trends = comparison.trends.iter().rev().filter(|trend| is_drawn(trend.runs.len()));
    // Of equals the first: base before tuned.
    let trend = trends.max_by_key(|trend| trend.runs.len())?;
    let tuning = trend.tuning.map(|tuning| format!(" {tuning}")).unwrap_or_default();
    let runs = order.iter().copied().filter(|place| trend.runs.contains(place)).collect();
    Some((format!("{}{tuning}", trend.family), runs))
}

fn side(about: Gender) -> impl Iterator<Item = StereotypeId> {
    StereotypeId::all().filter(move |id| id.info().about == about)
}

fn dots(comparison: &Comparison, runs: &[usize]) -> Svg {
    let all = short_labels(comparison);
    let labels: Vec<String> = runs.iter().map(|&run| all[run].clone()).collect();
    let (right, width) = (LEFT + 540.0, LEFT + 560.0);
    let top = legend(&mut Svg::new(width, 0.0), width, &labels, SIGNS) + 6.0;
    let rows = Rows { top, n: StereotypeId::all().len() + 1 };
    let mut svg = Svg::new(width, rows.height());
    legend(&mut svg, width, &labels, SIGNS);
    let values = |id| runs.iter().map(move |&run| mean_inclination(&comparison.runs[run], id));
    let shown = StereotypeId::all().flat_map(values).flatten();
    let scale = Scale::linear(extent(shown).chain([0.0]), (LEFT, right));
    rows.bands(&mut svg, width);
    rows.axis(&mut svg, &scale, 0.0, ["against the stereotype", "towards it"]);
    let dots = Dots { rows, scale: &scale, kind: Kind::Difference, neutral: 0.0, labels: &labels };
    for id in StereotypeId::all() {
        let row = id.index() + usize::from(id.info().about == Gender::Masculine);
        svg.open_about("row", "", About::stereotype(id));
        rows.label(&mut svg, row, LEFT - 8.0, &id.phrase());
        let values: Vec<Option<&Estimate>> = values(id).collect();
        if values.iter().all(Option::is_none) {
            svg.text("small", (LEFT + 8.0, rows.middle(row) + 4.5), Anchor::Start, "none");
        }
        dots.draw(&mut svg, row, &id.phrase(), &values);
        svg.close();
    }
    svg
}

const SIGNS: [&str; 2] = ["the interval leaves out 0", "it includes 0, or there is none"];

fn grid(comparison: &Comparison, runs: &[usize]) -> Svg {
    let labels = short_labels(comparison);
    let cell = |id: StereotypeId, run: usize| {
        let estimate = mean_inclination(&comparison.runs[run], id)?;
        let verdict = Verdict::of(estimate, 0.0);
        Some(GridCell {
            paint: Paint::Verdict(verdict),
            sign: verdict.sign(),
            shown: Kind::Difference.show(estimate.value),
            title: format!("{}, {}: {}", id.phrase(), labels[run], Kind::Difference.brief(estimate)),
        })
    };
    let rows = [("women are …", Gender::Feminine), ("men are …", Gender::Masculine)];
    let rows = rows.into_iter().flat_map(|(heading, about)| {
        side(about).enumerate().map(move |(place, id)| Row {
            heading: (place == 0).then(|| heading.to_owned()),
            label: id.info().name.to_owned(),
            about: About::stereotype(id),
            cells: runs.iter().map(|&run| cell(id, run)).collect(),
            note: String::new(),
        })
    });
    let columns = heads(runs.iter().map(|&run| &labels[run]));
    let wide = column_width(&columns, [54.0, 72.0]);
    let grid = Grid { columns, rows: rows.collect(), left: 110.0, cell: (wide, ROW), right: 0.0 };
    let mut svg = Svg::new(grid.width(), grid.height());
    grid.draw(&mut svg, 0.0);
    svg
}

fn alt(comparison: &Comparison) -> String {
    let clauses: Vec<String> = comparison
        .runs
        .iter()
        .map(|run| {
            let strongest = run
                .results
                .stereotypes
                .iter()
                .filter_map(|one| Some((one.stereotype, one.inclination.as_ref()?.value)))
                .max_by(|a, b| a.1.total_cmp(&b.1));
            strongest.map_or_else(
                || format!("{} has none", run.label),
                |(id, value)| {
                    format!("{}: “{}” with {}", run.label, id.phrase(), Kind::Difference.show(value))
                },
            )
        })
        .collect();
    format!(
        "Mean inclination towards each stereotype for {}. The strongest of each run: {}.",
        plural(comparison.runs.len(), "run"),
        clauses.join("; ")
    )
}

fn table(comparison: &Comparison, order: &[usize]) -> Table {
    let mut columns = vec![Column::new("run", "run", "name of the run in this comparison")];
    columns.extend(Column::stereotype());
    columns.extend([
        Column::new("languages", "languages", "languages of the run that have an inclination"),
        Column::new("n", "n", "source sentences, the unit of resampling"),
    ]);
    columns.extend(Column::estimate(
        "inclination",
        "inclination",
        "mean over the languages; above 0 = towards; neutral 0",
    ));
    let rows = order.iter().flat_map(|&place| {
        let run = &comparison.runs[place];
        run.results.stereotypes.iter().map(move |one| {
            let mut row = vec![Cell::text(&run.label)];
            row.extend(Cell::stereotype(one.stereotype));
            let n = one.inclination.as_ref().map_or(0, |estimate| estimate.n);
            row.extend([Cell::Count(one.languages), Cell::Count(n)]);
            row.extend(Cell::estimate(
                Kind::Difference,
                one.inclination.as_ref(),
                "no default masculine rate",
            ));
            row
        })
    });
    let caption =
        format!("Mean inclination by run and stereotype with {} intervals.", percent(comparison.level));
    Table { name: ENTRY.name, caption, columns, rows: rows.collect() }
}
