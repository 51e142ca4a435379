//! `--chat-template`: texts inside the model's own template.

use std::fs;
use std::path::Path;

use serde_json::{Value, json};
use stereometer_testkit::golden;

use crate::{model, run};

pub(crate) const TEMPLATE: &str = "{{ bos_token }}{% for turn in messages %}{{ '[' + turn.role + '] ' + turn.content + eos_token }}{% endfor %}";

/// A tiny checkpoint with this template.
pub(crate) fn with_template(folder: &Path, template: &str) -> String {
    let checkpoint = folder.join("model");
    fs::create_dir_all(&checkpoint).unwrap();
    for file in fs::read_dir(golden("models/llama-f16")).unwrap() {
        let file = file.unwrap();
        fs::copy(file.path(), checkpoint.join(file.file_name())).unwrap();
    }
    fs::write(checkpoint.join("chat_template.jinja"), template).unwrap();
    "model".to_owned()
}

fn logprobs(folder: &Path, arguments: &[&str], text: &str) -> Value {
    fs::write(folder.join("in.jsonl"), json!({"id": 1, "text": text}).to_string()).unwrap();
    let done = run(folder, &[&["logprobs", "--input", "in.jsonl"], arguments].concat());
    serde_json::from_str(&done.stdout).unwrap_or_else(|_| panic!("{} {}", done.code, done.stderr))
}

#[test]
fn only_the_text_is_scored_and_its_numbers_are_those_of_the_whole_string() {
    let folder = tempfile::tempdir().unwrap();
    let name = with_template(folder.path(), TEMPLATE);
    for (role, before) in
        [("--chat-template", "<s>[user] </s>[assistant] "), ("--chat-template=user", "<s>[user] ")]
    {
        let inside = logprobs(folder.path(), &["--model", &name, role], "She was tired");
        // The plain tokenizer would put its own BOS before the one that is spelt out.
        let whole = format!("{}She was tired", before.strip_prefix("<s>").unwrap());
        let plain = logprobs(folder.path(), &["--model", &name], &format!("<s>{whole}"));
        let (inside_ids, plain_ids) =
            (inside["token_ids"].as_array().unwrap(), plain["token_ids"].as_array().unwrap());
        assert!(inside_ids[..2] != [json!(1), json!(1)], "one BOS");
        assert_eq!(*inside_ids, plain_ids[1..], "{role}");
        let scored = inside["logprobs"].as_array().unwrap().iter().filter(|value| !value.is_null()).count();
        assert_eq!(inside["n_scored"], scored);
        assert!(scored < inside_ids.len() && inside["logprobs"][inside_ids.len() - scored].is_number());
    }
    let altered = logprobs(
        folder.path(),
        &[
            "--model",
            &with_template(folder.path(), &TEMPLATE.replace("turn.content", "turn.content.strip()")),
            "--chat-template",
        ],
        " She was tired",
    );
    assert_eq!(altered["error"], "the chat template alters the text");
}

#[test]
fn the_template_is_part_of_the_run() {
    let folder = tempfile::tempdir().unwrap();
    let name = with_template(folder.path(), TEMPLATE);
    let audit = |more: &[&str]| {
        let base = [
            "audit",
            "--model",
            &name,
            "--languages",
            "fr",
            "--limit",
            "4",
            "--resamples",
            "20",
            "--out",
            "r",
        ];
        run(folder.path(), &[&base[..], more].concat())
    };
    let done = audit(&["--chat-template"]);
    assert_eq!(done.code, 0, "{}", done.stderr);
    let spec: Value =
        serde_json::from_str(&fs::read_to_string(folder.path().join("r/spec.json")).unwrap()).unwrap();
    let chat = &spec["identity"]["model"]["chat"];
    assert_eq!((&chat["role"], &chat["before"]), (&json!("assistant"), &json!("<s>[user] </s>[assistant] ")));
    let page = fs::read_to_string(folder.path().join("r/report/index.html")).unwrap();
    assert!(
        page.contains("texts as the assistant&#39;s turn") || page.contains("texts as the assistant's turn")
    );
    let refused = audit(&["--resume"]);
    assert_eq!(refused.code, 2);
    assert!(
        refused.stderr.contains("the chat template was texts as the assistant's turn"),
        "{}",
        refused.stderr
    );
    assert!(refused.stderr.contains("now none (plain text)"), "{}", refused.stderr);
    assert_eq!(audit(&["--resume", "--chat-template=user"]).code, 2);
    assert_eq!(audit(&["--resume", "--chat-template"]).code, 0);
    let verified = run(folder.path(), &["verify", "r", "--model", &name]);
    assert_eq!(verified.code, 0, "{}{}", verified.stdout, verified.stderr);
    with_template(folder.path(), &TEMPLATE.replace('[', "("));
    let refused = audit(&["--resume", "--chat-template"]);
    assert!(refused.code == 2 && refused.stderr.contains("template"), "{}", refused.stderr);
}

