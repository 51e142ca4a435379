//! Where there is little to say: every number is finite, and what is absent has its reason.

#![allow(clippy::unwrap_used)] // a failed helper is a failed test

use stereometer_core::{Estimate, Language, StereotypeId, Verdict, Warning};
use stereometer_record::{LanguageResult, Results, StereotypeResult};

use little::{CASES, gaps, level, one_sentence_each, record, results, sentences, whole};

mod little;

fn id(number: u16) -> StereotypeId {
    number.try_into().unwrap()
}

fn language(results: &Results, tag: &str) -> LanguageResult {
    results.languages.iter().find(|one| one.language.as_str() == tag).unwrap().clone()
}

fn cell(language: &LanguageResult, number: u16) -> StereotypeResult {
    language.stereotypes.iter().find(|cell| cell.stereotype == id(number)).unwrap().clone()
}

fn has_interval(estimate: Option<&Estimate>) -> bool {
    estimate.unwrap().interval().is_some()
}

fn close(a: f64, b: f64) -> bool {
    (a - b).abs() < 1e-12
}

#[test]
fn every_number_is_finite() {
    for (case, records) in CASES {
        let shown = format!("{:?}", results(&records()));
        for word in shown.split(|c: char| !c.is_alphanumeric()) {
            assert!(!["NaN", "inf"].contains(&word), "{case}: {shown}");
        }
    }
}

#[test]
fn a_stereotype_that_a_language_lacks_is_left_out_by_name() {
    let results = results(&gaps());
    let (german, french) = (language(&results, "de"), language(&results, "fr"));
    assert_eq!((german.stereotypes.len(), french.stereotypes.len()), (16, 15));
    assert!(has_interval(french.g_s.as_ref()) && has_interval(french.default_masculine_rate.as_ref()));
    assert_eq!(french.sources.absent, 12 + 9);
    let french: Language = "fr".parse().unwrap();
    assert!(
        results
            .warnings
            .contains(&Warning::MissingStereotypes { language: french.clone(), stereotypes: vec![id(7)] })
    );
    for one in &results.stereotypes {
        let is_seventh = one.stereotype == id(7);
        assert_eq!(one.languages, if is_seventh { 1 } else { 2 });
        assert_eq!(one.missing, if is_seventh { vec![french.clone()] } else { Vec::new() });
    }
    let seventh = &results.stereotypes[6];
    assert_eq!(seventh.inclination, cell(&german, 7).inclination);
    let of_both = results.languages.iter().map(|one| one.g_s.as_ref().unwrap().value).sum::<f64>() / 2.0;
    assert!(close(results.mean_g_s.unwrap().value, of_both));
}

#[test]
fn a_stereotype_with_three_sentences_is_kept_and_marked() {
    let results = results(&gaps());
    let french = language(&results, "fr");
    let fourth = cell(&french, 4);
    assert_eq!((fourth.n, fourth.few), (3, true));
    assert!(has_interval(Some(&fourth.q)) && has_interval(fourth.inclination.as_ref()));
    assert!(french.stereotypes.iter().all(|cell| cell.few == (cell.stereotype == id(4))));
    let stereotypes = vec![id(4)];
    let warning = Warning::FewItems { language: french.language, stereotypes, min_items: 10 };
    assert!(results.warnings.contains(&warning), "{:?}", results.warnings);
}

#[test]
fn one_sentence_each_gives_values_and_no_uncertainty() {
    let results = results(&one_sentence_each());
    for language in &results.languages {
        let whole = [&language.g_s, &language.default_masculine_rate, &language.g_s_arithmetic];
        assert!(whole.into_iter().all(|one| !has_interval(one.as_ref())), "{language:?}");
        assert_eq!((language.g_s_test, language.stereotypes.len()), (None, 16));
        for cell in &language.stereotypes {
            assert!(!has_interval(Some(&cell.q)) && !has_interval(Some(&cell.rank)), "{cell:?}");
            assert!(!has_interval(cell.inclination.as_ref()), "{cell:?}");
            assert_eq!((cell.q.n, cell.q.std_error, cell.inclination_test), (1, None, None));
        }
    }
    assert!(!has_interval(results.mean_g_s.as_ref()));
    for one in &results.stereotypes {
        assert!(!has_interval(one.inclination.as_ref()));
        assert_eq!((one.languages, one.towards, one.against), (2, 0, 0));
    }
}

