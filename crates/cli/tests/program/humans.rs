//! `humans`: a small survey of one's own from file to scores, and the study's when it is there.

use std::fs;
use std::path::Path;

use stereometer_testkit::shared;

use crate::{Done, path, run};

const SURVEY: &str = "\
participant,group,pair,rating
P1,women,powerless - powerful,-20
P1,women,cold - warm,30
P2,women,powerless - powerful,10
P2,women,cold - warm,10
";

fn survey(folder: &Path) -> &Path {
    fs::write(folder.join("survey_en.csv"), SURVEY).unwrap();
    folder
}

/// The study's files, as arguments after some others.
fn study(arguments: &[&str]) -> Option<Vec<String>> {
    let mut all: Vec<String> = arguments.iter().map(|one| (*one).to_owned()).collect();
    for name in ["english", "russian", "chinese", "hindi"] {
        all.push(path(&shared(&format!("data/leakage/survey/data_full_{name}.json"))?));
    }
    Some(all)
}

fn with(folder: &Path, arguments: &[String]) -> Done {
    run(folder, &arguments.iter().map(String::as_str).collect::<Vec<_>>())
}

#[test]
fn a_survey_becomes_scores() {
    let folder = tempfile::tempdir().unwrap();
    let done = run(survey(folder.path()), &["humans", "aggregate", "survey_en.csv"]);
    assert_eq!(done.code, 0, "{}", done.stderr);
    assert_eq!(
        done.stderr,
        "warning: en: rated on fewer than 16 trait pairs: P1 of woman (2), P2 of woman (2); what is there counts (see \
         `stereometer humans check`)\n\
         warning: en: annotators with more or fewer than 4 groups: P1 (1), P2 (1); all count (see `stereometer humans \
         check`)\n\
         warning: en: fewer than 5 people rated woman (2) (one more person could move these scores far: see what remains \
         without these groups)\n\
         4 cells with a score, 116 missing\n"
    );
    let lines: Vec<&str> = done.stdout.lines().collect();
    assert_eq!(lines.len(), 121);
    assert_eq!(
        lines[..6],
        [
            "language,group,pole,annotators,score,std_error,low,high",
            "en,man,powerless,0,,,,",
            "en,man,powerful,0,,,,",
            "en,man,cold,0,,,,",
            "en,man,warm,0,,,,",
            "en,woman,powerless,2,10,10,0,50",
        ]
    );
    assert!(lines[7].starts_with("en,woman,cold,2,0,0,,"), "{}", lines[7]);
}

#[test]
fn ratings_are_imported_as_one_table_that_is_read_again() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("a.json"), r#"{"A, B": {"men": {"egoistic - altruistic": 3.5}}}"#).unwrap();
    let done =
        run(survey(folder.path()), &["humans", "import", "survey_en.csv", "hi=a.json", "--out", "all.csv"]);
    assert_eq!((done.code, done.stdout.as_str(), done.stderr.as_str()), (0, "", "5 ratings imported\n"));
    let table = fs::read_to_string(folder.path().join("all.csv")).unwrap();
    assert_eq!(
        table,
        "language,participant,group,left,right,rating,order,attention_passed\n\
         en,P1,woman,powerless,powerful,-20,,\n\
         en,P1,woman,cold,warm,30,,\n\
         en,P2,woman,powerless,powerful,10,,\n\
         en,P2,woman,cold,warm,10,,\n\
         hi,\"A, B\",man,egotistic,altruistic,3.5,,\n"
    );
    let again = run(folder.path(), &["-q", "humans", "import", "all.csv"]);
    assert_eq!((again.code, again.stdout), (0, table));
}

#[test]
fn check_shows_the_survey_and_lists_every_problem() {
    let folder = tempfile::tempdir().unwrap();
    let done = run(survey(folder.path()), &["-q", "humans", "check", "survey_en.csv"]);
    assert_eq!(
        (done.code, done.stdout.as_str()),
        (
            0,
            "survey_en.csv: ratings, one a row (CSV)\n\n\
             language  annotators  blocks  ratings  cells  missing  few (< 5)  agreement r  ICC(1)  ICC(1, k)    k\n\
             en                 2       2        4    120      116          4            –  +0.316     +0.480  2.0\n\n\
             names that were read as others: women → woman\n"
        ),
        "{}",
        done.stderr
    );
    fs::write(
        folder.path().join("bad_en.csv"),
        "participant,group,pair,rating\nP1,women,cold - warm,70\nP1,wimen,cold - warm,7\n",
    )
    .unwrap();
    let done = run(folder.path(), &["humans", "check", "bad_en.csv"]);
    assert_eq!(done.code, 3);
    assert_eq!(
        done.stdout,
        "problem: bad_en.csv, record 1 (line 2), column `rating`: 70 lies outside −50 to 50\n  \
         hint: bring sliders of another range to −50 (left pole) … 50 (right pole) first\n\
         problem: bad_en.csv, record 2 (line 3), column `group`: the inventory has no group `wimen`\n  \
         hint: did you mean woman?\n"
    );
    assert_eq!(done.stderr, "error: 2 problems in the files: no scores until they are mended\n");
    let done = run(folder.path(), &["humans", "aggregate", "bad_en.csv"]);
    assert_eq!(
        (done.code, done.stderr.as_str()),
        (
            3,
            "error: bad_en.csv, record 1 (line 2), column `rating`: 70 lies outside −50 to 50\nhint: bring sliders of \
             another range to −50 (left pole) … 50 (right pole) first; `stereometer humans check` lists this problem and \
             1 more\n"
        )
    );
}

