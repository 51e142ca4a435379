//! The regressions of the study's people against lme4: `golden/mixed/leakage_{drop,zero}.csv` hold the planted associations
//! and, as columns, the human scores that took part; `*.expected.json` the fits of R 4.2.2, lme4 1.1.31, lmerTest 3.1.3.
//! Only a table with these very records and columns gives these very numbers.

#![allow(clippy::unwrap_used)] // a failed helper is a failed test

mod study;

use serde_json::Value;
use stereometer_leakage::{CHOICES, Settings, analyse};
use stereometer_record::{FitScale, LeakageFit, MissingCells, Predictor, RandomEffects};
use stereometer_testkit::golden;

use study::{LANGUAGES, People, Scores, inputs, language, read_csv, real_people, run, slug};

/// The planted associations of a golden table; SeT is multiplied by 100 on the raw scale.
fn planted(name: &str) -> Scores {
    let table = read_csv(&golden("mixed").join(format!("{name}.csv")));
    let rows = table[1..].iter();
    rows.map(|row| {
        let cell = (slug(&row[0]).to_string(), slug(&row[1]).to_string());
        (cell, row[2].parse::<f64>().unwrap() / 100.0)
    })
    .collect()
}

fn check(people: &People, name: &str, missing: MissingCells, n: usize) {
    let text = std::fs::read(golden("mixed").join(format!("{name}.expected.json"))).unwrap();
    let expected: Value = serde_json::from_slice(&text).unwrap();
    let runs = vec![run("golden", people, &[("ru", planted(name))], 2)];
    let results = analyse(&inputs(people, runs), &Settings::default()).unwrap();
    assert_eq!((results.fits.len(), results.skipped.len()), (CHOICES.len(), 0));
    for (random, model) in [(RandomEffects::Trait, "trait"), (RandomEffects::TraitGroup, "crossed")] {
        let is_meant = |fit: &&LeakageFit| {
            fit.choice.missing == missing && fit.choice.random == random && fit.choice.scale == FitScale::Raw
        };
        let fit = results.fits.iter().find(is_meant).unwrap();
        assert_eq!((fit.n, fit.left_out), (n, 960 - n));
        assert!(fit.converged && !fit.singular && fit.doubts.is_empty(), "{fit:?}");
        let theirs = &expected[model];
        for (coefficient, tag) in fit.coefficients.iter().zip(LANGUAGES) {
            assert_eq!(coefficient.predictor, Predictor::People(language(tag)));
            let theirs = |key: &str| theirs["fixed"][tag][key].as_f64().unwrap();
            let near = |ours: f64, key: &str, tolerance: f64| {
                let distance = (ours / theirs(key) - 1.0).abs();
                assert!(distance < tolerance, "{name} {model} {tag} {key}: {ours} is off by {distance}");
            };
            near(coefficient.estimate, "estimate", 1e-5);
            near(coefficient.std_error, "std_error", 1e-5);
            near(coefficient.df.unwrap(), "df_satterthwaite", 1e-2);
            near(coefficient.p_t.unwrap(), "p_satterthwaite", 1e-3);
            near(coefficient.p_z, "p_wald_z", 1e-3);
        }
        for (group, deviation) in &fit.random {
            let theirs = theirs["sd"][group].as_f64().unwrap();
            assert!((deviation / theirs - 1.0).abs() < 1e-4, "{name} {model} {group}");
        }
    }
}

#[test]
fn the_studys_people_give_lme4s_numbers_whether_missing_cells_are_left_out_or_zero() {
    let Some(people) = real_people() else { return };
    check(&people, "leakage_drop", MissingCells::Drop, 608);
    check(&people, "leakage_zero", MissingCells::Zero, 960);
}

/// Without the study's data: the people of the golden table itself, those left out there being missing.
#[test]
fn the_people_of_the_golden_table_give_lme4s_numbers() {
    let whole = read_csv(&golden("mixed/leakage_zero.csv"));
    let distinct = |column: usize| {
        let mut names: Vec<String> = Vec::new();
        for row in &whole[1..] {
            let name = slug(&row[column]).to_string();
            if !names.contains(&name) {
                names.push(name);
            }
        }
        names
    };
    let mut people = People { groups: distinct(0), poles: distinct(1), scores: Vec::new() };
    let rated = read_csv(&golden("mixed/leakage_drop.csv"));
    for column in 3..7 {
        let rows = rated[1..].iter();
        people.scores.push(
            rows.map(|row| {
                let cell = (slug(&row[0]).to_string(), slug(&row[1]).to_string());
                (cell, row[column].parse().unwrap())
            })
            .collect(),
        );
    }
    check(&people, "leakage_drop", MissingCells::Drop, 608);
}
