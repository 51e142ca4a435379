//! Where does a group lie in the ABC space, seen by people and by language models, language by language?
//!
//! Agency runs to the right, communion upwards; beliefs have a strip of their own beside every map. The groups whose place
//! differs most between languages are large, all others small.

mod map;

use stereometer_core::{Dimension, Slug};
use stereometer_record::{AbcPosition, Judge};

use self::map::{COLOURS, LARGE, Map, SMALL};
use super::{Entry, Parts};
use crate::figures::Figure;
use crate::leakage::study::Study;
use crate::letters::{cut, letters};
use crate::scale::Scale;
use crate::svg::{Anchor, Mark, Svg};
use crate::words::{Kind, count, list, plural};
use crate::{Cell, Column, Table};

pub const ENTRY: Entry = Entry {
    name: "abc_map",
    title: "Where groups lie: agency, communion, beliefs",
    absent: "Neither people nor a language model have a place for any group.",
    draw,
};

/// Runs that large maps are drawn for; the table has all.
const DRAWN: usize = 3;

fn draw(study: &Study<'_>) -> Option<Figure> {
    let places = &study.results.positions;
    if places.iter().all(|one| one.at.iter().all(Option::is_none)) {
        return None;
    }
    let order = by_spread(study);
    let runs = study.results.runs.len();
    let n_large = if runs <= 1 { 3 } else { 2 }.min(order.len());
    let (large, small) = order.split_at(n_large);
    let named: Vec<&str> = large.iter().map(|(group, _)| study.group_name(group)).collect();
    Some(ENTRY.figure(Parts {
        reading: format!(
            "Circles are people, diamonds the language model, joined for each language. Right = more agency, up = more communion; \
             the strip at the right shows beliefs, up = progressive. 0 = both poles alike; the unit is the standard deviation over all \
             groups and pairs of that judge and language, so places may be compared, strengths of opinion not. Thin \
             crosses are intervals. Large: {}, whose place differs most between languages. Small: the others{}.{} Names are \
             those of the inventory.",
            list(&named),
            if runs == 0 { String::new() } else { format!(", with {}", study.run(0)) },
            if runs > DRAWN { format!(" Of {} runs the first {DRAWN} are drawn; the table has all.", count(runs)) } else { String::new() },
        ),
        alt: alt(study, large),
        svg: svg(study, large, small),
        table: table(study),
    }))
}

/// Groups with a place, those whose place differs most between languages first: mean over judges of the mean distance between
/// the places in two languages.
fn by_spread<'a>(study: &Study<'a>) -> Vec<(&'a Slug, f64)> {
    let groups = study.results.inventory.groups.iter().map(|group| {
        let of: Vec<&AbcPosition> =
            study.results.positions.iter().filter(|one| one.group == group.id).collect();
        let mut distances = Vec::new();
        for (at, first) in of.iter().enumerate() {
            for second in of[at + 1..].iter().filter(|second| second.judge == first.judge) {
                let squares: Vec<f64> = first
                    .at
                    .iter()
                    .zip(&second.at)
                    .filter_map(|(a, b)| Some((a.as_ref()?.value - b.as_ref()?.value).powi(2)))
                    .collect();
                if squares.len() == 3 {
                    distances.push(squares.iter().sum::<f64>().sqrt());
                }
            }
        }
        let has_place = of.iter().any(|one| one.at.iter().any(Option::is_some));
        let mean =
            if distances.is_empty() { 0.0 } else { distances.iter().sum::<f64>() / distances.len() as f64 };
        (&group.id, mean, has_place)
    });
    let mut groups: Vec<_> = groups.filter(|one| one.2).map(|(group, mean, _)| (group, mean)).collect();
    groups.sort_by(|a, b| b.1.total_cmp(&a.1));
    groups
}

