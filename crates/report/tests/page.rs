//! The page as a reader, a browser and a mailbox meet it.

#![allow(clippy::unwrap_used)]

use std::collections::HashSet;

use stereometer_core::{Average, Estimate, Language, Method, Rule, Warning};
use stereometer_record::{ItemRecord, Results, RunSpec};
use stereometer_report::{Options, ReportInput, headline, write};
use stereometer_score::info;

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

/// The page without its one script, which is the one in `assets`.
fn without_script(html: &str) -> String {
    let script = format!("<script>{}</script>\n</body>", include_str!("../assets/page.js"));
    assert_eq!(html.matches(&script).count(), 1);
    html.replace(&script, "</body>")
}

/// Tags are balanced, ids are unique, every reference leads somewhere, and no text has become markup.
fn check(html: &str) {
    let html = &without_script(html);
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
    assert_eq!(html.matches("http").count(), html.matches("<meta http-equiv=").count());
    for word in ["NaN", "<script", "src=", "@import", "url("] {
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
        "mini, version 1: demonstration set, not validated by translators",
        "268 million parameters, Q4_K weights",
        "Languages are not on one scale.",
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

#[test]
fn only_what_stands_out_is_named_and_few_sentences_are_said_once() {
    let mut results = specimen::results(3);
    results.mean_g_s = Some(specimen::estimate(1.0, 0.05, 240));
    let line = headline(&results);
    assert!(line.contains("interval above 0 in 3, below 0 in 0 of 3)"), "{line}");
    assert!(line.contains(", which includes 1, n = 240 source sentences); 1 = none on balance"), "{line}");
    assert!(!line.contains("fewer than"), "{line}");
    for cell in results.languages.iter_mut().flat_map(|language| &mut language.stereotypes) {
        cell.few = true;
    }
    let line = headline(&results);
    let few = "cells rest on fewer than 10 sentences each, so single intervals say little.";
    assert_eq!(line.matches(few).count(), 1, "{line}");
    for cell in results.languages.iter_mut().flat_map(|language| &mut language.stereotypes) {
        (cell.few, cell.inclination) = (false, Some(specimen::estimate(0.001, 0.02, 16)));
    }
    let line = headline(&results);
    assert!(line.ends_with(" No stereotype stands out."), "{line}");
}

#[test]
fn a_page_under_other_choices_shows_its_own_command() {
    let mut results = specimen::results(2);
    let spec = specimen::spec(&results);
    let html = page_of(&spec, &results, &[]);
    assert!(!html.contains("&lt;RUN&gt;"));
    assert_eq!(html.matches("g_s stays the ratio of geometric means whatever the average").count(), 1);
    (results.rule, results.average, results.resamples) = (Rule::Sum, Average::Arithmetic, 500);
    let html = page_of(&spec, &results, &[]);
    check(&html);
    let command = format!(
        "stereometer report &lt;RUN&gt; --rule sum --average arithmetic --resamples 500 --seed {} --min-items 10",
        results.seed.0
    );
    assert!(html.contains(&command) && html.contains("The run was made by:"));
    assert_eq!(html.matches("g_s stays the ratio of geometric means whatever the average").count(), 2);
}

#[test]
fn pooled_forms_that_disagree_are_named() {
    let mut results = specimen::results(3);
    assert!(!page(&results, &[]).contains("Forms disagree"));
    let language = &mut results.languages[1];
    let mut other = language.by_form[0].clone();
    language.by_form[0].g_s = Some(specimen::estimate(0.8, 0.1, 20));
    other.g_s = Some(specimen::estimate(0.7, 0.1, 20));
    language.by_form.push(other);
    let html = page(&results, &[]);
    check(&html);
    assert!(
        html.contains("In Catalan, g_s over all items lies outside the range of its forms' values"),
        "{html}"
    );
}

#[test]
fn caveats_count_cells_and_keep_file_names() {
    let results = specimen::results(30);
    let mut spec = specimen::spec(&results);
    spec.identity.set.name = "eurogest".to_owned();
    spec.identity.subset = None;
    spec.warnings.push(Warning::Data { detail: "prompt_scaffolds.csv: not read".to_owned() });
    let html = page_of(&spec, &results, &[]);
    assert!(
        html.contains("at least 1.5 of 30 languages and at least 24.0 of 479 cells (stereotype × language)")
    );
    assert!(html.contains("<li>prompt_scaffolds.csv: not read."));
    assert!(!html.contains("a larger set such as"));
}

#[test]
fn pictures_that_were_not_asked_for_do_not_stay() {
    let folder = tempfile::tempdir().unwrap();
    let results = specimen::results(1);
    let spec = specimen::spec(&results);
    let input = ReportInput { spec: &spec, results: &results, items: &[] };
    let figures = folder.path().join("figures");
    std::fs::create_dir(&figures).unwrap();
    for name in ["rank_heat_map.png", "rank_heat_map.pdf", "mine.png"] {
        std::fs::write(figures.join(name), "old").unwrap();
    }
    write(&input, folder.path(), &Options::default()).unwrap();
    let there =
        ["rank_heat_map.png", "rank_heat_map.pdf", "mine.png"].map(|name| figures.join(name).exists());
    assert_eq!(there, [false, false, true]);
}

#[test]
fn every_method_has_a_page_that_says_what_holds_for_it() {
    for method in Method::ALL {
        let mut results = specimen::results(3);
        results.method = method;
        for language in &mut results.languages {
            language.by_rule.retain(|row| info(method).rules.contains(&row.rule));
            language.fit = language.fit.filter(|_| method != Method::MaskedDifference);
        }
        let html = page(&results, &specimen::items(&results));
        check(&html);
        assert!(html.contains(&format!("<dd>{method}, mean, geometric</dd>")), "{method}");
        let has = |text: &str| html.contains(text);
        let (is_causal, is_whole) = (method == Method::Likelihood, method != Method::MaskedDifference);
        assert_eq!(has("This is the paper's choice."), is_causal, "{method}");
        assert_eq!(has("one pass over both variants"), is_causal, "{method}");
        assert_eq!(has("under 6 rules"), is_causal, "{method}");
        assert_eq!(has("EuroGEST scores causal models only"), !is_causal, "{method}");
        assert_eq!(has("Tokens weigh."), is_whole, "{method}");
        assert_eq!(has("How well the model predicts each language"), is_whole, "{method}");
        assert_eq!(has("under mean, the only rule of the method"), !is_whole, "{method}");
    }
}

#[test]
fn marks_that_a_tokenizer_drops_are_a_caveat_over_all_languages() {
    let results = specimen::results(3);
    let mut spec = specimen::spec(&results);
    let languages = results.languages.iter().map(|one| one.language.clone()).collect();
    spec.warnings.push(Warning::LostMarks { languages, written: "né".to_owned(), read: "ne".to_owned() });
    let html = page_of(&spec, &results, &[]);
    check(&html);
    assert!(
        html.contains("The tokenizer drops accents or vowel signs in all 3 languages: “né” becomes “ne”.")
    );
}
