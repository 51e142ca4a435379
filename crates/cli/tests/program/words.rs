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
fn an_inventory_is_listed_shown_and_checked() {
    let folder = tempfile::tempdir().unwrap();
    let list = run(folder.path(), &["set", "list"]);
    assert!(list.stdout.contains("abc-paper  yes"), "{}", list.stdout);
    let info = run(folder.path(), &["set", "info", "abc"]);
    assert_eq!(info.code, 0, "{}", info.stderr);
    assert!(
        info.stdout.starts_with("abc 1: 30 groups, 16 trait pairs, 4 languages, 3017 items\n"),
        "{}",
        info.stdout
    );
    for word in
        ["shared groups, non-shared stereotypes", "muslim", "Shudra (hi)", "irrational", "non-polar", "Hindi"]
    {
        assert!(info.stdout.to_lowercase().contains(&word.to_lowercase()), "{word}: {}", info.stdout);
    }
    for command in ["info", "check"] {
        let done = run(folder.path(), &["set", command, "abc-released"]);
        let known = "unknown set `abc-released`: neither a known name (mini, eurogest, abc, abc-paper) nor an existing";
        assert!(done.code == 2 && done.stderr.contains(known), "{}", done.stderr);
    }
    let check = run(folder.path(), &["set", "check", "abc-paper"]);
    assert_eq!((check.code, check.stderr.as_str()), (0, ""));
    assert!(check.stdout.ends_with("no problems\n"), "{}", check.stdout);
    let own = folder.path().join("own");
    std::fs::create_dir(&own).unwrap();
    std::fs::write(own.join("inventory.toml"), "origin = 3").unwrap();
    let broken = run(folder.path(), &["set", "check", "own"]);
    assert_eq!(broken.code, 3, "{}", broken.stdout);
    assert!(broken.stdout.starts_with("problem: inventory.toml, line 1: "), "{}", broken.stdout);
    // A doubt does not send the reader to the command that says it.
    std::fs::write(folder.path().join("twice.csv"), "id,stereotype,language,neutral\na,1,en, I cook.\n")
        .unwrap();
    let doubted = run(folder.path(), &["set", "check", "twice.csv"]);
    assert!(
        doubted.stderr.contains("white space") && !doubted.stderr.contains("set check"),
        "{}",
        doubted.stderr
    );
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

#[test]
fn a_model_is_named_with_or_without_the_option() {
    let folder = tempfile::tempdir().unwrap();
    let llama = model("llama");
    let option = run(folder.path(), &["model", "info", "--model", &llama]);
    let plain = run(folder.path(), &["model", "info", &llama]);
    assert_eq!((plain.code, &plain.stdout), (0, &option.stdout), "{}", plain.stderr);
    assert_eq!(run(folder.path(), &["model", "info", &llama, "--model", &llama]).code, 2);
}

#[test]
fn the_help_names_values_and_defaults() {
    let folder = tempfile::tempdir().unwrap();
    let help =
        run(folder.path(), &["audit", "--help"]).stdout.split_whitespace().collect::<Vec<_>>().join(" ");
    for words in [
        "geometric or arithmetic [default: geometric;",
        "first-token [default: mean;",
        "[default: 2000;",
        "[default: 10;",
        "[default: 20251104;",
        "pronoun where the language has one, else noun",
        "the official languages of the European Union",
    ] {
        assert!(help.contains(words), "`{words}` is not in: {help}");
    }
    assert!(run(folder.path(), &["set", "info", "--help"]).stdout.contains("per language"));
}
