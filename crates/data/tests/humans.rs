//! Files of ratings and scores: what is read, and one clear message for each kind of bad input.
//!
//! The study's files are not part of this repository; without them the tests about them are skipped, visibly.

#![allow(clippy::unwrap_used)] // a failed helper is a failed test

mod common;

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

use stereometer_data::Inventory;
use stereometer_data::humans::{
    Humans, HumansFile, HumansFormat, Rating, inspect_humans, ratings_csv, read_humans,
};

const RATINGS: &str = "language,participant,group,pair,rating\n";
const SCORES: &str = "language,group,pole,annotators,score,std_error,low,high\n";

fn abc() -> Inventory {
    Inventory::open("abc").unwrap()
}

fn plain(path: &Path) -> HumansFile {
    HumansFile { path: path.to_owned(), language: None }
}

fn written(files: &[(&str, &str)]) -> (tempfile::TempDir, Vec<HumansFile>) {
    let folder = tempfile::tempdir().unwrap();
    let paths = files.iter().map(|(name, text)| {
        let path = folder.path().join(name);
        fs::write(&path, text).unwrap();
        plain(&path)
    });
    let paths = paths.collect();
    (folder, paths)
}

fn accepted(files: &[(&str, &str)]) -> Humans {
    let (_folder, paths) = written(files);
    read_humans(&paths, &abc()).unwrap_or_else(|error| panic!("{error}"))
}

/// All messages with their hints, the folder left out.
fn refused(files: &[(&str, &str)]) -> Vec<String> {
    let (folder, paths) = written(files);
    let (_, problems, more) = inspect_humans(&paths, &abc());
    assert_eq!(more, 0);
    let folder = format!("{}/", folder.path().display());
    let said = problems.iter().map(|problem| {
        let hint = problem.fault.hint().map_or_else(String::new, |hint| format!(" [{hint}]"));
        format!("{problem}{hint}").replace(&folder, "")
    });
    said.collect()
}

fn refused_ratings(rows: &str) -> Vec<String> {
    refused(&[("survey.csv", &format!("{RATINGS}{rows}"))])
}

fn refused_json(json: &str) -> Vec<String> {
    refused(&[("answers_en.json", json)])
}

#[test]
fn ratings_are_read_with_pairs_in_either_direction() {
    let rows = "en,A,women,powerless - powerful,-25\nen,A,women,modern – traditional,10\nEnglish,B,man,cold - warm,\n";
    let humans = accepted(&[("survey.csv", &format!("{RATINGS}{rows}"))]);
    let shown = |rating: &Rating| (rating.group.to_string(), rating.pair, rating.value);
    let read: Vec<_> = humans.ratings.iter().map(shown).collect();
    let pair = |name: &str| abc().pairs().iter().position(|pair| pair.left.id.as_str() == name).unwrap();
    assert_eq!(
        read,
        [("woman".to_owned(), pair("powerless"), -25.0), ("woman".to_owned(), pair("traditional"), -10.0)]
    );
    let notes: Vec<String> = humans.notes.iter().map(ToString::to_string).collect();
    assert_eq!(
        notes,
        [
            "survey.csv, record 2 (line 3), column `pair`: `modern - traditional` is turned round: the inventory has \
             traditional on the left",
            "survey.csv, record 3 (line 4), column `rating`: the rating is empty: not rated",
        ]
    );
    assert_eq!(humans.renamed.len(), 1, "{:?}", humans.renamed);
}

#[test]
fn left_and_right_may_be_columns_and_order_and_attention_stand_beside() {
    let text =
        "participant,group,left,right,rating,order,attention_passed,device\nA,man,cold,warm,7.5,2,no,phone\n";
    let humans = accepted(&[("survey_hi.csv", text)]);
    let rating = &humans.ratings[0];
    assert_eq!((rating.language.as_str(), rating.value), ("hi", 7.5));
    assert_eq!((rating.order, rating.attention_passed), (Some(2), Some(false)));
    assert_eq!(humans.notes[0].to_string(), "survey_hi.csv: the column `device` is not read");
}