#[test]
fn check_against_a_table_ends_with_7_where_scores_differ() {
    let folder = tempfile::tempdir().unwrap();
    let folder = survey(folder.path());
    let table = "Traits,woman\npowerless,10\npowerful,5\ncold,0\nwarm,20\n";
    let against = |table: &str| {
        fs::write(folder.join("agg_en.csv"), table).unwrap();
        run(folder, &["-q", "humans", "check", "survey_en.csv", "--against", "agg_en.csv"])
    };
    let done = against(table);
    assert_eq!(done.code, 0, "{}", done.stderr);
    assert!(
        done.stdout.ends_with("\n\n120 of 120 cells the same (largest difference 0.0e0)\n"),
        "{}",
        done.stdout
    );
    let done = against(&table.replace("warm,20", "warm,21").replace("cold,0", "cold,999"));
    assert_eq!(
        (done.code, done.stderr.as_str()),
        (7, "error: 1 score differs by more than 0.000001; in one of the two tables only: 1 cell\n")
    );
    let said = "118 of 120 cells the same (largest difference 0.0e0)\n\
                en, woman: has other scores there: 1 cell; rated by 2 annotators (warm 20 and 21)\n\
                en, woman: has scores here, missing there: 1 cell; rated by 2 annotators\n";
    assert!(done.stdout.ends_with(said), "{}", done.stdout);
    fs::write(folder.join("agg_ru.csv"), table).unwrap();
    let done = run(folder, &["-q", "humans", "check", "survey_en.csv", "--against", "agg_ru.csv"]);
    let said = "error: the files and those of --against have no language in common\n";
    assert_eq!((done.code, done.stderr.as_str()), (4, said));
}

#[test]
fn what_is_asked_wrongly_is_said() {
    let folder = tempfile::tempdir().unwrap();
    let folder = survey(folder.path());
    fs::write(folder.join("agg_en.csv"), "Traits,woman\ncold,1\nwarm,1\n").unwrap();
    let done = run(folder, &["humans", "import", "agg_en.csv"]);
    let said = "error: en: these are scores that were aggregated already: no ratings are in them\nhint: `stereometer humans \
                aggregate` reads scores\n";
    assert_eq!((done.code, done.stderr.as_str()), (3, said));
    let done = run(folder, &["humans", "aggregate", "survey_en.csv", "--inventory", "abd"]);
    assert_eq!(done.code, 2, "{}", done.stderr);
    let done = run(folder, &["humans", "aggregate", "absent_en.json"]);
    assert!(
        done.code == 3 && done.stderr.starts_with("error: absent_en.json: cannot read: "),
        "{}",
        done.stderr
    );
}

#[test]
fn a_language_before_a_file_is_one_of_the_inventory() {
    let folder = tempfile::tempdir().unwrap();
    let folder = survey(folder.path());
    fs::write(folder.join("any.csv"), SURVEY).unwrap();
    fs::write(folder.join("wave=2_en.csv"), SURVEY).unwrap();
    for word in ["klingon", "xx", "all"] {
        let said = format!("error: the inventory has no language `{word}`; it has: en, ru, zh, hi\nhint: ");
        for arguments in
            [vec![format!("{word}=any.csv")], vec!["any.csv".to_owned(), format!("--language={word}")]]
        {
            let done = with(folder, &[vec!["humans".to_owned(), "check".to_owned()], arguments].concat());
            assert!(done.code == 2 && done.stderr.starts_with(&said), "{}", done.stderr);
        }
    }
    for file in ["hi=any.csv", "Hindi=any.csv", "wave=2_en.csv"] {
        let done = run(folder, &["-q", "humans", "import", "-i", "abc", file]);
        assert_eq!((done.code, done.stdout.lines().count()), (0, 5), "{file}: {}", done.stderr);
    }
    fs::write(folder.join("said.csv"), done_table(folder)).unwrap();
    let done = run(folder, &["humans", "import", "ru=said.csv"]);
    let said = "error: said.csv, record 1 (line 2), column `language`: the row says `en`, but the file was given as `ru`\n\
                hint: the rows say their language themselves: leave the one before the file or in `--language` out\n";
    assert_eq!((done.code, done.stderr.as_str()), (3, said));
}

fn done_table(folder: &Path) -> String {
    run(folder, &["-q", "humans", "import", "survey_en.csv"]).stdout
}

