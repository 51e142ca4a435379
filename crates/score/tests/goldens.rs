//! Methods on tiny checkpoints against the reference values: see `golden/models/README.md`.

#![allow(clippy::unwrap_used)] // a test that cannot read its golden files fails there

use serde_json::Value;
use stereometer_core::Unscorable;
use stereometer_engine::{LoadOptions, LoadedAny, load_any};
use stereometer_lm::{LoadedLm, MaskedLm};
use stereometer_score::methods::{ilps, masked_difference, pll, set};
use stereometer_score::set_solver::step;
use stereometer_testkit::golden;

/// Absolute, in nats.
const TOLERANCE: f64 = 1e-4;

fn expected(name: &str) -> Value {
    let text = std::fs::read_to_string(golden(&format!("expected/{name}.json"))).unwrap();
    serde_json::from_str(&text).unwrap()
}

fn loaded(name: &str) -> LoadedAny {
    load_any(&golden(&format!("models/{name}")), &LoadOptions::default()).unwrap_or_else(|e| panic!("{e}"))
}

fn masked(loaded: &LoadedAny) -> &dyn MaskedLm {
    let LoadedLm::Masked(lm) = &loaded.lm else { panic!("not a masked model") };
    lm.as_ref()
}

fn of<T: serde::de::DeserializeOwned>(value: &Value) -> T {
    serde_json::from_value(value.clone()).unwrap()
}

fn list(value: &Value) -> &Vec<Value> {
    value.as_array().unwrap()
}

#[test]
fn the_solver_finds_the_steps_of_a_general_one() {
    for problem in list(&expected("set_solver")["problems"]) {
        let x: Vec<f64> = of(&problem["x"]);
        let matrix: Vec<Vec<f64>> = of(&problem["a"]);
        let product = |row: &Vec<f64>| row.iter().zip(&x).map(|(a, x)| a * x).sum::<f64>();
        let logits: Vec<f64> = matrix.iter().map(product).collect();
        let norm = x.iter().map(|x| x * x).sum::<f64>().sqrt();
        let target = of(&problem["j"]);
        let step = step(&logits, norm, target);
        let delta: Vec<f64> = of(&problem["delta"]);
        assert!((step.norm - of::<f64>(&problem["frobenius"])).abs() < 1e-10, "{problem}");
        assert!((step.target - delta[target]).abs() < 1e-10, "{problem}");
        assert!((step.delta_norm - delta.iter().map(|d| d * d).sum::<f64>().sqrt()).abs() < 1e-10);
        assert_eq!(step.n_active, of::<usize>(&problem["n_active"]), "{problem}");
    }
}

#[test]
fn set_gives_the_reference_steps_and_sums() {
    let (mut n_defined, mut largest) = (0, 0.0_f64);
    for name in ["bert", "bert-small", "bert-hubnames"] {
        let loaded = loaded(name);
        let lm = masked(&loaded);
        for case in list(&expected(name)["set_cases"]) {
            let (template, word): (String, String) = (of(&case["template"]), of(&case["trait"]));
            let context = lm.info().context_length;
            let clozes = set::queries(&template, &word, lm.mask_id(), context, &loaded.tokenizer);
            let clozes = clozes.unwrap().unwrap_or_else(|reason| panic!("{template} {word}: {reason}"));
            assert_eq!(clozes[0].ids, of::<Vec<u32>>(&case["ids"]), "{template} {word}");
            let mut steps = Vec::new();
            lm.look_at_logits(&clozes, &mut |view| steps.push(set::piece(&view))).unwrap();
            assert_eq!(steps.len(), list(&case["pieces"]).len());
            for (step, piece) in steps.iter().zip(list(&case["pieces"])) {
                let difference = (step.norm - of::<f64>(&piece["frobenius"])).abs();
                assert!(difference <= TOLERANCE, "{name} {word}: {difference}");
                largest = largest.max(difference);
                assert_eq!(step.n_active, of::<usize>(&piece["n_active"]));
            }
            match (set::reduce(&steps), of::<Option<f64>>(&case["sum_log_one_minus"])) {
                (Ok(found), Some(value)) => {
                    assert!((found - value).abs() <= TOLERANCE, "{name} {word}");
                    n_defined += 1;
                }
                (found, value) => assert!(
                    found == Err(Unscorable::SensitivityUndefined) && value.is_none(),
                    "{found:?} {value:?}"
                ),
            }
        }
    }
    println!("SeT: largest difference of a norm {largest:.1e}");
    assert!(n_defined > 3);
}

#[test]
fn pll_and_masked_difference_give_the_reference_scores() {
    for name in ["bert", "xlm-roberta", "albert"] {
        let loaded = loaded(name);
        let lm = masked(&loaded);
        let file = expected(name);
        let (context, mask, mut n_scored) = (lm.info().context_length, lm.mask_id(), 0);
        for text in list(&file["texts"]) {
            let kind = pll::PllKind::Original;
            match pll::queries(&of::<String>(&text["text"]), kind, mask, context, &loaded.tokenizer).unwrap()
            {
                Ok(clozes) => {
                    let ids: Vec<u32> = of(&text["ids"]);
                    let found = pll::reduce(&ids, &clozes, &lm.cloze_logprobs(&clozes).unwrap());
                    let mean = found.mean().unwrap();
                    assert!((mean - of::<f64>(&text["mean"])).abs() <= TOLERANCE, "{name}");
                    n_scored += 1;
                }
                Err(reason) => assert!(
                    matches!(reason, Unscorable::UnknownToken | Unscorable::NothingScored),
                    "{name}: {reason}"
                ),
            }
        }
        assert!(n_scored >= 8, "{name}: {n_scored}");
        for pair in list(&file["pairs"]) {
            let texts: [String; 2] = [of(&pair["a"]["text"]), of(&pair["b"]["text"])];
            let query = masked_difference::pair([&texts[0], &texts[1]], mask, context, &loaded.tokenizer);
            let Ok(query) = query.unwrap() else { continue };
            let found = query.reduce(&lm.cloze_logprobs(&query.clozes).unwrap());
            for (answer, key) in [(found.masculine, "mean_a"), (found.feminine, "mean_b")] {
                assert!((answer.mean().unwrap() - of::<f64>(&pair[key])).abs() <= TOLERANCE, "{name}");
            }
        }
    }
}

#[test]
fn ilps_gives_the_reference_means() {
    for name in ["t5", "mt5"] {
        let loaded = loaded(name);
        let LoadedLm::Seq2Seq(lm) = &loaded.lm else { panic!("{name}") };
        let mut n_scored = 0;
        for case in list(&expected(name)["cases"]) {
            let (template, word): (String, String) = (of(&case["template"]), of(&case["trait"]));
            let question = ilps::query(&template, &word, 512, &loaded.tokenizer).unwrap();
            // The reference also scores what holds unknown pieces or a lost sentinel.
            let Ok(question) = question else { continue };
            let answer = &lm.target_logprobs(std::slice::from_ref(&question.pair)).unwrap()[0];
            for (kind, key) in
                [(ilps::IlpsKind::ReleasedCode, "mean"), (ilps::IlpsKind::TraitOnly, "trait_mean")]
            {
                let found = ilps::reduce(kind, &question, answer).unwrap();
                assert!((found - of::<f64>(&case[key])).abs() <= TOLERANCE, "{name} {key}");
            }
            n_scored += 1;
        }
        assert!(n_scored >= 4, "{name}: {n_scored}");
    }
}
