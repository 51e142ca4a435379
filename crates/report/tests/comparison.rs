//! The report over several runs: every figure and table, and the page as a reader meets it.

#![allow(clippy::unwrap_used, clippy::float_cmp)] // the very same numbers are asked for

use stereometer_core::Estimate;
use stereometer_record::{Comparison, Statistic};
use stereometer_report::comparison::figures::FIGURES;
use stereometer_report::figures::Figure;
use stereometer_report::{Cell, Options, Table, comparison_headline, write_comparison};

mod specimen;

use specimen::comparison::comparison;
use specimen::html::check;

fn page(comparison: &Comparison) -> String {
    let folder = tempfile::tempdir().unwrap();
    let written = write_comparison(comparison, folder.path(), &Options::default()).unwrap();
    let html = std::fs::read_to_string(written.page).unwrap();
    check(&html);
    html
}

fn figures(comparison: &Comparison) -> Vec<Figure> {
    FIGURES.iter().filter_map(|entry| (entry.draw)(comparison)).collect()
}

fn figure(comparison: &Comparison, name: &str) -> Figure {
    figures(comparison).into_iter().find(|figure| figure.name == name).unwrap()
}

fn sound(comparison: &Comparison) {
    for figure in figures(comparison) {
        let name = figure.name;
        assert!(figure.alt.len() > 15 && figure.alt.ends_with('.'), "{name}: {}", figure.alt);
        assert!(figure.reading.len() > 60 && figure.reading.ends_with('.'), "{name}: {}", figure.reading);
        assert!(figure.svg.width() <= 1500.0, "{name}: {}", figure.svg.width());
        assert!(figure.svg.height() <= 1250.0, "{name}: {}", figure.svg.height());
        let svg = figure.svg.standalone(figure.title, &figure.alt);
        assert!(!svg.contains("NaN") && !svg.contains("inf") && !svg.contains("var("), "{name}");
        let table = &figure.table;
        assert_eq!(table.name, name);
        let mut keys: Vec<&str> = table.columns.iter().map(|column| column.key.as_str()).collect();
        keys.sort_unstable();
        keys.dedup();
        assert_eq!(keys.len(), table.columns.len(), "{name}");
        assert!(table.columns.iter().all(|column| column.meaning.len() > 5), "{name}");
        assert!(table.rows.iter().all(|row| row.len() == table.columns.len()), "{name}");
        let csv = String::from_utf8(table.csv().unwrap()).unwrap();
        assert!(!csv.contains("NaN") && !csv.contains("inf"), "{name}");
    }
}

#[test]
fn every_figure_is_sound_for_any_number_of_runs_and_languages() {
    for (runs, languages) in [(2, 1), (2, 3), (3, 30), (4, 30), (5, 3), (24, 30)] {
        let comparison = comparison(runs, languages);
        assert_eq!(figures(&comparison).len(), FIGURES.len(), "{runs} runs");
        sound(&comparison);
        page(&comparison);
    }
}

#[test]
fn what_names_a_language_or_a_stereotype_joins_the_filter() {
    // A panel a pair, a panel a run; dots; grids.
    for (runs, languages) in [(2, 3), (3, 30), (4, 3), (24, 30)] {
        let comparison = comparison(runs, languages);
        let names = specimen::about::names(&specimen::NAMES[..languages]);
        for figure in figures(&comparison) {
            let found = specimen::about::joins(&figure, &names);
            let names_none = ["mean_g_s", "differences", "agreement", "sensitivity"].contains(&figure.name);
            assert_eq!(found == 0, names_none, "{}, {runs} runs: {found}", figure.name);
        }
    }
}

#[test]
fn two_runs_of_one_language_model_are_counted_once() {
    let mut comparison = comparison(4, 1);
    assert!(page(&comparison).contains("<title>Gender stereotypes in 4 language models</title>"));
    comparison.runs[1].spec.identity.model = comparison.runs[0].spec.identity.model.clone();
    assert!(page(&comparison).contains("<title>Gender stereotypes in 4 runs of 3 language models</title>"));
}

