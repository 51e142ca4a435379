//! Leakage that was planted is found, and none where none was planted.
//!
//! Models by hand: the association of a cell is a sum of people's scores with known coefficients, of effects of trait and
//! group, and of noise. People are the study's where its data is there, else synthetic ones. What nobody rated adds
//! nothing to the model, so that both readings of missing cells are right.
//!
//! ```text
//! cargo test --release -p stereometer-leakage --test planted -- --ignored --nocapture
//! ```
//!
//! repeats this over 400 seeds and prints how often intervals hold the truth and how often nothing looks like something.

#![allow(clippy::unwrap_used)] // a failed helper is a failed test

mod study;

use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;
use stereometer_leakage::{CHOICES, Settings, analyse};
use stereometer_record::{
    Evidence, FitChoice, FitScale, LeakageResults, MissingCells, Predictor, RandomEffects,
};

use study::{LANGUAGES, People, Scores, inputs, language, normal, real_people, run, synthetic_people};

/// What is planted: coefficient of the people of each language in each target, on the paper's scale.
type Planted = [[f64; 4]; 4];

/// Own effects, and Chinese people in the Russian model.
const LEAKY: Planted = {
    let mut planted = OWN;
    planted[1][2] = 0.36;
    planted
};

/// Own effects alone.
const OWN: Planted = [[0.4, 0.0, 0.0, 0.0], [0.0, 0.3, 0.0, 0.0], [0.0, 0.0, 0.2, 0.0], [0.0, 0.0, 0.0, 0.5]];

const RECOMMENDED: FitChoice =
    FitChoice { missing: MissingCells::Drop, random: RandomEffects::TraitGroup, scale: FitScale::Raw };

fn people() -> People {
    real_people().unwrap_or_else(|| synthetic_people(1))
}

/// A model's associations in one language; SeT is multiplied by 100 on the paper's scale.
fn associations(people: &People, planted: &[f64; 4], rng: &mut ChaCha8Rng) -> Scores {
    let mut effects =
        |n: usize, deviation: f64| -> Vec<f64> { (0..n).map(|_| deviation * normal(rng)).collect() };
    let (of_group, of_pole) = (effects(people.groups.len(), 4.0), effects(people.poles.len(), 3.0));
    let mut scores = Scores::new();
    for (group, v) in people.groups.iter().zip(of_group) {
        for (pole, u) in people.poles.iter().zip(&of_pole) {
            let cell = (group.clone(), pole.clone());
            let said = people.scores.iter().zip(planted);
            let said: f64 =
                said.map(|(scores, share)| share * scores.get(&cell).copied().unwrap_or(0.0)).sum();
            scores.insert(cell, (said + u + v + 8.0 * normal(rng)) / 100.0);
        }
    }
    scores
}

fn analysed(people: &People, planted: &Planted, seed: u64) -> LeakageResults {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let by_target: Vec<(&str, Scores)> = LANGUAGES
        .iter()
        .zip(planted)
        .map(|(tag, planted)| (*tag, associations(people, planted, &mut rng)))
        .collect();
    let runs = vec![run("planted", people, &by_target, 1)];
    let results = analyse(&inputs(people, runs), &Settings::default()).unwrap();
    assert_eq!((results.fits.len(), results.skipped.len()), (32, 0));
    results
}

/// What many analyses say under one choice.
#[derive(Debug, Default)]
struct Tally {
    coefficients: usize,
    covered: usize,
    /// Coefficients of other languages' people with nothing planted.
    idle: usize,
    significant: usize,
    positive: usize,
    /// Analyses in which any of these is significant after Holm.
    after_holm: usize,
    analyses: usize,
    doubtful: usize,
}

impl Tally {
    fn add(&mut self, results: &LeakageResults, planted: &Planted, choice: FitChoice) {
        let mut is_any_left = false;
        for fit in results.fits.iter().filter(|fit| fit.choice == choice) {
            let target = LANGUAGES.iter().position(|tag| language(tag) == fit.target).unwrap();
            self.doubtful += usize::from(!fit.converged || fit.singular);
            for (source, one) in fit.coefficients.iter().enumerate() {
                assert_eq!(one.predictor, Predictor::People(language(LANGUAGES[source])));
                let truth = planted[target][source];
                self.coefficients += 1;
                self.covered += usize::from(one.interval.low <= truth && truth <= one.interval.high);
                if source != target && truth == 0.0 {
                    self.idle += 1;
                    self.significant += usize::from(one.evidence != Evidence::Open);
                    self.positive += usize::from(one.evidence == Evidence::Positive);
                    is_any_left |= one.holm < 0.05;
                }
            }
        }
        self.analyses += 1;
        self.after_holm += usize::from(is_any_left);
    }

