//! The page as a reader, a browser and a mailbox meet it.

#![allow(clippy::unwrap_used)]

use std::collections::HashSet;

use stereometer_core::{Average, Estimate, Language, Rule, Warning};
use stereometer_record::{ItemRecord, Results, RunSpec};
use stereometer_report::{Options, ReportInput, headline, write};

mod specimen;

fn page(results: &Results, items: &[ItemRecord]) -> String {
    page_of(&specimen::spec(results), results, items)
}

fn page_of(spec: &RunSpec, results: &Results, items: &[ItemRecord]) -> String {
    let folder = tempfile::tempdir().unwrap();
    let input = ReportInput { spec, results, items };
    let written = write(&input, folder.path(), &Options::default()).unwrap();
    std::fs::read_to_string(written.page).unwrap()
}

fn whole(n: usize) -> String {
    let results = specimen::results(n);
    page(&results, &specimen::items(&results))
}

/// Tags are balanced, ids are unique and every reference leads somewhere.
fn check(html: &str) {
    let mut open: Vec<&str> = Vec::new();
    for part in html.split('<').skip(1) {
        let tag = part.split('>').next().unwrap();
        let name = tag.split([' ', '\n']).next().unwrap();
        let empty = ["!DOCTYPE", "meta"].contains(&name) || tag.ends_with('/');
        match name.strip_prefix('/') {
            Some(name) => assert_eq!(open.pop(), Some(name), "near {tag}"),
            None if empty => {}
            None => open.push(name),
        }
    }
    assert!(open.is_empty(), "{open:?}");
    let after = |key: &str| -> Vec<String> {
        html.split(key).skip(1).map(|rest| rest.split('"').next().unwrap().to_owned()).collect()
    };
    let ids = after(" id=\"");
    let unique: HashSet<&String> = ids.iter().collect();
    assert_eq!(unique.len(), ids.len(), "{ids:?}");
    let labels = after("aria-labelledby=\"");
    let labels = labels.iter().flat_map(|label| label.split(' ').map(str::to_owned));
    for reference in after("href=\"#").into_iter().chain(labels) {
        assert!(unique.contains(&reference), "{reference}");
    }
    for word in ["NaN", "http", "<script", "src=", "@import", "url("] {
        assert!(!html.contains(word), "{word}");
    }
    let words: HashSet<String> = html.split(|c: char| !c.is_alphabetic()).map(str::to_lowercase).collect();
    for word in ["male", "female", "males", "females", "inf"] {
        assert!(!words.contains(word), "{word}");
    }
}

#[test]
fn the_page_is_sound_for_any_number_of_languages() {
    for n in [0, 1, 3, 30] {
        check(&whole(n));
    }
}

#[test]
fn thirty_languages_stay_below_two_megabytes() {
    let size = whole(30).len();
    assert!(size < 2_000_000, "{size}");
}

#[test]
fn the_page_says_what_it_must() {
    let html = whole(30);
    for text in [
        "Only a subset was scored:",
        "a demonstration, written for this program and not validated by translators",
        "Binary grammatical gender only.",
        "An intrinsic measure, not behaviour.",
        "English-centred stereotypes.",
        "stereometer audit --quick",
        "30 cells (stereotype × language) with fewer than 10 items, in all 30 languages.",
        "4 items without a score",
        "CC0-1.0",
        "title=\"a5fd3b62230aa5ec60212297dc9d20eaa70578ac519e00d93a17e44c087a6818\"",
        "<dd lang=\"el\" dir=\"auto\">",
        "&lt;script&gt;alert(1)&lt;/script&gt;",
        "prefers-color-scheme:dark",
    ] {
        assert!(html.contains(text), "{text}");
    }
    assert_eq!(html.matches("fewer than 10 items, in").count(), 1, "said once");
}

#[test]
fn an_unfinished_run_says_so_and_a_finished_one_does_not() {
    let mut results = specimen::results(3);
    results.unscored.clear();
    let detail = "the run is not finished: 20 of its 32 items are missing".to_owned();
    results.warnings.insert(0, Warning::Subset { detail });
    let (mut spec, items) = (specimen::spec(&results), specimen::items(&results));
    spec.n_items = 32;
    let html = page_of(&spec, &results, &items);
    check(&html);
    let notice = html.find("<strong>Unfinished:</strong> 12 of 32 items are scored.").unwrap();
    assert!(notice < html.find("<dl class=\"facts\">").unwrap());
    assert!(html.contains("same command and <code>--resume</code>"));
    assert!(html.contains("The run is unfinished: 20 items are not asked yet."));
    assert!(!html.contains("Every item has a score") && !html.contains("the run is not finished"));
    results.warnings.remove(0);
    spec.n_items = items.len();
    let html = page_of(&spec, &results, &items);
    assert!(html.contains("Every item has a score") && !html.contains("Unfinished"));
}

