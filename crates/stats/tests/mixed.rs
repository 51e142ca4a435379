//! Mixed models against lme4 and lmerTest: `golden/mixed/*.expected.json`, made there by `make_expected.R` (R 4.2.2, lme4
//! 1.1.31, lmerTest 3.1.3). Estimates and standard errors within 1e-5 relative and variance components within 1e-4, for
//! lme4's optimiser ends at about that distance from the minimum; degrees of freedom within 1e-2 for lmerTest's
//! numerical derivatives.

#![allow(clippy::unwrap_used)] // a failed helper is a failed test

use std::fmt::Write;
use std::time::Instant;

use serde_json::Value;
use stereometer_core::Seed;
use stereometer_stats::mixed::{
    Bootstrap, Criterion, Fit, Formula, MixedError, Resamples, Table, bootstrap, fit,
};
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

#[derive(serde::Deserialize)]
struct Reference {
    fits: Vec<ReferenceFit>,
}

#[derive(serde::Deserialize)]
struct ReferenceFit {
    formula: String,
    reml: bool,
    estimates: Vec<f64>,
    std_errors: Vec<f64>,
    sd: Vec<f64>,
    correlations: Vec<f64>,
    sigma: f64,
    log_likelihood: f64,
    statsmodels_log_likelihood: Option<f64>,
}

/// `golden/expected/mixed.json`, made by `golden/generators/mixed.py`: the whole density, made greatest by SciPy, and
/// statsmodels. Distances are relative, of estimates and correlations absolute (in standard errors): they may be near 0.
#[test]
fn slopes_factors_and_maximum_likelihood_are_those_of_the_whole_density() {
    let text = std::fs::read(golden("expected/mixed.json")).unwrap();
    let reference: Reference = serde_json::from_slice(&text).unwrap();
    let leakage = golden_table("leakage_zero");
    let planted = table(&std::fs::read_to_string(golden("mixed/planted.csv")).unwrap());
    for theirs in reference.fits {
        let criterion = if theirs.reml { Criterion::Reml } else { Criterion::Ml };
        let table = if theirs.formula.contains("| g)") { &planted } else { &leakage };
        let ours = fit(&Formula::parse(&theirs.formula).unwrap(), table, criterion).unwrap();
        println!("{} {criterion:?}", theirs.formula);
        let is_flat = theirs.correlations.iter().any(|value| value.abs() > 0.999_999);
        assert!(ours.converged && ours.singular == is_flat, "{:?}", ours.doubts);
        let near = |ours: f64, theirs: f64, tolerance: f64, what: &str| {
            let distance = (ours / theirs - 1.0).abs();
            println!("{what} {distance:.1e}");
            assert!(distance < tolerance, "{what}: {ours} is not {theirs}");
        };
        near(ours.criterion, -2.0 * theirs.log_likelihood, 1e-9, "criterion");
        if let Some(theirs) = theirs.statsmodels_log_likelihood {
            near(-ours.criterion / 2.0, theirs, 1e-8, "log-likelihood of statsmodels");
        }
        assert_eq!(ours.fixed.len(), theirs.estimates.len());
        for (effect, (estimate, std_error)) in
            ours.fixed.iter().zip(theirs.estimates.iter().zip(&theirs.std_errors))
        {
            let distance = (effect.estimate - estimate).abs() / std_error;
            assert!(distance < 1e-4, "{}: {} is not {estimate}", effect.term, effect.estimate);
            near(effect.std_error, *std_error, 1e-4, &effect.term);
        }
        let sd: Vec<f64> = ours.random.iter().flat_map(|one| one.terms.iter().map(|(_, sd)| *sd)).collect();
        assert_eq!(sd.len(), theirs.sd.len());
        sd.iter().zip(&theirs.sd).for_each(|(ours, theirs)| near(*ours, *theirs, 2e-4, "standard deviation"));
        let correlations: Vec<f64> = ours
            .random
            .iter()
            .flat_map(|one| one.correlations.iter().map(|(_, _, value)| value.unwrap()))
            .collect();
        assert_eq!(correlations.len(), theirs.correlations.len());
        for (ours, theirs) in correlations.iter().zip(&theirs.correlations) {
            assert!((ours - theirs).abs() < 2e-4, "correlation {ours} is not {theirs}");
        }
        near(ours.sigma, theirs.sigma, 1e-5, "sigma");
    }
}

