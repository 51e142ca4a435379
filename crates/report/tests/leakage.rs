//! The report of a leakage analysis: every figure and table, and the page as a reader meets it.

#![allow(clippy::unwrap_used, clippy::float_cmp)] // the very same numbers are asked for

use stereometer_core::Interval;
use stereometer_record::{Evidence, LeakageResults, Predictor};
use stereometer_report::figures::Figure;
use stereometer_report::leakage::figures::FIGURES;
use stereometer_report::leakage::{Study, TABLES};
use stereometer_report::{Cell, Options, Table, leakage_headline, write_leakage};

mod specimen;

use specimen::html::check;
use specimen::leakage::{leakage, nothing, tag};

fn page(results: &LeakageResults) -> String {
    let folder = tempfile::tempdir().unwrap();
    let written = write_leakage(results, folder.path(), Options::default()).unwrap();
    let html = std::fs::read_to_string(written.page).unwrap();
    check(&html);
    html
}

fn figures(results: &LeakageResults) -> Vec<Figure> {
    let study = Study::new(results);
    FIGURES.iter().filter_map(|entry| (entry.draw)(&study)).collect()
}

fn figure(results: &LeakageResults, name: &str) -> Figure {
    figures(results).into_iter().find(|figure| figure.name == name).unwrap()
}

fn drawing(figure: &Figure) -> String {
    figure.svg.standalone(figure.title, &figure.alt)
}

fn sound_table(table: &Table) {
    let name = table.name;
    let mut keys: Vec<&str> = table.columns.iter().map(|column| column.key.as_str()).collect();
    keys.sort_unstable();
    keys.dedup();
    assert_eq!(keys.len(), table.columns.len(), "{name}");
    assert!(table.columns.iter().all(|column| column.meaning.len() > 5), "{name}");
    assert!(table.rows.iter().all(|row| row.len() == table.columns.len()), "{name}");
    assert!(table.caption.ends_with('.'), "{name}");
    let csv = String::from_utf8(table.csv().unwrap()).unwrap();
    assert!(!csv.contains("NaN") && !csv.contains("inf,"), "{name}");
}

fn sound(results: &LeakageResults) {
    for figure in figures(results) {
        let name = figure.name;
        assert!(figure.alt.len() > 15 && figure.alt.ends_with('.'), "{name}: {}", figure.alt);
        assert!(figure.reading.len() > 60 && figure.reading.ends_with('.'), "{name}: {}", figure.reading);
        assert!(figure.svg.width() <= 1200.0, "{name}: {}", figure.svg.width());
        assert!(figure.svg.height() <= 2600.0, "{name}: {}", figure.svg.height());
        let svg = drawing(&figure);
        assert!(!svg.contains("NaN") && !svg.contains("inf") && !svg.contains("var("), "{name}");
        assert!(!svg.contains("width=\"-") && !svg.contains("height=\"-"), "{name}");
        assert_eq!(figure.table.name, name);
        sound_table(&figure.table);
    }
    let study = Study::new(results);
    for make in TABLES {
        sound_table(&make(&study));
    }
}

#[test]
fn every_figure_is_sound_for_any_number_of_runs_languages_and_groups() {
    for (runs, languages, groups) in [(1, 4, 30), (2, 4, 30), (8, 4, 30), (3, 2, 12), (2, 1, 30), (1, 4, 1)] {
        let results = leakage(runs, languages, groups);
        assert_eq!(figures(&results).len(), FIGURES.len(), "{runs} {languages} {groups}");
        sound(&results);
        page(&results);
    }
}

#[test]
fn entries_are_the_figures_they_draw() {
    let results = leakage(2, 4, 12);
    let study = Study::new(&results);
    for entry in FIGURES {
        let figure = (entry.draw)(&study).unwrap();
        assert_eq!((figure.name, figure.title), (entry.name, entry.title));
        assert!(entry.absent.ends_with('.') && entry.absent.len() > 30, "{}", entry.name);
    }
}