#[test]
fn names_do_not_command_the_terminal() {
    let folder = tempfile::tempdir().unwrap();
    let name = format!("\u{1b}]0;{}", "x".repeat(100_000));
    let rows: Vec<String> = stereometer_data::Inventory::open("abc")
        .unwrap()
        .pairs()
        .iter()
        .map(|pair| format!("{name},women,{},{},50,no", pair.left.id, pair.right.id))
        .collect();
    let table = format!("participant,group,left,right,rating,attention_passed\n{}\n", rows.join("\n"));
    fs::write(folder.path().join("s_en.csv"), table).unwrap();
    for command in ["check", "aggregate"] {
        let done = run(folder.path(), &["humans", command, "s_en.csv"]);
        let shown = format!("{}{}", done.stdout, done.stderr);
        assert!(shown.contains("\\u{1b}]0;xxx"), "{command}: {}", &shown[..shown.len().min(2000)]);
        assert!(shown.contains("16 of 16 ratings are 50") == (command == "check"), "{command}");
        assert!(!shown.contains('\u{1b}') && shown.len() < 50_000, "{command}");
    }
}

#[test]
fn check_does_not_send_its_reader_to_itself() {
    let folder = tempfile::tempdir().unwrap();
    let done = run(survey(folder.path()), &["humans", "check", "survey_en.csv"]);
    assert!(done.stderr.contains("what is there counts\n"), "{}", done.stderr);
    assert!(done.stderr.contains("woman (2) (one more person"), "{}", done.stderr);
    assert!(!done.stderr.contains("humans check"), "{}", done.stderr);
}

#[test]
fn correlations_need_two_languages() {
    let folder = tempfile::tempdir().unwrap();
    let folder = survey(folder.path());
    let done =
        run(folder, &["-q", "humans", "aggregate", "survey_en.csv", "--correlations", "--out", "s.csv"]);
    let said = "error: people of two languages are needed for correlations between languages\nhint: add the files of another \
                language\n";
    assert_eq!((done.code, done.stdout.as_str(), done.stderr.as_str()), (4, "", said));
    assert!(!folder.join("s.csv").exists());
}

#[test]
fn a_place_that_is_no_file_is_the_input_and_a_missing_folder_the_machine() {
    let folder = tempfile::tempdir().unwrap();
    let folder = survey(folder.path());
    for command in ["aggregate", "import"] {
        for (out, code) in [(".", 3), ("absent/scores.csv", 1)] {
            let done = run(folder, &["-q", "humans", command, "survey_en.csv", "--out", out]);
            assert!(
                done.code == code && done.stderr.starts_with(&format!("error: {out}: ")),
                "{}",
                done.stderr
            );
        }
    }
}

#[test]
fn the_study_agrees_with_its_aggregates_in_every_score_they_share() {
    let Some(mut arguments) = study(&["humans", "check"]) else { return };
    arguments.push("--against".to_owned());
    for tag in ["EN", "RU", "ZH", "HI"] {
        let Some(file) = shared(&format!("data/leakage/survey/aggregated_data_{tag}.csv")) else { return };
        arguments.push(path(&file));
    }
    let folder = tempfile::tempdir().unwrap();
    let done = with(folder.path(), &arguments);
    assert_eq!(done.code, 7);
    let row = |start: &str| {
        let line = done.stdout.lines().find(|line| line.starts_with(start));
        line.unwrap_or_else(|| panic!("{}", done.stdout)).split_whitespace().collect::<Vec<_>>().join(" ")
    };
    assert_eq!(row("en "), "en 34 136 2176 960 160 96 +0.389 +0.430 +0.804 5.4");
    assert_eq!(row("hi "), "hi 40 160 2560 960 64 224 +0.275 +0.317 +0.726 5.7");
    assert!(done.stdout.contains("Bahmin people → brahmin"), "{}", done.stdout);
    assert_eq!(row("3168 "), "3168 of 3840 cells the same (largest difference 4.7e-9)");
    let left_out = "has scores here, missing there: 32 cells; rated by 3 annotators";
    assert_eq!(row("hi, mormon"), format!("hi, mormon: {left_out}"));
    let said = "error: 0 scores differ by more than 0.000001; in one of the two tables only: 672 cells\nhint: every score that is there agrees";
    assert!(done.stderr.contains(said), "{}", done.stderr);
    let doubt = "warning: hi, Annotator22 of texan: 16 of 16 ratings are 1 (look at these ratings";
    assert!(done.stderr.contains(doubt), "{}", done.stderr);
}

#[test]
fn every_reading_of_the_correlations_is_printed_with_its_interval() {
    let arguments = ["humans", "aggregate", "--correlations", "--resamples", "40"];
    let Some(arguments) = study(&arguments) else { return };
    let folder = tempfile::tempdir().unwrap();
    let done = with(folder.path(), &arguments);
    assert_eq!(done.code, 0, "{}", done.stderr);
    let readings =
        done.stdout.lines().filter(|line| line.starts_with("Pearson") || line.starts_with("Spearman"));
    assert_eq!(readings.count(), 24);
    let default = "Pearson, scores of poles, missing left out, mean over pairs of languages";
    let line = done.stdout.lines().find(|line| line.starts_with(default)).unwrap();
    assert!(line.contains("+0.667 (") && line.contains("+0.538 (") && line.contains("+0.357 ("), "{line}");
    assert!(done.stdout.contains("\nen and ru "), "{}", done.stdout);
}