#[test]
fn units_and_order_do_not_matter() {
    let text = std::fs::read_to_string(golden("mixed/leakage_zero.csv")).unwrap();
    let formula = "y ~ zh + (1 + zh | trait)";
    let ours = fitted(formula, &table(&text)).unwrap();
    let (header, rows) = text.split_once('\n').unwrap();
    let mut rows: Vec<String> = rows
        .lines()
        .map(|line| {
            let cells: Vec<&str> = line.split(',').collect();
            let [y, zh] = [cells[2], cells[5]].map(|cell| cell.parse::<f64>().unwrap());
            format!(
                "{},{},{},{},{},{},{}",
                cells[0],
                cells[1],
                y + 1e6,
                cells[3],
                cells[4],
                zh * 1e5,
                cells[6]
            )
        })
        .collect();
    rows.reverse();
    let other = fitted(formula, &table(&format!("{header}\n{}\n", rows.join("\n")))).unwrap();
    let near = |a: f64, b: f64| assert!((a / b - 1.0).abs() < 1e-5, "{a} is not {b}");
    near(ours.fixed[0].estimate + 1e6, other.fixed[0].estimate);
    near(ours.fixed[1].estimate, other.fixed[1].estimate * 1e5);
    near(ours.fixed[1].student.unwrap().df, other.fixed[1].student.unwrap().df);
    near(ours.random[0].terms[1].1, other.random[0].terms[1].1 * 1e5);
    near(ours.sigma, other.sigma);
    near(ours.r2_conditional, other.r2_conditional);
}

#[test]
fn r2_is_made_of_the_variances() {
    let ours =
        fitted("y ~ en + ru + zh + hi + (1 | trait) + (1 | group)", &golden_table("leakage_zero")).unwrap();
    // Of the reference's estimates, by NumPy: numpy.var(X @ beta, ddof=1) and the squares of its standard deviations.
    let (fixed, random) = (25.811_738_031, 5.074_123_927_998_f64.powi(2) + 2.730_888_795_845_f64.powi(2));
    let all = fixed + random + 7.532_580_942_49_f64.powi(2);
    assert!((ours.r2_marginal - fixed / all).abs() < 1e-5, "{} {}", ours.r2_marginal, fixed / all);
    assert!((ours.r2_conditional - (fixed + random) / all).abs() < 1e-5, "{}", ours.r2_conditional);
}

/// Twelve records, four levels of `g`, three of `h`.
const SMALL: &str = "y,x,twice,constant,word,g,h,one,each,some\n\
    1.0,0.5,1.0,3,a,p,k,z,1,1\n2.5,1.5,3.0,3,b,p,l,z,2,NA\n2.0,2.5,5.0,3,a,p,m,z,3,1\n\
    3.5,0.1,0.2,3,b,q,k,z,4,\n5.0,1.1,2.2,3,a,q,l,z,5,2\n4.2,2.0,4.0,3,b,q,m,z,6,2\n\
    0.3,0.7,1.4,3,a,r,k,z,7,3\n1.1,1.9,3.8,3,b,r,l,z,8,3\n1.0,2.2,4.4,3,a,r,m,z,9,4\n\
    6.0,0.9,1.8,3,b,s,k,z,10,4\n7.5,1.2,2.4,3,a,s,l,z,11,5\n6.1,2.9,5.8,3,b,s,m,z,12,x5\n";

