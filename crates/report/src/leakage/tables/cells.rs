//! Every pole of every group: what models associate, what people say.

use crate::leakage::study::Study;
use crate::words::Kind;
use crate::{Cell, Column, Holds, Table};

fn which() -> [Column; 6] {
    [
        Column::new("language", "language", "BCP 47 tag"),
        Column::new("group", "group", "key of the group"),
        Column::new("group_name", "own name", "the group in that language's own words"),
        Column::new("pole", "pole", "key of the pole"),
        Column::new("pole_name", "own name", "the pole in that language's own words"),
        Column::new("valence", "valence", "positive: a praise; negative: a reproach; non-polar: neither"),
    ]
}

fn which_cells(
    study: &Study<'_>,
    language: &stereometer_core::Language,
    group: &stereometer_core::Slug,
    pole: &stereometer_core::Slug,
) -> [Cell; 6] {
    let pairs = &study.results.inventory.pairs;
    let valence = pairs.iter().flat_map(|pair| [&pair.left, &pair.right]).find(|one| one.id == *pole);
    [
        Cell::text(language.as_str()),
        Cell::text(group.as_str()),
        study.native_group(language, group).map_or(Cell::Missing("no name"), Cell::text),
        Cell::text(pole.as_str()),
        study.native_pole(language, pole).map_or(Cell::Missing("no name"), Cell::text),
        valence.map_or(Cell::Missing(""), |one| Cell::text(one.valence.name())),
    ]
}

/// What models associate.
pub fn associations(study: &Study<'_>) -> Table {
    let mut columns = vec![Column::new("run", "run", "name of the run")];
    columns.extend(which());
    columns.extend([
        Column::new(
            "score",
            "association",
            "mean over templates of score(group) − score(neutral noun), in the unit of the method; neutral 0",
        )
        .holding(Holds::Numbers),
        Column::new("spread", "SD", "standard deviation over templates; empty with fewer than two")
            .holding(Holds::Numbers),
        Column::new("templates", "templates", "templates behind it").holding(Holds::Counts),
    ]);
    let rows = study.results.associations.iter().map(|one| {
        let mut row = vec![Cell::text(study.run(one.run))];
        row.extend(which_cells(study, &one.language, &one.group, &one.pole));
        row.push(one.score.map_or(Cell::Missing("no score"), |score| Cell::number(Kind::Difference, score)));
        row.push(one.spread.map_or(Cell::Missing(""), |spread| Cell::Number(spread, format!("{spread:.3}"))));
        row.push(Cell::Count(one.templates));
        row
    });
    let caption = "What the language models associate with every group.".to_owned();
    Table { name: "associations", caption, columns, rows: rows.collect() }
}

/// What people say.
pub fn human_scores(study: &Study<'_>) -> Table {
    let mut columns = which().to_vec();
    columns.extend(Column::estimate(
        "score",
        "score",
        "mean of the part of the ratings on the pole's side, 0 to 50; empty: nobody rated it",
    ));
    columns.extend([
        Column::new("std_error", "SE", "standard error of the mean; empty with fewer than two annotators")
            .holding(Holds::Numbers),
        Column::new("annotators", "annotators", "people who rated it; empty: the source does not say")
            .holding(Holds::Counts),
    ]);
    let shown = |value: f64| Cell::Number(value, format!("{value:.1}"));
    let rows = study.results.humans.cells.iter().map(|one| {
        let mut row = which_cells(study, &one.language, &one.group, &one.pole).to_vec();
        row.push(one.score.map_or(Cell::Missing("nobody rated it"), shown));
        row.push(one.interval.map_or(Cell::Missing(""), |one| shown(one.low)));
        row.push(one.interval.map_or(Cell::Missing(""), |one| shown(one.high)));
        row.push(one.std_error.map_or(Cell::Missing(""), |one| Cell::Number(one, format!("{one:.2}"))));
        row.push(one.annotators.map_or(Cell::Missing("not stated"), Cell::Count));
        row
    });
    let caption = "What people say of every group.".to_owned();
    Table { name: "human_scores", caption, columns, rows: rows.collect() }
}
