//! A whole run without weights: plan, score, kill, resume, analyse.

#![allow(clippy::unwrap_used)] // a failed helper is a failed test

use std::fs;
use std::path::Path;

use stereometer_audit::{Asker, AuditError, Plan, PlanSettings, Settings, analyse, score};
use stereometer_core::{
    Average, Estimate, Language, Method, Outcome, Rule, Seed, TemplateChoice, Unscorable,
};
use stereometer_data::{Packs, StereotypeSet, open, read_bytes};
use stereometer_lm::{CausalLm, LoadedLm, MockLm};
use stereometer_record::{
    FORMAT_VERSION, ItemRecord, ModelIdentity, Progress, RecordError, RunDirectory, RunSpec, Tally,
};
use stereometer_testkit::byte_tokenizer;

struct Silent;

impl Progress for Silent {
    fn advance(&mut self, _: Tally) {}
}

fn model(weights: &str) -> ModelIdentity {
    ModelIdentity {
        name: "mock".to_owned(),
        architecture: "mock".to_owned(),
        parameters: 0,
        weights_sha256: weights.to_owned(),
        tokenizer_sha256: "bytes".to_owned(),
        prefix_ids: vec![0],
        chat: None,
        stored_dtype: "f32".to_owned(),
        compute_dtype: "f32".to_owned(),
        context_length: 1000,
        backend: "mock".to_owned(),
        origin: "a test".to_owned(),
        licence: None,
    }
}

fn plan(set: &StereotypeSet, languages: &str, template: TemplateChoice, weights: &str) -> Plan {
    let packs = Packs::builtin().unwrap();
    let languages = packs.select(languages, &set.languages()).unwrap();
    let settings = PlanSettings {
        languages,
        template,
        sources_per_stereotype: None,
        limit: None,
        seed: Seed::default(),
        method: Method::Likelihood,
    };
    Plan::new(set, &packs, &settings, model(weights)).unwrap()
}

fn mini() -> StereotypeSet {
    open("mini", None, &Packs::builtin().unwrap()).unwrap()
}

fn spec(plan: &Plan) -> RunSpec {
    RunSpec {
        format_version: FORMAT_VERSION,
        tool_version: "test".to_owned(),
        started: "2026-01-01T00:00:00Z".to_owned(),
        command: Vec::new(),
        identity: plan.identity.clone(),
        threads: 1,
        batch_tokens: 100,
        rule: Rule::Mean,
        average: Average::Geometric,
        seed: Seed::default(),
        resamples: 200,
        min_items: 10,
        n_items: plan.items.len(),
        warnings: plan.warnings.clone(),
    }
}

fn score_all(plan: &Plan, folder: &Path, batch_tokens: usize) -> Result<String, AuditError> {
    let run = RunDirectory::resume_or_create(folder, spec(plan))?;
    let lm = LoadedLm::Causal(Box::new(MockLm::new(257, 1000)));
    let tokenizer = byte_tokenizer(true);
    let asker = Asker::new(&lm, Method::Likelihood, &tokenizer).unwrap();
    score(&plan.items, &run, &asker, batch_tokens, &mut Silent)?;
    Ok(fs::read_to_string(folder.join("items.jsonl")).unwrap())
}

#[test]
fn whatever_the_batches_the_lines_are_the_same_and_in_item_order() {
    let folder = tempfile::tempdir().unwrap();
    let plan = plan(&mini(), "en,de", TemplateChoice::Both, "a");
    let one = score_all(&plan, &folder.path().join("one"), 1).unwrap();
    let many = score_all(&plan, &folder.path().join("many"), 100_000).unwrap();
    assert_eq!(one, many);
    let ids: Vec<String> =
        one.lines().map(|line| serde_json::from_str::<ItemRecord>(line).unwrap().id).collect();
    let expected: Vec<String> = plan.items.iter().map(|item| item.id.clone()).collect();
    assert_eq!(ids, expected);
}