#[test]
fn entries_are_the_figures_they_draw() {
    let comparison = comparison(3, 3);
    for entry in FIGURES {
        let figure = (entry.draw)(&comparison).unwrap();
        assert_eq!((figure.name, figure.title), (entry.name, entry.title));
        assert!(entry.absent.ends_with('.') && entry.absent.len() > 30, "{}", entry.name);
    }
}

fn number(table: &Table, row: &[Cell], key: &str) -> f64 {
    let place = table.columns.iter().position(|column| column.key == key).unwrap();
    match &row[place] {
        Cell::Number(value, _) => *value,
        Cell::Count(count) => *count as f64,
        other => panic!("{key}: {other:?}"),
    }
}

fn same(table: &Table, row: &[Cell], key: &str, estimate: &Estimate) {
    let interval = estimate.interval().unwrap();
    let of = |part: &str| number(table, row, &format!("{key}{part}"));
    assert_eq!([of(""), of("_low"), of("_high")], [estimate.value, interval.low, interval.high], "{key}");
}

fn has(table: &Table, row: &[Cell], key: &str, text: &str) -> bool {
    let place = table.columns.iter().position(|column| column.key == key).unwrap();
    match &row[place] {
        Cell::Text(known) => known == text,
        Cell::Missing(_) => text.is_empty(),
        Cell::Number(..) | Cell::Count(_) => false,
    }
}

#[test]
fn the_table_of_differences_has_every_difference_with_all_its_numbers() {
    let comparison = comparison(6, 3);
    let table = figure(&comparison, "differences").table;
    assert_eq!(table.rows.len(), comparison.differences.len());
    for one in &comparison.differences {
        let pair = &comparison.pairs[one.pair];
        let language = one.language.as_ref().map_or("mean", |language| language.as_str());
        let form = one.form.map(|form| form.to_string()).unwrap_or_default();
        let rows: Vec<_> = table
            .rows
            .iter()
            .filter(|row| {
                has(&table, row, "statistic", one.statistic.name())
                    && has(&table, row, "rule", one.rule.name())
                    && has(&table, row, "form", &form)
                    && has(&table, row, "language", language)
                    && has(&table, row, "first", &comparison.runs[pair.first].label)
                    && has(&table, row, "second", &comparison.runs[pair.second].label)
                    && one
                        .stereotype
                        .is_none_or(|id| number(&table, row, "stereotype") == f64::from(id.get()))
            })
            .collect();
        let [row] = rows.as_slice() else { panic!("{one:?}: {}", rows.len()) };
        same(&table, row, "difference", &one.difference);
        assert_eq!(number(&table, row, "first_value"), one.first);
        assert_eq!(number(&table, row, "second_value"), one.second);
        assert_eq!(number(&table, row, "items"), one.items as f64);
        assert_eq!(number(&table, row, "n"), one.difference.n as f64);
        match &one.test {
            Some(test) => {
                let found = ["p", "holm", "bh"].map(|key| number(&table, row, key));
                assert_eq!(found, [test.p, test.holm, test.bh]);
            }
            None => assert!(has(&table, row, "p", "")),
        }
    }
}