#[test]
fn every_error_names_its_column() {
    let cases = [
        ("y ~ z + (1 | g)", "formula: the table has no column `z`"),
        ("y ~ x + (1 | nobody)", "formula: the table has no column `nobody`"),
        ("word ~ x + (1 | g)", "record 1, column word: `a` is not a finite number"),
        ("y ~ some + (1 | g)", "record 12, column some: `x5` is not a finite number"),
        ("y ~ x + (1 | one)", "column one: 1 level where a factor needs two or more"),
        ("y ~ one + (1 | g)", "column one: 1 level where a factor needs two or more"),
        ("y ~ x + (1 | each)", "(1 | each): 12 effects cannot be told apart with 12 records"),
        (
            "y ~ x + (1 + x + word | g)",
            "(1 + x + wordb | g): 12 effects cannot be told apart with 12 records",
        ),
        ("y ~ x + twice + (1 | g)", "column twice is collinear with x"),
        ("y ~ constant + (1 | g)", "column constant is collinear with (Intercept)"),
        (
            "x ~ twice + (1 | g)",
            "column x: the predictors leave nothing to explain, so there is no error to estimate",
        ),
    ];
    let table = table(SMALL);
    for (formula, expected) in cases {
        let error = fitted(formula, &table).unwrap_err();
        assert_eq!(error.to_string(), expected, "{formula}");
        assert!(!error.hint().is_empty());
    }
}

/// The table of [`units_and_order_do_not_matter`], its x changed.
fn rescaled(change: impl Fn(f64) -> f64) -> Table {
    let mut csv = "y,x,g\n".to_owned();
    for place in 0..40_u32 {
        let x = (f64::from(place) * 2.3).sin();
        let y = 0.5 * x + f64::from(place % 8) + (f64::from(place) * 5.1).cos();
        writeln!(csv, "{y},{},{}", change(x), place % 8).unwrap();
    }
    table(&csv)
}

#[test]
fn a_badly_scaled_column_is_fitted_or_named_but_never_collinear() {
    let formula = "y ~ x + (1 | g)";
    let plain = fitted(formula, &rescaled(|x| x)).unwrap();
    // Of 16 digits 9 are the distance from 0: 7 remain.
    let far = fitted(formula, &rescaled(|x| 1e9 + x)).unwrap();
    for of in [|fit: &Fit| fit.fixed[1].estimate, |fit: &Fit| fit.fixed[1].std_error, |fit: &Fit| fit.sigma] {
        assert!((of(&far) / of(&plain) - 1.0).abs() < 1e-5, "{} {}", of(&far), of(&plain));
    }
    for factor in [1e200, 1e-200] {
        let error = fitted(formula, &rescaled(|x| x * factor)).unwrap_err();
        let said = "column x: its values are too large or too small for their squares to be computed";
        assert_eq!(error.to_string(), said);
        assert!(error.hint().starts_with("rescale this column"), "{}", error.hint());
    }
    let slope = fitted("y ~ x + (1 + x | g)", &rescaled(|x| 1e9 + x)).unwrap_err();
    assert_eq!(slope, MixedError::Scale { column: "x".to_owned(), is_far: true });
    let zero = fitted(formula, &rescaled(|_| 0.0)).unwrap_err();
    assert_eq!(zero.to_string(), "column x is 0 throughout");
}

#[test]
fn decimal_commas_are_no_words() {
    let comma = table("y,x,g\n1,\"0,5\",a\n2,\"1,5\",b\n3,\"2,5\",a\n4,\"0,5\",b\n");
    let error = fitted("y ~ x + (1 | g)", &comma).unwrap_err();
    assert_eq!(error.to_string(), "record 1, column x: `0,5` is not a finite number");
    assert!(error.hint().starts_with("decimals have a point"), "{}", error.hint());
}