#[test]
fn without_any_number_the_page_says_what_is_missing() {
    let results = nothing();
    sound(&results);
    let html = page(&results);
    assert!(html.contains("No regression could be made, so nothing is known about leakage."));
    for entry in FIGURES.iter().filter(|entry| entry.name != "category_correlations") {
        assert!(html.contains(entry.absent), "{}", entry.name);
    }
    assert!(html.contains("too few cells for r"), "the last figure is there, and says why it has no number");
    let mut empty = nothing();
    (empty.category_correlations, empty.positions) = (Vec::new(), Vec::new());
    (empty.runs, empty.associations) = (Vec::new(), Vec::new());
    (empty.inventory.groups, empty.humans.languages, empty.humans.cells) =
        (Vec::new(), Vec::new(), Vec::new());
    assert!(figures(&empty).is_empty());
    page(&empty);
}

fn column(table: &Table, key: &str) -> usize {
    table.columns.iter().position(|column| column.key == key).unwrap_or_else(|| panic!("{key}"))
}

fn number(table: &Table, row: &[Cell], key: &str) -> f64 {
    match &row[column(table, key)] {
        Cell::Number(value, _) => *value,
        Cell::Count(count) => *count as f64,
        other => panic!("{key}: {other:?}"),
    }
}

fn text<'a>(table: &Table, row: &'a [Cell], key: &str) -> &'a str {
    match &row[column(table, key)] {
        Cell::Text(text) => text,
        Cell::Missing(_) => "",
        other => panic!("{key}: {other:?}"),
    }
}

#[test]
fn the_table_of_coefficients_has_every_coefficient_of_every_choice_with_all_its_numbers() {
    let results = leakage(2, 4, 12);
    let table = figure(&results, "coefficients").table;
    assert_eq!(table.rows.len(), results.fits.iter().map(|fit| fit.coefficients.len()).sum::<usize>());
    assert_eq!(text(&table, &table.rows[0], "chosen"), "yes");
    for fit in &results.fits {
        for one in &fit.coefficients {
            let Predictor::People(source) = &one.predictor else { panic!() };
            let rows: Vec<_> = table
                .rows
                .iter()
                .filter(|row| {
                    text(&table, row, "run") == results.runs[fit.run].label
                        && text(&table, row, "target") == fit.target.as_str()
                        && text(&table, row, "source") == source.as_str()
                        && text(&table, row, "missing") == fit.choice.missing.name()
                        && text(&table, row, "random") == fit.choice.random.name()
                        && text(&table, row, "scale") == fit.choice.scale.name()
                })
                .collect();
            let [row] = rows.as_slice() else { panic!("{}", rows.len()) };
            let of = |key: &str| number(&table, row, key);
            let keys = [
                "estimate",
                "estimate_low",
                "estimate_high",
                "std_error",
                "z",
                "df",
                "p_t",
                "p_z",
                "holm",
                "bh",
                "n",
            ];
            let expected = [
                one.estimate,
                one.interval.low,
                one.interval.high,
                one.std_error,
                one.z,
                one.df.unwrap(),
                one.p_t.unwrap(),
                one.p_z,
                one.holm,
                one.bh,
                fit.n as f64,
            ];
            assert_eq!(keys.map(of), expected);
            let role = if *source == fit.target { "own" } else { "leak" };
            assert_eq!(text(&table, row, "role"), role);
        }
    }
}