#[test]
fn the_numbers_of_the_runs_are_those_of_their_results() {
    let comparison = comparison(5, 3);
    let (by_model, means) =
        (figure(&comparison, "g_s_by_model").table, figure(&comparison, "mean_g_s").table);
    let (inclination, ranks) =
        (figure(&comparison, "inclination_by_model").table, figure(&comparison, "ranks_by_model").table);
    let (beyond, agreement) =
        (figure(&comparison, "beyond_neutral").table, figure(&comparison, "agreement").table);
    for run in &comparison.runs {
        let of = |table: &Table, row: &&Vec<Cell>| has(table, row, "run", &run.label);
        let row = means.rows.iter().find(|row| of(&means, row)).unwrap();
        same(&means, row, "mean_g_s", run.results.mean_g_s.as_ref().unwrap());
        for language in &run.results.languages {
            let tag = language.language.as_str();
            let mut rows = by_model.rows.iter().filter(|row| of(&by_model, row));
            let row = rows.find(|row| has(&by_model, row, "language", tag)).unwrap();
            same(&by_model, row, "g_s", language.g_s.as_ref().unwrap());
            for one in &language.stereotypes {
                let mut rows = ranks.rows.iter().filter(|row| of(&ranks, row));
                let row = rows.find(|row| {
                    has(&ranks, row, "language", tag)
                        && number(&ranks, row, "stereotype") == f64::from(one.stereotype.get())
                });
                same(&ranks, row.unwrap(), "rank", &one.rank);
            }
        }
        for one in &run.results.stereotypes {
            let id = f64::from(one.stereotype.get());
            let find = |table: &Table| {
                let mut rows = table.rows.iter().filter(|row| of(table, row));
                rows.find(|row| number(table, row, "stereotype") == id).unwrap().clone()
            };
            same(&inclination, &find(&inclination), "inclination", one.inclination.as_ref().unwrap());
            let row = find(&beyond);
            let counts = ["languages", "missing", "towards", "against"].map(|key| number(&beyond, &row, key));
            let expected = [one.languages, one.missing.len(), one.towards, one.against].map(|n| n as f64);
            assert_eq!(counts, expected);
        }
    }
    for (row, one) in agreement.rows.iter().zip(&comparison.rank_agreement) {
        assert_eq!(number(&agreement, row, "rho"), one.rho.unwrap());
    }
}

#[test]
fn of_many_runs_a_family_with_three_sizes_is_drawn_and_the_table_keeps_all() {
    let mut comparison = comparison(6, 3);
    let reading = |comparison: &Comparison| figure(comparison, "inclination_by_model").reading;
    assert!(!reading(&comparison).contains("of one family"), "two sizes are too few");
    comparison.trends[0].runs = vec![0, 3, 5];
    assert!(
        reading(&comparison).contains("of one family, made-up base (3 runs)"),
        "{}",
        reading(&comparison)
    );
    assert_eq!(figure(&comparison, "inclination_by_model").table.rows.len(), 6 * 16);
}

#[test]
fn marks_are_filled_only_where_holm_leaves_a_finding() {
    let mut comparison = comparison(2, 1);
    let marks = |comparison: &Comparison| {
        let figure = figure(comparison, "differences");
        let svg = figure.svg.standalone(figure.title, &figure.alt);
        // The legend has one of each.
        ["above", "below", "open"].map(|class| svg.matches(&format!("class=\"{class}-mark\"")).count() - 1)
    };
    let overall = comparison.differences.iter_mut().find(|one| one.statistic == Statistic::GS).unwrap();
    overall.difference = specimen::estimate(0.2, 0.01, 9);
    for (holm, expected) in [(0.049, [1, 0, 0]), (0.05, [0, 0, 1])] {
        comparison.differences[0].test.as_mut().unwrap().holm = holm;
        assert_eq!(marks(&comparison), expected, "{holm}");
    }
    comparison.differences[0].test.as_mut().unwrap().holm = 0.01;
    comparison.differences[0].difference = specimen::estimate(-0.2, 0.01, 9);
    assert_eq!(marks(&comparison), [0, 1, 0]);
}

#[test]
fn the_headline_names_what_differs_and_what_cannot_be_told() {
    let mut comparison = comparison(3, 30);
    let set = |comparison: &mut Comparison, pair: usize, value: f64, holm: f64| {
        let one = comparison
            .differences
            .iter_mut()
            .find(|one| (one.pair, one.statistic, one.language.is_none()) == (pair, Statistic::GS, true))
            .unwrap();
        one.difference = specimen::estimate(value, 0.01, 240);
        one.test.as_mut().unwrap().holm = holm;
    };
    set(&mut comparison, 0, -0.03, 0.001);
    set(&mut comparison, 1, 0.002, 0.6);
    let line = comparison_headline(&comparison);
    assert!(
        line.starts_with(
            "small-tuned leans less towards gender stereotypes than small: mean g_s differs by −0.030 (95\u{a0}% interval \
             −0.039 to −0.019, n = 240 source sentences; p = 0.001 after Holm). The data cannot tell other from small: \
             mean g_s differs by +0.002"
        ),
        "{line}"
    );
    set(&mut comparison, 1, 0.02, 0.04);
    assert!(
        comparison_headline(&comparison).contains("other leans more towards gender stereotypes than small")
    );
}

