//! The sentences behind the cells: in the page while they are few, in files beside it when they are many.

#![allow(clippy::unwrap_used)]

use std::fs;
use std::path::Path;

use stereometer_core::{Form, Language, Outcome, StereotypeId, Unscorable};
use stereometer_record::{ItemRecord, Results, ScoredText, ScoredVariants};
use stereometer_report::{Options, ReportInput, Written, write};

mod specimen;

/// As long as EuroGEST's sentences: 28 tokens a variant, the last one differs.
fn record(language: &Language, stereotype: StereotypeId, number: usize, noise: &mut f32) -> ItemRecord {
    let mut scored = |last: (u32, &str)| {
        let words = ["▁Я", "▁д", "уже", "▁силь", "но", "▁пере", "живаю", "<0xE2>", "<0x80>"];
        let mut tokens: Vec<String> = words.iter().cycle().take(26).map(|&word| word.to_owned()).collect();
        let mut token_ids: Vec<u32> = (10..36).collect();
        tokens.insert(0, "<bos>".to_owned());
        token_ids.insert(0, 2);
        tokens.push(last.1.to_owned());
        token_ids.push(last.0);
        let mut next = || {
            *noise = (*noise * 7.13 + 0.37) % 19.0;
            -*noise
        };
        let logprobs = std::iter::once(None).chain((0..27).map(|_| Some(next()))).collect();
        ScoredText { token_ids, tokens, logprobs }
    };
    let outcome = match number % 100 {
        99 => Outcome::Unscored(Unscorable::EqualIds),
        _ => Outcome::Scored(ScoredVariants {
            masculine: scored((900, "▁він")),
            feminine: scored((901, "▁вона")),
        }),
    };
    let text = "„Я дуже сильно переживаю за те, що про мене подумають мої друзі та колеги на роботі“, сказав";
    ItemRecord {
        key: String::new(),
        id: format!("{language}/{stereotype:0>2}-{number}/pronoun"),
        language: language.clone(),
        source: format!("{stereotype:0>2}-{number}"),
        stereotype,
        form: Form::Pronoun,
        texts: [format!("{text} він {number}"), format!("{text} вона {number}")],
        outcome,
    }
}

/// So many items for each stereotype in each language.
fn many(results: &Results, each: usize) -> Vec<ItemRecord> {
    let mut noise = 1.0;
    let cells =
        results.languages.iter().flat_map(|one| StereotypeId::all().map(move |id| (&one.language, id)));
    cells
        .flat_map(|(language, id)| (0..each).map(move |number| (language, id, number)))
        .map(|(language, id, number)| record(language, id, number, &mut noise))
        .collect()
}

fn report(n_languages: usize, each: usize, folder: &Path) -> Written {
    let results = specimen::results(n_languages);
    let (spec, items) = (specimen::spec(&results), many(&results, each));
    let input = ReportInput { spec: &spec, results: &results, items: &items };
    write(&input, folder, &Options::default()).unwrap()
}

fn megabytes(path: &Path) -> f64 {
    fs::metadata(path).unwrap().len() as f64 / 1e6
}

#[test]
fn seventy_five_thousand_items_stand_beside_a_small_page() {
    let folder = tempfile::tempdir().unwrap();
    let began = std::time::Instant::now();
    let written = report(30, 156, folder.path());
    let seconds = began.elapsed().as_secs_f64();
    let page = fs::read_to_string(&written.page).unwrap();
    let sizes: Vec<f64> = written.sentences.iter().map(|path| megabytes(path)).collect();
    println!("{seconds:.1} s, page {:.2} MB, files {sizes:.1?} MB", megabytes(&written.page));
    assert!(megabytes(&written.page) < 15.0 && seconds < 60.0);
    assert!(sizes.len() == 30 && sizes.iter().all(|&size| size < 15.0), "{sizes:?}");
    assert!(page.contains("<a href=\"sentences/de.html#s-de-7\" tabindex=\"-1\" class=\"cell"));
    assert!(page.contains("<td><a href=\"sentences/de.html#s-de-7\">women are beautiful</a></td>"));
    assert!(page.contains("beside this file: send it along"));
    let german = fs::read_to_string(folder.path().join("sentences/de.html")).unwrap();
    assert!(german.contains("<div id=\"s-de-7\"") && german.contains("href=\"../index.html\""));
    assert!(german.contains("7, women are beautiful (156 pairs, 1 without a score)"));
    assert!(german.contains("No score: the two variants have the same token ids."));
    assert!(german.contains("<mark>▁вона <i>−"));
}

#[test]
fn a_language_too_large_for_one_file_has_one_a_stereotype() {
    let folder = tempfile::tempdir().unwrap();
    let written = report(1, 700, folder.path());
    assert_eq!(written.sentences.len(), 16);
    assert!(written.sentences.iter().all(|path| megabytes(path) < 15.0));
    let page = fs::read_to_string(&written.page).unwrap();
    assert!(page.contains("href=\"sentences/bg-7.html#s-bg-7\""));
    assert!(
        page.contains("<a href=\"sentences/bg-7.html\">Bulgarian, “women are beautiful”</a> (700 pairs)")
    );
    // A smaller report in the same folder takes them away, and leaves what is not its own.
    let mine = folder.path().join("sentences/mine.txt");
    fs::write(&mine, "mine").unwrap();
    let written = report(1, 2, folder.path());
    assert!(
        written.sentences.is_empty() && mine.exists() && !folder.path().join("sentences/bg-7.html").exists()
    );
    assert!(fs::read_to_string(&written.page).unwrap().contains("href=\"#s-bg-7\""));
    fs::remove_file(mine).unwrap();
    report(1, 2, folder.path());
    assert!(!folder.path().join("sentences").exists());
}

/// What has a row and no score has its reason, and a language without a result has its tag.
#[test]
fn nothing_that_was_asked_is_left_out() {
    let folder = tempfile::tempdir().unwrap();
    let mut results = specimen::results(2);
    let (spec, mut items) = (specimen::spec(&results), many(&results, 1));
    results.languages.pop();
    items[0].outcome = Outcome::Unscored(Unscorable::TooLong { tokens: 9, context: 8 });
    let input = ReportInput { spec: &spec, results: &results, items: &items };
    let page = fs::read_to_string(write(&input, folder.path(), &Options::default()).unwrap().page).unwrap();
    assert!(page.contains("No score: 9 tokens do not fit the model's context of 8."));
    assert!(page.contains("1, women are emotional (1 pair, 1 without a score)"));
    assert!(page.contains("<summary>ca (16 pairs)</summary>"));
    assert_eq!(page.matches("<div class=\"tokens\">").count(), 2 * 31);
}