#[test]
fn cells_and_candidates_keep_their_numbers_and_their_own_names() {
    let results = leakage(2, 4, 30);
    let study = Study::new(&results);
    let tables: Vec<Table> = TABLES.iter().map(|make| make(&study)).collect();
    let find = |name: &str| tables.iter().find(|table| table.name == name).unwrap();
    let associations = find("associations");
    for (row, one) in associations.rows.iter().zip(&results.associations) {
        match one.score {
            Some(score) => assert_eq!(number(associations, row, "score"), score),
            None => assert_eq!(text(associations, row, "score"), ""),
        }
    }
    let people = find("human_scores");
    let missing = results.humans.cells.iter().filter(|cell| cell.score.is_none()).count();
    assert!(missing > 0);
    let empty = people.rows.iter().filter(|row| matches!(row[column(people, "score")], Cell::Missing(_)));
    assert_eq!(empty.count(), missing, "missing stays missing");
    let list = find("qualitative");
    assert_eq!(list.rows.len(), results.qualitative.len());
    let hindi = list.rows.iter().find(|row| text(list, row, "target") == "hi").unwrap();
    let first = results.qualitative.iter().find(|one| one.target.as_str() == "hi").unwrap();
    assert_eq!(number(list, hindi, "people_source_n"), first.people_source_n.unwrap() as f64);
    for key in ["group_native", "pole_native"] {
        assert!(text(list, hindi, key).chars().any(|c| ('\u{900}'..'\u{980}').contains(&c)), "{key}");
    }
    assert_eq!(find("skipped_fits").rows.len(), 1);
    assert_eq!(find("fits").rows.len(), results.fits.len());
    assert_eq!(find("runs").rows.len(), 2);
}

#[test]
fn what_few_people_say_is_marked_in_words_and_comes_last() {
    let results = leakage(2, 4, 16);
    let html = page(&results);
    let listed = html.split("id=\"one_by_one\"").nth(1).unwrap().split("</section>").next().unwrap();
    let (mut marked, mut plain) = (0, 0);
    for part in listed.split("<details").skip(1) {
        let rows: Vec<bool> = part
            .split("<tr><th scope=\"row\">")
            .skip(1)
            .map(|row| {
                let people = row.split(" → ").next().unwrap().rsplit('>').next().unwrap();
                let here = row.split(" → ").nth(1).unwrap().split([' ', '<']).next().unwrap();
                let least: usize = people.parse::<usize>().unwrap().min(here.parse().unwrap());
                assert_eq!(row.contains("few people"), least < 5, "{row}");
                least < 5
            })
            .collect();
        assert!(rows.is_sorted(), "{rows:?}");
        marked += rows.iter().filter(|is_marked| **is_marked).count();
        plain += rows.iter().filter(|is_marked| !**is_marked).count();
    }
    assert!(marked > 0 && plain > 0, "{marked} {plain}");
    let mut unknown = results;
    unknown.qualitative.iter_mut().for_each(|one| (one.people_source_n, one.people_target_n) = (None, None));
    let html = page(&unknown);
    assert!(html.contains("<td>not stated → not stated</td>") && !html.contains("⚠ few people</td>"));
    let older = serde_json::to_string(&unknown.qualitative[0]).unwrap();
    let older = older.replace(",\"people_source_n\":null,\"people_target_n\":null", "");
    assert!(!older.contains("_n"), "{older}");
    let read: stereometer_record::QualitativeLeak = serde_json::from_str(&older).unwrap();
    assert_eq!(read, unknown.qualitative[0], "a file of an earlier version is read");
}

/// Ribbons by look: sure, pale, negative, hair; the legend has one of each.
fn ribbons(results: &LeakageResults) -> [usize; 4] {
    let svg = drawing(&figure(results, "leakage_flow"));
    [
        "<path class=\"flow-sure",
        "<path class=\"flow-pale",
        "<path class=\"flow-negative",
        "<path class=\"flow-hair",
    ]
    .map(|class| svg.matches(class).count())
}

/// Gives every leak of the choice asked for this sign, and this p after Holm.
fn set(results: &mut LeakageResults, evidence: Evidence, estimate: f64, holm: f64) {
    let chosen = results.settings.choice;
    for fit in results.fits.iter_mut().filter(|fit| fit.choice == chosen) {
        for one in &mut fit.coefficients {
            if one.predictor != Predictor::People(fit.target.clone()) {
                (one.evidence, one.estimate, one.holm) = (evidence, estimate, holm);
                one.interval = Interval { low: estimate - 0.02, high: estimate + 0.02 };
            }
        }
    }
}

