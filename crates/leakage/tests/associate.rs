//! Whole association runs on tiny checkpoints: the reference values of single questions, and what must not matter.

#![allow(clippy::unwrap_used)] // a test that cannot read its golden files fails there

use std::fs;
use std::path::Path;

use serde_json::Value;
use stereometer_core::{AssociationItem, AssociationMethod, BLANK, Outcome, Slug, Subject, Unscorable};
use stereometer_engine::{LoadOptions, LoadedAny, load_any};
use stereometer_leakage::{AssociationAsker, associate, association_method_for};
use stereometer_record::{
    AssociationDirectory, AssociationIdentity, AssociationRecord, AssociationSpec, FORMAT_VERSION,
    InventoryIdentity, ModelIdentity, Progress, RecordError, Tally, TraitAnswer,
};
use stereometer_testkit::golden;

/// Absolute, in nats: the engine computes in f32, the reference in f64.
const TOLERANCE: f64 = 1e-4;

struct Silent;

impl Progress for Silent {
    fn advance(&mut self, _: Tally) {}
}

fn loaded(name: &str) -> LoadedAny {
    load_any(&golden(&format!("models/{name}")), &LoadOptions::default()).unwrap_or_else(|e| panic!("{e}"))
}

fn slug(text: &str) -> Slug {
    text.parse().unwrap()
}

fn item(number: usize, language: &str, subject: Subject, text: &str, words: &[&str]) -> AssociationItem {
    let (language, template, form) =
        (language.parse().unwrap(), slug(&format!("template-{number}")), slug("plural"));
    AssociationItem {
        id: AssociationItem::id_of(&language, &template, &form, &subject),
        language,
        template,
        kind: slug("number"),
        form,
        subject,
        text: text.to_owned(),
        traits: (0..)
            .zip(words)
            .map(|(at, word)| (slug(&format!("pole-{at}")), (*word).to_owned()))
            .collect(),
    }
}

fn spec(items: &[AssociationItem], method: AssociationMethod) -> AssociationSpec {
    let none = String::new;
    let model = ModelIdentity {
        name: "tiny".to_owned(),
        architecture: none(),
        parameters: 1,
        weights_sha256: none(),
        tokenizer_sha256: none(),
        prefix_ids: Vec::new(),
        chat: None,
        stored_dtype: none(),
        compute_dtype: none(),
        context_length: 64,
        backend: "engine".to_owned(),
        origin: none(),
        licence: None,
    };
    let inventory = InventoryIdentity {
        name: "toy".to_owned(),
        version: "1".to_owned(),
        origin: none(),
        licence: None,
        files: Vec::new(),
    };
    let association = AssociationIdentity {
        model,
        inventory,
        languages: Vec::new(),
        method,
        subset: None,
        items_sha256: none(),
    };
    AssociationSpec {
        format_version: FORMAT_VERSION,
        tool_version: "0".to_owned(),
        started: "2026-11-30T00:00:00Z".to_owned(),
        command: Vec::new(),
        association,
        threads: 1,
        batch_tokens: 1,
        n_items: items.len(),
        warnings: Vec::new(),
    }
}

fn fill(
    model: &LoadedAny,
    asked: Option<AssociationMethod>,
    items: &[AssociationItem],
    batch_tokens: usize,
    folder: &Path,
) -> Vec<AssociationRecord> {
    let method = association_method_for(model.lm.kind(), asked).unwrap();
    let asker = AssociationAsker::new(&model.lm, method, &model.tokenizer, items).unwrap();
    let run = AssociationDirectory::resume_or_create(folder, spec(items, method)).unwrap();
    associate(items, &run, &asker, batch_tokens, &mut Silent).unwrap();
    run.items().unwrap()
}

fn rows(
    model: &LoadedAny,
    asked: Option<AssociationMethod>,
    items: &[AssociationItem],
) -> Vec<AssociationRecord> {
    fill(model, asked, items, 2048, tempfile::tempdir().unwrap().path())
}