/// A kill can leave any prefix of the file, cut anywhere.
#[test]
fn a_run_cut_off_anywhere_resumes_to_the_same_file() {
    let folder = tempfile::tempdir().unwrap();
    let plan = plan(&mini(), "en", TemplateChoice::Auto, "a");
    let whole = score_all(&plan, folder.path(), 500).unwrap();
    let path = folder.path().join("items.jsonl");
    let cuts = (0..whole.len()).step_by(whole.len() / 23).chain([whole.len() - 1, whole.len()]);
    for cut in cuts {
        fs::write(&path, &whole.as_bytes()[..cut]).unwrap();
        assert!(score_all(&plan, folder.path(), 300).unwrap() == whole, "cut at {cut}");
    }
}

#[test]
fn a_resume_with_other_weights_set_or_template_is_refused_with_the_reason() {
    let folder = tempfile::tempdir().unwrap();
    let set = mini();
    score_all(&plan(&set, "en", TemplateChoice::Auto, "a"), folder.path(), 500).unwrap();
    let cases = [
        (plan(&set, "en", TemplateChoice::Auto, "b"), "the weights' hash was a, now b"),
        (plan(&set, "en", TemplateChoice::Noun, "a"), "the template was Auto, now Noun"),
        (plan(&set, "en,de", TemplateChoice::Auto, "a"), "the languages were en, now de,en"),
    ];
    for (other, reason) in cases {
        let error = score_all(&other, folder.path(), 500).unwrap_err();
        assert!(matches!(error, AuditError::Record(RecordError::Mismatch { .. })), "{error}");
        assert!(error.to_string().contains(reason), "{error}");
    }
    let path = folder.path().join("items.jsonl");
    let text = fs::read_to_string(&path).unwrap();
    let lines: Vec<&str> = text.lines().skip(1).collect();
    fs::write(&path, lines.join("\n") + "\n").unwrap();
    let error = score_all(&plan(&set, "en", TemplateChoice::Auto, "a"), folder.path(), 500).unwrap_err();
    assert!(matches!(error, AuditError::Record(RecordError::ForeignRow { line: 1, .. })), "{error}");
}

#[test]
fn rows_that_were_edited_doubled_or_cut_short_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let plan = plan(&mini(), "en", TemplateChoice::Auto, "a");
    let whole = score_all(&plan, folder.path(), 500).unwrap();
    let path = folder.path().join("items.jsonl");
    let first = whole.lines().next().unwrap();
    let cases = [
        (format!("{whole}{first}\n"), "twice"),
        (whole.replacen("burst", "broke", 1), "edited"),
        (whole.replacen("\"logprobs\":[null,", "\"logprobs\":[", 1), "unequal numbers"),
        (whole.replacen("\"logprobs\":[null,-", "\"logprobs\":[null,", 1), "above 0"),
        (whole.replacen("\"language\":\"en\"", "\"language\":\"fr\"", 1), "another language"),
    ];
    for (text, word) in cases {
        fs::write(&path, &text).unwrap();
        let error = RunDirectory::open(folder.path()).unwrap().items().unwrap_err();
        assert!(error.to_string().contains(word), "{error}");
        assert!(score_all(&plan, folder.path(), 500).is_err());
        assert_eq!(fs::read_to_string(&path).unwrap(), text);
    }
}

#[test]
fn a_folder_with_files_of_somebody_else_is_left_alone() {
    let folder = tempfile::tempdir().unwrap();
    let plan = plan(&mini(), "en", TemplateChoice::Auto, "a");
    fs::write(folder.path().join("items.jsonl"), "mine").unwrap();
    let error = score_all(&plan, folder.path(), 500).unwrap_err();
    assert!(matches!(error, AuditError::Record(RecordError::Foreign { .. })), "{error}");
    assert_eq!(fs::read_to_string(folder.path().join("items.jsonl")).unwrap(), "mine");
    assert!(!folder.path().join("spec.json").exists());
}