#[test]
fn everything_the_page_links_to_is_written() {
    let folder = tempfile::tempdir().unwrap();
    let results = specimen::results(3);
    let (spec, items) = (specimen::spec(&results), specimen::items(&results));
    let input = ReportInput { spec: &spec, results: &results, items: &items };
    let written = write(&input, folder.path(), &Options::default()).unwrap();
    let html = std::fs::read_to_string(&written.page).unwrap();
    for link in html.split("href=\"").skip(1).map(|rest| rest.split('"').next().unwrap()) {
        assert!(link.starts_with('#') || folder.path().join(link).exists(), "{link}");
    }
    assert_eq!((written.figures.len(), written.tables.len()), (5, 9));
    let again = write(&input, folder.path(), &Options::default()).unwrap();
    assert_eq!(html, std::fs::read_to_string(again.page).unwrap(), "a pure function");
}

#[test]
fn pictures_are_drawn_or_the_missing_font_is_named() {
    let folder = tempfile::tempdir().unwrap();
    let results = specimen::results(2);
    let (spec, items) = (specimen::spec(&results), specimen::items(&results));
    let input = ReportInput { spec: &spec, results: &results, items: &items };
    match write(&input, folder.path(), &Options { png: true, pdf: true }) {
        Ok(written) => {
            assert_eq!(written.figures.len(), 15);
            let read = |name: &str| std::fs::read(folder.path().join("figures").join(name)).unwrap();
            assert!(read("rank_heat_map.png").starts_with(b"\x89PNG"));
            assert!(read("rank_heat_map.pdf").starts_with(b"%PDF"));
        }
        Err(error) => assert!(error.hint().is_some_and(|hint| hint.contains("font")), "{error}"),
    }
}

/// One language, one stereotype, one sentence, all rates equal, nothing at all: finite and explained.
#[test]
fn little_data_gives_a_page_that_says_so() {
    let mut results = specimen::results(1);
    let language = &mut results.languages[0];
    language.stereotypes.truncate(1);
    language.stereotypes[0].q = Estimate::without_interval(0.5, 1);
    language.stereotypes[0].rank = Estimate::without_interval(1.0, 1);
    language.stereotypes[0].inclination = None;
    language.g_s = None;
    language.g_s_arithmetic = None;
    language.q_masculine = None;
    language.q_feminine = Some(Estimate::without_interval(0.5, 1));
    language.by_rule.iter_mut().for_each(|row| row.g_s = None);
    language.by_form.clear();
    language.token_counts = None;
    language.fit = None;
    results.mean_g_s = None;
    let html = page(&results, &[]);
    check(&html);
    assert!(html.contains("No language has a g_s: it needs scored sentences"), "{html}");
    assert!(html.contains("one sentence: no interval"));
    results.languages.clear();
    check(&page(&results, &[]));
}

#[test]
fn extreme_and_equal_values_stay_readable() {
    let mut results = specimen::results(3);
    results.rule = Rule::Sum;
    results.average = Average::Arithmetic;
    results.languages[0].g_s = Some(specimen::estimate(1e12, 9e11, 4));
    results.languages[1].g_s = Some(Estimate::without_interval(1e-15, 1));
    results.languages[2].g_s = Some(specimen::estimate(1.0, 0.0, 4));
    for language in &mut results.languages {
        language.stereotypes.iter_mut().for_each(|one| one.rank.value = 8.5);
    }
    let html = page(&results, &[]);
    check(&html);
    assert!(html.contains("1.0e12") && html.contains(">8.5<"));
    assert!(headline(&results).contains("; 1 has too little data for an interval"));
}

#[test]
fn the_headline_of_one_language_and_of_many() {
    assert_eq!(
        headline(&specimen::results(1)),
        "In Bulgarian, the language model leans towards gender stereotypes: g_s = 1.137 (95\u{a0}% interval 1.130 to \
         1.146, n = 240); 1 = none on balance: opposite stereotypes cancel. Strongest stereotypes: “women are neat” (inclination +0.044, \
         interval above 0), “men are tough” (inclination +0.039, interval above 0)."
    );
    let many = headline(&specimen::results(30));
    assert!(
        many.starts_with("The language model leans towards gender stereotypes in 23 of 30 languages"),
        "{many}"
    );
}

#[test]
fn right_to_left_text_and_odd_tags_pass() {
    let mut results = specimen::results(1);
    results.languages[0].language = "he-hebr".parse::<Language>().unwrap();
    results.languages[0].name = "A & B <language>".to_owned();
    let html = page(&results, &specimen::items(&results));
    check(&html);
    assert!(html.contains("A &amp; B &lt;language&gt;"));
}
