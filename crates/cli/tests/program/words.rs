//! What the small commands say.

use crate::{model, run};

#[test]
fn the_sets_and_models_that_have_a_name_are_listed() {
    let folder = tempfile::tempdir().unwrap();
    let sets = run(folder.path(), &["set", "list"]);
    assert_eq!(sets.code, 0);
    assert!(sets.stdout.contains("mini") && sets.stdout.contains("eurogest"), "{}", sets.stdout);
    let models = run(folder.path(), &["model", "list"]);
    assert_eq!(models.code, 0);
    assert_eq!(
        models.stdout.lines().filter(|line| line.contains("  yes  ")).count(),
        24,
        "{}",
        models.stdout
    );
    assert!(models.stdout.ends_with("default: gemma-3-270m\n"));
}

#[test]
fn the_built_in_set_is_counted() {
    let folder = tempfile::tempdir().unwrap();
    let done = run(folder.path(), &["set", "info", "mini"]);
    assert_eq!(done.code, 0, "{}", done.stderr);
    assert_eq!(done.stdout.lines().filter(|line| line.contains("4 (")).count(), 30, "{}", done.stdout);
    let check = run(folder.path(), &["set", "check", "mini"]);
    assert_eq!(check.code, 0, "{}", check.stderr);
    assert!(check.stdout.ends_with("no problems\n"), "{}", check.stdout);
}

#[test]
fn a_model_says_what_was_understood_of_it() {
    let folder = tempfile::tempdir().unwrap();
    let done = run(folder.path(), &["model", "info", "--model", &model("gemma3_text")]);
    assert_eq!(done.code, 0, "{}", done.stderr);
    for word in ["architecture", "gemma3_text", "tied", "context", "before every text", "sha256"] {
        assert!(done.stdout.contains(word), "{word}: {}", done.stdout);
    }
}

#[test]
fn quiet_means_quiet() {
    let folder = tempfile::tempdir().unwrap();
    let arguments =
        ["-q", "audit", "--model", &model("llama"), "--languages", "en", "--quick", "--out", "run"];
    let done = run(folder.path(), &arguments);
    assert_eq!((done.code, done.stderr.as_str()), (0, ""));
}