#[test]
fn explain_shows_the_template_as_unscored() {
    let folder = tempfile::tempdir().unwrap();
    let name = with_template(folder.path(), TEMPLATE);
    let done =
        run(folder.path(), &["explain", "--model", &name, "--chat-template", "He is tired", "She is tired"]);
    assert_eq!(done.code, 0, "{}", done.stderr);
    assert!(
        done.stdout.contains("unscored") && done.stdout.contains("<- first difference"),
        "{}",
        done.stdout
    );
    let plain = run(folder.path(), &["explain", "--model", &name, "He is tired", "She is tired"]);
    let counts = |text: &str| -> Vec<String> {
        let summaries = text.lines().filter(|line| line.contains("scored tokens, sum"));
        summaries.filter_map(|line| line.split(',').next().map(str::to_owned)).collect()
    };
    assert_eq!(counts(&done.stdout), counts(&plain.stdout));
    assert_eq!(counts(&plain.stdout).len(), 2);
}

#[test]
fn what_cannot_be_done_is_said_with_a_hint() {
    let folder = tempfile::tempdir().unwrap();
    let explain = |name: &str, more: &[&str]| {
        run(folder.path(), &[&["explain", "--model", name, "a b"], more].concat())
    };
    let refusals = [
        (
            "{{ raise_exception('no empty turn') }}",
            "refuses the conversation: no empty turn",
            "--chat-template=user",
        ),
        ("{% for turn in messages %}", "the chat template fails: syntax error", "plain text"),
        ("{{ messages[0].content }}", "does not print what the assistant says", "--chat-template=user"),
        ("{{ messages[1].content * 2 }}", "more than once", "--chat-template=user"),
        (
            "{% for a in range(9999) %}{% for b in range(9999) %}{% endfor %}{% endfor %}",
            "the chat template fails",
            "plain text",
        ),
    ];
    for (template, words, hint) in refusals {
        let name = with_template(folder.path(), template);
        let done = explain(&name, &["--chat-template"]);
        println!("{}", done.stderr);
        assert_eq!(done.code, 3, "{}", done.stderr);
        assert!(done.stderr.contains(words) && done.stderr.contains(hint), "{}", done.stderr);
    }
    let done = explain(&model("llama-f16"), &["--chat-template"]);
    assert!(done.code == 3 && done.stderr.contains("the model has no chat template"), "{}", done.stderr);
    println!("{}", done.stderr);
    fs::write(folder.path().join("in.jsonl"), "").unwrap();
    let done = run(
        folder.path(),
        &["logprobs", "--model", &model("bert"), "--input", "in.jsonl", "--chat-template"],
    );
    println!("{}", done.stderr);
    assert!(done.code == 2 && done.stderr.contains("causal"), "{}", done.stderr);
    let name = with_template(folder.path(), &TEMPLATE.replace("{{ bos_token }}", ""));
    let done = explain(&name, &["--chat-template"]);
    println!("{}", done.stderr);
    assert!(done.code == 0 && done.stderr.contains("none is put"), "{}", done.stderr);
    let info = run(folder.path(), &["model", "info", &name]);
    assert!(info.stdout.contains("chat template"), "{}", info.stdout);
}

#[test]
fn a_template_may_nest_deeply_and_ends_in_words_where_it_grows_without_end() {
    let folder = tempfile::tempdir().unwrap();
    let ending = "{% for turn in messages %}{{ turn.content }}{% endfor %}";
    let nested = format!("{{{{ {}1 }}}}{ending}", "-".repeat(60_000));
    let grows = "{% set n = namespace(l=[1]) %}{% for i in range(40) %}{% set n.l = n.l + n.l %}{% endfor %}";
    let name = with_template(folder.path(), &nested);
    assert_eq!(
        run(folder.path(), &["explain", "--model", &name, "--chat-template", "She was tired"]).code,
        0
    );
    for (template, reason) in [
        (&format!("{grows}{ending}"), "the chat template fails"),
        (&"x".repeat(70_000), "70000 bytes are more than a template has"),
    ] {
        let name = with_template(folder.path(), template);
        let done = run(folder.path(), &["explain", "--model", &name, "--chat-template", "She was tired"]);
        assert_eq!(done.code, 3, "{} {}", done.stdout, done.stderr);
        assert!(done.stderr.contains(reason), "{}", done.stderr);
    }
}
