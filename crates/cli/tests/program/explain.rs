//! `explain`.

use serde_json::Value;
use stereometer_testkit::golden;

use crate::{model, run};

fn expected(name: &str) -> Value {
    let text = std::fs::read_to_string(golden(&format!("expected/{name}.json"))).unwrap();
    serde_json::from_str(&text).unwrap()
}

/// The numbers of the line that begins with these words.
fn numbers(stdout: &str, begin: &[&str]) -> Vec<f64> {
    let line = stdout
        .lines()
        .find(|line| line.split_whitespace().take(begin.len()).eq(begin.iter().copied()))
        .unwrap_or_else(|| panic!("{begin:?}: {stdout}"));
    line.split_whitespace().skip(begin.len()).map_while(|word| word.parse().ok()).collect()
}

fn close(found: f64, expected: &Value) -> bool {
    (found - expected.as_f64().unwrap()).abs() < 1e-4
}

#[test]
fn explain_shows_where_a_pair_diverges_and_every_rule() {
    let folder = tempfile::tempdir().unwrap();
    let done = run(
        folder.path(),
        &["explain", "--model", &model("llama"), "“I am here,” he said", "“I am here,” she said"],
    );
    assert_eq!(done.code, 0, "{}", done.stderr);
    assert!(done.stdout.contains("<- first difference"), "{}", done.stdout);
    for rule in ["mean", "sum", "per-byte", "divergence", "released-code", "first-token"] {
        assert!(done.stdout.lines().any(|line| line.starts_with(rule)), "{rule}: {}", done.stdout);
    }
    let equal = run(folder.path(), &["explain", "--model", &model("llama"), "same", "same"]);
    assert_eq!(equal.code, 5);
    assert!(equal.stdout.contains("the two variants are the same text"), "{}", equal.stdout);
}

#[test]
fn a_masked_model_explains_a_pair_by_every_method() {
    let folder = tempfile::tempdir().unwrap();
    for name in ["bert", "xlm-roberta", "roberta"] {
        let file = expected(name);
        let pair = &file["pairs"][0];
        let [a, b] = ["a", "b"].map(|side| pair[side]["text"].as_str().unwrap());
        let done = run(folder.path(), &["explain", "--model", &model(name), a, b]);
        assert_eq!(done.code, 0, "{}", done.stderr);
        for begin in ["pll-original mean", "pll-original per-byte", "pll-within-word sum"] {
            assert_eq!(numbers(&done.stdout, &begin.split(' ').collect::<Vec<_>>()).len(), 3, "{begin}");
        }
        let equal = pair["a"]["ids"].as_array().unwrap().len() == pair["b"]["ids"].as_array().unwrap().len();
        if equal && !pair["mean_a"].is_null() {
            let found = numbers(&done.stdout, &["masked-difference", "mean"]);
            assert!(
                close(found[0], &pair["mean_a"]) && close(found[1], &pair["mean_b"]),
                "{name}: {found:?}"
            );
        }
        assert!(done.stdout.contains("<- first difference"), "{}", done.stdout);
    }
}

#[test]
fn a_masked_model_rolls_pieces_up_to_words_and_says_what_cannot_be_compared() {
    let folder = tempfile::tempdir().unwrap();
    let bert = model("bert");
    let done = run(folder.path(), &["explain", "--model", &bert, "He is powerful.", "She is a good doctor."]);
    let words: Vec<&str> = done.stdout.lines().filter(|line| line.ends_with("  powerful")).collect();
    assert!(words.len() == 1 && words[0].trim_start().starts_with('5'), "{}", done.stdout);
    assert!(
        done.stdout.contains("unscorable: the variants have unequal numbers of tokens (11 and"),
        "{}",
        done.stdout
    );
    let equal = run(folder.path(), &["explain", "--model", &bert, "same", "same"]);
    assert_eq!(equal.code, 5);
    assert!(equal.stdout.ends_with("the two variants are the same text\n"), "{}", equal.stdout);
    assert_eq!(run(folder.path(), &["explain", "--model", &bert, ""]).code, 5);
}