    fn coverage(&self) -> f64 {
        self.covered as f64 / self.coefficients as f64
    }

    fn share_significant(&self) -> f64 {
        self.significant as f64 / self.idle as f64
    }
}

fn tally(
    people: &People,
    planted: &Planted,
    seeds: std::ops::Range<u64>,
    choices: &[FitChoice],
) -> Vec<Tally> {
    let mut tallies: Vec<Tally> = choices.iter().map(|_| Tally::default()).collect();
    for seed in seeds {
        let results = analysed(people, planted, seed);
        for (tally, choice) in tallies.iter_mut().zip(choices) {
            tally.add(&results, planted, *choice);
        }
    }
    tallies
}

#[test]
fn what_was_planted_is_covered_and_found() {
    let people = people();
    for seed in 0..4 {
        let results = analysed(&people, &LEAKY, seed);
        let fit = results.fits.iter().find(|fit| fit.choice == RECOMMENDED && fit.target == language("ru"));
        let leak = &fit.unwrap().coefficients[2];
        assert_eq!(leak.evidence, Evidence::Positive, "{leak:?}");
        assert!(leak.holm < 0.05 && (leak.estimate - 0.36).abs() < 4.0 * leak.std_error, "{leak:?}");
    }
    let tally = &tally(&people, &LEAKY, 0..4, &[RECOMMENDED])[0];
    assert!(tally.coverage() > 0.85 && tally.doubtful == 0, "{tally:?}");
}

#[test]
fn what_was_not_planted_is_seldom_found() {
    // The synthetic people are always there.
    for people in [people(), synthetic_people(7)] {
        let tally = &tally(&people, &OWN, 0..4, &[RECOMMENDED])[0];
        assert!(tally.share_significant() < 0.15 && tally.after_holm <= 1, "{tally:?}");
    }
}

#[test]
fn units_change_no_test() {
    let people = people();
    let results = analysed(&people, &LEAKY, 3);
    for raw in results.fits.iter().filter(|fit| fit.choice.scale == FitScale::Raw) {
        let choice = FitChoice { scale: FitScale::Standardised, ..raw.choice };
        let standardised =
            results.fits.iter().find(|fit| fit.choice == choice && fit.target == raw.target).unwrap();
        assert_eq!(raw.n, standardised.n);
        for (a, b) in raw.coefficients.iter().zip(&standardised.coefficients) {
            assert!((a.z - b.z).abs() < 1e-4 * a.z.abs().max(1.0), "{a:?} {b:?}");
            assert_eq!(a.evidence, b.evidence);
        }
        assert!((raw.r2_marginal - standardised.r2_marginal).abs() < 1e-4);
        assert!(standardised.intercept.abs() < 0.5, "{}", standardised.intercept);
    }
}

#[test]
#[ignore = "takes minutes; see the head of this file"]
fn intervals_hold_the_truth_and_nothing_is_seldom_something() {
    let raw: Vec<FitChoice> = CHOICES.into_iter().filter(|choice| choice.scale == FitScale::Raw).collect();
    let all = [("the study's", real_people()), ("synthetic", Some(synthetic_people(1)))];
    for (whose, people) in all.into_iter().filter_map(|(whose, people)| Some((whose, people?))) {
        for (what, planted) in [("0.36 zh → ru", LEAKY), ("no leak", OWN)] {
            for (choice, tally) in raw.iter().zip(tally(&people, &planted, 1000..1400, &raw)) {
                println!("{whose} people, {what}, {choice}:");
                println!("  95 % intervals hold {:.4} of {}", tally.coverage(), tally.coefficients);
                println!(
                    "  of {} coefficients at 0 {:.4} significant ({} positive); after Holm in {} of {} analyses; {} doubtful fits",
                    tally.idle,
                    tally.share_significant(),
                    tally.positive,
                    tally.after_holm,
                    tally.analyses,
                    tally.doubtful
                );
                if choice.random == RandomEffects::TraitGroup {
                    assert!((0.94..0.96).contains(&tally.coverage()), "{tally:?}");
                    assert!(tally.share_significant() < 0.06, "{tally:?}");
                    assert!(tally.after_holm as f64 <= 0.08 * tally.analyses as f64, "{tally:?}");
                }
            }
        }
    }
}
