//! Which stereotypes does the model follow, over all languages?
//!
//! Inclination is the distance of a stereotype's masculine rate from the model's default masculine rate, signed so
//! that right means *towards the stereotype* for both genders. A stroke a language, a diamond for their mean.

use stereometer_core::{Gender, Interval, StereotypeId};
use stereometer_record::{LanguageResult, Results};

use super::Figure;
use super::rows::{Rows, legend};
use crate::overall::{Overall, phrase, stereotype, strongest};
use crate::scale::Scale;
use crate::svg::{Anchor, Mark, Svg};
use crate::words::{Kind, percent, plural};
use crate::{About, Cell, Column, Table};

const NAME: &str = "inclination_by_stereotype";
const LEFT: f64 = 180.0;

/// Draws the figure.
pub fn draw(results: &Results) -> Figure {
    let sides = [strongest(results, Gender::Feminine), strongest(results, Gender::Masculine)];
    Figure {
        name: NAME,
        title: "Inclination towards each stereotype",
        reading: reading(results),
        alt: alt(&sides),
        svg: plot(results, &sides),
        table: table(results),
    }
}

fn reading(results: &Results) -> String {
    let level = percent(results.level);
    let signs = match results.languages.as_slice() {
        [only] => format!("The diamond is {}, the bar its {level} interval.", only.name),
        _ => format!(
            "The diamond is the mean over the languages, each stroke one language. The numbers say in how many languages \
             the {level} interval lies above 0 (towards) or below 0 (against); the mean itself has no interval."
        ),
    };
    format!("Right = towards the stereotype, left = against it, 0 = neutral. {signs}")
}

/// The interval, where one language is the whole result.
fn only_interval(results: &Results, id: StereotypeId) -> Option<Interval> {
    let [only] = results.languages.as_slice() else { return None };
    stereotype(only, id)?.inclination.as_ref()?.interval()
}

fn values(results: &Results, id: StereotypeId) -> impl Iterator<Item = (&LanguageResult, f64)> {
    results
        .languages
        .iter()
        .filter_map(move |language| Some((language, stereotype(language, id)?.inclination.as_ref()?.value)))
}

fn plot(results: &Results, sides: &[Vec<Overall>; 2]) -> Svg {
    let right = LEFT + 330.0;
    let width = right + 224.0;
    let n = sides.iter().map(Vec::len).sum::<usize>() + 1;
    let rows = Rows { top: 50.0, n };
    let mut svg = Svg::new(width, rows.height());
    let shown = StereotypeId::all().flat_map(|id| values(results, id)).map(|(_, value)| value);
    let ends =
        StereotypeId::all().filter_map(|id| only_interval(results, id)).flat_map(|one| [one.low, one.high]);
    let scale = Scale::linear(shown.chain(ends).chain([0.0]), (LEFT, right));
    legend(
        &mut svg,
        LEFT,
        &[(Mark::Diamond, "feminine-mark", "about women"), (Mark::Diamond, "masculine-mark", "about men")],
    );
    for (place, heading) in [(60.0, "mean"), (140.0, "towards"), (214.0, "against")] {
        svg.text("head", (right + place, rows.top - 8.0), Anchor::End, heading);
    }
    rows.axis(&mut svg, &scale, 0.0, ["against the stereotype", "towards it"]);
    let strip = Strip { results, rows, scale };
    let mut row = 0;
    for (side, class) in sides.iter().zip(["feminine", "masculine"]) {
        for one in side {
            svg.open_about("row", "", About::stereotype(one.id));
            draw_row(&mut svg, &strip, row, class, one);
            svg.close();
            row += 1;
        }
        row += 1;
    }
    svg
}

/// What every row of the plot shares.
struct Strip<'a> {
    results: &'a Results,
    rows: Rows,
    scale: Scale,
}

fn draw_row(svg: &mut Svg, strip: &Strip<'_>, row: usize, class: &str, one: &Overall) {
    let Strip { results, rows, scale } = strip;
    let (right, y) = (scale.ends().1, rows.middle(row));
    svg.line("grid", (LEFT, y), (right, y));
    rows.label(svg, row, LEFT - 8.0, &phrase(one.id));
    if let Some(interval) = only_interval(results, one.id) {
        svg.line("open-whisker", (scale.place(interval.low), y), (scale.place(interval.high), y));
    }
    for (language, value) in values(results, one.id) {
        let x = scale.place(value);
        let title = format!("{}: {}", language.name, Kind::Difference.show(value));
        svg.open_about(class, &title, About::cell(&language.language, one.id));
        svg.line(&format!("{class}-stroke"), (x, y - 6.0), (x, y + 6.0));
        svg.close();
    }
    svg.mark(Mark::Diamond, &format!("{class}-mark"), (scale.place(one.mean), y), 5.5);
    rows.number(svg, row, right + 60.0, &Kind::Difference.show(one.mean));
    rows.number(svg, row, right + 140.0, &format!("{} / {}", one.towards, one.n));
    rows.number(svg, row, right + 214.0, &format!("{} / {}", one.against, one.n));
}

fn alt(sides: &[Vec<Overall>; 2]) -> String {
    let clause = |side: &Vec<Overall>, what: &str| match (side.first(), side.last()) {
        (Some(best), Some(least)) => format!(
            "{what}: from “{}” with mean {} to “{}” with {}.",
            phrase(best.id),
            Kind::Difference.show(best.mean),
            phrase(least.id),
            Kind::Difference.show(least.mean)
        ),
        _ => format!("{what}: none has an inclination."),
    };
    format!(
        "Strip plot of the inclination towards {}, one stroke a language and a diamond for the mean. {} {}",
        plural(sides.iter().map(Vec::len).sum(), "stereotype"),
        clause(&sides[0], "About women"),
        clause(&sides[1], "About men")
    )
}

fn table(results: &Results) -> Table {
    let mut columns = vec![
        Column::new("stereotype", "no.", "number of the stereotype in GEST, 1 to 16"),
        Column::new("name", "stereotype", "the stereotype in words"),
        Column::new("language", "language", "BCP 47 tag; “mean”: over the languages, without interval"),
        Column::new("n", "n", "source sentences; in rows of means, languages"),
    ];
    columns.extend(Column::estimate(
        "inclination",
        "inclination",
        "positive = towards the stereotype; neutral 0",
    ));
    let mut rows = Vec::new();
    for id in StereotypeId::all() {
        let start = || vec![Cell::Count(usize::from(id.get())), Cell::text(phrase(id))];
        let overall = strongest(results, id.info().about).into_iter().find(|one| one.id == id);
        if let Some(one) = overall {
            let mut row = start();
            row.extend([Cell::text("mean"), Cell::Count(one.n), Cell::number(Kind::Difference, one.mean)]);
            row.extend([Cell::Missing("mean over languages: no interval"), Cell::Missing("")]);
            rows.push(row);
        }
        for language in &results.languages {
            let Some(result) = stereotype(language, id) else { continue };
            let mut row = start();
            row.extend([Cell::text(language.language.as_str()), Cell::Count(result.q.n)]);
            row.extend(Cell::estimate(
                Kind::Difference,
                result.inclination.as_ref(),
                "no default masculine rate",
            ));
            rows.push(row);
        }
    }
    let caption =
        format!("Inclination by stereotype and language with {} intervals.", percent(results.level));
    Table { name: NAME, caption, columns, rows }
}