#[test]
fn ribbons_look_like_what_they_say() {
    let mut results = leakage(1, 4, 12);
    for (evidence, estimate, holm, expected) in [
        (Evidence::Positive, 0.2, 0.01, [12, 0, 0, 0]),
        (Evidence::Positive, 0.2, 0.3, [0, 12, 0, 0]),
        (Evidence::Negative, -0.2, 0.01, [0, 0, 12, 0]),
        (Evidence::Open, 0.02, 1.0, [0, 0, 0, 12]),
    ] {
        set(&mut results, evidence, estimate, holm);
        assert_eq!(ribbons(&results), expected, "{evidence:?} {holm}");
    }
}

/// Height of a ribbon's left end, from its course `M x y C … L … `.
#[test]
fn a_ribbon_is_as_thick_as_its_coefficient() {
    let mut results = leakage(1, 2, 4);
    let chosen = results.settings.choice;
    for fit in results.fits.iter_mut().filter(|fit| fit.choice == chosen) {
        for one in &mut fit.coefficients {
            (one.evidence, one.holm) = (Evidence::Positive, 0.001);
            one.estimate = if fit.target == tag(0) { 0.3 } else { 0.1 };
        }
    }
    let svg = drawing(&figure(&results, "leakage_flow"));
    let thick: Vec<f64> = svg
        .split("<path class=\"flow-sure")
        .skip(1)
        .map(|rest| {
            let d = rest.split("d=\"M").nth(1).unwrap().split('"').next().unwrap();
            let (out, back) = d.trim_end_matches('Z').split_once('L').unwrap();
            let first: f64 = out.split(['C', ' ']).nth(1).unwrap().parse().unwrap();
            let last: f64 = back.rsplit(' ').next().unwrap().parse().unwrap();
            last - first
        })
        .collect();
    assert_eq!(thick.len(), 2);
    let (most, least) = (thick[0].max(thick[1]), thick[0].min(thick[1]));
    assert!((most / least - 3.0).abs() < 0.05, "{thick:?}");
}

#[test]
fn the_headline_names_leaks_or_says_that_none_was_found() {
    let mut results = leakage(1, 4, 12);
    let lines = leakage_headline(&results);
    assert!(lines[0].starts_with("made-up/mt5-small: other languages' stereotypes show in"), "{}", lines[0]);
    assert!(lines[0].contains("from Chinese into Russian, +0.3"), "{}", lines[0]);
    assert!(lines[1].starts_with("The language's own people show in 4 of 4 fits"), "{}", lines[1]);
    set(&mut results, Evidence::Open, 0.01, 1.0);
    let lines = leakage_headline(&results);
    assert!(lines[0].contains("no leak found among 12 possible leaks"), "{}", lines[0]);
    let html = page(&results);
    assert!(html.contains("no leak found among 12 possible leaks"));
    assert!(leakage_headline(&leakage(8, 4, 12))[0].contains("possible leaks of 8 runs"));
    assert!(leakage_headline(&leakage(1, 1, 12))[0].contains("no leak was looked for"));
}

#[test]
fn doubts_are_said_in_plain_words_with_advice() {
    let html = page(&leakage(2, 4, 30));
    for text in [
        "made-up/mt5-small in Chinese: the intercepts of the groups have no variance (a singular fit)",
        "made-up/mbert in Hindi: no fit: 12 cells have a human score",
        "the search stopped before it found its end",
        "214 (a step of 1 or more: SeT is not defined)",
        "Two annotators of the Hindi survey",
        "What to do:",
    ] {
        assert!(html.contains(text), "{text}");
    }
    let mut silent = leakage(1, 4, 12);
    silent.fits.iter_mut().for_each(|fit| fit.doubts.clear());
    assert!(
        page(&silent).contains("a random intercept has no variance (singular)"),
        "a marked fit is never silent"
    );
}

