//! Every figure and every table: text for those who do not see it, numbers that are those of the results.

#![allow(clippy::unwrap_used, clippy::float_cmp)] // the very same numbers are asked for

use stereometer_core::Estimate;
use stereometer_report::figures::FIGURES;
use stereometer_report::tables::TABLES;
use stereometer_report::{Cell, Links, Table};

mod specimen;

fn tables(n: usize) -> Vec<Table> {
    let results = specimen::results(n);
    let figures = FIGURES.iter().map(|draw| draw(&results).table);
    figures.chain(TABLES.iter().map(|make| make(&results))).collect()
}

#[test]
fn every_figure_says_what_it_shows_and_how_to_read_it() {
    for n in [0, 1, 3, 30] {
        let results = specimen::results(n);
        for draw in FIGURES {
            let figure = draw(&results);
            assert!(figure.alt.len() > 15 && figure.alt.ends_with('.'), "{}: {}", figure.name, figure.alt);
            assert!(figure.reading.len() > 60 && figure.reading.ends_with('.'), "{}", figure.name);
            assert!(figure.svg.width() <= 1100.0 && figure.svg.height() <= 900.0, "{}", figure.name);
            let svg = figure.svg.standalone(figure.title, &figure.alt);
            assert!(!svg.contains("NaN") && !svg.contains("inf") && !svg.contains("var("), "{}", figure.name);
            assert!(svg.contains("<title>") && svg.contains("<desc>"), "{}", figure.name);
        }
    }
}

#[test]
fn every_table_is_a_rectangle_with_columns_explained_and_named_once() {
    for table in tables(30) {
        let mut keys: Vec<&str> = table.columns.iter().map(|column| column.key.as_str()).collect();
        keys.sort_unstable();
        keys.dedup();
        assert_eq!(keys.len(), table.columns.len(), "{}", table.name);
        assert!(table.columns.iter().all(|column| column.meaning.len() > 5), "{}", table.name);
        assert!(!table.rows.is_empty(), "{}", table.name);
        for row in &table.rows {
            assert_eq!(row.len(), table.columns.len(), "{}: {row:?}", table.name);
        }
        let csv = String::from_utf8(table.csv().unwrap()).unwrap();
        assert_eq!(csv.matches("\r\n").count(), table.rows.len() + 1, "{}", table.name);
    }
}

/// The cell of a row under a column.
fn cell<'a>(table: &'a Table, row: &'a [Cell], key: &str) -> &'a Cell {
    let place = table.columns.iter().position(|column| column.key == key).unwrap();
    &row[place]
}

fn number(table: &Table, row: &[Cell], key: &str) -> f64 {
    match cell(table, row, key) {
        Cell::Number(value, _) => *value,
        other => panic!("{key}: {other:?}"),
    }
}

fn same(table: &Table, row: &[Cell], key: &str, estimate: &Estimate) {
    let interval = estimate.interval().unwrap();
    let of = |part: &str| number(table, row, &format!("{key}{part}"));
    assert_eq!([of(""), of("_low"), of("_high")], [estimate.value, interval.low, interval.high], "{key}");
}

#[test]
fn the_numbers_of_the_tables_are_those_of_the_results() {
    let results = specimen::results(30);
    let tables = tables(30);
    let find = |name: &str, language: &str| {
        let table = tables.iter().find(|table| table.name == name).unwrap();
        let row =
            table.rows.iter().find(|row| *cell(table, row, "language") == Cell::text(language)).unwrap();
        (table, row.as_slice())
    };
    for language in &results.languages {
        let tag = language.language.as_str();
        let (table, row) = find("g_s_by_language", tag);
        same(table, row, "g_s", language.g_s.as_ref().unwrap());
        same(table, row, "g_s_arithmetic", language.g_s_arithmetic.as_ref().unwrap());
        let (table, row) = find("masculine_rates", tag);
        same(table, row, "q_feminine", language.q_feminine.as_ref().unwrap());
        same(table, row, "q_masculine", language.q_masculine.as_ref().unwrap());
        let (table, row) = find("rule_sensitivity", tag);
        same(table, row, "g_s", language.by_rule[0].g_s.as_ref().unwrap());
        let ranks = tables.iter().find(|table| table.name == "rank_heat_map").unwrap();
        for stereotype in &language.stereotypes {
            let row = ranks
                .rows
                .iter()
                .find(|row| {
                    row[0] == Cell::text(tag) && row[2] == Cell::Count(stereotype.stereotype.get().into())
                })
                .unwrap();
            same(ranks, row, "rank", &stereotype.rank);
            same(ranks, row, "q", &stereotype.q);
        }
    }
    let (table, row) = find("g_s_by_language", "mean");
    same(table, row, "g_s", results.mean_g_s.as_ref().unwrap());
}

#[test]
fn a_missing_stereotype_keeps_its_row_and_is_empty_in_the_csv() {
    let ranks = &tables(3)[1];
    let row = ranks.rows.iter().find(|row| row[0] == Cell::text("cs") && row[2] == Cell::Count(15)).unwrap();
    assert_eq!(*cell(ranks, row, "rank"), Cell::Missing("no scored sentence"));
    assert_eq!(*cell(ranks, row, "n"), Cell::Count(0));
    let csv = String::from_utf8(ranks.csv().unwrap()).unwrap();
    assert!(csv.contains("\r\ncs,Czech,15,men are sexual,0,0,yes,,,,,,\r\n"), "{csv}");
}

#[test]
fn a_figure_as_svg() {
    let results = specimen::results(2);
    let figure = FIGURES[0](&results);
    insta::assert_snapshot!(figure.svg.inline(figure.name, figure.title, &figure.alt, &Links::default()));
}