#[test]
fn tables_that_are_none() {
    let column = |name: &str, cells: &[&str]| {
        (name.to_owned(), cells.iter().map(|cell| Some((*cell).to_owned())).collect())
    };
    let twice = Table::new(vec![column("a", &["1"]), column("a", &["2"])]).unwrap_err();
    assert_eq!(twice.to_string(), "table: two columns are called `a`");
    let ragged = Table::new(vec![column("a", &["1"]), column("b", &[])]).unwrap_err();
    assert_eq!(ragged.to_string(), "table: `b` has 0 records, not 1");
    let empty = table("y,x,g\n1,,a\n,2,b\n");
    let error = fitted("y ~ x + (1 | g)", &empty).unwrap_err();
    assert_eq!(error.to_string(), "none of 2 records has a value in every column of the formula");
    let few = fitted("y ~ x + (1 | g)", &table("y,x,g\n1,2,a\n2,5,b\n")).unwrap_err();
    assert_eq!(few.to_string(), "fixed part: 2 effects cannot be told apart with 2 records");
    let infinite = fitted("y ~ x + (1 | g)", &table("y,x,g\n1,2,a\n2,inf,b\n3,4,a\n")).unwrap_err();
    assert_eq!(infinite.to_string(), "record 2, column x: `inf` is not a finite number");
}

#[test]
fn records_with_missing_cells_are_left_out_and_counted() {
    let missing = SMALL.replace("x5", "5");
    let ours = fitted("y ~ some + (1 | g)", &table(&missing)).unwrap();
    assert_eq!(ours.n, 10);
    let said = ours.doubts[0].to_string();
    assert_eq!(said, "2 of 12 records have no value in a column of the formula and are left out");
    let kept: Vec<&str> =
        missing.lines().filter(|line| !line.ends_with(",NA") && !line.ends_with(',')).collect();
    let complete = fitted("y ~ some + (1 | g)", &table(&(kept.join("\n") + "\n"))).unwrap();
    assert_eq!(ours.fixed, complete.fixed);
    assert_eq!(ours.doubts[1..], complete.doubts[..]);
}

#[test]
fn few_levels_and_terms_too_rich_are_said() {
    let ours = fitted("y ~ x + (1 + x | g)", &table(SMALL)).unwrap();
    let said: Vec<String> = ours.doubts.iter().map(ToString::to_string).collect();
    assert!(ours.singular, "{ours:?}");
    let rich = "singular fit: (1 + x | g) has a variance of 0 or a correlation of ±1: the data do not carry all its parts";
    assert!(said.contains(&rich.to_owned()), "{said:?}");
    assert!(said.iter().any(|one| one.starts_with("`g` has only 4 levels")), "{said:?}");
    let finite = ours.fixed.iter().all(|effect| effect.estimate.is_finite() && effect.p_z.is_finite());
    assert!(finite && ours.sigma.is_finite(), "{ours:?}");
}

#[test]
fn many_levels_of_one_factor_cost_little() {
    let mut csv = String::from("y,x,g\n");
    for record in 0..6000_u32 {
        let (level, x) = (record % 2000, f64::from(record * 7 % 31));
        let noise = f64::from(record.wrapping_mul(2_654_435_761) >> 16) / 65536.0;
        let own = f64::from((level * 7919) % 101) / 50.0;
        writeln!(csv, "{},{x},l{level}", 0.3 * x + own + noise).unwrap();
    }
    let ours = fitted("y ~ x + (1 | g)", &table(&csv)).unwrap();
    assert!(ours.converged && !ours.singular && (ours.fixed[1].estimate - 0.3).abs() < 0.01, "{ours:?}");
}

#[derive(serde::Deserialize)]
struct Bootstraps {
    fits: Vec<ReferenceBootstrap>,
}

#[derive(serde::Deserialize)]
struct ReferenceBootstrap {
    table: String,
    formula: String,
    numbers: Vec<ReferenceNumber>,
}