fn svg(study: &Study<'_>, large: &[(&Slug, f64)], small: &[(&Slug, f64)]) -> Svg {
    let runs: Vec<Option<usize>> = match study.results.runs.len() {
        0 => vec![None],
        n => (0..n.min(DRAWN)).map(Some).collect(),
    };
    let maps: Vec<(&Slug, Option<usize>)> =
        large.iter().flat_map(|(group, _)| runs.iter().map(move |run| (*group, *run))).collect();
    let large_row = if runs.len() == 2 { 4 } else { 3 };
    let small_row = 6;
    let legend = 46.0;
    let rest = 30.0;
    let width = (LARGE.width() * large_row.min(maps.len()) as f64)
        .max(SMALL.width() * small_row.min(small.len()) as f64)
        .max(620.0);
    let large_high = LARGE.height() * maps.len().div_ceil(large_row) as f64;
    let small_high =
        if small.is_empty() { 0.0 } else { rest + SMALL.height() * small.len().div_ceil(small_row) as f64 };
    let mut svg = Svg::new(width, legend + large_high + small_high);
    draw_legend(&mut svg, study);
    let values =
        || study.results.positions.iter().flat_map(|one| one.at.iter().flatten()).map(|one| one.value);
    let scale = |size: map::Size| Scale::linear(values().chain([-1.0, 1.0]), (0.0, size.side));
    let (large_scale, small_scale) = (scale(LARGE), scale(SMALL));
    for (place, (group, run)) in maps.iter().enumerate() {
        let corner = (
            LARGE.width() * (place % large_row) as f64,
            legend + LARGE.height() * (place / large_row) as f64,
        );
        Map { study, group, run: *run, size: LARGE, scale: &large_scale }.draw(&mut svg, corner);
    }
    if !small.is_empty() {
        svg.text("head", (8.0, legend + large_high + 14.0), Anchor::Start, "The other groups");
    }
    for (place, (group, _)) in small.iter().enumerate() {
        let corner = (
            SMALL.width() * (place % small_row) as f64,
            legend + large_high + rest + SMALL.height() * (place / small_row) as f64,
        );
        Map { study, group, run: runs[0], size: SMALL, scale: &small_scale }.draw(&mut svg, corner);
    }
    svg
}

fn draw_legend(svg: &mut Svg, study: &Study<'_>) {
    let mut x = 8.0;
    for (mark, class, text) in
        [(Mark::Circle, "all-mark", "people"), (Mark::Diamond, "equal-mark", "language model")]
    {
        svg.mark(mark, class, (x + 6.0, 12.0), 5.0);
        svg.text("small", (x + 18.0, 16.0), Anchor::Start, text);
        x += 44.0 + text.len() as f64 * 6.6;
    }
    let mut x = 8.0;
    for (at, language) in study.languages().into_iter().enumerate() {
        let text = format!("{language} {}", cut(study.language_name(language), 14.0));
        svg.mark(Mark::Circle, &format!("run{}-mark", at % COLOURS), (x + 6.0, 32.0), 4.0);
        svg.text("small", (x + 16.0, 36.0), Anchor::Start, &text);
        x += 34.0 + letters(&text) * 6.8;
    }
}

fn alt(study: &Study<'_>, large: &[(&Slug, f64)]) -> String {
    let said: Vec<String> = large
        .iter()
        .map(|(group, spread)| {
            format!("{} ({spread:.2} standard deviations apart on average)", study.group_name(group))
        })
        .collect();
    format!(
        "Maps of groups by agency and communion, with beliefs beside them, for people and language models in {}. Differing most \
         between languages: {}.",
        plural(study.languages().len(), "language"),
        list(&said)
    )
}

fn table(study: &Study<'_>) -> Table {
    let mut columns = vec![
        Column::new("judge", "judge", "“people”, or the name of a run"),
        Column::new("language", "language", "BCP 47 tag"),
        Column::new("group", "group", "key of the group"),
        Column::new("group_name", "name", "English name of the group"),
        Column::new("native_name", "own name", "the group in that language's own words"),
    ];
    for dimension in Dimension::ALL {
        let meaning = format!(
            "mean over the pairs of {dimension} of right − left pole, in standard deviations of this judge and language; neutral 0"
        );
        columns.extend(Column::estimate(dimension.name(), dimension.name(), &meaning));
    }
    let rows = study.results.positions.iter().map(|one| {
        let judge = match &one.judge {
            Judge::People => "people",
            Judge::Run(run) => study.run(*run),
        };
        let mut row = vec![
            Cell::text(judge),
            Cell::text(one.language.as_str()),
            Cell::text(one.group.as_str()),
            Cell::text(study.group_name(&one.group)),
            study.native_group(&one.language, &one.group).map_or(Cell::Missing("no name"), Cell::text),
        ];
        for at in &one.at {
            row.extend(match at {
                None => [Cell::Missing("no pair"), Cell::Missing(""), Cell::Missing("")],
                Some(at) => {
                    let value = Cell::number(Kind::Difference, at.value);
                    match at.interval() {
                        Some(one) => [
                            value,
                            Cell::number(Kind::Difference, one.low),
                            Cell::number(Kind::Difference, one.high),
                        ],
                        None => [value, Cell::Missing("no interval"), Cell::Missing("")],
                    }
                }
            });
        }
        row
    });
    let caption = "Places of the groups in the ABC space.".to_owned();
    Table { name: ENTRY.name, caption, columns, rows: rows.collect() }
}
