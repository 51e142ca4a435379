//! Stereotypes that leak, one by one, in English and in the target language's own words.

use crate::leakage::study::Study;
use crate::words::{Kind, count};
use crate::{Cell, Column, Holds, Table};

/// The table.
pub fn qualitative(study: &Study<'_>) -> Table {
    let columns = vec![
        Column::new("run", "run", "name of the run"),
        Column::new("source", "source", "BCP 47 tag of the language whose people hold it"),
        Column::new("target", "target", "BCP 47 tag of the language in which the language model has it, and whose people do not"),
        Column::new("group", "group", "key of the group"),
        Column::new("group_name", "group", "English name of the group"),
        Column::new("group_native", "in the target language", "the group in the target language's own words"),
        Column::new("pole", "trait", "key of the pole"),
        Column::new("pole_name", "trait", "English name of the pole"),
        Column::new("pole_native", "in the target language", "the pole in the target language's own words"),
        Column::new("valence", "valence", "positive: a praise; negative: a reproach; non-polar: neither"),
        Column::new(
            "strength",
            "strength",
            "how far it stands out: the smaller of the two standardised scores, model in the target and people of the source",
        )
        .holding(Holds::Numbers),
        Column::new("model", "model", "association in the target language, in the unit of the method").holding(Holds::Numbers),
        Column::new("model_other", "other pole", "the language model's association with the opposite pole").holding(Holds::Numbers),
        Column::new("people_source", "people there", "score of the people of the source language, 0 to 50")
            .holding(Holds::Numbers),
        Column::new("people_target", "people here", "score of the people of the target language, 0 to 50")
            .holding(Holds::Numbers),
        Column::new("people_source_n", "n there", "people of the source language who rated the pole and its opposite: the smaller number")
            .holding(Holds::Numbers),
        Column::new("people_target_n", "n here", "people of the target language who rated the pole and its opposite: the smaller number")
            .holding(Holds::Numbers),
    ];
    let score = |value: f64| Cell::Number(value, format!("{value:.1}"));
    let people =
        |n: Option<usize>| n.map_or(Cell::Missing("not stated"), |n| Cell::Number(n as f64, count(n)));
    let native = |name: Option<&str>| name.map_or(Cell::Missing("no name"), Cell::text);
    let rows = study.results.qualitative.iter().map(|one| {
        vec![
            Cell::text(study.run(one.run)),
            Cell::text(one.source.as_str()),
            Cell::text(one.target.as_str()),
            Cell::text(one.group.as_str()),
            Cell::text(study.group_name(&one.group)),
            native(study.native_group(&one.target, &one.group)),
            Cell::text(one.pole.as_str()),
            Cell::text(study.pole_name(&one.pole)),
            native(study.native_pole(&one.target, &one.pole)),
            Cell::text(one.valence.name()),
            Cell::Number(one.strength, format!("{:.2}", one.strength).replace('-', "−")),
            Cell::number(Kind::Difference, one.model),
            one.model_other.map_or(Cell::Missing("no score"), |other| Cell::number(Kind::Difference, other)),
            score(one.people_source),
            score(one.people_target),
            people(one.people_source_n),
            people(one.people_target_n),
        ]
    });
    let caption =
        "Stereotypes that a language model has in one language and only another language's people hold."
            .to_owned();
    Table { name: "qualitative", caption, columns, rows: rows.collect() }
}
