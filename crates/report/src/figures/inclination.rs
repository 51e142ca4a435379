//! Which stereotypes does the model follow, over all languages?
//!
//! Inclination is the distance of a stereotype's masculine rate from the model's default masculine rate, signed so
//! that right means *towards the stereotype* for both genders. A stroke a language, a diamond for their mean with a bar
//! for its interval; the mean of one language is that language.

use stereometer_core::{Estimate, Gender, StereotypeId};
use stereometer_record::{LanguageResult, OverallStereotype, Results};

use super::Figure;
use super::rows::{Rows, legend};
use crate::overall::{names, stereotype, strongest};
use crate::scale::Scale;
use crate::svg::{Anchor, Mark, Svg};
use crate::words::{Kind, list, list_or_none, no_interval_in_brief, percent, plural};
use crate::{About, Cell, Column, Table};

const NAME: &str = "inclination_by_stereotype";
const LEFT: f64 = 180.0;

/// The stereotypes of one side with their mean inclinations.
type Side<'a> = Vec<(&'a OverallStereotype, &'a Estimate)>;

/// Draws the figure.
pub fn draw(results: &Results) -> Figure {
    let sides = [strongest(results, Gender::Feminine), strongest(results, Gender::Masculine)];
    Figure {
        name: NAME,
        title: "Inclination towards each stereotype",
        reading: reading(results),
        alt: alt(results, &sides),
        svg: plot(results, &sides),
        table: table(results),
    }
}

fn reading(results: &Results) -> String {
    let level = percent(results.level);
    let signs = match results.languages.as_slice() {
        [only] => format!("The diamond is {}, the bar its {level} interval.", only.name),
        _ => format!(
            "The diamond is the mean over the languages, resampled together, the bar its {level} interval, each stroke \
             one language. “Towards” and “against” say in how many languages the interval lies above or below 0."
        ),
    };
    format!("Right = towards the stereotype, left = against it, 0 = neutral. {signs}{}", gaps(results))
}

/// Which languages some mean leaves out; the table says which one.
fn gaps(results: &Results) -> String {
    let lacks = |tag| results.stereotypes.iter().any(|one| one.missing.contains(tag));
    let languages = results.languages.iter().filter(|one| lacks(&one.language));
    let short: Vec<&str> = languages.map(|one| one.name.as_str()).collect();
    if short.is_empty() {
        return String::new();
    }
    format!(
        " Left out of the mean of a stereotype that has no inclination there (column “left out”): {}.",
        list(&short)
    )
}

fn values(results: &Results, id: StereotypeId) -> impl Iterator<Item = (&LanguageResult, f64)> {
    results
        .languages
        .iter()
        .filter_map(move |language| Some((language, stereotype(language, id)?.inclination.as_ref()?.value)))
}

