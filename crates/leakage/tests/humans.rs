//! Human scores: the study's released numbers, correlations against SciPy, and small surveys by hand.
//!
//! The study's files are not part of this repository; without them the tests about them are skipped, visibly.

#![allow(clippy::unwrap_used)] // a failed helper is a failed test

use std::fs;

use stereometer_core::{GroupCategory, HumanScores, Seed, Warning};
use stereometer_data::Inventory;
use stereometer_data::humans::{HumansFile, read_humans, scores_csv};
use stereometer_leakage::humans::{
    Over, Reading, Unit, aggregate, agreement, category_correlations, differences, doubtful,
    read_human_scores,
};
use stereometer_record::MissingCells;
use stereometer_testkit::shared;

const LANGUAGES: [(&str, &str); 4] =
    [("EN", "english"), ("RU", "russian"), ("ZH", "chinese"), ("HI", "hindi")];

fn abc() -> Inventory {
    Inventory::open("abc").unwrap()
}

fn study(name: impl Fn(&(&str, &str)) -> String) -> Option<Vec<HumansFile>> {
    let files = LANGUAGES.iter().map(|language| {
        let path = shared(&format!("data/leakage/survey/{}", name(language)))?;
        Some(HumansFile { path, language: None })
    });
    files.collect()
}

fn annotators() -> Option<Vec<HumansFile>> {
    study(|(_, name)| format!("data_full_{name}.json"))
}

fn aggregated() -> Option<Vec<HumansFile>> {
    study(|(tag, _)| format!("aggregated_data_{tag}.csv"))
}

fn of_text(name: &str, text: &str) -> HumanScores {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join(name);
    fs::write(&path, text).unwrap();
    read_human_scores(&[HumansFile { path, language: None }], &abc()).unwrap()
}

#[test]
fn every_score_of_the_released_aggregates_is_reproduced() {
    let (Some(ratings), Some(scores)) = (annotators(), aggregated()) else { return };
    let here = read_human_scores(&ratings, &abc()).unwrap();
    let there = read_human_scores(&scores, &abc()).unwrap();
    let people: Vec<_> = here.languages.iter().map(|one| one.annotators).collect();
    assert_eq!(people, [34, 36, 41, 40].map(Some));
    let (found, compared, largest) = differences(&here, &there, 1e-6);
    assert_eq!(compared, 3840);
    assert!(largest < 5e-9, "{largest}");
    // Where the release has 999 although somebody rated: non-shared groups away from home with one to three annotators.
    assert_eq!(found.len(), 96 + 192 + 224 + 160);
    for one in &found {
        let group = abc().groups().iter().find(|group| group.id == one.group).cloned().unwrap();
        assert_eq!((group.category, one.there), (GroupCategory::NonShared, None), "{one:?}");
        assert!((1..=3).contains(&one.annotators.unwrap()), "{one:?}");
    }
    let missing = here.cells.iter().filter(|cell| cell.score.is_none()).count();
    assert_eq!(missing, 256 + 256 + 288 + 224 - found.len());
}

#[test]
fn scores_survive_their_own_table() {
    let Some(files) = annotators() else { return };
    let here = read_human_scores(&files, &abc()).unwrap();
    let again = of_text("scores.csv", &scores_csv(&here));
    assert_eq!(again.cells, here.cells);
    let few = |scores: &HumanScores| {
        let is_few = |warning: &&Warning| matches!(warning, Warning::FewAnnotators { .. });
        scores.warnings.iter().filter(is_few).map(ToString::to_string).collect::<Vec<_>>()
    };
    assert_eq!(few(&again), few(&here));
    assert_eq!(
        few(&here)[3],
        "hi: fewer than 5 people rated asian-person (4), immigrant (1), mormon (3), puerto-rican (3), \
         muscovite (2), chechen (1), shanghainese-person (1)"
    );
}