#[test]
fn a_run_is_written_by_one_process() {
    let folder = tempfile::tempdir().unwrap();
    let plan = plan(&mini(), "en", TemplateChoice::Auto, "a");
    let first = RunDirectory::create(folder.path(), spec(&plan)).unwrap();
    let second = RunDirectory::resume_or_create(folder.path(), spec(&plan));
    assert!(matches!(second, Err(RecordError::Locked(_))));
    drop(first);
    assert!(matches!(RunDirectory::create(folder.path(), spec(&plan)), Err(RecordError::Exists(_))));
}

fn set_of(csv: &str) -> StereotypeSet {
    read_bytes("items.en.csv", csv.as_bytes(), &Packs::builtin().unwrap()).unwrap()
}

fn analysed(set: &StereotypeSet, folder: &Path) -> stereometer_record::Results {
    let plan = plan(set, "all", TemplateChoice::Auto, "a");
    score_all(&plan, folder, 500).unwrap();
    let records = RunDirectory::open(folder).unwrap().items().unwrap();
    let languages: Vec<(Language, String)> =
        plan.identity.languages.iter().map(|language| (language.clone(), language.to_string())).collect();
    analyse(&records, &languages, Method::Likelihood, &Settings { resamples: 200, ..Settings::default() })
}

#[test]
fn one_sentence_has_an_estimate_and_no_interval() {
    let folder = tempfile::tempdir().unwrap();
    let results =
        analysed(&set_of("id,stereotype,neutral,masculine,feminine\na,3,I am here.,,\n"), folder.path());
    let language = &results.languages[0];
    assert_eq!(language.stereotypes.len(), 1);
    let q: &Estimate = &language.stereotypes[0].q;
    assert!(q.value > 0.0 && q.std_error.is_none() && q.interval().is_none());
    assert_eq!(language.g_s, None);
    assert!(serde_json::to_string(&results).unwrap().contains("missing-stereotypes"));
}

#[test]
fn equal_and_too_long_variants_are_recorded_with_their_reason() {
    let folder = tempfile::tempdir().unwrap();
    let long = "very ".repeat(300);
    let csv = format!(
        "id,stereotype,neutral,masculine,feminine\na,1,,same,same\nb,1,,{long}long him,{long}long her\nc,9,,he,she\n"
    );
    let set = set_of(&csv);
    let results = analysed(&set, folder.path());
    let rows: Vec<(&str, usize)> =
        results.unscored.iter().map(|row| (row.reason.as_str(), row.count)).collect();
    assert_eq!(rows, [("equal-texts", 1), ("too-long", 1)]);
    let records = RunDirectory::open(folder.path()).unwrap().items().unwrap();
    assert_eq!(records[0].outcome, Outcome::Unscored(Unscorable::EqualTexts));
}

#[test]
fn the_whole_demonstration_set_has_finite_results_for_every_language_and_every_rule() {
    let folder = tempfile::tempdir().unwrap();
    let results = analysed(&mini(), folder.path());
    assert_eq!(results.languages.len(), 30);
    for language in &results.languages {
        assert_eq!(language.stereotypes.len(), 16, "{}", language.language);
        let g_s = language.g_s.as_ref().unwrap();
        let interval = g_s.interval().unwrap();
        assert!(interval.low <= g_s.value && g_s.value <= interval.high, "{}: {g_s:?}", language.language);
        assert_eq!(language.by_rule.len(), 6);
    }
    assert!(results.unscored.is_empty(), "{:?}", results.unscored);
    let json = serde_json::to_string(&results).unwrap();
    assert!(!json.contains("null,\"n\"") && !json.contains("NaN"));
}

#[test]
fn the_mock_answers_like_any_language_model() {
    assert_eq!(MockLm::new(257, 8).info().context_length, 8);
}
