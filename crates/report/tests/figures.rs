//! Every figure and every table: text for those who do not see it, numbers that are those of the results.

#![allow(clippy::unwrap_used, clippy::float_cmp)] // the very same numbers are asked for

use stereometer_core::{Estimate, Form};
use stereometer_record::{Results, SourceCounts, Test};
use stereometer_report::figures::{FIGURES, Figure};
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
fn what_names_a_language_or_a_stereotype_joins_the_filter() {
    for n in [1, 3, 30] {
        let results = specimen::results(n);
        for draw in FIGURES {
            let figure = draw(&results);
            let found = specimen::about::joins(&figure, &specimen::about::names(&specimen::NAMES[..n]));
            assert!(found >= n.min(16), "{}, {n}: {found}", figure.name);
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
        let (table, row) = find("template_sensitivity", tag);
        assert_eq!(*cell(table, row, "form"), Cell::text("all"));
        same(table, row, "g_s", language.g_s.as_ref().unwrap());
        for (name, keys) in
            [("template_sensitivity", ["g_s"].as_slice()), ("rates_by_form", &["q_feminine", "q_masculine"])]
        {
            let table = tables.iter().find(|table| table.name == name).unwrap();
            for one in &language.by_form {
                let form = Cell::text(one.form.to_string());
                let row = table.rows.iter().find(|row| row[0] == Cell::text(tag) && row[2] == form).unwrap();
                assert_eq!(*cell(table, row, "n_items"), Cell::Count(one.n));
                for key in keys {
                    let [g_s, f, m] =
                        [&one.g_s, &one.q_feminine, &one.q_masculine].map(|one| one.as_ref().unwrap());
                    let estimate = match *key {
                        "g_s" => g_s,
                        "q_feminine" => f,
                        _ => m,
                    };
                    same(table, row, key, estimate);
                }
            }
        }
        let (table, row) = find("token_counts", tag);
        let check = language.token_counts.as_ref().unwrap();
        same(table, row, "g_s", language.g_s.as_ref().unwrap());
        same(table, row, "g_s_equal", check.g_s_equal.as_ref().unwrap());
        assert_eq!(*cell(table, row, "n_equal"), Cell::Count(check.n_equal));
        match check.correlation {
            Some(r) => assert_eq!(number(table, row, "correlation"), r),
            None => assert_eq!(*cell(table, row, "correlation"), Cell::Missing("no variation")),
        }
        let (table, row) = find("sentences_by_language", tag);
        let SourceCounts { gendered, neutral, unscored, absent } = language.sources;
        let wanted = [gendered, neutral, unscored, absent, gendered + neutral, 242];
        let keys = ["gendered", "neutral", "unscored", "absent", "scored", "total"];
        assert_eq!(keys.map(|key| cell(table, row, key).clone()), wanted.map(Cell::Count), "{tag}");
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

fn same_test(table: &Table, row: &[Cell], test: &Test) {
    assert_eq!(["p", "holm", "bh"].map(|key| number(table, row, key)), [test.p, test.holm, test.bh]);
}

#[test]
fn inclinations_their_means_and_tests_are_those_of_the_results() {
    let results = specimen::results(3);
    let [g_s, inclination] =
        ["g_s_by_language", "inclination_by_stereotype"].map(|name| figure(&results, name).table);
    for language in &results.languages {
        let tag = Cell::text(language.language.as_str());
        let row = g_s.rows.iter().find(|row| row[0] == tag).unwrap();
        same_test(&g_s, row, language.g_s_test.as_ref().unwrap());
        for one in &language.stereotypes {
            let number = Cell::Count(one.stereotype.get().into());
            let row = inclination.rows.iter().find(|row| row[0] == number && row[2] == tag).unwrap();
            same(&inclination, row, "inclination", one.inclination.as_ref().unwrap());
            same_test(&inclination, row, one.inclination_test.as_ref().unwrap());
        }
    }
    for one in &results.stereotypes {
        let number = Cell::Count(one.stereotype.get().into());
        let row =
            inclination.rows.iter().find(|row| row[0] == number && row[2] == Cell::text("mean")).unwrap();
        same(&inclination, row, "inclination", one.inclination.as_ref().unwrap());
        let counts = ["languages", "towards", "against"].map(|key| cell(&inclination, row, key).clone());
        assert_eq!(counts, [one.languages, one.towards, one.against].map(Cell::Count));
        let left_out = if one.missing.is_empty() { "none" } else { "Czech" };
        assert_eq!(*cell(&inclination, row, "left_out"), Cell::text(left_out));
    }
    let csv = String::from_utf8(inclination.csv().unwrap()).unwrap();
    assert!(csv.contains("\r\n15,men are sexual,cs,0,,,,,,,,,,\r\n"), "{csv}");
}

#[test]
fn the_mean_of_g_s_names_the_language_that_it_leaves_out() {
    let mut results = specimen::results(3);
    (results.languages[0].g_s, results.languages[0].g_s_test) = (None, None);
    let figure = figure(&results, "g_s_by_language");
    assert!(figure.reading.contains("resampled together, without Bulgarian."), "{}", figure.reading);
    let row = figure.table.rows.iter().find(|row| row[0] == Cell::text("mean")).unwrap();
    assert_eq!(*cell(&figure.table, row, "left_out"), Cell::text("Bulgarian"));
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

/// The figure of a name.
fn figure(results: &Results, name: &str) -> Figure {
    FIGURES.iter().map(|draw| draw(results)).find(|figure| figure.name == name).unwrap()
}

/// Three languages with 4, 7 and 0 sentences of the first stereotype, below a threshold of 5 items.
#[test]
fn the_spread_of_a_stereotype_over_the_languages() {
    let mut results = specimen::results(3);
    results.min_items = 5;
    for (language, n) in results.languages.iter_mut().zip([4, 7, 0]) {
        let cell = &mut language.stereotypes[0];
        (cell.n, cell.q.n, cell.few) = (n, n, n < 5);
    }
    results.languages[2].stereotypes.remove(0);
    let table = figure(&results, "sentences_by_stereotype").table;
    let row = &table.rows[0];
    let wanted = [
        Cell::Count(11),
        Cell::Count(0),
        Cell::text("Czech"),
        Cell::Number(4.0, "4".to_owned()),
        Cell::Count(7),
    ];
    assert_eq!(row[2..7], wanted);
    assert_eq!(row[7..], [Cell::text("Catalan"), Cell::Count(2)]);
    results.languages.truncate(2);
    let table = figure(&results, "sentences_by_stereotype").table;
    assert_eq!(table.rows[0][5], Cell::Number(5.5, "5.5".to_owned()));
}

/// Where sentences make two items each, the threshold, which counts items, is on another scale.
#[test]
fn the_threshold_is_drawn_only_where_a_sentence_is_an_item() {
    let mut results = specimen::results(2);
    let drawn = |results: &Results| {
        let figure = figure(results, "sentences_by_stereotype");
        assert_eq!(
            figure.reading.contains("dashed line"),
            figure.svg.inline("a", "", "", &Links::default()).contains("neutral")
        );
        figure.reading.contains("dashed line")
    };
    assert!(drawn(&results));
    results.languages[0].stereotypes[0].n *= 2;
    assert!(!drawn(&results));
}

#[test]
fn what_is_not_there_is_said() {
    let mut results = specimen::results(3);
    let reading = figure(&results, "rates_by_form").reading;
    assert!(reading.ends_with(" The run has no noun item."), "{reading}");
    let svg = |results: &Results, name| figure(results, name).svg.inline("a", "", "", &Links::default());
    assert!(svg(&results, "rates_by_form").contains(">none<"), "Catalan has no gendered pair");
    assert!(svg(&results, "token_counts").contains(">the same<"));
    let (languages, text) = (&mut results.languages, "hollow");
    languages[0].by_form[0].q_feminine = Some(Estimate::without_interval(0.4, 1));
    languages[1].sources = SourceCounts::default();
    languages[1].token_counts.as_mut().unwrap().g_s_equal = Some(Estimate::without_interval(1.5, 2));
    assert!(svg(&results, "rates_by_form").contains(text));
    assert!(svg(&results, "token_counts").contains(">? 1.500<"));
    let sentences = figure(&results, "sentences_by_language");
    assert!(sentences.svg.inline("a", "", "", &Links::default()).contains(">not counted<"));
    let row = sentences.table.rows.iter().find(|row| row[0] == Cell::text("ca")).unwrap();
    assert_eq!(*cell(&sentences.table, row, "absent"), Cell::Missing("not counted"));
}

/// An interval that is not there says nothing else than one that is.
#[test]
fn a_form_changes_a_conclusion_only_with_an_interval() {
    let mut results = specimen::results(1);
    let changes = |results: &Results| {
        figure(results, "template_sensitivity")
            .svg
            .inline("a", "", "", &Links::default())
            .contains(">changes<")
    };
    assert!(!changes(&results));
    let gendered = results.languages[0].by_form.iter_mut().find(|row| row.form == Form::Gendered).unwrap();
    gendered.g_s = Some(Estimate::without_interval(0.5, 1));
    assert!(!changes(&results));
    results.languages[0].by_form[0].g_s = Some(specimen::estimate(0.5, 0.1, 40));
    assert!(changes(&results));
}

#[test]
fn few_items_show_their_number_unless_all_are_few() {
    let mut results = specimen::results(3);
    let heat = |results: &Results| figure(results, "rank_heat_map");
    assert_eq!(heat(&results).svg.inline("a", "", "", &Links::default()).matches(">n=6<").count(), 3);
    for cell in results.languages.iter_mut().flat_map(|language| &mut language.stereotypes) {
        cell.few = true;
    }
    assert!(!heat(&results).svg.inline("a", "", "", &Links::default()).contains(">n="));
    assert!(heat(&results).reading.contains("Every cell rests on fewer than 10 items"));
}

#[test]
fn an_aggregate_says_which_stereotype_it_left_out() {
    let figure = figure(&specimen::results(3), "g_s_by_language");
    assert!(figure.reading.contains("(column “left out”): Czech."), "{}", figure.reading);
    let of = |tag: &str| {
        let row = figure.table.rows.iter().find(|row| row[0] == Cell::text(tag)).unwrap();
        cell(&figure.table, row, "left_out").clone()
    };
    assert_eq!([of("cs"), of("bg")], [Cell::text("15 (men are sexual)"), Cell::text("none")]);
}

#[test]
fn every_figure_as_svg() {
    let results = specimen::results(2);
    for draw in FIGURES {
        let figure = draw(&results);
        insta::assert_snapshot!(
            figure.name,
            figure.svg.inline(figure.name, figure.title, &figure.alt, &Links::default())
        );
    }
}
