//! The page on records that say little, by hand: sound, finite, and every gap has its reason in words.

#![allow(clippy::unwrap_used)]

use stereometer_record::ItemRecord;
use stereometer_report::{Options, ReportInput, headline, write};

use little::CASES;

#[path = "../../audit/tests/little/mod.rs"]
mod little;
mod specimen;

/// The page of a case and the table of a name.
fn page(records: &[ItemRecord], table: &str) -> [String; 2] {
    let results = little::results(records);
    let mut spec = specimen::spec(&results);
    (spec.n_items, spec.identity.subset) = (records.len(), None);
    let folder = tempfile::tempdir().unwrap();
    let input = ReportInput { spec: &spec, results: &results, items: records };
    let written = write(&input, folder.path(), &Options::default()).unwrap();
    let table = folder.path().join("tables").join(format!("{table}.csv"));
    [written.page, table].map(|path| std::fs::read_to_string(path).unwrap())
}

fn has(html: &str, texts: &[&str]) {
    for text in texts {
        assert!(html.contains(text), "{text}");
    }
}

/// Neither on the page nor in a file beside it.
#[test]
fn nothing_that_is_not_a_number_is_shown() {
    for (case, records) in CASES {
        let records = records();
        let results = little::results(&records);
        let spec = specimen::spec(&results);
        let folder = tempfile::tempdir().unwrap();
        let input = ReportInput { spec: &spec, results: &results, items: &records };
        let written = write(&input, folder.path(), &Options::default()).unwrap();
        for path in [written.page].iter().chain(&written.tables).chain(&written.figures) {
            let text = std::fs::read_to_string(path).unwrap();
            for word in text.split(|c: char| !c.is_alphanumeric()) {
                assert!(!["NaN", "inf"].contains(&word), "{case}: {word} in {}", path.display());
            }
        }
        assert!(headline(&results).ends_with('.'), "{case}");
    }
}

#[test]
fn a_language_without_a_stereotype_keeps_its_row_and_the_means_say_so() {
    let [html, table] = page(&little::gaps(), "inclination_by_stereotype");
    has(
        &html,
        &[
            "No scored sentence for stereotype 7 (beautiful) in French; the aggregates leave it out.",
            "Without a stereotype that has no scored sentence there (column “left out”): French.",
            "Left out of the mean of a stereotype that has no inclination there (column “left out”): French.",
            "French, women are beautiful: no scored sentence",
            "<td>7 (women are beautiful)</td>",
            "Mean g_s over the languages: ",
        ],
    );
    let row = |start: &str| table.lines().find(|line| line.starts_with(start)).unwrap().trim_end();
    assert_eq!(row("7,women are beautiful,fr,"), "7,women are beautiful,fr,0,,,,,,,,,,");
    assert!(row("7,women are beautiful,mean,12,").ends_with(",,,,1,1,0,French"), "{table}");
    assert!(
        row("6,").starts_with("6,women are weak,mean,12,") && row("6,").ends_with(",2,2,0,none"),
        "{table}"
    );
}

#[test]
fn a_cell_of_three_sentences_is_marked() {
    let [html, table] = page(&little::gaps(), "rank_heat_map");
    has(
        &html,
        &[
            "One stereotype with fewer than 10 items, in French.",
            "Cells of fewer than 10 items have their number below the rank (n=3).",
            "; 3 sentences: few</title>",
        ],
    );
    assert_eq!(html.matches(">n=3<").count(), 1);
    assert!(table.contains("\r\nfr,French,4,women are neat,3,3,yes,"), "{table}");
}

#[test]
fn one_sentence_each_says_that_there_is_no_interval() {
    let [html, table] = page(&little::one_sentence_each(), "inclination_by_stereotype");
    has(
        &html,
        &[
            "; 2 have too little data for an interval.",
            "(too little to resample: no interval, n = 16 source sentences)",
            "one sentence: no interval",
            "No stereotype stands out",
        ],
    );
    for absent in ["Holm's adjustment", "The intervals are not adjusted"] {
        assert!(!html.contains(absent), "{absent}");
    }
    assert!(table.lines().skip(1).all(|line| line.contains(",,,,,")), "{table}");
}

#[test]
fn equal_rates_are_no_finding() {
    for nats in [0.75, 0.0] {
        let [html, table] = page(&little::level(nats), "inclination_by_stereotype");
        has(
            &html,
            &[
                "leans towards gender stereotypes in none of 2 languages and against them in none; in 2 the data cannot tell",
                "1.000 to 1.000, which includes 1",
                "No stereotype stands out",
                ">8.5<",
                "<td class=\"num none\">no variation</td>",
            ],
        );
        assert!(!html.contains("Holm's adjustment"), "no test, nothing to adjust");
        assert!(table.contains(",mean,") && !table.contains(",1,0,none"), "{table}");
    }
}

#[test]
fn one_language_is_not_a_mean() {
    let [html, table] = page(&little::whole("de", 12), "inclination_by_stereotype");
    has(
        &html,
        &[
            "In German, the language model leans towards gender stereotypes",
            "The diamond is German, the bar its",
        ],
    );
    for absent in ["Mean g_s", "mean inclination", ">Mean<", "The mean is taken"] {
        assert!(!html.contains(absent), "{absent}");
    }
    assert!(!table.contains(",mean,"), "{table}");
}

#[test]
fn one_stereotype_has_a_rate_and_the_reason_for_all_that_is_missing() {
    let [html, table] = page(&little::sentences("de", 3, 12), "inclination_by_stereotype");
    has(
        &html,
        &[
            "No language has a g_s: it needs scored sentences for at least one feminine and one masculine stereotype.",
            "no g_s: a whole side has no scored sentence",
            "no other stereotype to compare with",
            ">no inclination</text>",
            "No scored sentence for stereotype 1 (emotional), 2 (gentle), 4 (neat)",
        ],
    );
    assert!(table.contains("\r\n3,women are empathetic,de,12,,,,"), "{table}");
    let [html, _] = page(&little::sentences("de", 15, 12), "inclination_by_stereotype");
    has(&html, &["no default masculine rate"]);
}