#[test]
fn the_headline_counts_many_pairs() {
    let mut comparison = comparison(24, 3);
    for one in &mut comparison.differences {
        one.test = one.test.map(|test| stereometer_record::Test { holm: 0.5, ..test });
    }
    let line = comparison_headline(&comparison);
    assert!(line.starts_with("The data cannot tell the runs of any of the 30 pairs apart"), "{line}");
    for one in comparison.differences.iter_mut().filter(|one| one.pair == 4) {
        one.test = one.test.map(|test| stereometer_record::Test { holm: 0.01, ..test });
    }
    let line = comparison_headline(&comparison);
    assert!(line.starts_with("In 1 of 30 pairs mean g_s differs (p < 0.05 after Holm)"), "{line}");
    assert!(line.contains("The largest difference is that of third from small"), "{line}");
}

#[test]
fn runs_that_share_nothing_have_a_page_that_says_so() {
    let mut comparison = comparison(2, 3);
    comparison.differences.clear();
    comparison.pairs[0].shared = 0;
    sound(&comparison);
    let html = page(&comparison);
    assert!(
        html.contains(
            "Too few scored items are shared for a difference in g_s between small-tuned and small."
        )
    );
    assert!(html.contains("“Differences in mean g_s between runs”: No two runs share enough scored items"));
    assert!(html.contains("Figures that this comparison has not"));
}

#[test]
fn no_language_one_stereotype_no_interval_and_ties_are_finite_and_explained() {
    let nothing = comparison(2, 0);
    sound(&nothing);
    assert!(page(&nothing).contains("No run has a g_s by itself."));
    let mut little = comparison(3, 1);
    for run in &mut little.runs {
        let results = &mut run.results;
        results.mean_g_s = Some(Estimate::without_interval(1.0, 1));
        results.stereotypes.truncate(1);
        for one in &mut results.stereotypes {
            one.inclination = Some(Estimate::without_interval(0.0, 1));
        }
        for language in &mut results.languages {
            language.g_s = Some(Estimate::without_interval(1.0, 1));
            language.stereotypes.truncate(1);
            language.stereotypes[0].rank = Estimate::without_interval(1.0, 1);
        }
    }
    for one in &mut little.differences {
        (one.first, one.second, one.test) = (1.0, 1.0, None);
        one.difference = Estimate::without_interval(0.0, 1);
    }
    little.rank_agreement.iter_mut().for_each(|one| (one.rho, one.stereotypes) = (None, 1));
    sound(&little);
    let html = page(&little);
    assert!(html.contains(
        "The data cannot tell small-tuned from small: mean g_s differs by 0.000 (one sentence: no interval"
    ));
    assert!(html.contains("so there is no rank correlation."));
    let mut tied = comparison(2, 3);
    for language in tied.runs.iter_mut().flat_map(|run| &mut run.results.languages) {
        language.stereotypes.iter_mut().for_each(|one| one.rank.value = 8.5);
        language.g_s = Some(specimen::estimate(1.0, 0.0, 4));
    }
    sound(&tied);
    assert!(page(&tied).contains(">8.5<"));
}

#[test]
fn long_names_and_markup_stay_text_and_differ() {
    let mut comparison = comparison(4, 3);
    for (place, run) in comparison.runs.iter_mut().enumerate() {
        run.label = format!("<script>alert('{place}')</script> & a name of sixty characters, {place:>2} end");
        run.family = Some("<b>family</b>".to_owned());
    }
    sound(&comparison);
    let html = page(&comparison);
    assert!(html.contains("&lt;script&gt;alert('3')&lt;/script&gt;") && !html.contains("<b>family"));
    for figure in figures(&comparison) {
        assert!(!figure.svg.standalone(figure.title, &figure.alt).contains("<script"), "{}", figure.name);
    }
}