fn plot(results: &Results, sides: &[Side<'_>; 2]) -> Svg {
    let right = LEFT + 330.0;
    let width = right + if results.languages.len() == 1 { 208.0 } else { 344.0 };
    let n = sides.iter().map(Vec::len).sum::<usize>() + 1;
    let rows = Rows { top: 50.0, n };
    let mut svg = Svg::new(width, rows.height());
    let shown = StereotypeId::all().flat_map(|id| values(results, id)).map(|(_, value)| value);
    let means = sides.iter().flatten().filter_map(|(_, mean)| mean.interval());
    let ends = means.flat_map(|interval| [interval.low, interval.high]);
    let scale = Scale::linear(shown.chain(ends).chain([0.0]), (LEFT, right));
    legend(
        &mut svg,
        LEFT,
        &[(Mark::Diamond, "feminine-mark", "about women"), (Mark::Diamond, "masculine-mark", "about men")],
    );
    let headings: &[(f64, &str)] = match results.languages.as_slice() {
        [_] => &[(145.0, "inclination, interval")],
        _ => &[(145.0, "mean, interval"), (260.0, "towards"), (336.0, "against")],
    };
    for (place, heading) in headings {
        svg.text("head", (right + place, rows.top - 8.0), Anchor::End, heading);
    }
    rows.axis(&mut svg, &scale, 0.0, ["against the stereotype", "towards it"]);
    if n == 1 {
        rows.label(&mut svg, 0, LEFT - 8.0, "no inclination");
    }
    let strip = Strip { results, rows, scale };
    let mut row = 0;
    for (side, class) in sides.iter().zip(["feminine", "masculine"]) {
        for one in side {
            svg.open_about("row", "", About::stereotype(one.0.stereotype));
            draw_row(&mut svg, &strip, row, class, *one);
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

fn draw_row(
    svg: &mut Svg,
    strip: &Strip<'_>,
    row: usize,
    class: &str,
    (one, mean): (&OverallStereotype, &Estimate),
) {
    let Strip { results, rows, scale } = strip;
    let (right, y) = (scale.ends().1, rows.middle(row));
    svg.line("grid", (LEFT, y), (right, y));
    rows.label(svg, row, LEFT - 8.0, &one.stereotype.phrase());
    for (language, value) in values(results, one.stereotype) {
        let x = scale.place(value);
        let title = format!("{}: {}", language.name, Kind::Difference.show(value));
        svg.open_about(class, &title, About::cell(&language.language, one.stereotype));
        svg.line(&format!("{class}-stroke"), (x, y - 6.0), (x, y + 6.0));
        svg.close();
    }
    // The mean of one language is that language's.
    let about = match results.languages.as_slice() {
        [only] => About::cell(&only.language, one.stereotype),
        _ => About::default(),
    };
    svg.open_about(class, &title(results, one, mean), about);
    svg.mark(Mark::Diamond, &format!("{class}-mark"), (scale.place(mean.value), y), 4.5);
    // On the diamond, which would hide a short one.
    if let Some(interval) = mean.interval() {
        svg.line("all-whisker", (scale.place(interval.low), y), (scale.place(interval.high), y));
    }
    svg.close();
    rows.number(svg, row, right + 56.0, &Kind::Difference.show(mean.value));
    let interval = mean.interval().map_or_else(
        || no_interval_in_brief(mean).to_owned(),
        |interval| Kind::Difference.interval(interval),
    );
    svg.text("small", (right + 64.0, y + 4.5), Anchor::Start, &interval);
    if results.languages.len() > 1 {
        rows.number(svg, row, right + 260.0, &format!("{} / {}", one.towards, one.languages));
        rows.number(svg, row, right + 336.0, &format!("{} / {}", one.against, one.languages));
    }
}

fn title(results: &Results, one: &OverallStereotype, mean: &Estimate) -> String {
    let (phrase, mean) = (one.stereotype.phrase(), Kind::Difference.brief(mean));
    match results.languages.as_slice() {
        [only] => format!("{}: {phrase} {mean}", only.name),
        _ => format!("mean over {}: {phrase} {mean}", plural(one.languages, "language")),
    }
}

fn alt(results: &Results, sides: &[Side<'_>; 2]) -> String {
    let mean = if results.languages.len() == 1 { "inclination" } else { "mean" };
    let clause = |side: &Side<'_>, what: &str| match (side.first(), side.last()) {
        (Some((best, high)), Some((least, low))) => format!(
            "{what}: from “{}” with {mean} {} to “{}” with {}.",
            best.stereotype.phrase(),
            Kind::Difference.show(high.value),
            least.stereotype.phrase(),
            Kind::Difference.show(low.value)
        ),
        _ => format!("{what}: none has an inclination."),
    };
    format!(
        "Strip plot of the inclination towards {}, one stroke a language and a diamond with an interval for the mean. \
         {} {}",
        plural(sides.iter().map(Vec::len).sum(), "stereotype"),
        clause(&sides[0], "About women"),
        clause(&sides[1], "About men")
    )
}

fn table(results: &Results) -> Table {
    let mut columns = Column::stereotype().to_vec();
    columns.extend([
        Column::new("language", "language", "BCP 47 tag; “mean”: over the languages"),
        Column::new("n", "n", "source sentences; in rows of means, of the language with the most"),
    ]);
    columns.extend(Column::estimate(
        "inclination",
        "inclination",
        "positive = towards the stereotype; neutral 0",
    ));
    columns.extend(Column::test("the inclination is 0", "all cells (stereotype × language)"));
    columns.extend([
        Column::new("languages", "languages", "in rows of means: languages that have an inclination"),
        Column::new("towards", "towards", "of these, languages whose whole interval lies above 0"),
        Column::new("against", "against", "of these, languages whose whole interval lies below 0"),
        Column::new("left_out", "left out", "languages without an inclination, which the mean leaves out"),
    ]);
    let mut rows = Vec::new();
    for id in StereotypeId::all() {
        if results.languages.len() > 1 {
            let overall = results.stereotypes.iter().find(|one| one.stereotype == id);
            rows.extend(overall.map(|one| mean_row(results, one)));
        }
        rows.extend(results.languages.iter().map(|language| {
            let result = stereotype(language, id);
            let inclination = result.and_then(|one| one.inclination.as_ref());
            let missing = match (result, &language.default_masculine_rate) {
                (None, _) => "no scored sentence",
                (Some(_), None) => "no default masculine rate",
                (Some(_), Some(_)) => "no other stereotype to compare with",
            };
            let mut row = Cell::stereotype(id).to_vec();
            row.extend([
                Cell::text(language.language.as_str()),
                Cell::Count(result.map_or(0, |one| one.q.n)),
            ]);
            row.extend(Cell::estimate(Kind::Difference, inclination, missing));
            row.extend(Cell::test(result.and_then(|one| one.inclination_test.as_ref()), inclination));
            row.extend([const { Cell::Missing("") }; 4]);
            row
        }));
    }
    let caption =
        format!("Inclination by stereotype and language with {} intervals.", percent(results.level));
    Table { name: NAME, caption, columns, rows }
}

fn mean_row(results: &Results, one: &OverallStereotype) -> Vec<Cell> {
    let mean = one.inclination.as_ref();
    let mut row = Cell::stereotype(one.stereotype).to_vec();
    row.extend([Cell::text("mean"), Cell::Count(mean.map_or(0, |mean| mean.n))]);
    row.extend(Cell::estimate(Kind::Difference, mean, "no mean"));
    row.extend([const { Cell::Missing("") }; 3]);
    row.extend([one.languages, one.towards, one.against].map(Cell::Count));
    row.push(Cell::text(list_or_none(&names(results, &one.missing))));
    row
}