#[test]
fn a_score_is_the_mean_of_what_lies_on_its_side() {
    let ratings = "language,participant,group,pair,rating\nen,A,man,cold - warm,-20\nen,B,man,cold - warm,10\n\
                   en,C,man,cold - warm,-10\nen,A,woman,cold - warm,50\n";
    let scores = of_text("r.csv", ratings);
    let cell = |group: &str, pole: &str| {
        scores.cells.iter().find(|cell| cell.group.as_str() == group && cell.pole.as_str() == pole).unwrap()
    };
    let cold = cell("man", "cold");
    assert_eq!((cold.annotators, cold.score), (Some(3), Some(10.0)));
    // scipy.stats.sem([20, 0, 10]); scipy.stats.t.interval(0.95, 2, 10, sem), SciPy 1.17.1: cut at 0
    assert!((cold.std_error.unwrap() - 5.773_502_691_896_258).abs() < 1e-12);
    let interval = cold.interval.unwrap();
    assert!(interval.low == 0.0 && (interval.high - 34.841_377_117_503_31).abs() < 1e-9, "{interval:?}");
    let warm = cell("woman", "warm");
    assert_eq!(
        (warm.annotators, warm.score, warm.std_error, warm.interval),
        (Some(1), Some(50.0), None, None)
    );
    let nobody = cell("lesbian", "warm");
    assert_eq!((nobody.annotators, nobody.score, nobody.std_error), (Some(0), None, None));
    // Only one pair was asked about: no cell says anything of the others.
    assert_eq!(scores.cells.len(), 60);
    let said: Vec<String> = scores.warnings.iter().map(ToString::to_string).collect();
    assert_eq!(
        said,
        [
            "en: rated on fewer than 16 trait pairs: A of man (1), A of woman (1), B of man (1), C of man (1); what is there \
             counts",
            "en: annotators with more or fewer than 4 groups: A (2), B (1), C (1); all count",
            "en: fewer than 5 people rated man (3), woman (1)",
        ]
    );
}

#[test]
fn a_trait_that_one_language_lacks_and_a_failed_check_are_said() {
    let ratings = "language,participant,group,pair,rating,attention_passed\nen,A,man,cold - warm,1,false\n\
                   en,A,man,poor - wealthy,1,false\nru,A,man,cold - warm,1,true\nde,A,man,cold - warm,1,\n";
    let said: Vec<String> = of_text("r.csv", ratings).warnings.iter().map(ToString::to_string).collect();
    let has = |text: &str| said.iter().any(|one| one == text);
    assert!(
        has("en: failed an attention check: A; their ratings count until their rows are taken out"),
        "{said:?}"
    );
    assert!(has("de: the inventory `abc` has no such language"), "{said:?}");
    let lacking = "nothing about poor, wealthy, which other people were asked about; these cells take no part in comparisons";
    assert!(has(&format!("ru: {lacking}")) && has(&format!("de: {lacking}")), "{said:?}");
}

#[test]
fn correlations_are_those_of_scipy() {
    let Some(files) = annotators() else { return };
    let scores = read_human_scores(&files, &abc()).unwrap();
    // correlations.py beside this file: mean over pairs of languages, pooled, mean over groups; by category.
    let (poles, pairs) = (Unit::Poles, Unit::Pairs);
    let (drop, zero) = (MissingCells::Drop, MissingCells::Zero);
    let expected = [
        (
            poles,
            drop,
            [
                [0.667_080_843_003, 0.654_158_962_511, 0.637_401_401_455],
                [0.538_140_369_187, 0.535_192_937_200, 0.501_831_573_642],
                [0.357_321_203_519, 0.335_821_293_318, 0.288_555_063_304],
            ],
        ),
        (
            poles,
            zero,
            [
                [0.667_080_843_003, 0.654_158_962_511, 0.637_401_401_455],
                [0.538_140_369_187, 0.535_192_937_200, 0.501_831_573_642],
                [0.279_282_235_404, 0.256_981_996_907, 0.288_555_063_304],
            ],
        ),
        (
            pairs,
            drop,
            [
                [0.724_951_246_053, 0.681_930_419_518, 0.698_511_308_656],
                [0.622_647_896_517, 0.562_697_436_330, 0.557_539_497_049],
                [0.391_201_578_137, 0.356_081_444_394, 0.399_351_699_773],
            ],
        ),
        (
            pairs,
            zero,
            [
                [0.724_951_246_053, 0.681_930_419_518, 0.698_511_308_656],
                [0.622_647_896_517, 0.562_697_436_330, 0.557_539_497_049],
                [0.313_367_517_958, 0.286_658_988_466, 0.399_351_699_773],
            ],
        ),
    ];
    for (unit, missing, expected) in expected {
        for (column, over) in [Over::LanguagePairs, Over::Pooled, Over::Groups].into_iter().enumerate() {
            let reading = Reading { unit, missing, over, ranks: false };
            let rows = category_correlations(&scores, &abc(), reading, 20, Seed(1));
            for (category, row) in rows.iter().filter(|row| row.between.is_none()).enumerate() {
                let (found, expected) = (row.r.unwrap(), expected[category][column]);
                assert!((found - expected).abs() < 1e-9, "{}: {found} {expected}", row.recipe);
            }
        }
    }
    let ranks = Reading { ranks: true, ..Reading::default() };
    let rows = category_correlations(&scores, &abc(), ranks, 20, Seed(1));
    let overall: Vec<f64> = rows.iter().filter(|row| row.between.is_none()).filter_map(|row| row.r).collect();
    for (found, expected) in overall.iter().zip([0.575_856_966_629, 0.460_994_511_477, 0.292_948_361_044]) {
        // Means that are equal on paper differ in their last bit with the order of the sum, and so do their ranks.
        assert!((found - expected).abs() < 1e-4, "{found} {expected}");
    }
}