fn expected(name: &str, key: &str) -> Vec<Value> {
    let text = fs::read_to_string(golden(&format!("expected/{name}.json"))).unwrap();
    serde_json::from_str::<Value>(&text).unwrap()[key].as_array().unwrap().clone()
}

/// The reference's questions as items, one trait each.
fn reference_items(cases: &[Value], blank: &str) -> Vec<AssociationItem> {
    let text = |case: &Value, key: &str| case[key].as_str().unwrap().to_owned();
    (0..)
        .zip(cases)
        .map(|(number, case)| {
            let template = text(case, "template").replace(blank, BLANK);
            item(number, "en", Subject::Group(slug("group")), &template, &[&text(case, "trait")])
        })
        .collect()
}

fn answer(row: &AssociationRecord) -> Result<&TraitAnswer, &Unscorable> {
    match &row.traits[0].outcome {
        Outcome::Scored(answer) => Ok(answer),
        Outcome::Unscored(reason) => Err(reason),
    }
}

fn mean(values: &[f32]) -> f64 {
    values.iter().map(|&value| f64::from(value)).sum::<f64>() / values.len() as f64
}

#[test]
fn set_in_a_run_is_the_reference() {
    let mut defined = 0;
    for name in ["bert", "bert-small"] {
        let cases = expected(name, "set_cases");
        for (row, case) in rows(&loaded(name), None, &reference_items(&cases, "<mask>")).iter().zip(&cases) {
            match (answer(row), case["sum_log_one_minus"].as_f64()) {
                (Ok(TraitAnswer::Steps { norms, .. }), Some(sum)) => {
                    let found: f64 = norms.iter().map(|norm| (-norm).ln_1p()).sum();
                    assert!((found - sum).abs() < 1e-3, "{name}: {found} {sum}");
                    let pieces = case["pieces"].as_array().unwrap();
                    for (norm, piece) in norms.iter().zip(pieces) {
                        assert!((norm - piece["frobenius"].as_f64().unwrap()).abs() < TOLERANCE);
                    }
                    defined += 1;
                }
                (Err(reason), None) => assert_eq!(*reason, Unscorable::SensitivityUndefined),
                other => panic!("{name}: {other:?}"),
            }
        }
    }
    assert!(defined > 3, "{defined}");
}

#[test]
fn ilps_in_a_run_is_the_reference() {
    for (name, scored) in [("mt5", 4), ("t5", 4)] {
        let cases = expected(name, "cases");
        let mut n = 0;
        for (row, case) in
            rows(&loaded(name), None, &reference_items(&cases, "<extra_id_0>")).iter().zip(&cases)
        {
            let TraitAnswer::LogProbs { logprobs, pieces, .. } = (match answer(row) {
                Ok(answer) => answer,
                Err(reason) => {
                    assert_eq!(*reason, Unscorable::UnknownToken, "{name}: {case}");
                    continue;
                }
            }) else {
                panic!("{row:?}")
            };
            // Without a space before it mT5's sentinel is lost: a space is put there, as in the case with one.
            if case["lang"] != "zh-nospace" {
                let (all, own) = (mean(logprobs), mean(&logprobs[pieces.0..pieces.1]));
                assert!((all - case["mean"].as_f64().unwrap()).abs() < TOLERANCE, "{name}: {case}");
                assert!((own - case["trait_mean"].as_f64().unwrap()).abs() < TOLERANCE, "{name}: {case}");
            }
            n += 1;
        }
        assert!(n >= scored, "{name}: {n}");
    }
}

fn toy(words: &[&str]) -> Vec<AssociationItem> {
    let group = |name: &str| Subject::Group(slug(name));
    vec![
        item(1, "en", Subject::Prior, &format!("People are {BLANK}."), words),
        item(1, "en", group("man"), &format!("Men are {BLANK}."), words),
        item(1, "en", group("woman"), &format!("Women are {BLANK}."), words),
        item(2, "en", Subject::Prior, &format!("Very {BLANK} are people."), words),
        item(2, "en", group("woman"), &format!("Very {BLANK} are women."), words),
        item(3, "de", group("woman"), &format!("Frauen gelten als {BLANK}, oder?"), words),
    ]
}