#[test]
fn repeated_keys_of_json_are_seen() {
    let said = refused_json(r#"{"A": {"women": {"cold - warm": 1, "cold - warm": 2}}}"#);
    let place = "answers_en.json, key `A / women / cold - warm`";
    assert_eq!(
        said,
        [format!(
            "{place}: `A` rates `cold - warm` of the group `woman` twice: the key is repeated [keep the rating that counts \
             and take the other out; the program does not choose]"
        )]
    );
    let said = refused_json(r#"{"A": {"women": {"cold - warm": 1}, "woman": {"cold - warm": 1}}}"#);
    assert_eq!(
        said,
        [
            "answers_en.json, key `A / woman`: `A` rates the group `woman` twice; first in answers_en.json, key `A / women` \
          [keep the rating that counts and take the other out; the program does not choose]"
        ]
    );
    let said = refused_json(r#"{"A": {"women": {"cold - warm": 1}}, "A": {"men": {"cold - warm": 1}}}"#);
    assert_eq!(
        said,
        [
            "answers_en.json, key `A`: the annotator `A` is there twice for en: the key is repeated [give every \
          person a name of their own within a language]"
        ]
    );
}

#[test]
fn wrong_json_is_named_with_its_keys() {
    let cases = [
        (
            r#"{"A": {"women": {"cold - warm": 51}}}"#,
            "key `A / women / cold - warm`: 51 lies outside −50 to 50 [bring",
        ),
        (
            r#"{"A": {"women": {"cold - warm": "x"}}}"#,
            "key `A / women / cold - warm`: `x` is not a number [leave",
        ),
        (
            r#"{"A": {"women": {"cold - warm": []}}}"#,
            "key `A / women / cold - warm`: a list where a number should stand [",
        ),
        (
            r#"{"A": {"women": {"cold-warm": 1}}}"#,
            "key `A / women / cold-warm`: `cold-warm` is no pair of traits [write",
        ),
        (
            r#"{"A": {"women": {"cold - modern": 1}}}"#,
            "key `A / women / cold - modern`: `cold` and `modern` are no pair of the inventory: `cold` stands against `warm`",
        ),
        (
            r#"{"A": {"women": {"could - warm": 1}}}"#,
            "key `A / women / could - warm`: the inventory has no trait `could` [did you mean cold",
        ),
        (
            r#"{"A": {"softwear engineer": {"cold - warm": 1}}}"#,
            "key `A / softwear engineer`: the inventory has no group `softwear engineer` [did you mean software engineer?]",
        ),
        (
            r#"{"A": {"women": {"cold - warm": NaN}}}"#,
            ": not JSON: expected value at line 1 column 33 [leave out what",
        ),
        (
            r#"{"A": {"women": {"#,
            ": not JSON: EOF while parsing an object at line 1 column 17 [leave out what",
        ),
        (r#"{"A": 3}"#, "key `A`: a number where an object of groups should stand [docs/humans.md"),
        ("[]", ": a list where an object of annotators should stand [docs/humans.md"),
        ("{}", ": the file has no rating [a language without"),
        (r#"{"A": {"women": {"cold - warm": null}}}"#, ": the file has no rating [a language"),
    ];
    for (json, expected) in cases {
        let said = refused_json(json);
        assert!(said.len() == 1 && said[0].contains(expected), "{json}: {said:?}");
    }
}

#[test]
fn wrong_rows_are_named_with_record_and_column() {
    let cases = [
        (
            "en,A,women,cold - warm,-50.5\n",
            "record 1 (line 2), column `rating`: −50.5 lies outside −50 to 50 [bring",
        ),
        ("en,A,women,cold - warm,NA\n", "record 1 (line 2), column `rating`: `NA` is not a number [leave"),
        ("en,A,women,cold - warm,NaN\n", "record 1 (line 2), column `rating`: `NaN` is not a number [leave"),
        (
            "en,A,women,cold - warm,1e999\n",
            "record 1 (line 2), column `rating`: `inf` is not a number [leave",
        ),
        ("en,,women,cold - warm,1\n", "record 1 (line 2), column `participant`: the cell is empty"),
        (
            "e,A,women,cold - warm,1\n",
            "record 1 (line 2), column `language`: `e` is no language [write a tag",
        ),
        (",A,women,cold - warm,1\n", "record 1 (line 2), column `language`: the cell is empty"),
        ("en,A,wimmen,cold - warm,1\n", "column `group`: the inventory has no group `wimmen` ["),
        ("en,A,women,cold,1\n", "record 1 (line 2), column `pair`: `cold` is no pair of traits [write"),
        ("en,A,women,1\n", "record 1 (line 2): 4 cells where the header has 5 [a cell that"),
        (
            "en,A,women,cold - warm,1\nen,A,woman,cold - warm,2\n",
            "survey.csv, record 2 (line 3): `A` rates `cold - warm` of the group `woman` twice; first in survey.csv, record 1 (line 2) [keep",
        ),
    ];
    for (rows, expected) in cases {
        let said = refused_ratings(rows);
        assert!(said.len() == 1 && said[0].contains(expected), "{rows}: {said:?}");
    }
    // A block that is there twice is one problem, not sixteen.
    let block = "en,A,women,cold - warm,1\nen,A,women,poor - wealthy,1\n";
    assert_eq!(refused_ratings(&block.repeat(2)).len(), 1);
}

#[test]
fn wrong_tables_are_named() {
    let all_missing = "Traits,woman\ncold,999\nwarm,999\n";
    let cases: [(&str, &str, &str); 15] = [
        ("a_en.csv", "", "a_en.csv: the file is empty"),
        (
            "a_en.csv",
            "x,y\n1,2\n",
            "these are no ratings and no human scores: the columns are x, y [docs/humans.md",
        ),
        ("a_en.csv", "rating;group\n1;man\n", "the cells are separated by semicolons, not by commas"),
        (
            "a_en.csv",
            "rating,group\n1,man\n",
            "the column `participant` is missing; found: rating, group [docs/humans.md",
        ),
        ("a_en.csv", RATINGS, "the file has no rating"),
        (
            "a.csv",
            "participant,group,pair,rating\nA,man,cold - warm,1\n",
            "nothing says which language the people of this file speak [name",
        ),
        ("a_en_ru.csv", all_missing, "nothing says which language"),
        ("a_en.csv", all_missing, "the file has no score [a language without"),
        ("a_en.csv", "Traits,woman\ncold,7\n", "`cold` is there, but not its other pole `warm`"),
        (
            "a_en.csv",
            "Traits,woman\ncold,998\nwarm,1\n",
            "record 1 (line 2), column `woman`: 998 lies outside 0 to 50",
        ),
        (
            "a_en.csv",
            "Traits,woman\ncold,-1\nwarm,1\n",
            "record 1 (line 2), column `woman`: −1 lies outside 0 to 50",
        ),
        (
            "a_en.csv",
            "Traits,womann\ncold,1\nwarm,1\n",
            "column `womann`: the inventory has no group `womann` [did you mean woman",
        ),
        (
            "a_en.csv",
            "Traits,woman,women\ncold,1,2\nwarm,1,2\n",
            "`cold` of the group `woman` is there twice for en; first in a_en.csv, record 1 (line 2), column `woman` [keep one",
        ),
        (
            "s.csv",
            "language,group,pole,score,low,high\nen,man,cold,5,6,7\n",
            "record 1 (line 2), column `low`: the interval 6 to 7 does not hold the score 5",
        ),
        (
            "s.csv",
            "language,group,pole,annotators,score\nen,man,cold,some,5\n",
            "column `annotators`: `some` is not a whole number from 0 on",
        ),
    ];
    for (name, text, expected) in cases {
        let said = refused(&[(name, text)]);
        assert!(!said.is_empty() && said[0].contains(expected), "{text}: {said:?}");
    }
    let ratings = format!("{RATINGS}en,A,man,cold - warm,1\n");
    let scores = format!("{SCORES}en,man,cold,1,5,,,\n");
    let said = refused(&[("r.csv", &ratings), ("s.csv", &scores)]);
    assert_eq!(
        said,
        ["s.csv: there are both ratings and aggregated scores of en [give one of the two files]"]
    );
    let said = refused(&[("s.csv", &scores), ("t.csv", &scores)]);
    assert!(
        said[0].contains("`cold` of the group `man` is there twice for en; first in s.csv, record 1"),
        "{said:?}"
    );
}

/// What files say, each given as being in a language.
fn refused_as(language: &str, text: &str) -> Vec<String> {
    let (folder, mut paths) = written(&[("survey_en.csv", text)]);
    paths[0].language = Some(language.parse().unwrap());
    let folder = format!("{}/", folder.path().display());
    let (_, problems, _) = inspect_humans(&paths, &abc());
    problems.iter().map(|problem| problem.to_string().replace(&folder, "")).collect()
}

#[test]
fn a_language_that_the_user_says_and_the_rows_deny_is_refused() {
    let rows = "ru,A,women,cold - warm,1\nru,B,women,cold - warm,1\n,C,women,cold - warm,1\n";
    let ratings = format!("{RATINGS}{rows}");
    assert!(refused_as("ru", &ratings).is_empty());
    assert_eq!(
        refused_as("hi", &ratings),
        [
            "survey_en.csv, record 1 (line 2), column `language`: the row says `ru`, but the file was given as `hi`"
        ]
    );
    let scores = format!("{SCORES}Russian,woman,cold,1,5,,,\nHindi,man,cold,1,5,,,\n");
    assert_eq!(
        refused_as("ru", &scores),
        [
            "survey_en.csv, record 2 (line 3), column `language`: the row says `hi`, but the file was given as `ru`"
        ]
    );
    // The file's name is no contradiction: the rows come before it.
    assert!(refused(&[("survey_en.csv", &format!("{RATINGS}ru,A,women,cold - warm,1\n"))]).is_empty());
}

#[test]
fn ratings_that_are_all_empty_are_refused_in_every_format() {
    let hint = "the file has no rating [a language without ratings takes no part: leave the file out]";
    let rows = "en,A,women,cold - warm,\nen,B,women,cold - warm, \n";
    assert_eq!(refused_ratings(rows), [format!("survey.csv: {hint}")]);
    let json = r#"{"A": {"women": {"cold - warm": null}}, "B": {"women": {}}}"#;
    assert_eq!(refused_json(json), [format!("answers_en.json: {hint}")]);
}

#[test]
fn people_have_a_name_and_one_spelling_of_it() {
    for json in [r#"{"": {"women": {"cold - warm": 1}}}"#, r#"{" ": {"women": {"cold - warm": 1}}}"#] {
        let said = refused_json(json);
        assert!(
            said.len() == 1 && said[0].contains("the name of the annotator is empty [give every"),
            "{said:?}"
        );
    }
    let said = refused_json(
        r#"{"Zo\u00eb": {"women": {"cold - warm": 1}}, "Zoe\u0308": {"men": {"cold - warm": 1}}}"#,
    );
    assert!(
        said.len() == 1 && said[0].contains("the annotator `Zo\u{eb}` is there twice for en"),
        "{said:?}"
    );
    let rows = "en,Zo\u{eb},women,cold - warm,1\nen,Zoe\u{308},women,cold - warm,2\n";
    let said = refused_ratings(rows);
    assert!(said.len() == 1 && said[0].contains("`Zo\u{eb}` rates `cold - warm`"), "{said:?}");
    let humans = accepted(&[("survey.csv", &format!("{RATINGS}en,Zoe\u{308},women,cold - warm,2\n"))]);
    assert_eq!(&*humans.ratings[0].annotator, "Zo\u{eb}");
    let note = humans.notes[0].to_string();
    assert!(note.ends_with("the name `Zo\u{eb}` was brought to Unicode normal form C"), "{note}");
}

#[test]
fn a_pair_that_its_sides_contradict_is_refused() {
    let header = "language,participant,group,pair,left,right,rating\n";
    let said = |sides: &str| refused(&[("s.csv", &format!("{header}en,A,women,cold - warm,{sides},1\n"))]);
    for sides in ["cold,warm", ",", "Cold,"] {
        assert!(said(sides).is_empty(), "{sides}");
    }
    for (sides, column, side) in [("warm,cold", "left", "warm"), ("cold,wealthy", "right", "wealthy")] {
        assert_eq!(
            said(sides),
            [format!(
                "s.csv, record 1 (line 2), column `{column}`: `{side}` contradicts the pair `cold - warm` of this row [keep the \
                 column `pair`, or both of `left` and `right`]"
            )]
        );
    }
}

#[test]
fn a_score_outside_its_scale_is_not_told_about_sliders() {
    let said = refused(&[("s.csv", &format!("{SCORES}en,woman,cold,1,999,,,\nen,woman,warm,1,51,,,\n"))]);
    let hint =
        "[scores, their errors and their intervals go from 0 to 50; leave a cell empty where there is none]";
    assert_eq!(said.len(), 2);
    assert!(
        said.iter().all(|said| said.contains("lies outside 0 to 50 ") && said.ends_with(hint)),
        "{said:?}"
    );
}

#[test]
fn names_reach_a_message_short_and_without_what_a_terminal_obeys() {
    let long = format!("\u{1b}[31m\u{202e}{}", "x".repeat(100_000));
    let json = serde_json::json!({
        &long: { &long: { "cold - warm": 1 }, "women": { &long: 2, "cold - warm": &long } },
    });
    let rows = format!("en,{long},{long},{long} - warm,{long}\n");
    let header = format!("{}{}\n", RATINGS.trim_end(), ",\u{1b}[2J");
    let twice = format!("en,{long},women,cold - warm,1\n").repeat(2);
    let said = [
        refused_json(&json.to_string()),
        refused_ratings(&rows),
        refused_ratings(&twice),
        refused(&[("s.csv", &format!("{header}en,A,women,cold,1,\n"))]),
    ];
    for one in said.iter().flatten() {
        assert!(one.chars().count() < 500 && !one.contains(['\u{1b}', '\u{202e}']), "{one:?}");
    }
    assert!(said[0][0].contains("`\\u{1b}[31m\\u{202e}xxx"), "{:?}", said[0]);
    let humans = accepted(&[("s.csv", &format!("{header}en,A,women,cold - warm,1,\n"))]);
    assert_eq!(humans.notes[0].to_string(), "s.csv: the column `\\u{1b}[2J` is not read");
}

#[test]
fn a_file_that_is_not_there_is_named_beside_the_others() {
    let (_, problems, _) = inspect_humans(&[plain(Path::new("absent.json"))], &abc());
    assert!(problems[0].to_string().starts_with("absent.json: cannot read: "), "{}", problems[0]);
}

/// The study's files of one kind, with the languages that their names state.
fn study(kind: &str, names: [&str; 4]) -> Option<Vec<HumansFile>> {
    names
        .iter()
        .map(|name| common::leakage(&format!("survey/{kind}{name}")).map(|path| plain(&path)))
        .collect()
}

#[test]
fn every_judgement_of_the_study_comes_in_and_goes_out() {
    let names = ["english.json", "russian.json", "chinese.json", "hindi.json"];
    let Some(files) = study("data_full_", names) else { return };
    let humans = read_humans(&files, &abc()).unwrap();
    let mut people: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
    for rating in &humans.ratings {
        people.entry(rating.language.as_str()).or_default().insert(&rating.annotator);
    }
    let counts: Vec<usize> = ["en", "ru", "zh", "hi"].iter().map(|tag| people[tag].len()).collect();
    assert_eq!(counts, [34, 36, 41, 40]);
    assert_eq!(humans.ratings.len(), (34 + 36 + 41 + 40) * 4 * 16);
    assert!(humans.notes.is_empty() && humans.files[0].format == HumansFormat::Annotators);
    let table = ratings_csv(&humans.ratings, &abc());
    let again = accepted(&[("all.csv", &table)]);
    assert_eq!(again.ratings, humans.ratings);
    assert_eq!(ratings_csv(&again.ratings, &abc()), table);
}

#[test]
fn the_999_of_the_aggregates_is_no_number() {
    let Some(files) = study("aggregated_data_", ["EN.csv", "RU.csv", "ZH.csv", "HI.csv"]) else { return };
    let humans = read_humans(&files, &abc()).unwrap();
    assert_eq!(humans.cells.len(), 4 * 960);
    let missing = |tag: &str| {
        let own = humans.cells.iter().filter(|cell| cell.language.as_str() == tag);
        own.filter(|cell| cell.score.is_none()).count()
    };
    assert_eq!(["en", "ru", "zh", "hi"].map(missing), [256, 256, 288, 224]);
    assert!(humans.cells.iter().filter_map(|cell| cell.score).all(|score| (0.0..=50.0).contains(&score)));
}