#[test]
fn the_default_reading_has_every_pair_of_languages_with_an_interval_around_it() {
    let Some(files) = annotators() else { return };
    let scores = read_human_scores(&files, &abc()).unwrap();
    let rows = category_correlations(&scores, &abc(), Reading::default(), 500, Seed::default());
    assert_eq!(rows.len(), 3 * 7);
    let by_languages: Vec<f64> = rows[..6].iter().filter_map(|row| row.r).collect();
    let expected = [
        0.673_833_968_028,
        0.732_562_057_323,
        0.586_581_701_829,
        0.785_173_832_791,
        0.580_684_385_949,
        0.643_649_112_100,
    ];
    for (found, expected) in by_languages.iter().zip(expected) {
        assert!((found - expected).abs() < 1e-9, "{found} {expected}");
    }
    for row in &rows {
        let (r, interval) = (row.r.unwrap(), row.interval.unwrap());
        assert!(interval.low < r && r < interval.high && interval.high - interval.low < 1.0, "{row:?}");
    }
    assert_eq!((rows[0].n, rows[6].n), (320, 6 * 320));
    let again = category_correlations(&scores, &abc(), Reading::default(), 500, Seed::default());
    assert_eq!(rows, again);
}

#[test]
fn nothing_is_correlated_where_nothing_is_shared() {
    let ratings =
        "language,participant,group,pair,rating\nen,A,man,cold - warm,1\nru,A,woman,cold - warm,1\n";
    let scores = of_text("r.csv", ratings);
    for reading in Reading::all() {
        for row in category_correlations(&scores, &abc(), reading, 20, Seed(1)) {
            let is_known = row.r.is_some() || row.interval.is_some() || row.n > 0;
            assert!(!is_known || reading.missing == MissingCells::Zero, "{row:?}");
        }
    }
}

#[test]
fn agreement_and_straight_lines_of_the_study() {
    let Some(files) = annotators() else { return };
    let humans = read_humans(&files, &abc()).unwrap();
    // Mean of scipy.stats.pearsonr over pairs of annotators (SciPy 1.17.1), ICC(1) and ICC(1, k) by NumPy 2.4.6.
    let expected = [
        (335, 0.389_127_872_867, 0.429_740_017_073, 0.803_867_335_614),
        (353, 0.433_522_103_206, 0.450_608_977_401, 0.808_310_236_078),
        (539, 0.424_109_812_396, 0.440_009_743_451, 0.821_403_259_538),
        (502, 0.275_137_191_761, 0.316_849_039_544, 0.725_925_633_673),
    ];
    for (found, (pairs, r, one, mean)) in agreement(&humans).iter().zip(expected) {
        assert_eq!(found.pairs, pairs, "{found:?}");
        for (found, expected) in [(found.r, r), (found.icc_one, one), (found.icc_mean, mean)] {
            assert!((found.unwrap() - expected).abs() < 1e-9, "{found:?} {expected}");
        }
    }
    let doubts: Vec<String> = doubtful(&humans)
        .iter()
        .filter(|doubt| doubt.group.is_some())
        .map(|doubt| format!("{} {}: {}", doubt.language, doubt.annotator, doubt.what))
        .collect();
    for expected in [
        "en Annotator20: all 16 ratings are −50 or 50",
        "ru Annotator26: all 16 ratings are −50 or 50",
        "zh Annotator31: 15 of 16 ratings are 0",
        "hi Annotator22: 16 of 16 ratings are 1",
    ] {
        assert!(doubts.iter().any(|doubt| doubt == expected), "{expected}: {doubts:#?}");
    }
    assert_eq!(aggregate(&humans, &abc()).cells.len(), 3840);
}