const WORDS: [&str; 4] = ["kind", "kindly", "powerful and rich", "poor"];

#[test]
fn batches_neighbours_and_a_kill_change_no_bit() {
    for (name, method) in [
        ("bert", None),
        ("bert", Some(AssociationMethod::Pll)),
        ("mt5", None),
        ("llama", None),
        ("qwen2", Some(AssociationMethod::Choice)),
    ] {
        let (model, items) = (loaded(name), toy(&WORDS));
        let folder = tempfile::tempdir().unwrap();
        let whole = fill(&model, method, &items, 5000, folder.path());
        let bytes = fs::read(folder.path().join("items.jsonl")).unwrap();
        for batch_tokens in [1, 60] {
            let folder = tempfile::tempdir().unwrap();
            assert_eq!(fill(&model, method, &items, batch_tokens, folder.path()), whole, "{name}");
            // A kill in the middle of a row.
            let path = folder.path().join("items.jsonl");
            fs::write(&path, &bytes[..bytes.len() * batch_tokens / 90]).unwrap();
            assert_eq!(fill(&model, method, &items, 200, folder.path()), whole, "{name}");
            assert_eq!(fs::read(&path).unwrap(), bytes, "{name}");
        }
        for (at, word) in WORDS.iter().enumerate() {
            let alone = fill(&model, method, &toy(&[word]), 5000, tempfile::tempdir().unwrap().path());
            for (alone, row) in alone.iter().zip(&whole) {
                assert_eq!(alone.traits[0].outcome, row.traits[at].outcome, "{name}: {}", row.id);
            }
        }
    }
}

#[test]
fn a_causal_model_is_asked_for_the_trait_after_the_group_and_for_nothing_else() {
    let (model, items) = (loaded("llama"), toy(&WORDS));
    let found = rows(&model, None, &items);
    for (item, row) in items.iter().zip(&found) {
        let inverted = item.template == slug("template-2") && item.subject != Subject::Prior;
        for (one, word) in row.traits.iter().zip(WORDS) {
            if inverted {
                assert_eq!(one.outcome, Outcome::Unscored(Unscorable::GroupAfterTrait), "{}", row.id);
                continue;
            }
            let Outcome::Scored(TraitAnswer::LogProbs { token_ids, logprobs, pieces }) = &one.outcome else {
                panic!("{one:?}")
            };
            assert_eq!((*pieces, token_ids.len()), ((0, logprobs.len()), logprobs.len()));
            // The same tokens within the whole sentence, asked for as a text.
            let stereometer_lm::LoadedLm::Causal(lm) = &model.lm else { panic!() };
            let whole = model.tokenizer.encode(&item.text.replace(BLANK, word)).unwrap().ids;
            let answer = &lm.sequence_logprobs(std::slice::from_ref(&whole)).unwrap()[0];
            let at = whole.windows(token_ids.len()).position(|ids| ids == token_ids.as_slice()).unwrap();
            let same: Vec<f32> =
                answer.logprobs[at..at + token_ids.len()].iter().copied().flatten().collect();
            assert_eq!(same, *logprobs, "{}: {word}", row.id);
        }
    }
}

#[test]
fn another_method_or_inventory_is_refused_and_a_model_does_only_what_it_can() {
    let (model, items) = (loaded("bert"), toy(&WORDS));
    let folder = tempfile::tempdir().unwrap();
    fill(&model, None, &items, 100, folder.path());
    let other = AssociationDirectory::resume_or_create(folder.path(), spec(&items, AssociationMethod::Pll));
    let RecordError::Mismatch { differences, .. } = other.unwrap_err() else { panic!() };
    assert_eq!(differences, ["the method was set, now pll"]);
    let error = association_method_for(model.lm.kind(), Some(AssociationMethod::Ilps)).unwrap_err();
    assert_eq!(
        error.to_string(),
        "the method `ilps` is for encoder–decoder language models, this one is masked"
    );
    let error = stereometer_record::RunDirectory::open(folder.path()).unwrap_err().to_string();
    assert!(error.ends_with("a run of associations (`associate`), not an audit"), "{error}");
}