#[test]
fn a_monolingual_model_explains_and_is_no_leak() {
    let mut results = leakage(1, 4, 12);
    let before = ribbons(&results);
    let mut mono = results.runs[0].clone();
    (mono.label, mono.is_monolingual, mono.languages) = ("made-up/rubert".to_owned(), true, vec![tag(1)]);
    results.runs.push(mono);
    for fit in results.fits.iter_mut().filter(|fit| fit.target == tag(1)) {
        let mut one = fit.coefficients[0].clone();
        (one.predictor, one.estimate, one.evidence) = (Predictor::Monolingual(1), 0.4, Evidence::Positive);
        fit.coefficients.push(one);
    }
    sound(&results);
    assert_eq!(ribbons(&results), before, "the flow is of people only");
    let table = figure(&results, "coefficients").table;
    let row = table.rows.iter().find(|row| text(&table, row, "role") == "monolingual").unwrap();
    assert_eq!(text(&table, row, "predictor"), "monolingual model made-up/rubert");
    assert_eq!(text(&table, row, "source"), "");
    assert!(leakage_headline(&results)[0].contains("of 12 possible leaks"));
    assert!(page(&results).contains(">monolingual model</text>"));
}

#[test]
fn names_stay_text_in_their_own_language() {
    let results = leakage(2, 4, 30);
    let html = page(&results);
    for text in [
        "lang=\"hi\" xml:lang=\"hi\"",
        "lang=\"zh\" xml:lang=\"zh\"",
        "<td lang=\"ru\">",
        "महिला",
        "单亲妈妈",
        "мать-одиночка",
    ] {
        assert!(html.contains(text), "{text}");
    }
    let figure = figure(&results, "abc_map");
    assert!(!drawing(&figure).contains("Noto"), "no font is fixed");
}

#[test]
fn long_names_with_markup_stay_text_and_fit() {
    let mut results = leakage(2, 4, 12);
    let wild = "<b>\"A & B\"</b> of a very long name that goes on and on & on";
    results.runs[0].label = format!("{wild} 1");
    results.runs[1].label = format!("{wild} 2");
    results.inventory.groups[0].name = wild.to_owned();
    results.inventory.pairs[0].left.name = wild.to_owned();
    for language in &mut results.inventory.languages {
        language.name = format!("{wild} {}", language.language);
        language.groups[1] = Some(wild.to_owned());
        language.poles[0] = Some(wild.to_owned());
    }
    results.skipped[0].reason = wild.to_owned();
    results.humans.origin = wild.to_owned();
    sound(&results);
    assert!(!page(&results).contains("<b>\"A"));
}

#[test]
fn names_that_are_missing_and_groups_that_are_unknown_do_no_harm() {
    let mut results = leakage(1, 4, 12);
    for language in &mut results.inventory.languages {
        language.groups.iter_mut().for_each(|name| *name = None);
        language.poles.clear();
    }
    results.inventory.languages.pop();
    sound(&results);
    page(&results);
}

#[test]
fn everything_linked_is_written_and_nothing_stays_of_an_earlier_report() {
    let folder = tempfile::tempdir().unwrap();
    let mut results = leakage(2, 4, 30);
    let write = |results: &LeakageResults| {
        let written = write_leakage(results, folder.path(), Options::default()).unwrap();
        let html = std::fs::read_to_string(&written.page).unwrap();
        for link in html.split("href=\"").skip(1).map(|rest| rest.split('"').next().unwrap()) {
            assert!(link.starts_with('#') || folder.path().join(link).exists(), "{link}");
        }
        (html, written)
    };
    let (html, written) = write(&results);
    assert_eq!((written.figures.len(), written.tables.len()), (FIGURES.len(), FIGURES.len() + TABLES.len()));
    assert_eq!(html, write(&results).0, "a pure function");
    assert!(html.len() < 4_000_000, "{}", html.len());
    results.fits.clear();
    let (_, written) = write(&results);
    assert_eq!(written.figures.len(), FIGURES.len() - 3);
    assert!(!folder.path().join("figures/leakage_flow.svg").exists());
}

#[test]
fn every_figure_as_svg() {
    let results = leakage(2, 3, 3);
    for figure in figures(&results) {
        insta::assert_snapshot!(
            figure.name,
            figure.svg.inline(figure.name, figure.title, &figure.alt, &stereometer_report::Links::default())
        );
    }
}
