//! Tables without a figure: the runs, what pairs share, and whether stereotypes are ranked alike within runs and sizes.

use stereometer_core::{Language, Tuning};
use stereometer_record::{Comparison, PairKind};

use super::figures::mean_g_s::sizes;
use super::runs::parameters;
use crate::words::{Kind, list};
use crate::{Cell, Column, Table};

/// All of them, in the order of the page.
pub fn tables(comparison: &Comparison) -> [Table; 4] {
    [runs(comparison), pairs(comparison), concordance(comparison), trends(comparison)]
}

fn optional(text: Option<&str>) -> Cell {
    text.map_or(Cell::Missing(""), Cell::text)
}

fn runs(comparison: &Comparison) -> Table {
    let columns = vec![
        Column::new("run", "run", "name of the run in this comparison; the first is the reference"),
        Column::new("model", "language model", "name or path as given"),
        Column::new("family", "family", "family of the language model; empty: not known"),
        Column::new("tuning", "tuning", "base or instruct; empty: not known"),
        Column::new("parameters", "parameters", "parameters, tied ones once"),
        Column::new("stored_dtype", "weights", "type of the stored weights"),
        Column::new("compute_dtype", "computed in", "type of the products"),
        Column::new("set", "set", "stereotype set"),
        Column::new("languages", "languages", "languages with a scored item"),
        Column::new("scored", "scored", "items that have a score under the rule"),
        Column::new("items", "of items", "items of the whole run"),
    ];
    let rows = comparison.runs.iter().map(|run| {
        let (model, results) = (&run.spec.identity.model, &run.results);
        vec![
            Cell::text(&run.label),
            Cell::text(&model.name),
            optional(run.family.as_deref()),
            optional(run.tuning.map(Tuning::name)),
            Cell::Count(parameters(run) as usize),
            Cell::text(&model.stored_dtype),
            Cell::text(&model.compute_dtype),
            Cell::text(&run.spec.identity.set.name),
            Cell::Count(results.languages.len()),
            Cell::Count(results.languages.iter().map(|language| language.n_items).sum()),
            Cell::Count(run.spec.n_items),
        ]
    });
    let caption = "The runs; the first is the reference.".to_owned();
    Table { name: "runs", caption, columns, rows: rows.collect() }
}

fn pairs(comparison: &Comparison) -> Table {
    let columns = vec![
        Column::new("first", "first", "the run that is set against"),
        Column::new("second", "second", "the run that is compared with it"),
        Column::new(
            "kind",
            "why",
            "reference: the first is that of the comparison; tuning: base model and its tuned one",
        ),
        Column::new("shared", "shared", "items that both have scored: what differences rest on"),
        Column::new("only_first", "only first", "items that the first alone has scored"),
        Column::new("only_second", "only second", "items that the second alone has scored"),
    ];
    let rows = comparison.pairs.iter().map(|pair| {
        vec![
            Cell::text(&comparison.runs[pair.first].label),
            Cell::text(&comparison.runs[pair.second].label),
            Cell::text(match pair.kind {
                PairKind::Reference => "reference",
                PairKind::Tuning => "tuning",
            }),
            Cell::Count(pair.shared),
            Cell::Count(pair.only_first),
            Cell::Count(pair.only_second),
        ]
    });
    let caption = "Scored items that pairs of runs share.".to_owned();
    Table { name: "pairs", caption, columns, rows: rows.collect() }
}

fn concordance(comparison: &Comparison) -> Table {
    let columns = vec![
        Column::new("run", "run", "name of the run in this comparison"),
        Column::new(
            "w",
            "W",
            "Kendall's W: 0 = the languages' ranks have nothing in common, 1 = they are the same",
        ),
        Column::new("languages", "languages", "languages that have every stereotype of the run"),
        Column::new("stereotypes", "stereotypes", "stereotypes that all of these have"),
        Column::new("p", "p", "chance of such agreement if every language ranked at random"),
        Column::new("left_out", "left out", "languages that lack a stereotype"),
    ];
    let rows = comparison.runs.iter().zip(&comparison.concordance).map(|(run, found)| {
        let mut row = vec![Cell::text(&run.label)];
        row.extend(match found {
            Some(one) => {
                let tags: Vec<&str> = one.left_out.iter().map(Language::as_str).collect();
                [
                    Cell::number(Kind::Rate, one.w),
                    Cell::Count(one.languages),
                    Cell::Count(one.stereotypes),
                    Cell::number(Kind::P, one.p),
                    if tags.is_empty() { Cell::Missing("") } else { Cell::text(list(&tags)) },
                ]
            }
            None => [
                Cell::Missing("fewer than two languages with every stereotype, or no variation"),
                Cell::Missing(""),
                Cell::Missing(""),
                Cell::Missing(""),
                Cell::Missing(""),
            ],
        });
        row
    });
    let caption = "Kendall's W: does each run rank the stereotypes alike in its languages?".to_owned();
    Table { name: "rank_concordance", caption, columns, rows: rows.collect() }
}

fn trends(comparison: &Comparison) -> Table {
    let columns = vec![
        Column::new("family", "family", "family of the language models"),
        Column::new("tuning", "tuning", "base or instruct; empty: not known"),
        Column::new("runs", "runs by size", "names of the runs, the smallest first"),
        Column::new("n", "n", "different sizes"),
        Column::new(
            "tau",
            "τ",
            "Kendall's τ-b of mean g_s with size: −1 to 1; above 0: larger models lean more",
        ),
        Column::new("p", "p", "two-sided, over all orders of the sizes"),
    ];
    let rows = comparison.trends.iter().map(|trend| {
        let names: Vec<&str> =
            trend.runs.iter().map(|&place| comparison.runs[place].label.as_str()).collect();
        vec![
            Cell::text(&trend.family),
            optional(trend.tuning.map(Tuning::name)),
            Cell::text(list(&names)),
            Cell::Count(sizes(comparison, trend)),
            trend.tau.map_or(Cell::Missing("all equal"), |tau| Cell::number(Kind::Difference, tau)),
            trend.p.map_or(Cell::Missing(""), |p| Cell::number(Kind::P, p)),
        ]
    });
    let caption = "Kendall's τ: does mean g_s grow with size within a family?".to_owned();
    Table { name: "size_trends", caption, columns, rows: rows.collect() }
}