/// Rounding in the last digits is neither a rank nor a leaning nor evidence.
#[test]
fn equal_rates_lean_nowhere() {
    for nats in [0.75_f32, 0.0] {
        let rate = 1.0 / (1.0 + (-f64::from(nats) / 2.0).exp());
        let results = results(&level(nats));
        for language in &results.languages {
            let g_s = language.g_s.as_ref().unwrap();
            assert!(close(g_s.value, 1.0) && Verdict::of(g_s, 1.0) == Verdict::Open, "{g_s:?}");
            assert_eq!(language.g_s_test, None);
            assert_eq!(language.token_counts.as_ref().unwrap().correlation, None);
            for cell in &language.stereotypes {
                assert!(close(cell.q.value, rate), "{cell:?}");
                assert!(close(cell.rank.value, 8.5), "{cell:?}");
                let rank = cell.rank.interval().unwrap();
                assert_eq!((rank.low, rank.high), (1.0, 16.0), "nothing tells them apart: {cell:?}");
                let inclination = cell.inclination.as_ref().unwrap();
                assert!(close(inclination.value, 0.0), "{cell:?}");
                assert_eq!(Verdict::of(inclination, 0.0), Verdict::Open);
                assert_eq!(cell.inclination_test, None, "{cell:?}");
            }
        }
        assert!(results.stereotypes.iter().all(|one| (one.towards, one.against) == (0, 0)));
    }
}

/// Two sentences differ and all others are alike: still a leaning, and a tie of the rest.
#[test]
fn a_difference_among_equals_is_seen() {
    let mut records = level(0.0);
    for (place, nats) in [(0, 0.5), (1, 0.75)] {
        let changed = record("de", 16, place, nats);
        let place = records.iter().position(|record| record.id == changed.id).unwrap();
        records[place] = changed;
    }
    let german = language(&results(&records), "de");
    assert!(close(cell(&german, 16).rank.value, 1.0) && close(cell(&german, 1).rank.value, 9.0));
    assert!(cell(&german, 16).inclination_test.is_some() && german.g_s_test.is_some());
}

#[test]
fn the_mean_over_one_language_is_that_language() {
    let results = results(&whole("de", 12));
    let german = language(&results, "de");
    assert_eq!(results.mean_g_s, german.g_s);
    for (one, cell) in results.stereotypes.iter().zip(&german.stereotypes) {
        assert_eq!((one.languages, &one.inclination), (1, &cell.inclination));
        assert!(one.missing.is_empty() && one.towards + one.against <= 1);
    }
    let test = german.g_s_test.unwrap();
    assert!(close(test.p, test.holm) && close(test.p, test.bh), "one test is as it is: {test:?}");
}

/// A stereotype cannot be compared with itself: its distance from its own rate is not a finding of 0.
#[test]
fn one_stereotype_has_a_rate_and_no_inclination() {
    let results = results(&sentences("de", 3, 12));
    let german = language(&results, "de");
    let [only] = german.stereotypes.as_slice() else { panic!("{german:?}") };
    assert!(has_interval(Some(&only.q)) && close(only.rank.value, 1.0));
    assert_eq!((&only.inclination, only.inclination_test), (&None, None));
    assert_eq!((&german.g_s, &german.q_masculine, &results.mean_g_s), (&None, &None, &None));
    assert!(has_interval(german.default_masculine_rate.as_ref()));
    assert!(results.stereotypes.is_empty());
    let missing = StereotypeId::all().filter(|one| *one != id(3)).collect();
    assert!(
        results
            .warnings
            .contains(&Warning::MissingStereotypes { language: german.language, stereotypes: missing })
    );
}

/// Stereotypes 15 and 16 are not part of the default masculine rate.
#[test]
fn without_a_default_masculine_rate_there_is_no_inclination() {
    let german = language(&results(&sentences("de", 15, 12)), "de");
    assert_eq!(german.default_masculine_rate, None);
    assert_eq!(german.stereotypes[0].inclination, None);
    let two: Vec<_> = [3, 15].into_iter().flat_map(|one| sentences("de", one, 12)).collect();
    let german = language(&results(&two), "de");
    assert_eq!(cell(&german, 3).inclination, None);
    assert!(has_interval(cell(&german, 15).inclination.as_ref()));
}
