//! Every statistic against SciPy, NumPy and statsmodels: `golden/expected/statistics.json`, made by
//! `golden/generators/statistics.py`. Tolerance 1e-12, for sums in another order; 1e-10 for tails of chi². A p value from
//! random orders lies within four of its standard errors of the p value of all orders.

#![allow(clippy::unwrap_used)] // a failed helper is a failed test

use serde::Deserialize;
use stereometer_core::Seed;
use stereometer_stats::{benjamini_hochberg, holm, kendall_tau_b, kendall_w, spearman, tau_permutation_p};
use stereometer_testkit::golden;

#[derive(Deserialize)]
struct Reference {
    multiplicity: Vec<Multiplicity>,
    kendall: Vec<Kendall>,
    spearman: Vec<Spearman>,
    concordance: Vec<Concordance>,
}

#[derive(Deserialize)]
struct Multiplicity {
    p: Vec<f64>,
    holm: Vec<f64>,
    benjamini_hochberg: Vec<f64>,
}

#[derive(Deserialize)]
struct Kendall {
    x: Vec<f64>,
    y: Vec<f64>,
    tau_b: f64,
    p_exact: Option<f64>,
}

#[derive(Deserialize)]
struct Spearman {
    x: Vec<f64>,
    y: Vec<f64>,
    rho: f64,
}

#[derive(Deserialize)]
struct Concordance {
    rows: Vec<Vec<f64>>,
    w: f64,
    chi_square: f64,
    p_chi_square: f64,
    p_exact: Option<f64>,
}

const PERMUTATIONS: usize = 4999;

fn reference() -> Reference {
    let file = std::fs::read(golden("expected/statistics.json")).unwrap();
    serde_json::from_slice(&file).unwrap()
}

fn points(x: &[f64], y: &[f64]) -> Vec<(f64, f64)> {
    x.iter().copied().zip(y.iter().copied()).collect()
}

fn assert_near(ours: f64, theirs: f64, tolerance: f64) {
    assert!((ours - theirs).abs() <= tolerance, "{ours} is not {theirs}");
}

/// Four standard errors of a share of random orders.
fn sampling(p: f64) -> f64 {
    1.0 / PERMUTATIONS as f64 + 4.0 * (p * (1.0 - p) / PERMUTATIONS as f64).sqrt()
}

#[test]
fn adjusted_p_values_are_those_of_statsmodels() {
    for row in reference().multiplicity {
        let adjusted = [(holm(&row.p), row.holm), (benjamini_hochberg(&row.p), row.benjamini_hochberg)];
        for (ours, theirs) in adjusted {
            assert_eq!(ours.len(), theirs.len());
            ours.into_iter().zip(theirs).for_each(|(ours, theirs)| assert_near(ours, theirs, 1e-12));
        }
    }
}

#[test]
fn tau_and_its_p_value_are_those_of_scipy() {
    let rows = reference().kendall;
    assert!(rows.iter().any(|row| row.x.len() > 7 && row.p_exact.is_some()));
    for row in rows {
        let points = points(&row.x, &row.y);
        assert_near(kendall_tau_b(&points).unwrap(), row.tau_b, 1e-12);
        let Some(exact) = row.p_exact else { continue };
        let p = tau_permutation_p(&points, PERMUTATIONS, Seed(1)).unwrap();
        assert_near(p, exact, if points.len() <= 7 { 1e-12 } else { sampling(exact) });
    }
}

#[test]
fn rho_is_that_of_scipy() {
    for row in reference().spearman {
        assert_near(spearman(&points(&row.x, &row.y)).unwrap(), row.rho, 1e-12);
    }
}

#[test]
fn w_is_that_of_numpy_and_its_chi_square_that_of_friedmans_test() {
    for row in reference().concordance {
        let ours = kendall_w(&row.rows, PERMUTATIONS, Seed(1)).unwrap();
        assert_eq!((ours.raters, ours.objects), (row.rows.len(), row.rows[0].len()));
        assert_near(ours.w, row.w, 1e-12);
        assert_near(ours.chi_square, row.chi_square, 1e-10);
        assert_near(ours.p_chi_square, row.p_chi_square, 1e-10);
        if let Some(exact) = row.p_exact {
            assert_near(ours.p_permutation, exact, sampling(exact));
        }
    }
}
