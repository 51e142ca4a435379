//! Mixed models against lme4 and lmerTest: `golden/mixed/*.expected.json`, made there by `make_expected.R` (R 4.2.2, lme4
//! 1.1.31, lmerTest 3.1.3). Estimates and standard errors within 1e-5 relative and variance components within 1e-4, for
//! lme4's optimiser ends at about that distance from the minimum; degrees of freedom within 1e-2 for lmerTest's
//! numerical derivatives.

#![allow(clippy::unwrap_used)] // a failed helper is a failed test

use std::time::Instant;

use serde_json::Value;
use stereometer_stats::mixed::{Criterion, Fit, Formula, MixedError, Table, fit};
use stereometer_testkit::golden;

fn table(csv: &str) -> Table {
    let mut reader = csv::Reader::from_reader(csv.as_bytes());
    let names: Vec<String> = reader.headers().unwrap().iter().map(str::to_owned).collect();
    let records: Vec<csv::StringRecord> = reader.records().map(Result::unwrap).collect();
    let column = |place: usize| records.iter().map(|record| Some(record[place].to_owned())).collect();
    Table::new(names.into_iter().enumerate().map(|(place, name)| (name, column(place))).collect()).unwrap()
}

fn golden_table(name: &str) -> Table {
    table(&std::fs::read_to_string(golden("mixed").join(format!("{name}.csv"))).unwrap())
}

fn fitted(formula: &str, table: &Table) -> Result<Fit, MixedError> {
    fit(&Formula::parse(formula)?, table, Criterion::Reml)
}

/// Largest relative difference of every quantity.
#[derive(Debug, Default)]
struct Farthest {
    estimate: f64,
    std_error: f64,
    df: f64,
    p_t: f64,
    p_z: f64,
    sd: f64,
    criterion: f64,
}

fn relative(farthest: &mut f64, ours: f64, theirs: f64) {
    *farthest = farthest.max((ours - theirs).abs() / theirs.abs().max(1e-300));
}

#[test]
fn every_fit_is_that_of_lme4_and_lmertest() {
    let mut farthest = Farthest::default();
    for name in ["leakage_drop", "leakage_zero", "leakage_singular"] {
        let text = std::fs::read(golden("mixed").join(format!("{name}.expected.json"))).unwrap();
        let expected: Value = serde_json::from_slice(&text).unwrap();
        let table = golden_table(name);
        for model in ["trait", "crossed"] {
            let expected = &expected[model];
            let ours = fitted(expected["formula"].as_str().unwrap(), &table).unwrap();
            assert_eq!(Some(ours.n as u64), expected["nobs"].as_u64());
            assert_eq!(Some(ours.singular), expected["singular"].as_bool(), "{name} {model}");
            assert!(ours.converged, "{name} {model}: {:?}", ours.doubts);
            relative(&mut farthest.criterion, ours.criterion, expected["reml_criterion"].as_f64().unwrap());
            assert_eq!(ours.fixed.len(), expected["fixed"].as_object().unwrap().len());
            for effect in &ours.fixed {
                let theirs = |key: &str| expected["fixed"][&effect.term][key].as_f64().unwrap();
                let student = effect.student.unwrap();
                relative(&mut farthest.estimate, effect.estimate, theirs("estimate"));
                relative(&mut farthest.std_error, effect.std_error, theirs("std_error"));
                relative(&mut farthest.df, student.df, theirs("df_satterthwaite"));
                relative(&mut farthest.p_t, student.p, theirs("p_satterthwaite"));
                relative(&mut farthest.p_z, effect.p_z, theirs("p_wald_z"));
            }
            for variation in &ours.random {
                let theirs = expected["sd"][&variation.group].as_f64().unwrap();
                if theirs == 0.0 {
                    assert_eq!(variation.terms[0].1, 0.0, "{name} {model}");
                } else {
                    relative(&mut farthest.sd, variation.terms[0].1, theirs);
                }
            }
            relative(&mut farthest.sd, ours.sigma, expected["sd"]["Residual"].as_f64().unwrap());
        }
    }
    println!("{farthest:?}");
    assert!(farthest.estimate < 1e-5 && farthest.std_error < 1e-5 && farthest.sd < 1e-4, "{farthest:?}");
    assert!(farthest.df < 1e-2 && farthest.p_t < 1e-3 && farthest.p_z < 1e-3, "{farthest:?}");
    assert!(farthest.criterion < 1e-10, "{farthest:?}");
}

#[test]
fn a_singular_fit_is_least_squares() {
    let text = std::fs::read(golden("mixed").join("leakage_singular.expected.json")).unwrap();
    let expected: Value = serde_json::from_slice(&text).unwrap();
    let ours = fitted("y ~ en + ru + zh + hi + (1 | trait) + (1 | group)", &golden_table("leakage_singular"))
        .unwrap();
    for effect in &ours.fixed {
        let theirs = |key: &str| expected["ols"][&effect.term][key].as_f64().unwrap();
        assert!((effect.estimate / theirs("estimate") - 1.0).abs() < 1e-9, "{effect:?}");
        assert!((effect.std_error / theirs("std_error") - 1.0).abs() < 1e-9, "{effect:?}");
    }
    assert_eq!(ours.doubts.len(), 2);
    assert!(ours.doubts[0].to_string().starts_with("singular fit: (1 | trait) has a variance of 0"));
}

/// With `--ignored --nocapture`, in release: how long a fit takes.
#[test]
#[ignore = "prints a time"]
fn a_thousand_records_with_two_crossed_factors_take_less_than_fifty_milliseconds() {
    let table = golden_table("leakage_zero");
    for _ in 0..5 {
        let began = Instant::now();
        let ours = fitted("y ~ en + ru + zh + hi + (1 | trait) + (1 | group)", &table).unwrap();
        println!("{} records: {:?}, {} gains", ours.n, began.elapsed(), ours.trace.len());
        assert!(cfg!(debug_assertions) || began.elapsed().as_millis() < 50);
    }
}