#[derive(serde::Deserialize)]
struct ReferenceNumber {
    name: String,
    estimate: f64,
    low: f64,
    high: f64,
    spread: f64,
}

fn reference_bootstrap(name: &str) -> ReferenceBootstrap {
    let text = std::fs::read(golden("expected/mixed_bootstrap.json")).unwrap();
    let all: Bootstraps = serde_json::from_slice(&text).unwrap();
    all.fits.into_iter().find(|fit| fit.table == name).unwrap()
}

fn resampled(formula: &str, table: &Table, n: usize) -> Result<Bootstrap, MixedError> {
    bootstrap(&Formula::parse(formula)?, table, Criterion::Reml, Resamples { n, seed: Seed(1) })
}

/// `golden/expected/mixed_bootstrap.json`, made by `golden/generators/mixed_bootstrap.py`: other random numbers and another
/// program, so that ends differ by chance: 4,000 draws put an end off by 0.04 standard errors, 2,000 by 0.06, 200 by 0.19.
fn compare(name: &str, n: usize, tolerance: f64) {
    let reference = reference_bootstrap(name);
    let table = golden_table(name);
    let ours = resampled(&reference.formula, &table, n).unwrap();
    assert_eq!((ours.drawn, ours.failed), (n, 0));
    let fit = fitted(&reference.formula, &table).unwrap();
    let deviations = fit.random.iter().flat_map(|term| term.terms.iter().map(|(_, sd)| *sd));
    let estimates = fit.fixed.iter().map(|effect| effect.estimate).chain(deviations).chain([fit.sigma]);
    let intervals = ours.fixed.iter().chain(ours.random.iter().flatten()).chain([&ours.sigma]);
    assert_eq!(reference.numbers.len(), intervals.clone().count());
    for ((theirs, estimate), interval) in reference.numbers.iter().zip(estimates).zip(intervals) {
        assert!((estimate - theirs.estimate).abs() < 1e-4 * theirs.spread.max(theirs.estimate.abs()));
        for (ours, end) in [(interval.low, theirs.low), (interval.high, theirs.high)] {
            let off = (ours - end).abs() / theirs.spread;
            println!("{name} {}: {ours:.4}, {end:.4}, off by {off:.3} standard errors", theirs.name);
            assert!(off < tolerance, "{name} {}: {ours} is not {end}", theirs.name);
        }
    }
}

#[test]
fn resampled_intervals_are_those_of_another_program() {
    compare("planted", 2000, 0.25);
    compare("leakage_drop", 200, 0.6);
}

/// With `--ignored --nocapture`, in release.
#[test]
#[ignore = "takes a minute"]
fn many_resampled_intervals_are_those_of_another_program() {
    compare("leakage_drop", 4000, 0.2);
}

#[test]
fn resampled_intervals_hang_on_the_seed_and_nothing_else() {
    let table = golden_table("planted");
    let of = |seed, threads| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        let formula = Formula::parse("y ~ x + (1 + x | g)").unwrap();
        let resamples = Resamples { n: 40, seed: Seed(seed) };
        pool.install(|| bootstrap(&formula, &table, Criterion::Ml, resamples).unwrap())
    };
    assert_eq!(of(1, 1), of(1, 3));
    assert_ne!(of(1, 1), of(2, 1));
    assert_eq!((of(1, 1).fixed.len(), of(1, 1).random[0].len()), (2, 2));
}

#[test]
fn without_variance_the_resampled_interval_begins_at_zero_and_few_draws_give_none() {
    let table = golden_table("leakage_singular");
    let ours = resampled("y ~ en + (1 | trait)", &table, 60).unwrap();
    assert!(ours.random[0][0].low == 0.0 && ours.random[0][0].high > 0.0, "{ours:?}");
    let error = resampled("y ~ en + (1 | trait)", &table, 19).unwrap_err();
    assert_eq!(error, MixedError::TooFewResamples { fitted: 19, resamples: 19 });
}