#[test]
fn an_encoder_decoder_explains_words_in_the_blank_of_a_source() {
    let folder = tempfile::tempdir().unwrap();
    for name in ["t5", "mt5"] {
        let file = expected(name);
        let case = &file["cases"][0];
        let [source, word] = ["template", "trait"].map(|key| case[key].as_str().unwrap());
        let done =
            run(folder.path(), &["explain", "--model", &model(name), "--source", source, word, "cold"]);
        assert_eq!(done.code, 0, "{}{}", done.stdout, done.stderr);
        for (method, key) in [("ilps-released-code", "mean"), ("ilps-trait-only", "trait_mean")] {
            let found = numbers(&done.stdout, &[word, method]);
            assert!(close(found[0], &case[key]), "{name}: {found:?}");
            assert_eq!(numbers(&done.stdout, &["cold", method]).len(), 1);
        }
    }
    let lost = "It is<extra_id_0>.";
    let done = run(folder.path(), &["explain", "--model", &model("mt5"), "--source", lost, "cold"]);
    assert_eq!(done.code, 5, "{}", done.stdout);
}

#[test]
fn a_masked_model_explains_how_far_a_word_is_from_the_blank() {
    let folder = tempfile::tempdir().unwrap();
    for name in ["bert", "bert-hubnames"] {
        for case in expected(name)["set_cases"].as_array().unwrap() {
            let [source, word] = ["template", "trait"].map(|key| case[key].as_str().unwrap());
            let done = run(folder.path(), &["explain", "--model", &model(name), "--source", source, word]);
            match case["sum_log_one_minus"].as_f64() {
                Some(_) => {
                    assert_eq!(done.code, 0, "{}{}", done.stdout, done.stderr);
                    let found = numbers(&done.stdout, &[word, "set"]);
                    assert!(close(found[0], &case["sum_log_one_minus"]), "{name}: {found:?}");
                }
                None => assert_eq!(done.code, 5, "{}", done.stdout),
            }
        }
    }
}

#[test]
fn a_source_belongs_to_models_that_fill_blanks_and_has_one() {
    let folder = tempfile::tempdir().unwrap();
    let (t5, bert) = (model("t5"), model("bert"));
    for (arguments, reason) in [
        (&["--model", &t5, "kind"][..], "--source is missing"),
        (&["--model", &t5, "--source", "It is kind.", "kind"], "the source has no blank `<extra_id_0>`"),
        (&["--model", &t5, "--source", "<extra_id_0> is <extra_id_0> .", "kind"], "the source has 2 blanks"),
        (&["--model", &bert, "--source", "It is <extra_id_0>.", "kind"], "the source has no blank `<mask>`"),
        (&["--model", &model("llama"), "--source", "It is <mask>.", "kind"], "this language model is causal"),
    ] {
        let done = run(folder.path(), &[&["explain"], arguments].concat());
        assert_eq!(done.code, 2, "{}", done.stdout);
        assert!(done.stderr.contains(reason), "{}", done.stderr);
    }
}

#[test]
fn decomposed_letters_are_pointed_out() {
    let folder = tempfile::tempdir().unwrap();
    for (text, is_said) in [("\u{e1}", false), ("a\u{301}", true)] {
        let done = run(folder.path(), &["explain", "--model", &model("bert"), text]);
        assert_eq!(done.stderr.contains("not in NFC"), is_said, "{}", done.stderr);
    }
}

#[test]
fn a_text_that_fits_no_context_is_refused_at_once() {
    let folder = tempfile::tempdir().unwrap();
    let book = "very ".repeat(20_000);
    for name in ["llama", "bert"] {
        let done = run(folder.path(), &["explain", "--model", &model(name), &book, "short"]);
        assert_eq!(done.code, 3, "{}", done.stdout);
        assert!(done.stderr.contains("do not fit the context of"), "{}", done.stderr);
    }
    let t5 = ["explain", "--model", &model("t5"), "--source", "It is <extra_id_0> .", &book];
    assert_eq!(run(folder.path(), &t5).code, 5);
}
