//! The page as a reader, a browser and a mailbox meet it.

#![allow(clippy::unwrap_used)]

use stereometer_core::{Average, Estimate, Language, Method, Rule, Verdict, Warning};
use stereometer_record::{ItemRecord, Results, RunSpec, Test};
use stereometer_report::{Options, ReportInput, headline, write};
use stereometer_score::info;

mod specimen;

use specimen::html::check;

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
        "“<a href=\"#rates_by_form\">Masculine rates with each form of item alone</a>” and “<a href=\"#token_counts\">",
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
    assert_eq!((written.figures.len(), written.tables.len()), (10, 12));
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
            assert_eq!(written.figures.len(), 30);
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
         interval +0.036 to +0.054), “men are tough” (inclination +0.039, interval +0.031 to +0.049)."
    );
    let many = headline(&specimen::results(30));
    assert!(
        many.starts_with("The language model leans towards gender stereotypes in 23 of 30 languages"),
        "{many}"
    );
}

/// Of 23 leaning languages; an adjusted p value of a language that does not lean is not counted.
#[test]
fn the_headline_and_the_caveat_count_what_remains_after_holm() {
    let mut results = specimen::results(30);
    for (remaining, words) in [
        (23, "After Holm's adjustment for 30 tests, all 23 remain (p below 0.05)."),
        (4, "After Holm's adjustment for 30 tests, 4 of them remain (p below 0.05)."),
        (1, "After Holm's adjustment for 30 tests, 1 of them remains (p below 0.05)."),
        (0, "After Holm's adjustment for 30 tests, none of them remains (p below 0.05)."),
    ] {
        let mut n = 0;
        for language in &mut results.languages {
            let leans = Verdict::of(language.g_s.as_ref().unwrap(), 1.0) == Verdict::Above;
            let holm = if leans && n < remaining { 0.04 } else { 0.05 };
            n += usize::from(leans);
            language.g_s_test = Some(Test { p: 0.03, holm, bh: 0.04 });
            for cell in &mut language.stereotypes {
                cell.inclination_test = Some(Test { p: 0.03, holm: 1.0, bh: 0.04 });
            }
        }
        let line = headline(&results);
        assert!(line.contains(words), "{line}");
        let html = page(&results, &[]);
        let caveat = format!(
            "What remains after Holm's adjustment (p below 0.05): {} of 30 languages and none of 479 cells.",
            if remaining == 0 { "none".to_owned() } else { remaining.to_string() }
        );
        assert!(html.contains(&caveat), "{caveat}");
        assert_eq!(html.matches(" *</text>").count(), remaining);
        let reading = if remaining == 0 {
            "(it would have an asterisk)"
        } else {
            " * = the p value of g_s is below 0.05"
        };
        assert!(html.contains(reading));
    }
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
    assert!(
        line.contains(
            "(mean inclination +0.033, interval +0.029 to +0.039; above 0 in 3, below 0 in 0 of 3)"
        ),
        "{line}"
    );
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
    results.stereotypes = specimen::overall(&results.languages);
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