#[test]
fn the_page_says_what_it_must() {
    let html = page(&comparison(5, 30));
    for text in [
        "No difference found is not equality.",
        "small and other: computed by engine in f32 and by engine in bf16.",
        "What to do: run one of them again in the other's <code>--dtype</code>.",
        "All runs: 30 cells (stereotype × language) with fewer than 10 items",
        "1 in 2,001",
        "Holm and Benjamini–Hochberg",
        "only first",
        "Kendall's W is 0",
        "stereometer compare",
        "title=\"a5fd3b62230aa5ec60212297dc9d20eaa70578ac519e00d93a17e44c087a6818\"",
        "prefers-color-scheme:dark",
    ] {
        assert!(html.contains(text), "{text}");
    }
}

#[test]
fn many_rows_are_cut_on_the_page_and_whole_in_the_file() {
    let folder = tempfile::tempdir().unwrap();
    let comparison = comparison(24, 30);
    let written = write_comparison(&comparison, folder.path(), &Options::default()).unwrap();
    let html = std::fs::read_to_string(&written.page).unwrap();
    assert!(html.len() < 3_000_000, "{}", html.len());
    assert!(html.contains("The first 300 of"));
    let csv = std::fs::read_to_string(folder.path().join("tables/differences.csv")).unwrap();
    assert_eq!(csv.lines().count(), comparison.differences.len() + 1);
}

#[test]
fn everything_linked_is_written_and_nothing_stays_of_an_earlier_report() {
    let folder = tempfile::tempdir().unwrap();
    let mut comparison = comparison(3, 3);
    let write = |comparison: &Comparison| {
        let written = write_comparison(comparison, folder.path(), &Options::default()).unwrap();
        let html = std::fs::read_to_string(&written.page).unwrap();
        for link in html.split("href=\"").skip(1).map(|rest| rest.split('"').next().unwrap()) {
            assert!(link.starts_with('#') || folder.path().join(link).exists(), "{link}");
        }
        (html, written)
    };
    let (html, written) = write(&comparison);
    assert_eq!((written.figures.len(), written.tables.len()), (10, 18));
    assert_eq!(html, write(&comparison).0, "a pure function");
    comparison.differences.clear();
    let (_, written) = write(&comparison);
    assert_eq!(written.figures.len(), 6);
    for gone in ["figures/differences.svg", "tables/differences.csv", "figures/sensitivity.svg"] {
        assert!(!folder.path().join(gone).exists(), "{gone}");
    }
}

#[test]
fn every_figure_as_svg() {
    let comparison = comparison(2, 2);
    for entry in FIGURES {
        let figure = figure(&comparison, entry.name);
        insta::assert_snapshot!(
            figure.name,
            figure.svg.inline(figure.name, figure.title, &figure.alt, &stereometer_report::Links::default())
        );
    }
}

#[test]
fn what_stands_behind_each_run_is_there_as_its_own_report_has_it() {
    let folder = tempfile::tempdir().unwrap();
    let comparison = comparison(2, 3);
    let written = write_comparison(&comparison, folder.path(), &Options::default()).unwrap();
    let html = std::fs::read_to_string(&written.page).unwrap();
    for name in ["sentences_by_language", "sentences_by_stereotype", "rates_by_form", "token_counts"] {
        let own = comparison.runs.iter().flat_map(|run| {
            let figures = stereometer_report::figures::FIGURES.iter().map(|draw| draw(&run.results));
            let table = figures.map(|figure| figure.table).find(|table| table.name == name).unwrap();
            let csv = String::from_utf8(table.csv().unwrap()).unwrap();
            csv.lines().skip(1).map(|line| format!("{},{line}", run.label)).collect::<Vec<_>>()
        });
        let csv = std::fs::read_to_string(folder.path().join(format!("tables/{name}.csv"))).unwrap();
        let there: Vec<&str> = csv.lines().skip(1).collect();
        assert_eq!(own.collect::<Vec<_>>(), there, "{name}");
        for place in 1..=2 {
            assert!(html.contains(&format!("id=\"{name}-{place}-title\"")), "{name}, {place}");
        }
    }
}
